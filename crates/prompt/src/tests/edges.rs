//! What a model must not lose stands in the first or the last 15 % of a prompt, whatever it is
//! given to read: models remember the middle of a long text worst.

use agon_record::spec::Context;
use agon_samples::{duel, formal};
use agon_tokens::count_tokens;
use std::collections::BTreeMap;

use super::*;

/// The share of a prompt at each of its edges.
const EDGE: f64 = 0.15;
/// Parts that stand at the beginning, and at the end.
const FIRST: [&str; 4] = ["role", "motion", "open", "rules"];
const LAST: [&str; 3] = ["challenge", "again", "contract"];

/// A text such as a seat is given: some hundred kilobytes, no line twice.
fn material() -> String {
    (0..4_000)
        .map(|n| {
            format!(
                "fn step_{n}(at: usize) -> usize {{ at * {} + {} }}\n",
                n % 97 + 2,
                n % 89
            )
        })
        .collect()
}

fn with_material(mut state: State) -> State {
    state.spec.context = Context::File {
        path: "src/steps.rs".to_owned(),
        text: material(),
    };
    state
}

/// Where each part that counts stands, as shares of the whole in tokens: begin and end.
fn places(prompt: &Prompt) -> Vec<(&'static str, f64, f64)> {
    let counts: Vec<f64> = prompt
        .parts
        .iter()
        .map(|part| f64::from(u32::try_from(count_tokens(&part.text)).unwrap()))
        .collect();
    let whole: f64 = counts.iter().sum();
    let mut at = 0.0;
    let mut places = Vec::new();
    for (part, count) in prompt.parts.iter().zip(counts) {
        places.push((part.kind, at / whole, (at + count) / whole));
        at += count;
    }
    places
}

fn check(name: &str, prompt: &Prompt) {
    let places = places(prompt);
    assert!(
        places.iter().any(|(kind, ..)| *kind == "contract"),
        "{name}"
    );
    for (kind, begin, end) in places {
        if FIRST.contains(&kind) {
            assert!(end <= EDGE, "{name}: {kind} ends at {end:.3}");
        }
        if LAST.contains(&kind) {
            assert!(begin >= 1.0 - EDGE, "{name}: {kind} begins at {begin:.3}");
        }
    }
}

/// Replies for a debate of so many rounds: rounds past those of the script say what its last one
/// says.
fn replies_of(rounds: u16) -> BTreeMap<TurnId, String> {
    let script = duel::replies(3);
    let mut replies = BTreeMap::new();
    for (turn, reply) in &script {
        let name = turn.to_string();
        let round: u16 = match name.strip_prefix('r').and_then(|it| it.split_once('.')) {
            Some((round, _)) => round.parse().unwrap(),
            None => 0,
        };
        if round <= rounds {
            replies.insert(*turn, reply.clone());
        }
        if round == 3 {
            for later in 4..=rounds {
                let later = name.replacen('3', &later.to_string(), 1);
                replies.insert(super::turn(&later), reply.clone());
            }
        }
    }
    replies
}

#[test]
fn what_counts_stands_at_the_edges_of_every_prompt_of_a_duel() {
    for rounds in [1, 3, 5] {
        let replies = replies_of(rounds);
        let turns = replies
            .keys()
            .copied()
            .chain([turn("verdict.judge"), turn("verdict.swap")]);
        let mut seen = 0;
        for turn in turns.collect::<std::collections::BTreeSet<_>>() {
            let state = with_material(duel::told(rounds, &replies, turn));
            check(
                &format!("{rounds} rounds, {turn}"),
                &prompt(&state, key(turn, 0)),
            );
            seen += 1;
        }
        assert_eq!(seen, 2 + usize::from(rounds) * 2 + 2, "{rounds} rounds");
    }
}

#[test]
fn what_counts_stands_at_the_edges_of_every_prompt_of_sixty_exchanges() {
    let said = formal::said();
    let mut long = BTreeMap::new();
    for (turn, value) in &said {
        let name = turn.to_string();
        long.insert(*turn, value.clone());
        for exchange in 3..60 {
            if let Some(rest) = name.strip_prefix("r2.") {
                long.insert(formal::turn(&format!("r{exchange}.{rest}")), value.clone());
            }
        }
    }
    println!(
        "{:?}",
        said.keys().map(ToString::to_string).collect::<Vec<_>>()
    );
    for turn in long.keys() {
        let state = with_material(formal::told(&long, &turn.to_string()));
        check(&turn.to_string(), &prompt(&state, key(*turn, 0)));
    }
}
