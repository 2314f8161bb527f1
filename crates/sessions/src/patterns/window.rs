//! What the model had, from one compaction to the next.

use std::collections::{HashMap, HashSet};

use crate::{Entry, EntryKind, ToolCall, ToolResult};

/// An entry, with what the rules ask of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) entry: &'a Entry,
}

impl<'a> Item<'a> {
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
    fn new() -> Self {
        Self {
            items: Vec::new(),
            is_current: false,
            calls: HashMap::new(),
        }
    }

    fn push(&mut self, entry: &'a Entry) {
        if let EntryKind::Call(call) = &entry.kind {
            self.calls.insert(&call.id, self.items.len());
        }
        self.items.push(Item { entry });
    }

    /// The whole session as one, whatever was compacted.
    pub(crate) fn of_session(entries: &[&'a Entry]) -> Self {
        let mut whole = Self::new();
        entries.iter().for_each(|it| whole.push(it));
        whole
    }

    /// Whether an entry is in it.
    pub(crate) fn contains(&self, entry: u64) -> bool {
        self.items.iter().any(|it| it.entry.index == entry)
    }

    /// The call of a result.
    pub(crate) fn call_of(&self, result: &ToolResult) -> Option<&'a ToolCall> {
        let at = self.calls.get(result.call.as_str())?;
        self.items[*at].call()
    }
}

/// The windows of a session, oldest first: a compaction or a renewal ends one and begins the next
/// with its summary and what it kept.
pub(crate) fn windows<'a>(entries: &[&'a Entry]) -> Vec<Window<'a>> {
    let mut windows = vec![Window::new()];
    for entry in entries.iter().copied() {
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
