//! The next step for the findings, with its content.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{CitedPlace, Handover, HandoverOptions, Quotation};
use crate::patterns::{Cure, EvidenceRole, Findings, Pattern, Severity};
use crate::{Entry, EntryKind};

/// The next step, with its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preparation {
    /// The step.
    pub step: NextStep,
    /// The patterns that it remedies, worst first.
    pub patterns: Vec<Pattern>,
}

/// A next step and its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NextStep {
    /// Write these lines into a file that the tool reads at the start, forgotten rules first.
    Write {
        /// The lines, word for word.
        lines: Vec<Quotation>,
    },
    /// Load only the files that the work needs.
    Select {
        /// Files to load.
        load: Vec<CitedPlace>,
        /// Loaded texts that are not needed, largest first, redacted.
        leave: Vec<String>,
    },
    /// Compact the context.
    Compress(Compression),
    /// Continue in a new session that starts with this hand-over.
    Isolate(Box<Handover>),
}

/// The parts that may be compressed and the parts that must stay word for word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compression {
    /// Turns that a summary can replace.
    pub spans: Vec<TurnSpan>,
    /// Quotations to keep word for word, even from those turns.
    pub verbatim: Vec<Quotation>,
}

/// A range of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnSpan {
    /// The first turn.
    pub first: u32,
    /// The last turn.
    pub last: u32,
    /// Bytes of text in these turns.
    pub bytes: u64,
}

/// Turns at the end that are never compressed, because they are current work.
const MAX_RECENT_TURNS: u32 = 2;

impl Preparation {
    /// Returns the next step for the findings; `None` if the context is healthy.
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

    /// [`Preparation::of`] with an existing hand-over of these entries.
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
                lines: sort_lost_rules_first(findings, verbatim(&handover)),
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

/// Returns the cure for the findings. Poisoning comes first, because every summary keeps it.
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

fn sort_lost_rules_first(findings: &Findings, mut lines: Vec<Quotation>) -> Vec<Quotation> {
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
        // `lines` has only constraints and decisions, so add a finding's line if it is missing.
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
