//! Replies that are longer than any model would write.

use std::sync::Arc;

use agon_agents::Agent;
use agon_agents::scripted::{Act, Scripted};
use agon_engine::host::{Host, MemoryHost};
use agon_engine::observer::Unwatched;
use agon_engine::run::run_debate;
use agon_engine::run_context::RunContext;
use agon_record::event::{CauseCode, Event, Outcome};
use agon_record::spec::Spec;
use agon_redact::Redactor;
use tokio_util::sync::CancellationToken;

use crate::scripted::{replies, spec};

/// The maximum length of a reply, in bytes.
const MAX_REPLY_BYTES: usize = 64 * 1024;

/// The default token limit of a debate.
const TOKENS: u64 = 250_000;

/// Returns the end of the hand-written duel if the first calls selected by `is_large` are answered
/// with `large`.
async fn debate(large: &str, is_large: fn(turn: &str, again: bool) -> bool) -> MemoryHost {
    let turns = Arc::new(replies());
    let agents = ["one", "two", "three"].map(|name| {
        let (turns, large) = (Arc::clone(&turns), large.to_owned());
        let agent = Scripted::new(name.parse().unwrap(), move |ask| {
            let named = |line: &str| line.strip_prefix("Turn: ").map(str::to_owned);
            let turn = ask.prompt.lines().rev().find_map(named).unwrap();
            let again = ask.prompt.contains("\nAsked again: ");
            Act::Say(match is_large(&turn, again) {
                true => large.clone(),
                false => turns[&turn][0].clone(),
            })
        });
        Arc::new(agent) as Arc<dyn Agent>
    });
    let table = RunContext::new(
        agents,
        Arc::new(Redactor::new()),
        Arc::new(agon_proc::Unwatched),
    );
    let mut spec: Spec = spec();
    (spec.caps.tokens, spec.caps.calls, spec.caps.reasks) = (TOKENS, 20, 8);
    let mut host = MemoryHost::open(spec);
    let never = CancellationToken::new();
    run_debate(&mut host, &table, &mut Unwatched, &never)
        .await
        .unwrap();
    host
}

fn lost(host: &MemoryHost) -> Vec<CauseCode> {
    let lost = host.events().iter().filter_map(|event| {
        let Event::Lost(lost) = event else {
            return None;
        };
        Some(lost.cause.code)
    });
    lost.collect()
}

#[tokio::test]
async fn a_reply_is_read_up_to_its_limit_and_not_beyond() {
    let blind = |turn: &str, again: bool| turn == "r0.pro" && !again;
    let reads = debate(&"x".repeat(MAX_REPLY_BYTES), blind).await;
    assert_eq!(lost(&reads), []);
    assert_eq!(reads.state().closed, Some(Outcome::Judged));
    let refused = debate(&"x".repeat(MAX_REPLY_BYTES + 1), blind).await;
    assert_eq!(lost(&refused), [CauseCode::TooLarge]);
    assert_eq!(refused.state().closed, Some(Outcome::Judged));
}

#[tokio::test]
async fn the_largest_unusable_replies_of_both_sides_leave_a_verdict() {
    let large = "x".repeat(MAX_REPLY_BYTES);
    let first = debate(&large, |turn, again| turn.starts_with("r0.") && !again).await;
    assert_eq!(first.state().capped, None);
    assert_eq!(first.state().closed, Some(Outcome::Judged));
    assert_eq!(first.state().rounds_completed(), 2);
    // Every first answer of a side is too large.
    let each = debate(&large, |turn, again| turn.starts_with('r') && !again).await;
    assert_eq!(each.state().closed, Some(Outcome::Judged));
}

#[tokio::test]
async fn what_rejected_replies_cost_does_not_keep_the_first_round_from_being_held() {
    // They exceed the debate's tokens, and are not read.
    let large = "x".repeat(1_000_004);
    let host = debate(&large, |turn, again| turn.starts_with("r0.") && !again).await;
    assert_eq!(lost(&host), [CauseCode::TooLarge; 2]);
    assert!(host.state().spent.total_tokens() > TOKENS);
    assert_eq!(host.state().rounds_completed(), 1);
    assert_eq!(host.state().closed, Some(Outcome::Judged));
}
