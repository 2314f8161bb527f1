//! What was done: files changed, commands with their last result, and what failed and has not passed
//! since.

use std::collections::HashMap;

use agon_record::text::sanitise_line;
use serde::{Deserialize, Serialize};

use crate::prose::Quotes;
use crate::{Entry, EntryKind, Location, ToolCall, ToolKind, ToolResult};

/// Characters of a command or of the name of a file.
const MAX_CHARS: usize = 160;
/// Lines of the result of a command that failed, from its end.
const MAX_RESULT_LINES: usize = 3;

/// A file that the session changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedFile {
    /// Its path, from the project's folder where it is in it.
    pub path: String,
    /// How many calls changed it.
    pub count: usize,
    /// The turn of the last of them.
    pub turn: u32,
}

/// A command with its last result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RanCommand {
    /// The command, in one line and without secrets.
    pub command: String,
    /// The turn in which it was run last.
    pub turn: u32,
    /// Where its last result stands in the record.
    pub location: Location,
    /// What came of it.
    pub outcome: CommandOutcome,
    /// The last lines of its result, where it failed.
    pub result: Vec<String>,
}

/// What came of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandOutcome {
    /// The record has it as a success.
    Passed,
    /// It failed, with this exit code where the record has it.
    Failed(Option<i64>),
    /// The last program of a pipe succeeded: of the command before it nothing is known.
    Piped,
    /// The record has no result.
    NoResult,
}

/// What was done in a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Files that were changed, the last first.
    pub changed: Vec<ChangedFile>,
    /// Commands, the one that was run last first.
    pub commands: Vec<RanCommand>,
    /// Edits that failed and have not been made since: the file and the turn, the last first.
    pub failed_edits: Vec<ChangedFile>,
}

impl Work {
    /// Commands that failed and have not passed since.
    pub fn failures(&self) -> impl Iterator<Item = &RanCommand> {
        let failed = |it: &&RanCommand| matches!(it.outcome, CommandOutcome::Failed(_));
        self.commands.iter().filter(failed)
    }
}

/// What the calls of the main agent did.
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
    Work {
        changed: last_first(collector.changed),
        commands: last_first(collector.commands),
        failed_edits: last_first(collector.failed_edits),
    }
}

/// Rows by what makes them the same, each with the index of the entry that came last.
type Rows<T> = HashMap<String, (u64, T)>;

fn last_first<T>(rows: Rows<T>) -> Vec<T> {
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
}

impl WorkCollector {
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
            let within = project.and_then(|it| path.strip_prefix(it)?.strip_prefix('/'));
            let path = quotes.loose(within.unwrap_or(path), MAX_CHARS);
            if path.is_empty() {
                continue;
            }
            let rows = match has_failed {
                true => &mut self.failed_edits,
                false => {
                    self.failed_edits.remove(&path);
                    &mut self.changed
                }
            };
            let count = rows.get(&path).map_or(0, |(_, it)| it.count) + 1;
            let turn = entry.turn;
            let row = ChangedFile {
                path: path.clone(),
                count,
                turn,
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
        let command = quotes.loose(&line, MAX_CHARS);
        let core = core_of(&line);
        if command.is_empty() || core.is_empty() {
            return;
        }
        let outcome = match result {
            None => CommandOutcome::NoResult,
            Some((_, result)) => match result.failure {
                Some(failure) => CommandOutcome::Failed(failure.exit),
                None if has_pipe(&line) => CommandOutcome::Piped,
                None => CommandOutcome::Passed,
            },
        };
        // A run whose result is not known does not take back a failure.
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
        };
        self.commands.insert(core, (entry.index, row));
    }
}

/// The command without what stands around it in many runs of the same: a change of folder in front,
/// and where its output goes.
fn core_of(command: &str) -> String {
    let mut rest = command.trim();
    while let Some((first, after)) = rest.split_once("&&")
        && first.trim_start().starts_with("cd ")
    {
        rest = after.trim_start();
    }
    let end = pipe_start(rest).unwrap_or(rest.len());
    let words = rest[..end].split_whitespace();
    let words = words.filter(|it| !matches!(*it, "2>&1" | "2>/dev/null"));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether the exit code of a line is that of a program behind a pipe.
fn has_pipe(line: &str) -> bool {
    pipe_start(line).is_some() && !line.contains("pipefail")
}

/// Where the first pipe of a line is, outside of quotes.
fn pipe_start(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let mut quote = None;
    for (at, byte) in line.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'|') => {
                let is_or = bytes.get(at + 1) == Some(&b'|')
                    || at.checked_sub(1).and_then(|it| bytes.get(it)) == Some(&b'|');
                if !is_or {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The last lines of a result, without those that are empty.
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
            with(run("cd /p && cargo test 2>&1"), Some((None, "ok"))),
            // The code of `tail` says nothing of the tests.
            with(run("npm test | tail -5"), Some((None, "1 failing"))),
            with(run("make || true"), Some((None, ""))),
            with(run("grep 'a|b' x"), None),
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
                ("grep 'a|b' x", 6, CommandOutcome::NoResult),
                ("make || true", 5, CommandOutcome::Passed),
                ("npm test", 2, CommandOutcome::Failed(Some(1))),
                ("cd /p && cargo test 2>&1", 3, CommandOutcome::Passed),
            ]
        );
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
            .map(|it| (it.path.as_str(), it.count))
            .collect();
        assert_eq!(
            changed,
            [
                ("src/a.rs", 2),
                ("later.rs", 1),
                ("c.rs", 1),
                ("src/b.rs", 1)
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
