//! Collects changed files, commands with their last result, and failures that are still open.

use std::cmp::Reverse;
use std::collections::HashMap;

use agon_record::text::sanitise_line;
use serde::{Deserialize, Serialize};

use super::command::{commands_of_passed, core_command, has_pipe};
use super::within;
use crate::patterns::{changes_files, only_looks};
use crate::prose::Quotes;
use crate::{Entry, EntryKind, Location, ToolCall, ToolKind, ToolResult};

/// Maximum number of characters of a command or a file name.
const MAX_CHARS: usize = 160;
/// Most lines kept of a failed command's result, from its end.
const MAX_RESULT_LINES: usize = 3;
/// Most edits named that followed a failure.
const MAX_EDITED_SINCE: usize = 12;

/// A file that the session changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedFile {
    /// Its path, relative to the project folder if inside it.
    pub path: String,
    /// The turn of the last such call.
    pub turn: u32,
}

/// A command with its last result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RanCommand {
    /// The command on one line, without secrets.
    pub command: String,
    /// The turn of its last run.
    pub turn: u32,
    /// The place of its last result in the record.
    pub location: Location,
    /// Its outcome.
    pub outcome: CommandOutcome,
    /// The last lines of its result, if it failed.
    pub result: Vec<String>,
    /// If it failed: the files edited after that run, and commands that change files, latest
    /// first.
    pub edited_since: Vec<String>,
}

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandOutcome {
    /// The record says that it succeeded.
    Passed,
    /// It failed, with this exit code if recorded.
    Failed(Option<i64>),
    /// The last program of a pipe succeeded, so the outcome of the first one is unknown.
    Piped,
    /// The record has no result.
    NoResult,
}

/// The work of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Changed files, latest first.
    pub changed: Vec<ChangedFile>,
    /// Commands, latest run first, without those that only print something, such as `ls`.
    pub commands: Vec<RanCommand>,
    /// Files with a failed edit that was not repeated successfully, latest first.
    pub failed_edits: Vec<ChangedFile>,
}

impl Work {
    /// Returns the commands that failed and have not passed since.
    pub fn failures(&self) -> impl Iterator<Item = &RanCommand> {
        let failed = |it: &&RanCommand| matches!(it.outcome, CommandOutcome::Failed(_));
        self.commands.iter().filter(failed)
    }
}

/// Collects the work of the main agent's calls.
pub(super) fn work(entries: &[&Entry], project: Option<&str>, quotes: &mut Quotes) -> Work {
    let mut results: HashMap<&str, (&Entry, &ToolResult)> = HashMap::new();
    for entry in entries {
        if let EntryKind::Result(result) = &entry.kind {
            results.insert(result.call.as_str(), (entry, result));
        }
    }
    let mut collector = WorkCollector::default();
    for entry in entries {
        let EntryKind::Call(call) = &entry.kind else {
            continue;
        };
        let result = results.get(call.id.as_str()).copied();
        match call.kind {
            ToolKind::Edit => collector.add_edit(entry, call, result, project, quotes),
            ToolKind::Run => collector.add_command(entry, call, result, quotes),
            _ => {}
        }
    }
    collector.add_later_edits();
    Work {
        changed: sort_latest_first(collector.changed),
        commands: sort_latest_first(collector.commands),
        failed_edits: sort_latest_first(collector.failed_edits),
    }
}

/// Rows by their key, each with the index of its latest entry.
type Rows<T> = HashMap<String, (u64, T)>;

fn sort_latest_first<T>(rows: Rows<T>) -> Vec<T> {
    let mut rows: Vec<(u64, String, T)> = rows
        .into_iter()
        .map(|(key, (at, row))| (at, key, row))
        .collect();
    rows.sort_by(|a, b| (b.0, &a.1).cmp(&(a.0, &b.1)));
    rows.into_iter().map(|(_, _, row)| row).collect()
}

#[derive(Default)]
struct WorkCollector {
    changed: Rows<ChangedFile>,
    commands: Rows<RanCommand>,
    failed_edits: Rows<ChangedFile>,
    /// The entry of the latest edit of each file, or of each command that changes files.
    edits: HashMap<String, u64>,
    /// The entry of each command's failed run.
    failed_at: HashMap<String, u64>,
}

impl WorkCollector {
    /// Removes the failures of commands that a passed line ran too, as in "git pull && make".
    fn clear_failures(&mut self, line: &str) {
        for part in commands_of_passed(line) {
            if self.failed_at.remove(&part).is_some() {
                self.commands.remove(&part);
            }
        }
    }

    /// Notes at each failed command what was edited after it.
    fn add_later_edits(&mut self) {
        let mut edits: Vec<(u64, &String)> = self.edits.iter().map(|it| (*it.1, it.0)).collect();
        edits.sort_by_key(|(at, edited)| (Reverse(*at), *edited));
        for (core, at) in &self.failed_at {
            let Some((_, command)) = self.commands.get_mut(core) else {
                continue;
            };
            let later = edits.iter().take_while(|it| it.0 > *at);
            let later = later.take(MAX_EDITED_SINCE).map(|it| it.1.clone());
            command.edited_since = later.collect();
        }
    }

