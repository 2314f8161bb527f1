//! The next step that the findings ask for, with what it needs.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{CitedPlace, Handover, HandoverOptions, Quotation};
use crate::patterns::{Cure, EvidenceRole, Findings, Pattern, Severity};
use crate::{Entry, EntryKind};

/// The one next step, with its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preparation {
    /// What to do, with what.
    pub step: NextStep,
    /// The patterns for which it is the step, worst first.
    pub patterns: Vec<Pattern>,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NextStep {
    /// Write these into a file that is read at the start: what was lost first, then the rest.
    Write {
        /// The lines, word for word.
        lines: Vec<Quotation>,
    },
    /// Load only what the next step needs.
    Select {
        /// What to load.
        load: Vec<CitedPlace>,
        /// What was loaded and is not needed, largest first, redacted.
        leave: Vec<String>,
    },
    /// Make the context smaller.
    Compress(Compression),
    /// Go on in a new session that is told this.
    Isolate(Box<Handover>),
}

/// What may be compressed, and what of it must stay as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compression {
    /// Turns of which a summary is enough.
    pub spans: Vec<TurnSpan>,
    /// What must stay word for word, also where it stands in those turns.
    pub verbatim: Vec<Quotation>,
}

/// Turns in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnSpan {
    /// The first.
    pub first: u32,
    /// The last.
    pub last: u32,
    /// Bytes of text in them.
    pub bytes: u64,
}

/// Turns at the end that stay as they are: the work that is under way.
const MAX_RECENT_TURNS: u32 = 2;

impl Preparation {
    /// The next step for what was found; nothing where the context is well.
    pub fn of<'a>(
        entries: impl IntoIterator<Item = &'a Entry>,
        findings: &Findings,
        options: &HandoverOptions<'_>,
    ) -> Option<Self> {
        cure(findings)?;
        let entries: Vec<&Entry> = entries.into_iter().collect();
        let handover = Handover::of(entries.iter().copied(), options);
        Self::with_handover(entries, findings, handover)
    }

    /// [`Preparation::of`], where the hand-over of these entries is made already.
    pub fn with_handover<'a>(
        entries: impl IntoIterator<Item = &'a Entry>,
        findings: &Findings,
        handover: Handover,
    ) -> Option<Self> {
        let cure = cure(findings)?;
        let mut patterns: Vec<Pattern> = Vec::new();
        for finding in findings.current().filter(|it| it.cure == cure) {
            if !patterns.contains(&finding.pattern) {
                patterns.push(finding.pattern);
            }
        }
        let step = match cure {
            Cure::Write => NextStep::Write {
                lines: lost_first(findings, verbatim(&handover)),
            },
            Cure::Select => NextStep::Select {
                load: handover.places,
                leave: findings.unused.clone(),
            },
            Cure::Compress => NextStep::Compress(Compression {
                spans: spans(&entries.into_iter().collect::<Vec<_>>()),
                verbatim: verbatim(&handover),
            }),
            Cure::Isolate => NextStep::Isolate(Box::new(handover)),
        };
        Some(Self { step, patterns })
    }
}

/// The step that the findings ask for. Poisoning first: every summary carries it on.
fn cure(findings: &Findings) -> Option<Cure> {
    let is_poisoned = findings
        .current()
        .any(|it| it.pattern == Pattern::Poisoning && it.severity == Severity::Red);
    if is_poisoned {
        return Some(Cure::Isolate);
    }
    Some(findings.current().next()?.cure)
}

fn verbatim(handover: &Handover) -> Vec<Quotation> {
    let mut lines = handover.constraints.clone();
    let known: HashSet<&str> = handover.constraints.iter().map(|it| &*it.words).collect();
    let decisions = handover.decisions.iter();
    lines.extend(decisions.filter(|it| !known.contains(&*it.words)).cloned());
    lines
}

fn lost_first(findings: &Findings, mut lines: Vec<Quotation>) -> Vec<Quotation> {
    let lost: Vec<_> = findings
        .current()
        .filter(|it| it.pattern == Pattern::LostInTheMiddle)
        .filter_map(|it| it.first(EvidenceRole::Cause))
        .collect();
    let mut known: HashSet<(u64, String)> = lines
        .iter()
        .map(|it| (it.entry, it.words.clone()))
        .collect();
    for evidence in &lost {
        // A fact may be none of them: it is among the lines only if a rule knew it.
        if known.insert((evidence.entry, evidence.words.clone())) {
            lines.push(Quotation {
                words: evidence.words.clone(),
                entry: evidence.entry,
                location: evidence.location.clone(),
                turn: evidence.turn,
                is_of_user: true,
                revised_in: None,
            });
        }
    }
    let lost: HashSet<(u64, &str)> = lost.iter().map(|it| (it.entry, &*it.words)).collect();
    lines.sort_by_key(|line| !lost.contains(&(line.entry, &*line.words)));
    lines
}

fn spans(entries: &[&Entry]) -> Vec<TurnSpan> {
    let start = entries
        .iter()
        .rposition(|it| it.agent.is_none() && matches!(it.kind, EntryKind::Compaction(_)))
        .unwrap_or(0);
    let entries = &entries[start..];
    let last = entries.iter().map(|it| it.turn).max().unwrap_or(0);
    let mut span: Option<TurnSpan> = None;
    for entry in entries.iter().filter(|it| it.agent.is_none()) {
        if entry.turn == 0 || entry.turn.saturating_add(MAX_RECENT_TURNS) > last {
            continue;
        }
        let bytes = entry.kind.text().map_or(0, crate::RawText::len) as u64;
        let span = span.get_or_insert(TurnSpan {
            first: entry.turn,
            last: entry.turn,
            bytes: 0,
        });
        span.last = entry.turn;
        span.bytes += bytes;
    }
    span.into_iter().collect()
}
