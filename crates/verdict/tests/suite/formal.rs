//! What holds for every formal debate, whatever the tools do.

mod any_order;
mod host;
mod lost;
mod panel;
mod played;

use std::collections::BTreeMap;

use agon_record::event::{Cap, Event, Halt, ScoreEntry};
use agon_record::id::{AskKey, NodeId, Seat, TurnId};
use agon_record::moves::{Formal, Moves};
use agon_record::score::Score;
use agon_record::state::State;
use agon_record::tally;
use agon_rules::format::{Phase, debate_phase};
use agon_rules::format::{first_unjudged_exchange, target_exchange};
use agon_rules::plan::{Plan, plan};

use self::host::{Act, asked, caps, given, go_on, key, open, outcome, play, spec, theses, turn};

fn good(_: AskKey, _: usize) -> Act {
    Act::Good
}

fn first(_: usize) -> usize {
    0
}

fn ids(state: &State) -> Vec<String> {
    state
        .nodes()
        .iter()
        .map(|node| node.id.to_string())
        .collect()
}

fn current(state: &State, id: &str) -> ScoreEntry {
    state.score_histories()[&id.parse::<NodeId>().unwrap()]
        .last()
        .unwrap()
        .clone()
}

/// The keys that are to be asked now.
fn wanted(state: &State) -> Vec<String> {
    match plan(state) {
        Plan::Perform(effects) => effects
            .iter()
            .map(|effect| effect.key.to_string())
            .collect(),
        other @ (Plan::Resolve(_) | Plan::Decide(_) | Plan::Wait(_) | Plan::Close) => {
            panic!("{other:?}")
        }
    }
}

/// Every batch that admits a side admits both, in the order of the seats, and every batch that
/// admits a judge admits the whole panel.
fn admits_together(batches: &[Vec<Event>], judges: u8) {
    for batch in batches {
        let turns: Vec<TurnId> = batch
            .iter()
            .filter_map(|event| {
                let Event::Admitted { key, .. } = event else {
                    return None;
                };
                Some(key.turn)
            })
            .collect();
        let Some(first) = turns.first() else { continue };
        assert_eq!(turns.len(), batch.len());
        let together: Vec<TurnId> = match (first.stage, first.seat) {
            (agon_record::id::Stage::Round(exchange), Seat::Judge(_)) => (1..=judges)
                .map(|nth| TurnId::round(exchange, Seat::Judge(nth)))
                .collect(),
            (agon_record::id::Stage::Round(exchange), _) => [Seat::Proposition, Seat::Opposition]
                .map(|seat| TurnId::round(exchange, seat))
                .to_vec(),
            _ => vec![TurnId::theses(Seat::JUDGE)],
        };
        assert_eq!(turns, together);
    }
}
