//! Keeps the last entries of a session within a memory limit.

use std::collections::VecDeque;

use serde_json::Value;

use crate::{Entry, EntryKind, PlanChange, PlanItem};

/// The last entries of a session, up to a total number of bytes.
///
/// ```
/// use agon_sessions::RecentEntries;
///
/// let recent = RecentEntries::new(50 << 20);
/// assert_eq!(recent.dropped(), 0);
/// assert_eq!(recent.iter().count(), 0);
/// ```
#[derive(Debug)]
pub struct RecentEntries {
    entries: VecDeque<(Entry, usize)>,
    bytes: usize,
    max_bytes: usize,
    dropped: u64,
}

/// Bytes of an entry besides its text.
const ENTRY_BYTES: usize = size_of::<Entry>() + 64;

impl RecentEntries {
    /// Creates an empty collection of at most `max_bytes`.
    pub fn new(max_bytes: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            bytes: 0,
            max_bytes,
            dropped: 0,
        }
    }

    /// Adds an entry and drops the oldest ones over the limit.
    pub fn push(&mut self, entry: Entry) {
        let bytes = size(&entry.kind) + ENTRY_BYTES;
        self.bytes += bytes;
        self.entries.push_back((entry, bytes));
        while self.bytes > self.max_bytes {
            let Some((_, bytes)) = self.entries.pop_front() else {
                break;
            };
            self.bytes -= bytes;
            self.dropped += 1;
        }
    }

    /// Returns the entries, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.iter().map(|(entry, _)| entry)
    }

    /// Returns the number of dropped entries, which callers have to report.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

fn size(kind: &EntryKind) -> usize {
    let text = kind.text().map_or(0, crate::RawText::len);
    match kind {
        EntryKind::Call(call) => call.id.len() + call.name.len() + tree_size(&call.arguments),
        EntryKind::Compaction(compaction) => {
            text + compaction.kept.as_ref().map_or(0, |it| 8 * it.len())
        }
        EntryKind::Renewed(renewal) => 8 * renewal.kept.len(),
        EntryKind::Plan(PlanChange::Replaced(items)) => items
            .iter()
            .map(|it| size_of::<PlanItem>() + it.id.len() + it.text.len())
            .sum(),
        _ => text,
    }
}

/// Estimates the bytes of a JSON tree.
fn tree_size(value: &Value) -> usize {
    let own = size_of::<Value>();
    own + match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(tree_size).sum(),
        // About 64 bytes per field, because a B-tree node reserves room for eleven.
        Value::Object(fields) => {
            let fields_size = |(name, value): (&String, &Value)| 64 + name.len() + tree_size(value);
            fields.iter().map(fields_size).sum()
        }
    }
}
