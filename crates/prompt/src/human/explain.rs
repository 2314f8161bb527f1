//! What is wrong with a person's answer, in the words of their form.

use agon_record::finding::Finding;
use agon_record::id::AskKey;
use agon_record::state::{Ask, State};

use super::answer::{place_of_part, split_reply};
use super::form::Form;
use super::moves::{FormPlace, moves_of_form};
use super::read::read_form;

/// `finding`, which is about `place` of the form, in words of the form; as it is where it is about
/// none.
pub fn finding_in_words_of_form(finding: &Finding, place: Option<&FormPlace>) -> Finding {
    let message = match place {
        Some(place) => format!("{}: {}", place.name, plain(&finding.message)),
        None => plain(&finding.message),
    };
    let hint = match finding.code.as_str() {
        "evidence-missing" => "name a place that exists, or delete it".to_owned(),
        "evidence-wrong" if finding.hint.contains("anchor") => {
            "copy the words as they stand there, or delete the place".to_owned()
        }
        "duel-unanswered" => "write an answer below the heading of each".to_owned(),
        "duel-unruled" => "write a ruling below the heading of each".to_owned(),
        _ => plain(&finding.hint),
    };
    Finding {
        at: String::new(),
        message,
        hint,
        ..finding.clone()
    }
}

/// `text` without marks around names of keys.
fn plain(text: &str) -> String {
    text.replace('`', "").replace("defends", "defenses")
}

/// `findings` on the answer before `key`, in words of the form that it was written in.
pub(super) fn findings_in_words_of_form(
    state: &State,
    key: AskKey,
    findings: &[Finding],
) -> Vec<Finding> {
    let form = previous_form(state, key);
    let places = form.map(|form| moves_of_form(&form, &mut Vec::new()).1);
    let places = places.unwrap_or_default();
    findings
        .iter()
        .map(|finding| finding_in_words_of_form(finding, place_of_part(&places, &finding.at)))
        .collect()
}

/// The form as it was handed in before `key`; none where there was none, or no form.
pub(super) fn previous_form(state: &State, key: AskKey) -> Option<Form> {
    let asks = &state.turns.get(&key.turn)?.asks;
    let ask = asks.get(usize::from(key.again.checked_sub(1)?))?;
    let words = split_reply(Ask::reply_text(ask)?)?;
    let (form, problems) = read_form(&Form::blank(state, key), words);
    problems.is_empty().then_some(form)
}
