//! Holds back the last response until its purpose is known.

use crate::seen::SeenIds;
use crate::stream::{Origin, Output};
use crate::{EntryKind, Purpose};

// More entries than this without a tool call or event are not a request for a summary.
/// Most entries held back.
const MAX_PENDING: usize = 64;

/// The text and usage of the last response.
#[derive(Debug, Default)]
pub(super) struct PendingResponse {
    entries: Vec<PendingEntry>,
}

#[derive(Debug)]
struct PendingEntry {
    origin: Origin,
    kind: EntryKind,
    /// The response item it came from.
    id: Option<String>,
}

impl PendingEntry {
    fn give(self, items: &mut SeenIds, out: &mut Output<'_>) {
        let index = out.push(&self.origin, self.kind);
        if let Some(id) = &self.id {
            items.note_entries(id, index..index + 1);
        }
    }
}

impl PendingResponse {
    pub(super) fn is_full(&self) -> bool {
        self.entries.len() >= MAX_PENDING
    }

    pub(super) fn push(&mut self, origin: &Origin, kind: EntryKind, id: Option<String>) {
        self.entries.push(PendingEntry {
            origin: origin.clone(),
            kind,
            id,
        });
    }

    /// Passes the response on as work. Returns the tokens in the context after it, if counted.
    pub(super) fn release(&mut self, items: &mut SeenIds, out: &mut Output<'_>) -> Option<u64> {
        let mut fill = None;
        for entry in self.entries.drain(..) {
            if let EntryKind::Usage(usage) = &entry.kind {
                fill = Some(usage.fill);
            }
            entry.give(items, out);
        }
        fill
    }

    /// Passes the entries on, and treats `response`, or else the last response, as the request for
    /// a summary: only its usage is passed on, because the compaction contains the summary.
    pub(super) fn release_as_summary(
        &mut self,
        response: Option<&str>,
        items: &mut SeenIds,
        out: &mut Output<'_>,
    ) {
        let is_summary = |kind: &EntryKind| match kind {
            EntryKind::Usage(usage) => response.is_none_or(|it| it == usage.key),
            _ => false,
        };
        let last = self.entries.iter().rposition(|it| is_summary(&it.kind));
        // The usage entry of the preceding response is the last entry before the summary request.
        let before = self.entries[..last.unwrap_or(self.entries.len())]
            .iter()
            .rposition(|it| matches!(it.kind, EntryKind::Usage(_)))
            .map_or(0, |at| at + 1);
        for (at, mut entry) in self.entries.drain(..).enumerate() {
            if last.is_some_and(|last| (before..=last).contains(&at)) {
                match (&mut entry.kind, &entry.id) {
                    (EntryKind::Usage(usage), _) => usage.purpose = Purpose::Compaction,
                    (_, Some(id)) => {
                        // The entry is dropped, but its id stays known.
                        items.note_entries(id, 0..0);
                        continue;
                    }
                    (_, None) => continue,
                }
            }
            entry.give(items, out);
        }
    }
}
