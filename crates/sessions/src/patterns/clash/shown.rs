//! How a clash is shown.

use crate::patterns::statement::Statement;
use crate::patterns::{
    Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Voice, Window,
};
use crate::prose::Quotes;

/// Two sources that exclude each other, and where the model goes on with one of them.
pub(super) struct Pair<'a> {
    pub(super) one: (usize, &'a str),
    pub(super) two: (usize, &'a str),
    pub(super) used: (usize, String),
}

/// Two sources, and where the model went on with one of them.
pub(super) fn describe_pair(
    window: &Window<'_>,
    pair: &Pair<'_>,
    quotes: &mut Quotes,
) -> PatternFinding {
    let mut evidence = Vec::new();
    for (item, words) in [pair.one, pair.two] {
        let item = &window.items[item];
        if let Some((_, text)) = item.text() {
            let role = EvidenceRole::Cause;
            evidence.push(PatternEvidence::from_text(
                role, item.entry, text, words, quotes,
            ));
        }
    }
    let entry = window.items[pair.used.0].entry;
    let role = EvidenceRole::Effect;
    evidence.push(PatternEvidence::from_words(
        role,
        entry,
        &pair.used.1,
        quotes,
    ));
    PatternFinding {
        pattern: Pattern::Clash,
        severity: Severity::Amber,
        confidence: 0.7,
        cure: Cure::Select,
        reason:
            "Two files exclude each other, and the model went on with one of them without a word."
                .to_owned(),
        evidence,
        is_current: window.is_current,
    }
}

/// Two statements.
pub(super) fn describe(
    window: &Window<'_>,
    one: &Statement<'_>,
    two: &Statement<'_>,
    quotes: &mut Quotes,
) -> PatternFinding {
    let mut show = |role, it: &Statement<'_>| {
        let item = &window.items[it.item];
        let (_, text) = item.text()?;
        Some(PatternEvidence::from_text(
            role, item.entry, text, it.words, quotes,
        ))
    };
    let evidence = [
        show(EvidenceRole::Cause, one),
        show(EvidenceRole::Effect, two),
    ];
    let is_prose = one.voice != Voice::Tool && two.voice != Voice::Tool;
    let is_of_user = one.voice == Voice::User || two.voice == Voice::User;
    PatternFinding {
        pattern: Pattern::Clash,
        severity: if is_of_user {
            Severity::Red
        } else {
            Severity::Amber
        },
        confidence: if is_prose { 0.75 } else { 0.65 },
        cure: Cure::Select,
        reason: "Two statements give one thing values that exclude each other.".to_owned(),
        evidence: evidence.into_iter().flatten().collect(),
        is_current: window.is_current,
    }
}