    fn add_edit(
        &mut self,
        entry: &Entry,
        call: &ToolCall,
        result: Option<(&Entry, &ToolResult)>,
        project: Option<&str>,
        quotes: &Quotes,
    ) {
        let has_failed = result.is_some_and(|(_, it)| it.failure.is_some());
        for path in call.changed_files() {
            let path = quotes.quote_argument(within(path, project), MAX_CHARS);
            if path.is_empty() {
                continue;
            }
            let rows = match has_failed {
                true => &mut self.failed_edits,
                false => {
                    self.failed_edits.remove(&path);
                    self.edits.insert(path.clone(), entry.index);
                    &mut self.changed
                }
            };
            let row = ChangedFile {
                path: path.clone(),
                turn: entry.turn,
            };
            rows.insert(path, (entry.index, row));
        }
    }

    fn add_command(
        &mut self,
        entry: &Entry,
        call: &ToolCall,
        result: Option<(&Entry, &ToolResult)>,
        quotes: &mut Quotes,
    ) {
        let Some(line) = call.command_line() else {
            return;
        };
        let command = quotes.quote_argument(&line, MAX_CHARS);
        let core = core_command(&line);
        if command.is_empty() || core.is_empty() || only_looks(&line) {
            return;
        }
        let is_failed = result.is_some_and(|(_, it)| it.failure.is_some());
        if !is_failed && changes_files(&line) {
            self.edits.insert(format!("`{command}`"), entry.index);
        }
        let outcome = match result {
            None => CommandOutcome::NoResult,
            Some((_, result)) => match result.failure {
                Some(failure) => CommandOutcome::Failed(failure.exit),
                None if has_pipe(&line) => CommandOutcome::Piped,
                None => CommandOutcome::Passed,
            },
        };
        // A run with an unknown result does not clear an earlier failure, so keep that failure.
        let is_open = matches!(outcome, CommandOutcome::Piped | CommandOutcome::NoResult);
        if let Some((at, before)) = self.commands.get_mut(&core)
            && is_open
            && matches!(before.outcome, CommandOutcome::Failed(_))
        {
            *at = entry.index;
            return;
        }
        let lines = match (result, outcome) {
            (Some((_, result)), CommandOutcome::Failed(_)) => last_lines(result, quotes),
            _ => Vec::new(),
        };
        let row = RanCommand {
            command,
            turn: entry.turn,
            location: result.map_or(entry, |it| it.0).location.clone(),
            outcome,
            result: lines,
            edited_since: Vec::new(),
        };
        if outcome == CommandOutcome::Passed {
            self.clear_failures(&line);
        }
        if is_failed {
            self.failed_at.insert(core.clone(), entry.index);
        } else {
            self.failed_at.remove(&core);
        }
        self.commands.insert(core, (entry.index, row));
    }
}

