//! Compares the tokens in the context with the model's limits.

use serde::{Deserialize, Serialize};

use super::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Window};
use crate::prose::Quotes;
use crate::{EntryKind, Purpose};

/// The token limits of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenLimits {
    /// Tokens from which results begin to get worse.
    pub onset: u64,
    /// Tokens from which results are unreliable.
    pub severe: u64,
    /// Whether the limits were measured; otherwise they are the vendor's or an estimate.
    pub is_measured: bool,
}

/// Finds the last count since the last compaction, if it is over a limit.
pub(super) fn find(
    window: &Window<'_>,
    limits: TokenLimits,
    quotes: &mut Quotes,
) -> Option<PatternFinding> {
    let (entry, fill) = window
        .items
        .iter()
        .rev()
        .find_map(|item| match &item.entry.kind {
            EntryKind::Usage(usage) if usage.purpose == Purpose::Work => {
                Some((item.entry, usage.fill))
            }
            _ => None,
        })?;
    let (severity, limit, word) = if fill >= limits.severe {
        (Severity::Red, limits.severe, "severe")
    } else if fill >= limits.onset {
        (Severity::Amber, limits.onset, "onset")
    } else {
        return None;
    };
    let words = format!("{fill} tokens, {word} {limit}");
    Some(PatternFinding {
        pattern: Pattern::Tokens,
        severity,
        confidence: if limits.is_measured { 0.9 } else { 0.6 },
        cure: if severity == Severity::Red {
            Cure::Isolate
        } else {
            Cure::Compress
        },
        reason: format!("The context has {fill} tokens; the {word} of this model is {limit}."),
        evidence: vec![PatternEvidence::from_words(
            EvidenceRole::Effect,
            entry,
            &words,
            quotes,
        )],
        is_current: window.is_current,
    })
}
