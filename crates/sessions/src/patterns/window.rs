//! The model's context between two compactions.

use std::collections::{HashMap, HashSet};

use crate::{Entry, EntryKind, ToolCall, ToolResult};

/// An entry, with accessors for the rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) entry: &'a Entry,
}

impl<'a> Item<'a> {
    /// Returns the model's message, if it is one.
    pub(crate) fn model_text(&self) -> Option<&'a crate::RawText> {
        let entry: &'a Entry = self.entry;
        match &entry.kind {
            EntryKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the user's prompt, if it is one.
    pub(crate) fn prompt(&self) -> Option<&'a crate::RawText> {
        let entry: &'a Entry = self.entry;
        match &entry.kind {
            EntryKind::Prompt(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the call, if it is one.
    pub(crate) fn call(&self) -> Option<&'a ToolCall> {
        let entry: &'a Entry = self.entry;
        match &entry.kind {
            EntryKind::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the result, if it is one.
    pub(crate) fn result(&self) -> Option<&'a ToolResult> {
        let entry: &'a Entry = self.entry;
        match &entry.kind {
            EntryKind::Result(result) => Some(result),
            _ => None,
        }
    }
}

/// The main agent's context between two compactions or renewals, in order.
#[derive(Debug)]
pub(crate) struct Window<'a> {
    pub(crate) items: Vec<Item<'a>>,
    /// Whether it is the current context.
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

    /// Creates one window of the whole session, ignoring compactions.
    pub(crate) fn of_session(entries: &[&'a Entry]) -> Self {
        let mut whole = Self::new();
        entries.iter().for_each(|it| whole.push(it));
        whole
    }

    /// Returns whether it contains an entry.
    pub(crate) fn contains(&self, entry: u64) -> bool {
        self.items.iter().any(|it| it.entry.index == entry)
    }

    /// Returns the call of a result.
    pub(crate) fn call_of(&self, result: &ToolResult) -> Option<&'a ToolCall> {
        let at = self.calls.get(result.call.as_str())?;
        self.items[*at].call()
    }
}

/// Returns the windows of a session, oldest first.
///
/// A compaction or renewal ends a window. The next one begins with its summary and kept entries.
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
                // An earlier token count does not describe the new window, so do not copy it.
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
