//! Tests that no text of a record reaches a prompt outside a fence.

use agon_record::id::{AskKey, Seat, TurnId};
use agon_record::state::State;
use agon_samples::duel::key;
use proptest::prelude::*;
use serde_json::Value;

use super::attack::{MARK, PAYLOADS, PLAIN, field_paths, text_places, with_payload};
use super::outside;
use super::record::{SENT_BACK, contexts, duel, formal_debate, state};
use crate::human::{self, SCISSORS};
use crate::inquiry::RecordExcerpt;
use crate::{
    SessionMemory, consult_prompt, examine_prompt, narrator_prompt, prompt, question_prompt,
    render_for_person,
};

/// Returns the keys of the debate's turns, of some turns after them, and of repeated calls.
fn all_keys(state: &State) -> Vec<AskKey> {
    let mut turns: Vec<TurnId> = state.turns.keys().copied().collect();
    let more: &[&str] = match state.kind.as_formal().is_some() {
        false => &["verdict.judge-2", "verdict.swap"],
        true => &["r2.prop", "r2.opp", "r2.judge", "r1.judge-2"],
    };
    turns.extend(more.iter().map(|turn| turn.parse::<TurnId>().unwrap()));
    let first = turns.into_iter().map(|turn| key(turn, 0));
    let again = SENT_BACK.map(|turn| key(turn.parse().unwrap(), 1));
    let again = again
        .into_iter()
        .filter(|key| state.turns.contains_key(&key.turn));
    first.chain(again).collect()
}

/// Returns every prompt about the debate with a name. `text` replaces answers that no record
/// contains.
fn all_prompts(state: &State, text: &str) -> Vec<(String, String)> {
    let mut told = Vec::new();
    let mut tell = |name: String, text: &str| told.push((name, text.to_owned()));
    for key in all_keys(state) {
        tell(key.to_string(), &prompt(state, key).text());
    }
    for budget in [700, 8_192] {
        let mut small = state.clone();
        for seating in small.seats.values_mut() {
            seating.budget = Some(budget);
        }
        for key in all_keys(&small) {
            tell(
                format!("{key}, {budget} tokens"),
                &prompt(&small, key).text(),
            );
        }
    }
    let mut held = std::collections::BTreeMap::<Seat, SessionMemory>::new();
    for key in all_keys(state) {
        let known = held.entry(key.turn.seat).or_default();
        let warm = prompt(state, key).for_session(known);
        tell(format!("{key}, warm"), &warm.text);
        *known = warm.held;
    }
    let shown = RecordExcerpt {
        text: text.to_owned(),
        whole: true,
    };
    let unknown = [text.to_owned(), "pro_009a".to_owned()];
    let asked = question_prompt(state, text, text, &shown, Some((text, &unknown)));
    tell("question".to_owned(), &asked);
    let wrong = [text.to_owned()];
    let narrated = narrator_prompt(state, text, text, Some((text, &wrong)));
    tell("narrator".to_owned(), &narrated);
    let consulted = consult_prompt("5a", "Is it safe?", &state.spec.context);
    tell("consult".to_owned(), &consulted);
    tell("examine".to_owned(), &examine_prompt("5a", text));
    told
}

/// Returns the records to attack: both formats, with every kind of context.
fn records() -> Vec<Vec<Value>> {
    let with = |mut events: Vec<Value>, context: Value| {
        events[0]["context"] = context;
        events
    };
    let [diff, repo] = contexts().try_into().unwrap();
    vec![
        duel(),
        with(duel(), repo),
        formal_debate(false),
        with(formal_debate(true), diff),
    ]
}

/// Removes the line about the categories of a challenge, because it depends on words of the topic.
fn without_categories(lines: Vec<String>) -> Vec<String> {
    let chosen = ["- Cover each of ", "- Look for flaws of "];
    let kept = lines.into_iter();
    kept.filter(|line| !chosen.iter().any(|start| line.starts_with(start)))
        .collect()
}

