//! Words findings on a person's answer in terms of the form.

use agon_record::finding::Finding;
use agon_record::id::AskKey;
use agon_record::state::{Ask, State};

use super::answer::{place_of_part, split_reply};
use super::form::Form;
use super::moves::{FormPlace, form_to_moves};
use super::read::read_form;

/// Rewords `finding` in terms of the form, if it is about a `place` in it.
pub fn reword_finding_for_form(finding: &Finding, place: Option<&FormPlace>) -> Finding {
    let message = match place {
        Some(place) => format!("{}: {}", place.name, without_backticks(&finding.message)),
        None => without_backticks(&finding.message),
    };
    let hint = match finding.code.as_str() {
        "evidence-missing" => "name an existing place, or delete it".to_owned(),
        "evidence-wrong" if finding.hint.contains("anchor") => {
            "copy the words exactly, or delete the place".to_owned()
        }
        "duel-unanswered" => "write an answer below the heading of each".to_owned(),
        "duel-unruled" => "write a ruling below the heading of each".to_owned(),
        _ => without_backticks(&finding.hint),
    };
    Finding {
        at: String::new(),
        message,
        hint,
        ..finding.clone()
    }
}

/// Removes the backticks around key names.
fn without_backticks(text: &str) -> String {
    text.replace('`', "").replace("defends", "defenses")
}

/// Rewords `findings` on the answer before `key` in terms of its form.
pub(super) fn reword_findings_for_form(
    state: &State,
    key: AskKey,
    findings: &[Finding],
) -> Vec<Finding> {
    let form = previous_form(state, key);
    let places = form.map(|form| form_to_moves(&form, &mut Vec::new()).1);
    let places = places.unwrap_or_default();
    findings
        .iter()
        .map(|finding| reword_finding_for_form(finding, place_of_part(&places, &finding.at)))
        .collect()
}

/// Returns the form that was submitted before `key`, if any.
pub(super) fn previous_form(state: &State, key: AskKey) -> Option<Form> {
    let asks = &state.turns.get(&key.turn)?.asks;
    let ask = asks.get(usize::from(key.again.checked_sub(1)?))?;
    let words = split_reply(Ask::reply_text(ask)?)?;
    let (form, problems) = read_form(&Form::blank(state, key), words);
    problems.is_empty().then_some(form)
}
