//! Problems in the contexts of the debaters are recorded with the judge's call and shown in the
//! verdict.

use std::sync::Arc;

use agon_agents::Agent;
use agon_agents::scripted::{Act, Scripted};
use agon_engine::host::{Host, MemoryHost};
use agon_engine::observer::Unwatched;
use agon_engine::run::run_debate;
use agon_engine::run_context::RunContext;
use agon_record::event::Event;
use agon_record::seat_finding::{SeatFinding, SeatPattern};
use agon_record::state::State;
use agon_record::user::{CommandRun, Ran, WordId};
use agon_redact::Redactor;
use agon_verdict::verdict::verdict;
use tokio_util::sync::CancellationToken;

use crate::scripted::{replies, spec};

/// Returns a duel in which the user first ran the tests, unless the exit code is `None`, and the
/// proposer begins its second turn with `words`.
async fn duel(exit: Option<i32>, words: &str) -> MemoryHost {
    let mut turns = replies();
    let spoken = turns.get_mut("r2.pro").unwrap();
    spoken[0] = format!("{words}\n\n{}", spoken[0]);
    let turns = Arc::new(turns);
    let agents = ["one", "two", "three"].map(|name| {
        let turns = Arc::clone(&turns);
        let agent = Scripted::new(name.parse().unwrap(), move |ask| {
            let named = |line: &str| line.strip_prefix("Turn: ").map(str::to_owned);
            let turn = ask.prompt.lines().rev().find_map(named).unwrap();
            Act::Say(turns[&turn][0].clone())
        });
        Arc::new(agent) as Arc<dyn Agent>
    });
    let watch = Arc::new(agon_proc::Unwatched);
    let table = RunContext::new(agents, Arc::new(Redactor::new()), watch);
    let mut host = MemoryHost::open(spec());
    if exit.is_some() {
        let ran = Event::Ran(Box::new(Ran {
            id: WordId::Run(1),
            item: ulid::Ulid::nil(),
            run: CommandRun {
                command: "cargo test".to_owned(),
                exit,
                ended: None,
                output: "test result: FAILED. 3 passed; 1 failed".to_owned(),
                bytes: 39,
                left_out: 0,
                took_ms: 10,
                redacted: 0,
            },
        }));
        host.record(&[ran]).unwrap();
    }
    let cancel = CancellationToken::new();
    run_debate(&mut host, &table, &mut Unwatched, &cancel)
        .await
        .unwrap();
    host
}

/// Returns the recorded findings by call.
fn recorded(host: &MemoryHost) -> Vec<(String, Vec<SeatFinding>)> {
    let asked = host.events().iter().filter_map(|event| match event {
        Event::Asked(asked) if !asked.seat_findings.is_empty() => {
            Some((asked.key.to_string(), asked.seat_findings.clone()))
        }
        _ => None,
    });
    asked.collect()
}

fn rigor(state: &State) -> String {
    verdict(state).unwrap().rigor
}

const CLAIM: &str = "All tests pass.";

#[tokio::test(start_paused = true)]
async fn a_run_that_failed_and_a_side_says_passed_stands_in_the_verdict_with_its_seat_and_round() {
    let host = duel(Some(101), CLAIM).await;
    let found = SeatFinding {
        ask: "r2.pro#0".parse().unwrap(),
        pattern: SeatPattern::Poisoning,
        reason: "a command failed, and a later message says that it worked".to_owned(),
    };
    assert_eq!(
        recorded(&host),
        [("verdict.judge#0".to_owned(), vec![found])]
    );
    let caution = "the proposer's context, poisoning in round 2: a command failed, and a later \
                   message says that it worked";
    let said = rigor(host.state());
    assert!(said.contains(caution), "{said}");
    // It is read from the record, not recomputed.
    let again = State::replay(host.events()).unwrap();
    assert_eq!(rigor(&again), said);
    let events = serde_json::to_string(host.events()).unwrap();
    let unmarked = events.replace("seat_findings", "of_another_version");
    let older: Vec<Event> = serde_json::from_str(&unmarked).unwrap();
    let older = rigor(&State::replay(&older).unwrap());
    assert!(!older.contains("'s context"), "{older}");
}

#[tokio::test(start_paused = true)]
async fn a_debate_in_which_all_is_well_records_nothing_of_it() {
    for (exit, words) in [
        (None, CLAIM),
        (Some(101), "All tests should pass."),
        (Some(101), "One test fails."),
        (Some(101), ""),
    ] {
        let host = duel(exit, words).await;
        assert_eq!(recorded(&host), [], "{exit:?} {words}");
        let journal = serde_json::to_string(host.events()).unwrap();
        assert!(!journal.contains("seat_findings"));
        assert!(!rigor(host.state()).contains("'s context"));
    }
}
