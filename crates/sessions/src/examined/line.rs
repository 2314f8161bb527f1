//! One line of a condensed session: a message, a summary, or a call with its outcome.

use serde_json::Value;

use crate::{Entry, EntryKind, ToolCall, ToolKind, ToolResult};

/// The speaker of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The user.
    User,
    /// The model.
    Model,
    /// A tool: a call of the model with its result.
    Tool,
    /// A summary that replaced earlier context.
    Summary,
    /// The host, which loaded text such as an instructions file.
    Host,
}

/// A line of a condensed session.
#[derive(Clone, Copy, Debug)]
pub struct ExaminedLine<'a> {
    /// Its number, from 1.
    pub number: u32,
    /// Its speaker.
    pub speaker: Speaker,
    /// The message or the call; the result if its call is not recorded.
    pub entry: &'a Entry,
    /// The result of a call.
    pub(super) result: Option<&'a Entry>,
    /// The first context window that contains it, from 0.
    pub(super) first_window: u32,
    /// The last context window that contains it, since a compaction can keep a line word for word.
    pub(super) last_window: u32,
}

impl<'a> ExaminedLine<'a> {
    /// Returns the call, if it is one.
    pub(super) fn call(&self) -> Option<&'a ToolCall> {
        let entry: &'a Entry = self.entry;
        match &entry.kind {
            EntryKind::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the result of a call, or the entry itself if it is a result; `None` without a
    /// result.
    pub(super) fn outcome(&self) -> Option<&'a ToolResult> {
        let of = |entry: &'a Entry| match &entry.kind {
            EntryKind::Result(result) => Some(result),
            _ => None,
        };
        self.result.and_then(of).or_else(|| of(self.entry))
    }

    /// Returns the kind of the called tool.
    pub(super) fn kind(&self) -> Option<ToolKind> {
        self.call().map(|it| it.kind)
    }

    /// Returns the text of a message, summary or loaded text.
    pub(super) fn message(&self) -> &'a str {
        let entry: &'a Entry = self.entry;
        match &entry.kind {
            EntryKind::Call(_) | EntryKind::Result(_) => "",
            kind => kind.text().map_or("", crate::RawText::as_str),
        }
    }

    /// Returns the output of a tool.
    pub(super) fn output(&self) -> &'a str {
        self.outcome().map_or("", |it| it.text.as_str())
    }

    /// Returns the arguments of a call, one per line.
    pub(super) fn arguments(&self) -> String {
        let Some(call) = self.call() else {
            return String::new();
        };
        let mut all = Vec::new();
        collect_strings(&call.arguments, &mut all);
        // Put the command and the path first, whatever their order in the record.
        let first = [call.command_line(), call.path().map(str::to_owned)];
        let mut lines: Vec<String> = first.into_iter().flatten().collect();
        let rest = all.into_iter().filter(|it| !lines.iter().any(|l| l == it));
        let rest: Vec<String> = rest.map(str::to_owned).collect();
        lines.extend(rest);
        lines.join("\n")
    }

    /// Returns the command line of a call that runs one.
    pub(super) fn command(&self) -> Option<String> {
        self.call()
            .filter(|it| it.kind == ToolKind::Run)
            .and_then(ToolCall::command_line)
    }

    /// Returns the file or folder of a call.
    pub(super) fn path(&self) -> Option<&'a str> {
        self.call().and_then(ToolCall::path)
    }

    /// Returns the message or the arguments of the call, without the tool's output.
    pub(super) fn text_without_output(&self) -> String {
        match self.speaker {
            Speaker::Tool => self.arguments(),
            _ => self.message().to_owned(),
        }
    }

    /// Returns all text, including the tool's output.
    pub(super) fn full_text(&self) -> String {
        match self.speaker {
            Speaker::Tool => format!("{}\n{}", self.arguments(), self.output()),
            _ => self.message().to_owned(),
        }
    }

    /// Returns whether both lines are in the same context window.
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
