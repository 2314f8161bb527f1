//! Tests findings, which may contain names from a reply.

use agon_record::event::Event;
use agon_record::ground;
use agon_record::id::{AskKey, TurnId};
use agon_record::spec::Standby;
use agon_record::state::State;
use agon_rules::plan::{self, ParsedReplies, Plan, plan};
use agon_samples::duel::{ask, job_store, key, moves, replies};
use agon_samples::formal::{self, before};
use serde_json::{Value, json};

use super::attack::{MARK, PAYLOADS, PLAIN};
use super::outside;
use crate::prompt;

/// Makes the next decisions of the debate. Citations are stamped as missing or wrong, with the
/// file `name` as the suggestion.
fn make_decisions(state: &mut State, name: &str) {
    loop {
        let events = match plan(state) {
            Plan::Decide(events) => events,
            Plan::Resolve(keys) => keys
                .into_iter()
                .map(|key| stamped_event(state, key, name))
                .collect(),
            Plan::Perform(_) | Plan::Wait(_) | Plan::Close => return,
        };
        for event in events {
            state.apply(&event).unwrap();
        }
    }
}

fn stamped_event(state: &State, key: AskKey, name: &str) -> Event {
    let moves = plan::moves_awaiting_lookup(state, key, &mut ParsedReplies::default()).unwrap();
    let place = json!({ "file": name, "lines": [1, 2], "commit": name });
    let shown = json!({ "place": place, "from": 1, "text": [name], "blob": "00" });
    let grounds = ground::grounds_of_moves(&moves).into_iter().enumerate();
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

/// Returns `reply` with `payload` in `field` and in the anchor of each citation.
fn with_citation(mut reply: Value, field: &str, payload: &str) -> Value {
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

/// Continues a formal debate, which pauses until it gets a number of exchanges.
fn continue_debate(state: &mut State) {
    if state.kind.as_formal().is_some() {
        let through = Event::Continued {
            through: 2,
            seats: state.seats.clone(),
            caps: state.caps,
            standby: Standby::default(),
        };
        state.apply(&through).unwrap();
    }
}

/// Returns `reply` of `turn`. In a formal debate, adds the other side's reply, because the replies
/// of an exchange are processed together.
fn replies_of_exchange(state: &State, turn: TurnId, reply: &Value) -> Vec<(TurnId, String)> {
    let block = |reply: &Value| format!("Prose.\n```json\n{reply}\n```");
    let mut said = vec![(turn, block(reply))];
    if state.kind.as_formal().is_some() {
        let beside: TurnId = "r1.opp".parse().unwrap();
        let reply = &formal::said()[&beside];
        said.push((beside, block(reply)));
    }
    said
}

/// Returns the prompts of a debate in which `turn` gives `reply` twice and breaks rules with it.
fn prompts_after_breach(
    mut state: State,
    turn: &str,
    reply: &Value,
    name: &str,
) -> Vec<Vec<String>> {
    let turn: TurnId = turn.parse().unwrap();
    state.spec.source =
        Some(serde_json::from_value(json!({ "about": "repo", "manifest": "00" })).unwrap());
    continue_debate(&mut state);
    let said = replies_of_exchange(&state, turn, reply);
    for again in 0..2 {
        for (turn, reply) in &said {
            let asks = state.turns.get(turn).map_or(0, |it| it.asks.len());
            if state.admitted(*turn).is_none() && asks == usize::from(again) {
                ask(&mut state, key(*turn, again), reply);
            }
        }
        make_decisions(&mut state, name);
    }
    let sent_back = state.turns[&turn].asks[0].sent_back.as_ref();
    assert!(
        sent_back.is_some_and(|findings| !findings.is_empty()),
        "{turn} kept the rules"
    );
    let next: &[&str] = match state.kind.as_formal().is_some() {
        false => &["r2.pro", "verdict.judge", "verdict.swap"],
        true => &["r1.judge", "r2.opp"],
    };
    let next = next.iter().map(|turn| key(turn.parse().unwrap(), 0));
    let all = [key(turn, 1)].into_iter().chain(next);
    let mut told = Vec::new();
    for key in all {
        told.push(prompt(&state, key).text().to_string());
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
    let moves = moves(turn, &replies(2)[&turn]);
    let mut reply = serde_json::to_value(moves).unwrap();
    reply.as_object_mut().unwrap().remove("kind");
    (state, reply)
}

fn formal_reply() -> (State, Value) {
    let turn: TurnId = "r1.prop".parse().unwrap();
    let reply = formal::said()[&turn].clone();
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
                let reply = with_citation(reply.clone(), field, text);
                prompts_after_breach(state.clone(), turn, &reply, text)
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
            let mut reply = with_citation(reply.clone(), "document", "RFC 9110");
            reply[payload.as_str()] = json!(payload);
            let told = prompts_after_breach(state.clone(), turn, &reply, "a.md").concat();
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
                continue_debate(&mut state);
                for (turn, reply) in replies_of_exchange(&state, turn, &reply) {
                    ask(&mut state, key(turn, 0), &reply);
                }
                make_decisions(&mut state, "a.md");
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
