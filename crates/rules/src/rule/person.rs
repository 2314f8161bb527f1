//! What the rules ask of a person who sits in a seat: less than of a tool.
//!
//! A person needs an answer and reasons. What else a tool is held to would make a form too long to
//! fill in, and style is theirs.

use agon_record::finding::{Finding, Severity};

/// Rules that ask for more than a person is asked for.
const NOT_ASKED: [&str; 6] = [
    "duel-flaw",
    "duel-categories",
    "duel-alternative",
    "duel-grounds",
    "duel-tradeoff",
    "duel-follow-up",
];

/// Rules of style and support, which stop no person.
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

/// `findings` as they count where a person answers.
pub(super) fn relax_for_person(findings: &mut Vec<Finding>) {
    findings.retain(|finding| {
        let key = finding.at.rsplit('.').next().unwrap_or_default();
        let is_left_out = match finding.code.as_str() {
            "reply-empty" => OPTIONAL_TEXTS.contains(&key),
            // No point is named; one that is not there is told.
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
