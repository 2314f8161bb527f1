//! Tokens against what the model bears.

use serde::{Deserialize, Serialize};

use super::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Window};
use crate::prose::Quotes;
use crate::{EntryKind, Purpose};

/// How many tokens a model bears.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenLimits {
    /// From here on it begins to get worse.
    pub onset: u64,
    /// From here on it is not to be relied on.
    pub severe: u64,
    /// Whether they were measured, or are what is said of the model.
    pub is_measured: bool,
}

/// The last count since the last compaction, where it is past a limit.
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
        reason: format!("The context holds {fill} tokens; this model's {word} is {limit}."),
        evidence: vec![PatternEvidence::from_words(
            EvidenceRole::Effect,
            entry,
            &words,
            quotes,
        )],
        is_current: window.is_current,
    })
}
