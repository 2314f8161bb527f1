//! Earlier verdicts that the seats of a debate are given.

use std::path::Path;

use agon_caller::system::format_time;
use agon_caller::{Caller, Failure, Notes, history};
use agon_index::{RefreshLimit, SimilarDecision};
use agon_record::decision::{DecisionDoc, DecisionKind};
use agon_record::precedent::{MAX_PRECEDENTS, Precedent};
use agon_redact::Redactor;

use crate::sources::source_drift::current_source_state;

/// Returns the earlier verdicts in `dir` closest to `topic`, as given to the seats.
///
/// # Errors
///
/// If the folder of debates cannot be read.
pub(crate) fn find_precedents(
    caller: &Caller,
    dir: &Path,
    topic: &str,
    redactor: &Redactor,
    notes: &mut dyn Notes,
) -> Result<Vec<Precedent>, Failure> {
    let (mut index, _) = history::open_refreshed_index(dir, RefreshLimit::All, notes)?;
    let similar = index
        .find_similar(topic, MAX_PRECEDENTS)
        .map_err(|error| history::failure(&error))?;
    if similar.is_empty() {
        notes.note("note: no earlier decision is similar to this topic, so none is included");
    }
    let precedents = similar
        .into_iter()
        .filter_map(|similar| precedent(caller, similar, redactor));
    Ok(precedents.collect())
}

fn precedent(caller: &Caller, similar: SimilarDecision, redactor: &Redactor) -> Option<Precedent> {
    let now = current_source_state(caller, &similar.path);
    let summary = similar.summary;
    // Redact again, because another tool may have written the verdict.
    let clean = |text: String| redactor.redact(&text).text.into_owned();
    let answer = answer_with_outcome(summary.answer?, summary.decided.as_ref());
    let precedent = Precedent {
        debate: clean(summary.slug),
        id: summary.ulid.map(|ulid| ulid.to_string()),
        day: format_time(summary.at_answer).chars().take(10).collect(),
        topic: clean(summary.topic),
        answer: clean(answer),
        why: summary.why.map(clean),
        unless: summary.unless.map(clean),
        authority: summary.authority,
        source: clean(now.said),
    };
    Some(precedent.truncate_texts())
}

/// Returns the answer, followed by what became of it if it was not simply taken: seats must not take
/// a rejected answer for a settled one.
fn answer_with_outcome(answer: String, decided: Option<&DecisionDoc>) -> String {
    match decided {
        Some(decided) if decided.taken != DecisionKind::Taken => {
            format!("{answer} ({}: {})", decided.taken, decided.why)
        }
        _ => answer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_told_what_became_of_an_answer_that_was_not_simply_taken() {
        let told = |taken| {
            let decided = DecisionDoc {
                taken,
                why: "the host has no disk".to_owned(),
                by: None,
                at: "2026-11-29T12:00:00Z".to_owned(),
            };
            answer_with_outcome("Use files.".to_owned(), Some(&decided))
        };
        assert_eq!(told(DecisionKind::Taken), "Use files.");
        assert_eq!(
            told(DecisionKind::NotTaken),
            "Use files. (not taken: the host has no disk)"
        );
        assert_eq!(
            answer_with_outcome("Use files.".to_owned(), None),
            "Use files."
        );
    }
}
