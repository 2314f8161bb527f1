//! The files of a formal debate, byte for byte, and back.

use agon_record::id::NodeId;
use agon_record::moves::Contention;
use agon_record::spec::Definition;
use agon_record::state::State;
use proptest::prelude::*;
use serde_json::json;

use super::formal_support::{formal_spec, judgment, next, rebuttal, since};
use crate::formal_files::{argument, debate, scores};
use agon_verdict::verdict::verdict;

use crate::projection::{changed_projections, projections};

fn state(steps: usize) -> State {
    let mut state = State::open(formal_spec());
    for _ in 0..steps {
        for event in next(&state) {
            state.apply(&event).unwrap();
        }
    }
    state
}

fn text(state: &State, name: &str) -> String {
    let files = projections(state);
    let found = files.into_iter().find(|(path, _)| path.as_str() == name);
    String::from_utf8(found.unwrap().1).unwrap()
}

#[test]
fn the_debate_s_own_file_keeps_to_the_convention() {
    let expected = r###"{
  "debate_id": "job-store",
  "current_exchange": 1,
  "current_phase": "awaiting_arguments",
  "cumulative_scores": {
    "proposition": {
      "total": 0.9,
      "count": 3
    },
    "opposition": {
      "total": -0.9,
      "count": 3
    }
  },
  "format": "formal",
  "ulid": "01JD0000000000000000000000",
  "theses": {
    "proposition": "Use it.",
    "opposition": "Keep files."
  },
  "seats": {},
  "ruleset": "formal/1",
  "agon": "0.1.0"
}

# Motion

This house would keep jobs in SQLite — not in files.

## Definitions

- **Job store**: the queue of jobs

## Scope

One host.
"###;
    assert_eq!(text(&state(2), "debate.md"), expected);
}

#[test]
fn an_argument_keeps_to_the_convention_to_the_byte() {
    let expected = r###"{
  "id": "opp_001",
  "side": "opp",
  "exchange": 1,
  "title": "Again for the job store",
  "claim": "Again \u2013 it is so.",
  "attacks": [
    {
      "target_id": "prop_000a",
      "type": "warrant_attack"
    }
  ],
  "defends": []
}

## Claim

Again – it is so.

## Grounds

### 1. src/store.rs:88

> claim()
> then lease()

**Relevance:** two steps

## Warrant

Two steps are not one.

## Attacks

### Attacking prop_000a

**Type:** warrant_attack

It does not follow."###;
    assert_eq!(text(&state(3), "arguments/opp_001.md"), expected);
}

#[test]
fn scores_stand_in_the_judge_s_order_with_their_history() {
    assert_eq!(text(&state(0), "scores.json"), "{}");
    let mut state = state(3);
    let rescores = json!([
        { "argument_id": "opp_000a", "new_score": 0.2, "reasoning": "Held up." }
    ]);
    for event in judgment(&state, rescores) {
        state.apply(&event).unwrap();
    }
    let all = text(&state, "scores.json");
    let file = scores::ScoresFile::parse(&all).unwrap();
    let ids: Vec<_> = file
        .entries
        .iter()
        .map(|entry| entry.id.to_string())
        .collect();
    let expected = [
        "prop_000a",
        "opp_000a",
        "prop_000b",
        "opp_000b",
        "prop_000c",
        "opp_000c",
        "prop_001",
        "opp_001",
    ];
    assert_eq!(ids, expected);
    let head = r###"{
  "prop_000a": {
    "current_score": 0.3,
    "history": [
      {
        "score": 0.3,
        "reasoning": "Plain \u201cenough\u201d.",
        "scored_at": "2026-11-21T20:00:00.042000+00:00"
      }
    ]
  },
  "opp_000a": {
    "current_score": 0.2,
    "history": [
      {
        "score": -0.3,
        "reasoning": "Plain \u201cenough\u201d.",
        "scored_at": "2026-11-21T20:00:00.042000+00:00"
      },
      {
        "score": 0.2,
        "reasoning": "Held up.",
        "scored_at": "2026-11-21T20:00:00.042000+00:00",
        "triggered_by": "prop_001",
        "previous_score": -0.3,
        "diff": 0.5
      }
    ]
  },
"###;
    assert_eq!(&all[..head.len()], head);
    assert!(all.ends_with("]\n  }\n}"), "{all}");
    assert_eq!(&scores::parse_file(&all).unwrap(), state.score_histories());
}