/// Returns the last non-empty lines of a result.
fn last_lines(result: &ToolResult, quotes: &mut Quotes) -> Vec<String> {
    let text = result.text.as_str();
    let lines = text.lines().rev().filter(|it| !it.trim().is_empty());
    let mut lines: Vec<&str> = lines.take(MAX_RESULT_LINES).collect();
    lines.reverse();
    let quoted = lines.iter().map(|line| quotes.quote(&result.text, line));
    quoted.map(|it| sanitise_line(&it, MAX_CHARS)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::Failure;

    /// A call: its tool, its arguments, and the exit code and output where it ended.
    type Called<'a> = (ToolKind, Value, Option<(Option<i64>, &'a str)>);

    /// Entries of calls, each with its result where one is given.
    fn entries(calls: &[Called<'_>]) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut push = |turn: usize, kind: EntryKind| {
            let index = entries.len() as u64;
            entries.push(Entry {
                index,
                turn: u32::try_from(turn).unwrap(),
                call: 0,
                agent: None,
                copied: false,
                location: Location::Line {
                    line: index,
                    byte: 0,
                },
                time: None,
                kind,
            });
        };
        for (at, (kind, arguments, result)) in calls.iter().enumerate() {
            let id = at.to_string();
            push(
                at + 1,
                EntryKind::Call(ToolCall {
                    id: id.clone(),
                    name: "tool".to_owned(),
                    kind: *kind,
                    arguments: arguments.clone(),
                }),
            );
            if let Some((exit, text)) = result {
                let failure = exit.map(|exit| Failure {
                    recorded: true,
                    exit: Some(exit),
                });
                push(
                    at + 1,
                    EntryKind::Result(ToolResult {
                        call: id,
                        text: (*text).into(),
                        whole: None,
                        failure,
                    }),
                );
            }
        }
        entries
    }

    fn work_of(calls: &[Called<'_>]) -> Work {
        let entries = entries(calls);
        let all: Vec<&Entry> = entries.iter().collect();
        work(&all, Some("/p"), &mut Quotes::default())
    }

    #[test]
    fn a_failure_is_open_until_the_same_command_passes() {
        let run = |command: &str| (ToolKind::Run, json!({"command": command}));
        let with = |(kind, args), result| (kind, args, result);
        let work = work_of(&[
            with(
                run("cargo test"),
                Some((Some(101), "a\n\nb\nc\nFAILED x\n")),
            ),
            with(run("npm test"), Some((Some(1), "1 failing"))),
            with(run("make all"), Some((Some(2), "Error 2"))),
            with(run("git pull && make all"), Some((None, "ok"))),
            with(run("cd /p && cargo test 2>&1"), Some((None, "ok"))),
            // The code of `tail` says nothing of the tests.
            with(run("npm test | tail -5"), Some((None, "1 failing"))),
            with(run("make || true"), Some((None, ""))),
            with(run("make 'a|b'"), None),
            with(run("git diff --stat"), Some((None, "a.rs | 2 +-"))),
            with(run("ls gone"), Some((Some(2), "No such file"))),
        ]);
        let open: Vec<_> = work.failures().map(|it| it.command.as_str()).collect();
        assert_eq!(open, ["npm test"]);
        let all: Vec<_> = work
            .commands
            .iter()
            .map(|it| (it.command.as_str(), it.turn, it.outcome))
            .collect();
        assert_eq!(
            all,
            [
                ("make 'a|b'", 8, CommandOutcome::NoResult),
                ("make || true", 7, CommandOutcome::Passed),
                ("npm test", 2, CommandOutcome::Failed(Some(1))),
                ("cd /p && cargo test 2>&1", 5, CommandOutcome::Passed),
                ("git pull && make all", 4, CommandOutcome::Passed),
            ]
        );
    }

    #[test]
    fn a_failure_names_what_was_edited_after_it() {
        let edit = |path: &str| {
            let args = json!({ "file_path": path });
            (ToolKind::Edit, args, Some((None, "ok")))
        };
        let run = |command: &str, exit: Option<i64>| {
            (
                ToolKind::Run,
                json!({ "command": command }),
                Some((exit, "")),
            )
        };
        let since = |calls: &[Called<'_>]| {
            let work = work_of(calls);
            work.failures().next().unwrap().edited_since.clone()
        };
        let before = [edit("/p/a.rs"), run("cargo test", Some(101))];
        assert!(since(&before).is_empty());
        let mut after = before.to_vec();
        after.extend([
            edit("/p/b.rs"),
            run("sed -i s/a/b/ c.rs", None),
            edit("/p/b.rs"),
            run("sed -i s/a/b/ d.rs", Some(1)),
            // What ran here is unknown, so the earlier failure remains.
            run("cargo test | tail -1", None),
        ]);
        assert_eq!(since(&after), ["b.rs", "`sed -i s/a/b/ c.rs`"]);
        after.push(run("cargo test", Some(101)));
        assert!(since(&after).is_empty());
    }

    #[test]
    fn of_a_failure_the_last_lines_are_kept() {
        let args = json!({"command": ["bash", "-lc", "cargo test"]});
        let text = "a\n\nb\nc\nFAILED x\n";
        let work = work_of(&[(ToolKind::Run, args, Some((Some(101), text)))]);
        let failure = work.failures().next().unwrap();
        assert_eq!(failure.command, "cargo test");
        assert_eq!(failure.result, ["b", "c", "FAILED x"]);
    }

    #[test]
    fn files_are_those_that_calls_changed() {
        let edit = |path: &str| json!({"file_path": path});
        let patch = "*** Begin Patch\n*** Update File: src/b.rs\n@@\n*** Add File: c.rs\n+x\n";
        let work = work_of(&[
            (ToolKind::Edit, edit("/p/src/a.rs"), Some((None, "ok"))),
            (ToolKind::Edit, json!({"input": patch}), Some((None, "ok"))),
            (ToolKind::Read, edit("/p/read.rs"), Some((None, "ok"))),
            (
                ToolKind::Edit,
                edit("/p/failed.rs"),
                Some((Some(1), "no match")),
            ),
            (
                ToolKind::Edit,
                edit("/p/later.rs"),
                Some((Some(1), "no match")),
            ),
            (ToolKind::Edit, edit("/p/later.rs"), Some((None, "ok"))),
            (ToolKind::Edit, edit("/p/src/a.rs"), Some((None, "ok"))),
        ]);
        let changed: Vec<_> = work
            .changed
            .iter()
            .map(|it| (it.path.as_str(), it.turn))
            .collect();
        assert_eq!(
            changed,
            [
                ("src/a.rs", 7),
                ("later.rs", 6),
                ("c.rs", 2),
                ("src/b.rs", 2)
            ]
        );
        let failed: Vec<_> = work
            .failed_edits
            .iter()
            .map(|it| it.path.as_str())
            .collect();
        assert_eq!(failed, ["failed.rs"]);
    }
}
