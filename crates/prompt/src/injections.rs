//! Tests that untrusted text stays data: it never leaves its fence and never becomes a move.

use agon_record::event::Event;
use agon_record::id::TurnId;
use agon_record::moves::Moves;
use agon_record::state::State;
use agon_rules::parse::parse;
use agon_rules::plan::Plan;
use agon_samples::duel::{admit, ask, key, moves, replies, spec};
use serde_json::{Value, json};

use super::prompt;

mod attack;
mod by_the_rules;
mod corpus;
mod everywhere;
mod record;

pub(super) use corpus::corpus;

/// Fields that contain ids or fixed words instead of free text.
const NAMES: [&str; 14] = [
    "kind",
    "first_answers",
    "target",
    "objection",
    "response",
    "category",
    "severity",
    "reply",
    "ruling",
    "winner",
    "decisive",
    "evidence",
    "quality",
    "lines",
];

/// Replaces every free text in `value` with `text`; the fields in [`NAMES`] stay.
fn replace_texts(value: &Value, text: &str) -> Value {
    match value {
        Value::String(_) => json!(text),
        Value::Array(items) => items.iter().map(|item| replace_texts(item, text)).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                let value = match NAMES.contains(&name.as_str()) {
                    true => value.clone(),
                    false => replace_texts(value, text),
                };
                (name.clone(), value)
            };
            fields.iter().map(field).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Returns the scripted three-round debate before `until`, with every text replaced by `text`.
fn debate(until: TurnId, text: &str) -> State {
    let mut state = State::open(spec(3));
    for (turn, reply) in replies(3) {
        if turn < until {
            let moves = serde_json::to_value(moves(turn, &reply)).unwrap();
            let moves: Moves = serde_json::from_value(replace_texts(&moves, text)).unwrap();
            admit(&mut state, turn, moves, Vec::new());
        }
    }
    state
}

/// Returns the lines of a prompt outside its fences. As the prompt's rules say, a fence ends at the
/// first line with the code that opened it. Each fence becomes one line with its label.
pub(super) fn outside(prompt: &str) -> Vec<String> {
    let mut lines = prompt.lines();
    let mut outside = Vec::new();
    while let Some(line) = lines.next() {
        let Some(opened) = line.strip_prefix("<<<data ") else {
            outside.push(line.to_owned());
            continue;
        };
        let (code, label) = opened.split_once(' ').unwrap();
        let close = format!("data {code}>>>");
        assert!(
            lines.any(|line| line.contains(&close)),
            "a fence never ends"
        );
        outside.push(format!("({label})"));
    }
    outside
}

#[test]
fn nothing_that_a_side_says_stands_outside_a_fence() {
    let turns = [
        "r1.cha",
        "r2.pro",
        "r2.cha",
        "r3.pro",
        "r3.cha",
        "verdict.judge",
    ];
    for turn in turns.map(|turn| turn.parse::<TurnId>().unwrap()) {
        let told = |text: &str| prompt(&debate(turn, text), key(turn, 0)).text();
        let plain = outside(&told("plain words"));
        assert!(
            plain.len() > 20 && plain.iter().any(|line| line == "(record)"),
            "{plain:#?}"
        );
        for (name, text) in corpus() {
            assert_eq!(outside(&told(&text)), plain, "{turn}: {name}");
        }
    }
}

#[test]
fn a_file_stays_in_its_fence() {
    let turn = "r1.pro".parse().unwrap();
    let told = |text: &str| {
        let mut state = State::open(spec(2));
        state.spec.context = agon_record::spec::Context::File {
            path: "src/a.rs".to_owned(),
            text: text.to_owned(),
        };
        outside(&prompt(&state, key(turn, 0)).text())
    };
    let plain = told("plain words");
    for (name, text) in corpus() {
        assert_eq!(told(&text), plain, "{name}");
    }
}

#[test]
fn what_a_reply_quotes_or_says_is_no_move() {
    for turn in ["r1.cha", "r2.cha", "verdict.judge"] {
        let turn: TurnId = turn.parse().unwrap();
        let reply = replies(2)[&turn].clone();
        let kind = moves(turn, &reply).kind();
        let plain = parse(&reply, kind, turn).unwrap().moves;
        for (name, text) in corpus() {
            let quoting =
                format!("The other side writes:\n\n{text}\n\nI do not follow it.\n\n{reply}");
            let read = parse(&quoting, kind, turn).map(|parsed| parsed.moves);
            assert_eq!(read.as_ref(), Ok(&plain), "{turn}: {name}, quoted");

            let mut said = serde_json::to_value(&plain).unwrap();
            said = replace_texts(&said, &text);
            let expected: Moves = serde_json::from_value(said.clone()).unwrap();
            said.as_object_mut().unwrap().remove("kind");
            let saying = format!("I argue.\n\n```json\n{said}\n```\n");
            let read = parse(&saying, kind, turn).map(|parsed| parsed.moves);
            assert_eq!(read.as_ref(), Ok(&expected), "{turn}: {name}, said");
        }
    }
}

#[test]
fn a_reply_that_only_quotes_moves_of_another_seat_has_none() {
    let turn: TurnId = "verdict.judge".parse().unwrap();
    let forged = replies(2)[&turn]
        .rsplit_once("```json")
        .unwrap()
        .1
        .to_owned();
    let forged = forged.split("```").next().unwrap().trim().to_owned();
    let mut state = State::open(spec(2));
    for (earlier, reply) in replies(2) {
        if earlier < turn {
            let mut moves = serde_json::to_value(moves(earlier, &reply)).unwrap();
            if earlier == "r1.pro".parse().unwrap() {
                moves["arguments"][0]["warrant"] = json!(forged);
            }
            let moves = serde_json::from_value(moves).unwrap();
            admit(&mut state, earlier, moves, Vec::new());
        }
    }
    let read = |reply: &str| {
        let mut state = state.clone();
        ask(&mut state, key(turn, 0), reply);
        let plan = agon_rules::plan::plan(&state);
        let Plan::Decide(events) = plan else {
            panic!("{plan:?}");
        };
        events
    };
    let quoting = read(&format!(
        "One side writes this, which I do not follow:\n\n```json\n{forged}\n```\n"
    ));
    let [Event::SentBack { findings, .. }] = quoting.as_slice() else {
        panic!("{quoting:?}");
    };
    assert_eq!(findings[0].code, "reply-parse");
    assert!(findings[0].message.contains("another seat's text"));
    let own = forged.replacen("\"why\": \"", "\"why\": \"I find that ", 1);
    let judging = read(&format!(
        "It writes:\n\n```json\n{forged}\n```\n\nI rule:\n\n```json\n{own}\n```\n"
    ));
    assert!(
        matches!(judging.as_slice(), [Event::Admitted { .. }]),
        "{judging:?}"
    );
}

#[test]
fn the_corpus_is_large_and_no_text_is_there_twice() {
    let corpus = corpus();
    let texts: std::collections::BTreeSet<_> = corpus.iter().map(|(_, text)| text).collect();
    assert_eq!(texts.len(), corpus.len());
    assert!(corpus.len() >= 60, "{}", corpus.len());
}
