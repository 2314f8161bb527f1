//! A session, made one thing after the other.

use std::path::{Path, PathBuf};

use agon_sessions::{
    CallUsage, Compaction, CompactionTrigger, Entry, EntryKind, Failure, Findings, FindingsOptions,
    Location, Pattern, PatternFinding, PlanChange, PlanItem, PlanState, Purpose, Tokens, ToolCall,
    ToolKind, ToolResult,
};
use serde_json::{Value, json};

/// The folder of the project in all sessions here.
pub(crate) const PROJECT: &str = "/srv/agon";

pub(crate) const TESTS_PASS: &str = include_str!("fixtures/cargo-test-ok.txt");
pub(crate) const TESTS_FAIL: &str = include_str!("fixtures/cargo-test-failed.txt");
pub(crate) const GIT_LOG: &str = include_str!("fixtures/git-log.txt");
pub(crate) const GIT_SHOW: &str = include_str!("fixtures/git-show.txt");

/// The root of this repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of this repository.
pub(crate) fn file(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap()
}

/// Entries as a reader gives them.
#[derive(Default)]
pub(crate) struct SessionBuilder {
    pub(crate) entries: Vec<Entry>,
    turn: u32,
    call: u32,
}

impl SessionBuilder {
    pub(crate) fn push(&mut self, kind: EntryKind) -> &mut Self {
        let index = self.entries.len() as u64;
        self.entries.push(Entry {
            index,
            turn: self.turn,
            call: self.call,
            agent: None,
            copied: false,
            location: Location::Line {
                line: index + 1,
                byte: 100 * index,
            },
            time: None,
            kind,
        });
        self
    }

    pub(crate) fn prompt(&mut self, text: &str) -> &mut Self {
        self.turn += 1;
        self.push(EntryKind::Prompt(text.into()))
    }

    pub(crate) fn say(&mut self, text: &str) -> &mut Self {
        self.push(EntryKind::Text(text.into()))
    }

    fn act(
        &mut self,
        kind: ToolKind,
        arguments: Value,
        output: &str,
        failure: Option<Failure>,
    ) -> &mut Self {
        self.call += 1;
        let id = format!("call-{}", self.entries.len());
        self.push(EntryKind::Call(ToolCall {
            id: id.clone(),
            name: format!("{kind:?}").to_lowercase(),
            kind,
            arguments,
        }));
        self.push(EntryKind::Result(ToolResult {
            call: id,
            text: output.into(),
            whole: None,
            failure,
        }))
    }

    pub(crate) fn read(&mut self, path: &str, text: &str) -> &mut Self {
        self.act(ToolKind::Read, json!({ "file_path": path }), text, None)
    }

    pub(crate) fn read_fails(&mut self, path: &str) -> &mut Self {
        let text = format!("File not found: {path}");
        let arguments = json!({ "file_path": path });
        self.act(ToolKind::Read, arguments, &text, failed(None))
    }

    pub(crate) fn search(&mut self, pattern: &str, text: &str) -> &mut Self {
        self.act(ToolKind::Search, json!({ "pattern": pattern }), text, None)
    }

    pub(crate) fn run(&mut self, command: &str, output: &str) -> &mut Self {
        self.act(ToolKind::Run, json!({ "command": command }), output, None)
    }

    pub(crate) fn run_fails(&mut self, command: &str, output: &str) -> &mut Self {
        let arguments = json!({ "command": command });
        self.act(ToolKind::Run, arguments, output, failed(Some(101)))
    }

    pub(crate) fn edit(&mut self, path: &str, old: &str, new: &str) -> &mut Self {
        let arguments = json!({ "file_path": path, "old_string": old, "new_string": new });
        self.act(ToolKind::Edit, arguments, "The file was updated.", None)
    }

    pub(crate) fn edit_fails(&mut self, path: &str, old: &str, new: &str) -> &mut Self {
        let arguments = json!({ "file_path": path, "old_string": old, "new_string": new });
        let text = "String to replace not found in file.";
        self.act(ToolKind::Edit, arguments, text, failed(None))
    }

    pub(crate) fn compact(&mut self, summary: &str, kept: Option<Vec<u64>>) -> &mut Self {
        self.push(EntryKind::Compaction(Compaction {
            trigger: CompactionTrigger::Automatic,
            before: None,
            after: None,
            summary: Some(summary.into()),
            kept,
        }))
    }

    pub(crate) fn usage(&mut self, fill: u64) -> &mut Self {
        self.push(EntryKind::Usage(CallUsage {
            key: format!("u{}", self.entries.len()),
            model: None,
            tokens: Tokens::default(),
            fill,
            purpose: Purpose::Work,
            replaces: None,
        }))
    }

    pub(crate) fn plan(&mut self, items: &[(&str, PlanState)]) -> &mut Self {
        let items = items
            .iter()
            .enumerate()
            .map(|(at, (text, state))| PlanItem {
                id: (at + 1).to_string(),
                text: (*text).into(),
                state: *state,
            });
        let change = PlanChange::Replaced(items.collect());
        self.push(EntryKind::Plan(change))
    }

    /// Reads files of this repository and speaks of what is in each.
    pub(crate) fn study(&mut self, paths: &[&str]) -> &mut Self {
        for path in paths {
            let text = file(path);
            self.read(&format!("{PROJECT}/{path}"), &text);
            let names = names(&text);
            self.say(&format!(
                "`{path}` has `{}`, then `{}`.",
                names[0], names[1]
            ));
        }
        self
    }

    pub(crate) fn findings(&self) -> Findings {
        self.findings_of_kind(false)
    }

    fn findings_of_kind(&self, is_debate: bool) -> Findings {
        let options = FindingsOptions {
            limits: None,
            project: Some(PROJECT.into()),
            is_debate,
        };
        Findings::of(&self.entries, &options)
    }

    /// The patterns that are found where it is the session of a seat of a debate.
    pub(crate) fn patterns_of_seat(&self) -> Vec<Pattern> {
        let found = self.findings_of_kind(true).findings;
        found.into_iter().map(|it| it.pattern).collect()
    }

    pub(crate) fn of(&self, pattern: Pattern) -> Vec<PatternFinding> {
        let all = self.findings().findings;
        all.into_iter().filter(|it| it.pattern == pattern).collect()
    }

    /// The patterns that are found, each once.
    pub(crate) fn patterns(&self) -> Vec<Pattern> {
        let mut found: Vec<Pattern> = self
            .findings()
            .findings
            .iter()
            .map(|it| it.pattern)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn failed(exit: Option<i64>) -> Option<Failure> {
    Some(Failure {
        recorded: true,
        exit,
    })
}

/// Names of code in a text, with the long ones that say more first.
pub(crate) fn names(text: &str) -> Vec<String> {
    let mut found: Vec<String> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|it| it.len() >= 8 && it.chars().any(char::is_alphabetic))
        .map(str::to_owned)
        .collect();
    found.sort_by_key(|it| (!it.contains('_'), std::cmp::Reverse(it.len())));
    found.dedup();
    found.push("nothing".to_owned());
    found.push("nothing".to_owned());
    found
}

/// A session that begins with a prompt.
pub(crate) fn session(prompt: &str) -> SessionBuilder {
    let mut session = SessionBuilder::default();
    session.prompt(prompt);
    session
}
