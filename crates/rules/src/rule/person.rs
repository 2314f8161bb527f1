//! Relaxes the rules for a person in a seat.
//!
//! A person must give an answer and reasons. The other rules for tools would make the form too
//! long, and people may write in their own style.

use agon_record::finding::{Finding, Severity};

/// Rules that do not apply to people.
const NOT_ASKED: [&str; 6] = [
    "duel-flaw",
    "duel-categories",
    "duel-alternative",
    "duel-grounds",
    "duel-tradeoff",
    "duel-follow-up",
];

/// Rules on style and support, which are only warnings for people.
const STYLE: [&str; 8] = [
    "reply-words",
    "reply-grounds",
    "duel-stance",
    "duel-praise",
    "duel-opinion",
    "duel-objections-first",
    "evidence-unsupported",
    "verdict-recommendation",
];

/// Texts that a person may leave out.
const OPTIONAL_TEXTS: [&str; 7] = [
    "title",
    "warrant",
    "relevance",
    "remaining_risk",
    "position",
    "do_next",
    "unless",
];

/// Relaxes `findings` for a person's reply.
pub(super) fn relax_for_person(findings: &mut Vec<Finding>) {
    findings.retain(|finding| {
        let key = finding.at.rsplit('.').next().unwrap_or_default();
        let is_left_out = match finding.code.as_str() {
            "reply-empty" => OPTIONAL_TEXTS.contains(&key),
            // A person does not have to name points, but every named point must exist.
            "verdict-decisive" => finding.at == "decisive",
            code => NOT_ASKED.contains(&code),
        };
        !is_left_out
    });
    for finding in findings {
        if STYLE.contains(&finding.code.as_str()) {
            finding.severity = finding.severity.min(Severity::Warning);
        }
    }
}