#[test]
fn a_step_changes_the_files_that_it_is_said_to_change() {
    let mut state = state(0);
    for _ in 0..6 {
        let before = projections(&state);
        let events = next(&state);
        for event in &events {
            state.apply(event).unwrap();
        }
        let all = projections(&state);
        let said = changed_projections(&state, Some(since(&events)), verdict(&state).as_ref());
        for file in &all {
            assert!(before.contains(file) || said.contains(file), "{}", file.0);
        }
        assert!(said.iter().all(|file| all.contains(file)));
        assert!(
            said.len() <= 8 && (all.len() < 9 || said.len() < 6),
            "{said:?}"
        );
    }
}

/// Texts that look like structure.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("## Claim"),
        Just("\n## Warrant\n"),
        Just("\n\n## Attacks\n\n### Attacking prop_000a\n"),
        Just("### 1. "),
        Just("> "),
        Just("\n**Type:** claim_attack\n"),
        Just("\n**Relevance:** "),
        Just("\n**Citation:** {\"file\":\"x\"}"),
        Just("\r\n"),
        Just("\n\n"),
        Just("```\n"),
        Just("<!--"),
        Just("\\"),
        Just("\u{1b}[31m"),
        Just("\u{202e}é火"),
        Just("{\"a\": 1}"),
        Just(" "),
        Just("&#x41;"),
        Just("word"),
        Just("2. "),
    ];
    let any = prop_oneof![4 => piece.prop_map(str::to_owned), 1 => any::<String>()];
    proptest::collection::vec(any, 0..6).prop_map(|pieces| pieces.concat())
}

