//! Nothing that stands in a record reaches a prompt outside a fence, wherever it stands there.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::attack::{MARK, PAYLOADS, fields, places, poisoned};
use super::outside;
use super::record::{SENT_BACK, contexts, duel, formal_debate, state};
use crate::human::{self, SCISSORS};
use crate::id::{AskKey, Seat, TurnId};
use crate::inquiry::{Checked, Shown};
use crate::prompt::fixture::key;
use crate::prompt::{Held, consult, narrator, prompt, question, told_person};
use crate::spec::FormatName;
use crate::state::State;

/// What is said where nobody attacks.
const PLAIN: &str = "plain words";

/// Everything that is asked in the debate: each turn, and what comes after those that were spoken.
fn asks(state: &State) -> Vec<AskKey> {
    let mut turns: Vec<TurnId> = state.turns.keys().copied().collect();
    let more: &[&str] = match state.spec.format {
        FormatName::Duel => &["verdict.judge-2", "verdict.swap"],
        FormatName::Formal => &["r2.prop", "r2.opp", "r2.judge", "r1.judge-2"],
    };
    turns.extend(more.iter().map(|turn| turn.parse::<TurnId>().unwrap()));
    let first = turns.into_iter().map(|turn| key(turn, 0));
    let again = SENT_BACK.map(|turn| key(turn.parse().unwrap(), 1));
    let again = again
        .into_iter()
        .filter(|key| state.turns.contains_key(&key.turn));
    first.chain(again).collect()
}

/// Every prompt that is made of the debate, with a name for each; `text` is what an answer says
/// that no record holds.
fn told(state: &State, text: &str) -> Vec<(String, String)> {
    let mut told = Vec::new();
    let mut tell = |name: String, text: &str| told.push((name, text.to_owned()));
    for key in asks(state) {
        tell(key.to_string(), &prompt(state, key).text());
    }
    for budget in [700, 3_000, 8_192] {
        let mut small = state.clone();
        for seating in small.seats.values_mut() {
            seating.budget = Some(budget);
        }
        for key in asks(&small) {
            tell(
                format!("{key}, {budget} tokens"),
                &prompt(&small, key).text(),
            );
        }
    }
    let mut held = std::collections::BTreeMap::<Seat, Held>::new();
    for key in asks(state) {
        let known = held.entry(key.turn.seat).or_default();
        let warm = prompt(state, key).told(known);
        tell(format!("{key}, warm"), &warm.text);
        *known = warm.held;
    }
    let shown = Shown {
        text: text.to_owned(),
        whole: true,
    };
    let checked = Checked {
        cited: Vec::new(),
        unknown: vec![text.to_owned(), "pro_009a".to_owned()],
    };
    let asked = question(state, (text, text), &shown, Some((text, &checked)));
    tell("question".to_owned(), &asked);
    let wrong = [text.to_owned()];
    let narrated = narrator(state, text, text, Some((text, &wrong)));
    tell("narrator".to_owned(), &narrated);
    let consulted = consult("5a", "Is it safe?", &state.spec.context);
    tell("consult".to_owned(), &consulted);
    told
}

/// The records that are attacked: both formats, everything that may be given to read.
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

