//! What the model had, from one compaction to the next.

use std::collections::{HashMap, HashSet};

use super::act::strings;
use crate::{Entry, EntryKind, ToolCall, ToolResult};

/// Whose words an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// The user's.
    User,
    /// The model's, its thoughts included.
    Model,
    /// Text that the host put in, and summaries.
    Host,
    /// What a tool gave.
    Tool,
}

/// An entry and where it begins and ends, in bytes of what the model has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) entry: &'a Entry,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl<'a> Item<'a> {
    /// Its text and whose it is.
    pub(crate) fn text(&self) -> Option<(Voice, &'a crate::RawText)> {
        let entry: &'a Entry = self.entry;
        let voice = match &entry.kind {
            EntryKind::Prompt(_) => Voice::User,
            EntryKind::Text(_) | EntryKind::Reasoning(_) => Voice::Model,
            EntryKind::Loaded(_) | EntryKind::Compaction(_) => Voice::Host,
            EntryKind::Result(_) => Voice::Tool,
            _ => return None,
        };
        entry.kind.text().map(|text| (voice, text))
    }

    /// What the model said aloud.
    pub(crate) fn model_text(&self) -> Option<&'a crate::RawText> {
        let entry: &'a Entry = self.entry;
        match &entry.kind {
            EntryKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What the user wrote.
    pub(crate) fn prompt(&self) -> Option<&'a crate::RawText> {
        let entry: &'a Entry = self.entry;
        match &entry.kind {
            EntryKind::Prompt(text) => Some(text),
            _ => None,
        }
    }

    /// The call, where it is one.
    pub(crate) fn call(&self) -> Option<&'a ToolCall> {
        let entry: &'a Entry = self.entry;
        match &entry.kind {
            EntryKind::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The result, where it is one.
    pub(crate) fn result(&self) -> Option<&'a ToolResult> {
        let entry: &'a Entry = self.entry;
        match &entry.kind {
            EntryKind::Result(result) => Some(result),
            _ => None,
        }
    }
}

/// What the main agent's model had from one compaction or renewal to the next, in order.
#[derive(Debug)]
pub(crate) struct Window<'a> {
    pub(crate) items: Vec<Item<'a>>,
    /// Whether it is what the model has now.
    pub(crate) is_current: bool,
    calls: HashMap<&'a str, usize>,
}

impl<'a> Window<'a> {
    /// Whether what the model says at `at` is put to the user: a question that it goes on to answer
    /// itself is not.
    pub(crate) fn waits_for_user(&self, at: usize) -> bool {
        let later = self.items.get(at + 1..).unwrap_or_default();
        later
            .iter()
            .find_map(|it| match (it.prompt(), it.call(), it.model_text()) {
                (Some(_), ..) => Some(true),
                (None, Some(_), _) | (None, None, Some(_)) => Some(false),
                (None, None, None) => None,
            })
            .unwrap_or(true)
    }

    fn new() -> Self {
        Self {
            items: Vec::new(),
            is_current: false,
            calls: HashMap::new(),
        }
    }

    fn push(&mut self, entry: &'a Entry) {
        let start = self.bytes();
        let at = self.items.len();
        let bytes = match &entry.kind {
            EntryKind::Call(call) => {
                self.calls.insert(&call.id, at);
                strings(&call.arguments).map(str::len).sum()
            }
            kind => kind.text().map_or(0, crate::RawText::len),
        };
        self.items.push(Item {
            entry,
            start,
            end: start + bytes,
        });
    }

    /// Bytes of all that is in it.
    pub(crate) fn bytes(&self) -> usize {
        self.items.last().map_or(0, |it| it.end)
    }

    /// The call of a result.
    pub(crate) fn call_of(&self, result: &ToolResult) -> Option<&'a ToolCall> {
        let at = self.calls.get(result.call.as_str())?;
        self.items[*at].call()
    }
}

/// The windows of a session, oldest first: a compaction or a renewal ends one and begins the next
/// with its summary and what it kept. Sub-agents have contexts of their own and are left out.
pub(crate) fn windows<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Vec<Window<'a>> {
    let mut windows = vec![Window::new()];
    for entry in entries.into_iter().filter(|it| it.agent.is_none()) {
        let kept: Option<&[u64]> = match &entry.kind {
            EntryKind::Compaction(compaction) => Some(compaction.kept.as_deref().unwrap_or(&[])),
            EntryKind::Renewed(renewal) => Some(&renewal.kept),
            _ => None,
        };
        if let Some(kept) = kept {
            let mut next = Window::new();
            next.push(entry);
            let kept: HashSet<u64> = kept.iter().copied().collect();
            for item in windows.last().iter().flat_map(|it| &it.items) {
                // A count of before says nothing of what there is after it.
                let is_count = matches!(item.entry.kind, EntryKind::Usage(_));
                if !is_count && kept.contains(&item.entry.index) {
                    next.push(item.entry);
                }
            }
            windows.push(next);
        } else if let Some(window) = windows.last_mut() {
            window.push(entry);
        }
    }
    if let Some(last) = windows.last_mut() {
        last.is_current = true;
    }
    windows
}
