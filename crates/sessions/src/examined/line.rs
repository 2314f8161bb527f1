//! One line of a condensed session: a message, a summary, or a call with its outcome.

use serde_json::Value;

use crate::{Entry, EntryKind, ToolCall, ToolKind, ToolResult};

/// Whose words a line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The user's.
    User,
    /// The model's.
    Model,
    /// A tool's: a call of the model and its outcome.
    Tool,
    /// A summary that took the place of what came before.
    Summary,
    /// Text that the host loaded, such as a file of instructions.
    Host,
}

/// A line of a condensed session.
#[derive(Clone, Copy, Debug)]
pub struct ExaminedLine<'a> {
    /// Its number, from 1.
    pub number: u32,
    /// Whose words it has.
    pub speaker: Speaker,
    /// The message, or the call; the outcome if its call is not in the record.
    pub entry: &'a Entry,
    /// The outcome of a call.
    pub(super) result: Option<&'a Entry>,
    /// The first context window that has it, from 0.
    pub(super) first_window: u32,
    /// The last one: a compaction can keep a line word for word.
    pub(super) last_window: u32,
}

impl<'a> ExaminedLine<'a> {
    /// The call, if it is one.
    pub(super) fn call(&self) -> Option<&'a ToolCall> {
        let entry: &'a Entry = self.entry;
        match &entry.kind {
            EntryKind::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The outcome, if it is a call that has one.
    pub(super) fn outcome(&self) -> Option<&'a ToolResult> {
        let of = |entry: &'a Entry| match &entry.kind {
            EntryKind::Result(result) => Some(result),
            _ => None,
        };
        self.result.and_then(of).or_else(|| of(self.entry))
    }

    /// What a call does.
    pub(super) fn kind(&self) -> Option<ToolKind> {
        self.call().map(|it| it.kind)
    }

    /// The text of a message, a summary or something loaded.
    pub(super) fn message(&self) -> &'a str {
        let entry: &'a Entry = self.entry;
        match &entry.kind {
            EntryKind::Call(_) | EntryKind::Result(_) => "",
            kind => kind.text().map_or("", crate::RawText::as_str),
        }
    }

    /// What a tool gave.
    pub(super) fn output(&self) -> &'a str {
        self.outcome().map_or("", |it| it.text.as_str())
    }

    /// The arguments of a call, one below the other.
    pub(super) fn arguments(&self) -> String {
        let Some(call) = self.call() else {
            return String::new();
        };
        let mut all = Vec::new();
        collect_strings(&call.arguments, &mut all);
        // What it is about comes first, whatever the order of the record.
        let first = [call.command_line(), call.path().map(str::to_owned)];
        let mut lines: Vec<String> = first.into_iter().flatten().collect();
        let rest = all.into_iter().filter(|it| !lines.iter().any(|l| l == it));
        let rest: Vec<String> = rest.map(str::to_owned).collect();
        lines.extend(rest);
        lines.join("\n")
    }

    /// The command line of a call that runs one.
    pub(super) fn command(&self) -> Option<String> {
        self.call()
            .filter(|it| it.kind == ToolKind::Run)
            .and_then(ToolCall::command_line)
    }

    /// The file or folder of a call.
    pub(super) fn path(&self) -> Option<&'a str> {
        self.call().and_then(ToolCall::path)
    }

    /// What was said or done: a message, or the arguments of a call, never what a tool gave.
    pub(super) fn render_said(&self) -> String {
        match self.speaker {
            Speaker::Tool => self.arguments(),
            _ => self.message().to_owned(),
        }
    }

    /// All of its words.
    pub(super) fn all_words(&self) -> String {
        match self.speaker {
            Speaker::Tool => format!("{}\n{}", self.arguments(), self.output()),
            _ => self.message().to_owned(),
        }
    }

    /// Whether both lines are in one context window.
    pub(super) fn shares_window(&self, other: &Self) -> bool {
        self.first_window <= other.last_window && other.first_window <= self.last_window
    }
}

fn collect_strings<'v>(value: &'v Value, all: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => all.push(text),
        Value::Array(values) => values.iter().for_each(|it| collect_strings(it, all)),
        Value::Object(fields) => fields.values().for_each(|it| collect_strings(it, all)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
