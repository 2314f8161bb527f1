//! Finds citations that a debate seat repeats although Agon found them wrong.

use std::collections::HashMap;

use super::window::Item;
use super::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Window};
use crate::prose::Quotes;
use crate::{CITATION, Location};

/// The confidence that the seat ignored the correction.
const REPEATED_CONFIDENCE: f64 = 0.9;

/// Finds wrong citations that were repeated in a later turn.
pub(super) fn find(window: &Window<'_>, quotes: &mut Quotes) -> Vec<PatternFinding> {
    let mut wrong: HashMap<String, (&Item<'_>, String)> = HashMap::new();
    let mut found = Vec::new();
    for item in &window.items {
        let Some(result) = item.result().filter(|it| it.failure.is_some()) else {
            continue;
        };
        let Some(call) = window.call_of(result).filter(|it| it.name == CITATION) else {
            continue;
        };
        let cited = call.arguments.to_string();
        match wrong.get(&cited) {
            Some((first, words)) if is_of_later_turn(first, item) => {
                let cause =
                    PatternEvidence::from_words(EvidenceRole::Cause, first.entry, words, quotes);
                let words = describe(&call.arguments, result.text.as_str());
                let effect =
                    PatternEvidence::from_words(EvidenceRole::Effect, item.entry, &words, quotes);
                found.push(PatternFinding {
                    pattern: Pattern::Poisoning,
                    severity: Severity::Red,
                    confidence: REPEATED_CONFIDENCE,
                    cure: Cure::Isolate,
                    reason: "The seat repeated a citation that Agon had found wrong.".to_owned(),
                    evidence: vec![cause, effect],
                    is_current: window.is_current,
                });
            }
            Some(_) => {}
            None => {
                let words = describe(&call.arguments, result.text.as_str());
                wrong.insert(cited, (item, words));
            }
        }
    }
    found
}

/// Returns whether the second is in another turn of the debate. Within a turn that was sent back, a
/// repeated citation is a broken debate rule instead.
fn is_of_later_turn(one: &Item<'_>, two: &Item<'_>) -> bool {
    let turn = |item: &Item<'_>| match &item.entry.location {
        Location::Row { id, .. } => id.split('#').next().map(str::to_owned),
        Location::Line { .. } => None,
    };
    one.entry.turn < two.entry.turn && turn(one) != turn(two)
}

fn describe(cited: &serde_json::Value, found: &str) -> String {
    let words: Vec<&str> = super::all_strings(cited).collect();
    let first = found.lines().next().unwrap_or_default();
    format!("{}: {first}", words.join(", "))
}