fn contentions() -> impl Strategy<Value = Contention> {
    let optional = || proptest::option::of(hostile().prop_filter("no text", |t| !t.is_empty()));
    let citation = prop_oneof![
        Just(None),
        hostile()
            .prop_map(|anchor| Some(json!({ "file": "a.rs", "lines": [1, 2], "anchor": anchor }))),
        hostile().prop_map(|url| Some(json!({ "url": url }))),
    ];
    let ground = (hostile(), hostile(), hostile(), citation).prop_map(
        |(source, content, relevance, citation)| {
            json!({ "source": source, "content": content, "relevance": relevance, "citation": citation })
        },
    );
    let target = prop_oneof![Just("prop_000a"), Just("opp_001"), Just("opp_000b")];
    let kinds = prop_oneof![
        Just(("claim_attack", "clarify")),
        Just(("grounds_attack", "reinforce"))
    ];
    let answers = proptest::collection::vec((target, kinds, hostile()), 0..4);
    let grounds = proptest::collection::vec(ground, 0..4);
    let texts = (hostile(), hostile(), hostile(), optional(), optional());
    (texts, grounds, answers).prop_map(
        |((title, claim, warrant, backing, qualifier), grounds, answers)| {
            let attacks: Vec<_> = answers.iter().map(|(target, (kind, _), text)| {
            json!({ "target_id": target, "attack_type": kind, "content": text })
        }).collect();
            let defends: Vec<_> = answers.iter().map(|(target, (_, kind), text)| {
            json!({ "target_id": target, "defense_type": kind, "content": text })
        }).collect();
            serde_json::from_value(json!({ "title": title, "claim": claim, "grounds": grounds,
            "warrant": warrant, "backing": backing, "qualifier": qualifier,
            "attacks": attacks, "defends": defends }))
            .unwrap()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn an_argument_reads_back_whatever_it_says(contention in contentions()) {
        let id: NodeId = "prop_002".parse().unwrap();
        let text = argument::render_file(id, &contention);
        let parsed = argument::parse_file(id, &text).unwrap();
        prop_assert_eq!(&parsed.contention, &contention);
        let hidden = text.contains(['\u{1b}', '\u{202e}', '\r']);
        prop_assert!(!hidden);
    }

    #[test]
    fn the_motion_reads_back_whatever_it_says(
        motion in hostile(), scope in hostile(),
        definitions in proptest::collection::vec((hostile(), hostile()), 0..3),
    ) {
        let mut spec = formal_spec();
        spec.topic = format!("x{motion}");
        spec.kind.as_formal_mut().unwrap().scope = Some(format!("x{scope}"));
        let definitions = definitions.into_iter();
        spec.kind.as_formal_mut().unwrap().definitions = definitions.map(|(term, meaning)| Definition { term, meaning }).collect();
        let state = State::open(spec.clone());
        let read = debate::parse_file(&debate::render_file(&state).unwrap()).unwrap();
        prop_assert_eq!((&read.motion, read.scope.as_deref()), (&spec.topic, spec.scope()));
        prop_assert_eq!(read.definitions, spec.definitions());
    }
}

#[test]
fn other_tools_write_several_lines_and_leave_blank_lines_as_they_like() {
    let id: NodeId = "prop_001".parse().unwrap();
    let front = r#"{"id": "prop_001", "side": "prop", "exchange": 1, "title": "T", "claim": "From the front",
  "attacks": [{"target_id": "opp_000b", "type": "claim_attack"},
              {"target_id": "opp_000a", "type": "warrant_attack"},
              {"target_id": "opp_000a", "type": "grounds_attack"}]}"#;
    let body = "\n\n\n\n## Claim\nFrom the body\n## Grounds\n### 1. A source\n> one\ntwo\n\n> three\n\
                **Relevance:** it is\n\nrelevant\n### A source without a number\nno quotation\n\
                ## Warrant\n\n\n  so\n\n## Attacks\n### Attacking opp_000a\n**Type:** grounds_attack\nfirst\n\
                ### Attacking opp_000a\n**Type:** warrant_attack\nsecond\n\
                ### Attacking opp_000b\n\nwithout a type\n\n## Notes\n\nof somebody\n## Defends\n\
                ### Defending prop_000a\n\n**Type:** clarify\n\nmeant so\n\n\n";
    for text in [
        format!("{front}{body}"),
        format!("\u{feff}\n \n{front}{body}"),
    ] {
        let read = argument::parse_file(id, &text).unwrap().contention;
        let expected: Contention = serde_json::from_value(json!({
            "title": "T", "claim": "From the front",
            "grounds": [
                { "source": "A source", "content": "one\ntwo\n\n> three", "relevance": "it is\n\nrelevant" },
                { "source": "A source without a number", "content": "no quotation", "relevance": "" },
            ],
            "warrant": "so",
            "attacks": [
                { "target_id": "opp_000b", "attack_type": "claim_attack",
                  "content": "without a type\n\n## Notes\n\nof somebody" },
                { "target_id": "opp_000a", "attack_type": "warrant_attack", "content": "second" },
                { "target_id": "opp_000a", "attack_type": "grounds_attack", "content": "first" },
            ],
            "defends": [{ "target_id": "prop_000a", "defense_type": "clarify", "content": "meant so" }],
        }))
        .unwrap();
        assert_eq!(read, expected);
    }
}

#[test]
fn the_places_of_an_argument_s_parts_are_known() {
    let id: NodeId = "opp_001".parse().unwrap();
    let mut value = rebuttal("É", "prop_000a");
    value["defends"] =
        json!([{ "target_id": "opp_000a", "defense_type": "clarify", "content": "x" }]);
    let contention = serde_json::from_value(value).unwrap();
    let text = argument::render_file(id, &contention);
    let places = argument::parse_file(id, &text).unwrap().places;
    let at = |name: &str| {
        let span = places
            .line_column_span(&text, name)
            .map(|span| span.map(|n| n as usize));
        let [line, column, length] = span?;
        let line = text.lines().nth(line - 1).unwrap();
        Some(
            line.chars()
                .skip(column - 1)
                .take(length)
                .collect::<String>(),
        )
    };
    assert_eq!(
        places.line_column_span(&text, "attacks[0].target_id"),
        Some([9, 20, 11])
    );
    let expected = [
        ("title", r#""\u00c9 for the job store""#),
        ("claim", r#""\u00c9 \u2013 it is so.""#),
        ("attacks[0]", r#""prop_000a""#),
        ("attacks[0].attack_type", r#""warrant_attack""#),
        ("attacks[0].content", "It does not follow."),
        ("defends[0].target_id", r#""opp_000a""#),
        ("grounds[0].source", "src/store.rs:88"),
        ("grounds[0].content", "> claim()"),
        ("grounds[0].relevance", "two steps"),
        ("grounds[0].citation.anchor", "src/store.rs:88"),
        ("warrant", "Two steps are not one."),
    ];
    for (name, words) in expected {
        assert_eq!(at(name).as_deref(), Some(words), "{name}");
    }
    assert_eq!(at("backing"), None);
}
