//! What goes wrong in the session of a seat of a debate.
//!
//! A debate is a dispute on purpose: a seat contradicts the other one, changes its own position when an
//! objection holds, proposes other values than the ones there are, and is given much that it need not
//! speak of. What its tool does by itself is not recorded. So what begins a finding is always what the
//! user put in, what a command printed or what Agon looked up, and what ends it the seat's own words.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::window::Item;
use super::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Window};
use crate::prose::{Quotes, phrases};
use crate::{CITATION, EntryKind, Location, ToolKind};

/// How sure it is that a citation that is made again was not taken in.
const REPEATED_CONFIDENCE: f64 = 0.9;

/// Words by which a sentence says what is to be, and not what is.
static PROPOSES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:should|shall|must|will|would|could|can|may|might|ought|needs?|wants?|propos\w+|recommend\w*|prefer\w*|target|goal|aims?|budget|alternative|suppose|let us|instead)\b").ok()
});

/// Whether a finding of the rules for sessions of work holds in a debate too.
pub(super) fn holds(window: &Window<'_>, finding: &PatternFinding) -> bool {
    let places = |role| finding.evidence.iter().filter(move |it| it.role == role);
    let is_said = |it: &PatternEvidence| {
        item(window, it).is_some_and(|it| matches!(it.entry.kind, EntryKind::Text(_)))
    };
    let ends_in_words = finding.first(EvidenceRole::Effect).is_some_and(is_said);
    let causes_hold = places(EvidenceRole::Cause).all(|it| is_given(window, it));
    match finding.pattern {
        Pattern::Tokens => true,
        Pattern::Poisoning | Pattern::Clash => ends_in_words && causes_hold,
        Pattern::LostInTheMiddle => {
            let proposes = |it: &PatternEvidence| {
                PROPOSES.as_ref().is_none_or(|of| of.is_match(&it.words))
                    || phrases().correction.is_match(&it.words)
            };
            ends_in_words && causes_hold && !places(EvidenceRole::Effect).any(proposes)
        }
        // No call of the seat's is recorded, and it need not speak of all that it was given.
        Pattern::Confusion | Pattern::Distraction => false,
    }
}

/// Whether the user put it in, a command printed it, or it stands in the source.
fn is_given(window: &Window<'_>, place: &PatternEvidence) -> bool {
    item(window, place).is_some_and(|item| match &item.entry.kind {
        EntryKind::Prompt(_) => true,
        EntryKind::Result(result) => {
            let is_run = window
                .call_of(result)
                .is_some_and(|it| it.kind == ToolKind::Run);
            is_run || result.failure.is_none()
        }
        _ => false,
    })
}

fn item<'w, 'a>(window: &'w Window<'a>, place: &PatternEvidence) -> Option<&'w Item<'a>> {
    let mut items = window.items.iter();
    items.find(|it| it.entry.index == place.entry)
}

/// Citations that were looked up, were wrong, and were made again in a later turn.
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
                    reason: "A citation that was looked up and found wrong is made again."
                        .to_owned(),
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

/// Whether the second stands in another turn of the debate: one that is sent back is asked again, and
/// what stays wrong in it then is a broken rule.
fn is_of_later_turn(one: &Item<'_>, two: &Item<'_>) -> bool {
    let turn = |item: &Item<'_>| match &item.entry.location {
        Location::Row { id, .. } => id.split('#').next().map(str::to_owned),
        Location::Line { .. } => None,
    };
    one.entry.turn < two.entry.turn && turn(one) != turn(two)
}

fn describe(cited: &serde_json::Value, found: &str) -> String {
    let words: Vec<&str> = super::strings(cited).collect();
    let first = found.lines().next().unwrap_or_default();
    format!("{}: {first}", words.join(", "))
}