#[test]
fn no_text_of_a_record_stands_outside_a_fence() {
    let mut attempts = 0;
    for events in records() {
        let places = text_places(&events);
        let of = |payload: &str| {
            let state = state(&with_payload(&events, &places, payload));
            all_prompts(&state, &payload.replace(MARK, "zq0qz"))
        };
        let plain = of(PLAIN);
        for (turn, told) in &plain {
            let fences = told.lines().filter(|line| line.starts_with("<<<data "));
            assert!(
                fences.count() > 0 || !told.contains(PLAIN),
                "{turn}: {told}"
            );
            assert!(!told.contains("TEMPLATE ERROR"), "{turn}: {told}");
        }
        for (name, payload) in PAYLOADS {
            for ((turn, plain), (_, told)) in plain.iter().zip(of(payload)) {
                let lines = outside(&told);
                let out: Vec<_> = lines.iter().filter(|line| line.contains("zq")).collect();
                assert!(out.is_empty(), "{turn}, {name}: {out:#?}\n\n{told}");
                // Skipped for small token limits and for sessions, whose prompts depend on the
                // length of the texts or on the parts already sent.
                if !turn.ends_with(" tokens") && !turn.ends_with(" warm") {
                    let [told, plain] = [lines, outside(plain)].map(without_categories);
                    assert_eq!(told, plain, "{turn}: {name}");
                }
            }
            attempts += places.len();
        }
    }
    assert!(attempts >= 10_000, "{attempts}");
}

#[test]
fn what_is_attacked_is_every_text_that_a_record_has() {
    let mut all = std::collections::BTreeSet::new();
    for events in records() {
        all.extend(field_paths(&events, &text_places(&events)));
    }
    insta::assert_snapshot!(all.into_iter().collect::<Vec<_>>().join("\n"));
}

/// Returns the parsed part of a form: above the scissors line, without comments.
fn parsed_part(form: &str) -> String {
    let (above, _) = form.split_once(SCISSORS).unwrap();
    let mut said = String::new();
    let mut rest = above;
    while let Some((before, remark)) = rest.split_once("<!--") {
        said.push_str(before);
        rest = remark.split_once("-->").unwrap().1;
    }
    said + rest
}

#[test]
fn text_of_a_record_never_enters_an_answer_of_a_person() {
    for events in [duel(), formal_debate(false)] {
        let places = text_places(&events);
        let plain = state(&with_payload(&events, &places, PLAIN));
        for (name, payload) in PAYLOADS.into_iter().chain([("scissors", SCISSORS)]) {
            let attacked = state(&with_payload(&events, &places, payload));
            for key in all_keys(&attacked) {
                let form = human::render_form(&attacked, key);
                let said = parsed_part(&form);
                assert!(!said.contains("zq"), "{key}, {name}: {form}");
                // A repeated form differs: it contains the answers that were sent back.
                if key.again == 0 {
                    assert_eq!(
                        said,
                        parsed_part(&human::render_form(&plain, key)),
                        "{key}, {name}"
                    );
                }
                assert!(human::is_untouched(&attacked, key, &form), "{key}, {name}");
                let (_, below) = form.split_once(SCISSORS).unwrap();
                assert_eq!(below.trim(), render_for_person(&attacked, key).trim());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn what_stands_outside_of_fences_hangs_on_no_text(
        text in "(data |<<<|>>>|[0-9a-f]{6}|# |SYSTEM:|\\{\\{|\u{0}|\\PC|[ \n\r\u{1b}\u{200b}\u{2028}]){1,40}",
    ) {
        for events in [duel(), formal_debate(true)] {
            let places = text_places(&events);
            let lines = |text: &str| {
                let state = state(&with_payload(&events, &places, text));
                let of = |key| outside(&prompt(&state, key).text());
                all_keys(&state).into_iter().map(of).collect::<Vec<_>>()
            };
            prop_assert_eq!(lines(&text), lines(PLAIN));
        }
    }
}
