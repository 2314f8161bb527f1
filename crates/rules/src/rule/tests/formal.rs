//! A small formal debate that breaks no rule.

use agon_record::event::Event;
use agon_record::finding::Finding;
use agon_record::id::AskKey;
use agon_record::moves::Moves;
use agon_record::point;
use agon_record::spec::{FormalSpec, FormatName, Kind, Spec};
use agon_record::state::State;
use serde_json::{Value, json};

use crate::format;
use crate::panel;
use crate::parse::{Parsed, parse};
use crate::rule::check_moves;
use crate::rule::tests::fixture::{self, ground, id};

/// The turns of the debate, in order.
pub(crate) const TURNS: [&str; 10] = [
    "theses.judge",
    "r0.prop",
    "r0.opp",
    "r0.judge",
    "r1.prop",
    "r1.opp",
    "r1.judge",
    "r2.prop",
    "r2.opp",
    "r2.judge",
];

pub(crate) fn spec() -> Spec {
    let mut spec = fixture::spec();
    spec.kind = Kind::formal(FormalSpec::default());
    spec.topic = "This house would ban private cars".to_owned();
    spec.ruleset = "formal/1".to_owned();
    spec.seats = serde_json::from_value(json!({
        "proposition": spec.seats[&agon_record::id::Seat::Proposer],
        "opposition": spec.seats[&agon_record::id::Seat::Challenger],
        "judge": spec.seats[&agon_record::id::Seat::JUDGE],
    }))
    .unwrap();
    spec
}

pub(crate) fn contention(name: &str) -> Value {
    json!({
        "title": format!("A title of five {name}"),
        "claim": format!("The claim {name}"),
        "grounds": [ground(name)],
        "warrant": format!("The warrant {name}"),
    })
}

pub(crate) fn attack(target: &str, kind: &str) -> Value {
    json!({ "target_id": target, "attack_type": kind, "content": "It does not follow." })
}

pub(crate) fn defend(target: &str, kind: &str) -> Value {
    json!({ "target_id": target, "defense_type": kind, "content": "It was measured again." })
}

pub(crate) fn scored(id: &str, score: f64) -> Value {
    json!({ "argument_id": id, "score": score, "reasoning": "The grounds carry it." })
}

pub(crate) fn rescored(id: &str, new: f64) -> Value {
    json!({ "argument_id": id, "new_score": new, "reasoning": "It was met." })
}

/// The moves of `turn`, as they are asked for.
pub(crate) fn base(turn: &str) -> Value {
    match turn {
        "theses.judge" => json!({
            "proposition": "Cities should ban private cars.",
            "opposition": "Cities should not ban private cars.",
        }),
        "r0.prop" => json!([contention("a"), contention("b"), contention("c")]),
        "r0.opp" => json!([contention("d"), contention("e"), contention("f")]),
        "r0.judge" => json!({ "scores": [
            scored("prop_000a", 0.3), scored("prop_000b", 0.2), scored("prop_000c", 0.0),
            scored("opp_000a", -0.3), scored("opp_000b", -0.2), scored("opp_000c", 0.0),
        ] }),
        "r1.prop" => {
            let mut one = contention("g");
            one["attacks"] = json!([
                attack("opp_000a", "claim_attack"),
                attack("opp_000b", "grounds_attack")
            ]);
            one["defends"] = json!([defend("prop_000a", "reinforce")]);
            one
        }
        "r1.opp" => {
            let mut one = contention("h");
            one["attacks"] = json!([attack("prop_000a", "warrant_attack")]);
            one["defends"] = json!([defend("opp_000c", "concede_and_pivot")]);
            one
        }
        "r1.judge" => {
            let mut rescore = rescored("prop_000a", -0.1);
            rescore["old_score"] = json!(0.3);
            json!({ "scores": [scored("prop_001", 0.1), scored("opp_001", -0.1)], "rescores": [rescore] })
        }
        "r2.prop" => {
            let mut one = contention("i");
            one["attacks"] = json!([
                attack("opp_001", "claim_attack"),
                attack("opp_000a", "warrant_attack"),
                attack("opp_000a", "claim_attack"),
            ]);
            one["defends"] = json!([
                defend("prop_001", "clarify"),
                defend("prop_001", "reinforce")
            ]);
            one
        }
        "r2.opp" => contention("j"),
        "r2.judge" => json!({
            "scores": [scored("prop_002", -0.25), scored("opp_002", 0.26)],
            "rescores": [rescored("prop_000a", 0.4), rescored("opp_001", 0.4)],
        }),
        other => panic!("no turn {other}"),
    }
}

/// `value`, read as a reply to `turn`.
pub(crate) fn read(turn: &str, value: &Value) -> Parsed {
    let kind = format::format_by_name(FormatName::Formal).moves_kind(id(turn));
    parse(&format!("So:\n```json\n{value}\n```\n"), kind, id(turn)).unwrap()
}

/// The debate before `turn`.
pub(crate) fn before(turn: &str) -> State {
    let mut state = State::open(spec());
    let format = format::format_by_name(FormatName::Formal);
    for earlier in TURNS {
        if format.may_refer_to(id(turn), id(earlier)) {
            admit(&mut state, earlier);
        }
    }
    state
}

/// The whole debate.
pub(crate) fn all() -> State {
    let mut state = before("r2.judge");
    admit(&mut state, "r2.judge");
    state
}

fn admit(state: &mut State, turn: &str) {
    let moves = read(turn, &base(turn)).moves;
    take(state, turn, moves);
    if let (agon_record::id::Stage::Round(exchange), true) =
        (id(turn).stage, id(turn).seat.is_judge())
    {
        let judgment = panel::judgment_by_all_judges(state, exchange);
        state.apply(&Event::Scored(Box::new(judgment))).unwrap();
    }
}

/// Takes `moves` into the debate as `turn`.
pub(crate) fn take(state: &mut State, turn: &str, moves: Moves) {
    let turn = id(turn);
    let event = Event::Admitted {
        key: AskKey { turn, again: 0 },
        ids: point::point_ids(turn, &moves),
        moves: Box::new(moves),
        findings: Vec::new(),
    };
    state.apply(&event).unwrap();
}

/// What a reply of `value` to `turn` breaks.
pub(crate) fn found(turn: &str, value: &Value) -> Vec<Finding> {
    let parsed = read(turn, value);
    assert_eq!(parsed.findings, [], "{turn}");
    check_moves(&before(turn), id(turn), &parsed.moves)
}