#[test]
fn no_text_of_a_record_stands_outside_a_fence() {
    let mut attempts = 0;
    for events in records() {
        let places = places(&events);
        let of = |payload: &str| {
            let state = state(&poisoned(&events, &places, payload));
            told(&state, &payload.replace(MARK, "zq0qz"))
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
                // How much a small model is told hangs on how long it is, and what a session is told
                // again on what it heard.
                if !turn.ends_with(" tokens") && !turn.ends_with(" warm") {
                    assert_eq!(lines, outside(plain), "{turn}: {name}");
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
        all.extend(fields(&events, &places(&events)));
    }
    insta::assert_snapshot!(all.into_iter().collect::<Vec<_>>().join("\n"));
}

/// What is read of a form: what stands above the scissors, without remarks.
fn answered(form: &str) -> String {
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
fn a_word_of_a_record_reaches_no_answer_of_a_person() {
    for events in records() {
        let places = places(&events);
        for (name, payload) in PAYLOADS.into_iter().chain([("scissors", SCISSORS)]) {
            let attacked = state(&poisoned(&events, &places, payload));
            let plain = state(&poisoned(&events, &places, PLAIN));
            for key in asks(&attacked) {
                let form = human::form(&attacked, key);
                let said = answered(&form);
                assert!(!said.contains("zq"), "{key}, {name}: {form}");
                // What was sent back stands there as far as it was understood.
                if key.again == 0 {
                    assert_eq!(said, answered(&human::form(&plain, key)), "{key}, {name}");
                }
                assert!(human::untouched(&attacked, key, &form), "{key}, {name}");
                let (_, below) = form.split_once(SCISSORS).unwrap();
                assert_eq!(below.trim(), told_person(&attacked, key).trim());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn what_stands_outside_of_fences_hangs_on_no_text(
        text in "(data |<<<|>>>|[0-9a-f]{6}|# |SYSTEM:|\\{\\{|\u{0}|\\PC|[ \n\r\u{1b}\u{200b}\u{2028}]){1,40}",
    ) {
        for events in [duel(), formal_debate(true)] {
            let places = places(&events);
            let lines = |text: &str| {
                let state = state(&poisoned(&events, &places, text));
                let of = |key| outside(&prompt(&state, key).text());
                asks(&state).into_iter().map(of).collect::<Vec<_>>()
            };
            prop_assert_eq!(lines(&text), lines(PLAIN));
        }
    }
}

mod by_the_rules {
    //! What the rules say of a reply: a finding may name what the reply named.

    use super::*;
    use crate::event::Event;
    use crate::plan::{Plan, plan};
    use crate::prompt::fixture::{ask, job_store};
    use crate::prompt::formal::fixture::before;

    /// The debate with the next decisions made, every place that is cited being looked up and
    /// missing, with a file of the name `name` in its stead.
    fn decided(state: &mut State, name: &str) {
        loop {
            let events = match plan(state) {
                Plan::Decide(events) => events,
                Plan::Resolve(keys) => keys
                    .into_iter()
                    .map(|key| looked_up(state, key, name))
                    .collect(),
                Plan::Perform(_) | Plan::Wait(_) | Plan::Close => return,
            };
            for event in events {
                state.apply(&event).unwrap();
            }
        }
    }

    fn looked_up(state: &State, key: AskKey, name: &str) -> Event {
        let moves = crate::evidence::cited(state, key).unwrap();
        let place = json!({ "file": name, "lines": [1, 2], "commit": name });
        let shown = json!({ "place": place, "from": 1, "text": [name], "blob": "00" });
        let grounds = crate::evidence::grounds(&moves).into_iter().enumerate();
        let stamps = grounds.map(|(nth, cited)| {
            let mut stamp = match nth % 2 {
                0 => json!({ "stamp": "missing", "what": "document", "instead": [place] }),
                _ => json!({ "stamp": "wrong", "there": shown, "elsewhere": [place] }),
            };
            stamp["point"] = json!(cited.point);
            stamp["ground"] = json!(cited.ground);
            stamp["citation"] = json!(cited.said.citation.clone().unwrap_or_default());
            stamp
        });
        let stamps: Vec<_> = stamps.collect();
        serde_json::from_value(json!({ "event": "stamped", "key": key, "stamps": stamps })).unwrap()
    }

    /// `reply` with `payload` for what one of its citations names.
    fn citing(mut reply: Value, field: &str, payload: &str) -> Value {
        fn cite(value: &mut Value, citation: &Value) {
            match value {
                Value::Array(items) => items.iter_mut().for_each(|item| cite(item, citation)),
                Value::Object(fields) => {
                    if fields.contains_key("relevance") {
                        fields.insert("citation".to_owned(), citation.clone());
                    }
                    fields.values_mut().for_each(|field| cite(field, citation));
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        cite(&mut reply, &json!({ field: payload, "anchor": payload }));
        reply
    }

    /// Lets a formal debate go on: it rests where nobody said how far it is to go.
    fn go_on(state: &mut State) {
        if state.spec.format == FormatName::Formal {
            let through = Event::Continued {
                through: 2,
                seats: state.seats.clone(),
                caps: state.caps,
            };
            state.apply(&through).unwrap();
        }
    }

    /// What both sides say where `turn` gives `reply`: those of a formal debate are heard together.
    fn together(state: &State, turn: TurnId, reply: &Value) -> Vec<(TurnId, String)> {
        let block = |reply: &Value| format!("Prose.\n```json\n{reply}\n```");
        let mut said = vec![(turn, block(reply))];
        if state.spec.format == FormatName::Formal {
            let beside: TurnId = "r1.opp".parse().unwrap();
            let reply = &crate::prompt::formal::fixture::said()[&beside];
            said.push((beside, block(reply)));
        }
        said
    }

    /// What is told of a debate in which `turn` gives `reply` twice, and breaks rules with it.
    fn after(mut state: State, turn: &str, reply: &Value, name: &str) -> Vec<Vec<String>> {
        let turn: TurnId = turn.parse().unwrap();
        state.spec.source =
            Some(serde_json::from_value(json!({ "about": "repo", "manifest": "00" })).unwrap());
        go_on(&mut state);
        let said = together(&state, turn, reply);
        for again in 0..2 {
            for (turn, reply) in &said {
                let asks = state.turns.get(turn).map_or(0, |it| it.asks.len());
                if state.admitted(*turn).is_none() && asks == usize::from(again) {
                    ask(&mut state, key(*turn, again), reply);
                }
            }
            decided(&mut state, name);
        }
        let sent_back = state.turns[&turn].asks[0].sent_back.as_ref();
        assert!(
            sent_back.is_some_and(|findings| !findings.is_empty()),
            "{turn} kept the rules"
        );
        let next: &[&str] = match state.spec.format {
            FormatName::Duel => &["r2.pro", "verdict.judge", "verdict.swap"],
            FormatName::Formal => &["r1.judge", "r2.opp"],
        };
        let next = next.iter().map(|turn| key(turn.parse().unwrap(), 0));
        let all = [key(turn, 1)].into_iter().chain(next);
        let mut told = Vec::new();
        for key in all {
            told.push(prompt(&state, key).text().to_string());
            told.push(prompt(&state, key).told(&Held::default()).text.to_string());
            let mut small = state.clone();
            for seating in small.seats.values_mut() {
                seating.budget = Some(4_096);
            }
            told.push(prompt(&small, key).text().to_string());
        }
        told.iter().map(|told| outside(told)).collect()
    }

    fn duel_reply() -> (State, Value) {
        let turn: TurnId = "r1.cha".parse().unwrap();
        let state = job_store(2, turn);
        let moves = crate::prompt::fixture::moves(turn, &crate::prompt::fixture::replies(2)[&turn]);
        let mut reply = serde_json::to_value(moves).unwrap();
        reply.as_object_mut().unwrap().remove("kind");
        (state, reply)
    }

    fn formal_reply() -> (State, Value) {
        let turn: TurnId = "r1.prop".parse().unwrap();
        let reply = crate::prompt::formal::fixture::said()[&turn].clone();
        (before("r1.prop"), reply)
    }

    #[test]
    fn no_citation_of_a_reply_stands_outside_a_fence_in_what_is_found_of_it() {
        let fields = ["file", "commit", "url", "document", "command", "output"];
        let replies = [("r1.cha", duel_reply()), ("r1.prop", formal_reply())];
        let mut attempts = 0;
        for (turn, (state, reply)) in replies {
            for field in fields {
                let of = |text: &str| {
                    let reply = citing(reply.clone(), field, text);
                    after(state.clone(), turn, &reply, text)
                };
                let plain = of(PLAIN);
                for (name, payload) in PAYLOADS {
                    let told = of(&payload.replace(MARK, "zq0qz"));
                    assert!(
                        !told.concat().iter().any(|line| line.contains("zq")),
                        "{turn}, {field}, {name}"
                    );
                    assert_eq!(told, plain, "{turn}, {field}, {name}");
                    attempts += 1;
                }
            }
        }
        assert!(attempts >= 140, "{attempts}");
    }

    #[test]
    fn no_key_of_a_reply_stands_outside_a_fence_in_what_is_found_of_it() {
        for (turn, (state, reply)) in [("r1.cha", duel_reply()), ("r1.prop", formal_reply())] {
            for (name, payload) in PAYLOADS {
                let payload = payload.replace(MARK, "zq0qz");
                let mut reply = citing(reply.clone(), "document", "RFC 9110");
                reply[payload.as_str()] = json!(payload);
                let told = after(state.clone(), turn, &reply, "a.md").concat();
                assert!(
                    !told.iter().any(|line| line.contains("zq")),
                    "{turn}, {name}: {told:#?}"
                );
            }
        }
    }

    #[test]
    fn no_word_that_a_schema_refuses_stands_outside_a_fence() {
        for (turn, (state, reply)) in [("r1.cha", duel_reply()), ("r1.prop", formal_reply())] {
            let mut refused = 0;
            let names: Vec<String> = reply.as_object().unwrap().keys().cloned().collect();
            for (name, payload) in PAYLOADS {
                let payload = payload.replace(MARK, "zq0qz");
                for field in &names {
                    let mut reply = reply.clone();
                    reply[field.as_str()] = json!(payload);
                    let mut state = state.clone();
                    let turn: TurnId = turn.parse().unwrap();
                    go_on(&mut state);
                    for (turn, reply) in together(&state, turn, &reply) {
                        ask(&mut state, key(turn, 0), &reply);
                    }
                    decided(&mut state, "a.md");
                    let sent_back = state.turns[&turn].asks[0].sent_back.is_some();
                    refused += u32::from(sent_back);
                    let lines = outside(&prompt(&state, key(turn, 1)).text());
                    assert!(
                        !lines.iter().any(|line| line.contains("zq")),
                        "{turn}, {field}, {name}: {lines:#?}"
                    );
                }
            }
            assert!(refused >= 12, "{turn}: {refused}");
        }
    }
}
