//! Condenses a session to numbered lines.

use std::collections::{HashMap, HashSet};

use super::line::{ExaminedLine, Speaker};
use crate::{Entry, EntryKind, LoadedKind};

/// A session as numbered lines: messages of the user and the model, summaries, loaded text, and
/// calls with their results.
///
/// ```
/// use agon_sessions::{CondensedSession, RecentEntries};
///
/// let recent = RecentEntries::new(1 << 20);
/// assert!(CondensedSession::of(recent.iter()).lines().is_empty());
/// ```
#[derive(Debug)]
pub struct CondensedSession<'a> {
    pub(super) lines: Vec<ExaminedLine<'a>>,
    /// The context window at the end of the session, from 0.
    pub(super) last_window: u32,
}

impl<'a> CondensedSession<'a> {
    /// Condenses entries, given in reading order. Sub-agents are left out, since they have their
    /// own contexts.
    pub fn of(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let mut session = Self {
            lines: Vec::new(),
            last_window: 0,
        };
        let mut calls: HashMap<&'a str, usize> = HashMap::new();
        for entry in entries.into_iter().filter(|it| it.agent.is_none()) {
            session.add(entry, &mut calls);
        }
        for line in &mut session.lines {
            line.last_window = line.last_window.min(session.last_window);
        }
        session
    }

    fn add(&mut self, entry: &'a Entry, calls: &mut HashMap<&'a str, usize>) {
        let speaker = match &entry.kind {
            EntryKind::Prompt(_) => Speaker::User,
            EntryKind::Text(_) => Speaker::Model,
            EntryKind::Call(call) => {
                calls.insert(&call.id, self.lines.len());
                Speaker::Tool
            }
            EntryKind::Result(result) => {
                let call = calls.get(result.call.as_str());
                if let Some(line) = call.and_then(|at| self.lines.get_mut(*at)) {
                    line.result = Some(entry);
                    return;
                }
                Speaker::Tool
            }
            EntryKind::Compaction(compaction) => {
                self.begin_window(compaction.kept.as_deref().unwrap_or(&[]));
                if compaction.summary.is_none() {
                    return;
                }
                Speaker::Summary
            }
            EntryKind::Renewed(renewal) => {
                self.begin_window(&renewal.kept);
                return;
            }
            EntryKind::Loaded(loaded) => match loaded.kind {
                LoadedKind::Instructions | LoadedKind::Hook => Speaker::Host,
                LoadedKind::System | LoadedKind::Surroundings | LoadedKind::GoOn => return,
            },
            EntryKind::Reasoning(_)
            | EntryKind::SubAgent(_)
            | EntryKind::Plan(_)
            | EntryKind::Usage(_)
            | EntryKind::Aborted
            | EntryKind::Resumed => return,
        };
        let is_empty = entry.kind.text().is_some_and(crate::RawText::is_empty);
        if is_empty && speaker != Speaker::Tool {
            return;
        }
        self.lines.push(ExaminedLine {
            number: u32::try_from(self.lines.len() + 1).unwrap_or(u32::MAX),
            speaker,
            entry,
            result: None,
            first_window: self.last_window,
            last_window: self.last_window,
        });
    }

    /// Starts a new window after a compaction or renewal, with the entries that it kept.
    fn begin_window(&mut self, kept: &[u64]) {
        let kept: HashSet<u64> = kept.iter().copied().collect();
        let before = self.last_window;
        self.last_window = before.saturating_add(1);
        for line in &mut self.lines {
            let is_kept = line.last_window == before && kept.contains(&line.entry.index);
            if is_kept {
                line.last_window = before.saturating_add(1);
            }
        }
    }

    /// Returns the lines, in order.
    pub fn lines(&self) -> &[ExaminedLine<'a>] {
        &self.lines
    }

    /// Returns the number of the line with this entry.
    pub fn line_of_entry(&self, index: u64) -> Option<u32> {
        let has = |line: &&ExaminedLine<'_>| {
            line.entry.index == index || line.result.is_some_and(|it| it.index == index)
        };
        self.lines.iter().find(has).map(|it| it.number)
    }

    pub(super) fn line(&self, number: u32) -> Option<&ExaminedLine<'a>> {
        let at = usize::try_from(number.checked_sub(1)?).ok()?;
        self.lines.get(at)
    }

    /// Returns the lines between two lines.
    pub(super) fn between(&self, first: u32, last: u32) -> &[ExaminedLine<'a>] {
        let from = usize::try_from(first).unwrap_or(usize::MAX);
        let to = usize::try_from(last.saturating_sub(1)).unwrap_or(usize::MAX);
        self.lines.get(from..to.max(from)).unwrap_or_default()
    }

    /// Returns the lines after a line.
    pub(super) fn after(&self, number: u32) -> &[ExaminedLine<'a>] {
        let from = usize::try_from(number).unwrap_or(usize::MAX);
        self.lines.get(from..).unwrap_or_default()
    }
}
