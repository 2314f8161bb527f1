//! What was received last, until it is clear what it was for.

use crate::stream::{Origin, Output};
use crate::{EntryKind, Purpose};

// An answer is some messages; what goes on without a tool call or an event for longer is not the
// request for a summary.
/// Entries that are held back at most.
const MAX_HELD: usize = 64;

/// The texts and the usage of the last response.
#[derive(Debug, Default)]
pub(super) struct Held {
    entries: Vec<(Origin, EntryKind)>,
}

impl Held {
    pub(super) fn push(&mut self, origin: &Origin, kind: EntryKind) {
        if self.entries.len() < MAX_HELD {
            self.entries.push((origin.clone(), kind));
        }
    }

    /// Gives it as work; returns what the context held after it, where it was counted.
    pub(super) fn release(&mut self, out: &mut Output<'_>) -> Option<u64> {
        let mut fill = None;
        for (origin, kind) in self.entries.drain(..) {
            if let EntryKind::Usage(usage) = &kind {
                fill = Some(usage.fill);
            }
            out.push(&origin, kind);
        }
        fill
    }

    /// Gives it knowing that `response`, or else the last of it, was the request for a summary: of
    /// that only the usage is given, for the summary stands with its compaction.
    pub(super) fn release_as_summary(&mut self, response: Option<&str>, out: &mut Output<'_>) {
        let is_summary = |kind: &EntryKind| match kind {
            EntryKind::Usage(usage) => response.is_none_or(|it| it == usage.key),
            _ => false,
        };
        let last = self.entries.iter().rposition(|(_, kind)| is_summary(kind));
        // What belongs to the response before it ends with the usage of that.
        let before = self.entries[..last.unwrap_or(self.entries.len())]
            .iter()
            .rposition(|(_, kind)| matches!(kind, EntryKind::Usage(_)))
            .map_or(0, |at| at + 1);
        for (at, (origin, mut kind)) in self.entries.drain(..).enumerate() {
            if last.is_some_and(|last| (before..=last).contains(&at)) {
                match &mut kind {
                    EntryKind::Usage(usage) => usage.purpose = Purpose::Compaction,
                    _ => continue,
                }
            }
            out.push(&origin, kind);
        }
    }
}
