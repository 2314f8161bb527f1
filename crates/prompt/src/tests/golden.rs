//! What a turn is held to and shown, byte for byte: schemas, shapes and forms of every kind.

use std::fmt::Write as _;

use agon_record::id::{AskKey, TurnId};
use agon_record::moves::MovesKind;
use agon_record::state::State;
use agon_rules::{format, schema};
use agon_samples::{duel, formal};

use crate::shape::{self, moves_shape};

/// A turn of every kind that a duel has, and of the swap.
const DUEL: [&str; 7] = [
    "r0.pro",
    "r1.pro",
    "r1.cha",
    "r2.pro",
    "r2.cha",
    "verdict.judge",
    "verdict.swap",
];

/// The debate before each turn, and the turn.
pub(crate) fn turns() -> Vec<(State, TurnId)> {
    let duel = DUEL.map(|turn| {
        let turn = turn.parse().unwrap();
        (duel::job_store(3, turn), turn)
    });
    let formal = formal::TURNS.map(|turn| (formal::before(turn), formal::turn(turn)));
    duel.into_iter().chain(formal).collect()
}

/// `state` with models in every seat that bear so many tokens.
fn with_budget(mut state: State, budget: u32) -> State {
    for seating in state.seats.values_mut() {
        seating.budget = Some(budget);
    }
    state
}

#[test]
fn schemas_are_these() {
    let mut out = String::new();
    for kind in MovesKind::ALL {
        writeln!(
            out,
            "{} published {}",
            kind.name(),
            schema::published_moves_schema(kind)
        )
        .unwrap();
    }
    for (state, turn) in turns() {
        let contract = schema::contract_schema(&state, turn);
        writeln!(out, "{turn} contract {contract}").unwrap();
        let compact = schema::compact_schema(&with_budget(state.clone(), 4_096), turn);
        writeln!(out, "{turn} compact {compact}").unwrap();
    }
    insta::assert_snapshot!(out);
}

#[test]
fn shapes_are_these() {
    let kinds = MovesKind::ALL.map(|kind| (kind.name(), moves_shape(kind)));
    let others = [
        ("argument", shape::argument_shape()),
        ("ground", shape::ground_shape()),
        ("swap", shape::swapped_verdict_shape()),
    ];
    let mut out = String::new();
    for (name, shape) in kinds.into_iter().chain(others) {
        writeln!(out, "{name}\n{}\n", shape.trim()).unwrap();
    }
    insta::assert_snapshot!(out);
}

#[test]
fn forms_are_these() {
    let mut out = String::new();
    for (state, turn) in turns() {
        let form = crate::human::render_form(&state, AskKey { turn, again: 0 });
        let (places, _) = form.split_once(crate::human::SCISSORS).unwrap();
        let kind = format::requested_moves_kind(&state, turn);
        writeln!(out, "{turn}, {}\n{places}", kind.name()).unwrap();
    }
    insta::assert_snapshot!(out);
}
