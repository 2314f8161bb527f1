//! Opens, steers, awaits and reads a duel.

use std::time::{Duration, Instant};

use agon_caller::{Caller, Code, Failure, FailureKind, IgnoreNotes, find};
use agon_debates::request::StartRequest;
use agon_debates::run::duel;
use agon_debates::status;
use agon_debates::status::outcome::{Ended, Outcome};
use agon_debates::status::{RunState, wait};
use agon_debates::steer::{SayInput, say};
use agon_record::authority::Authority;
use agon_testkit::Behaviour;
use tokio::time::sleep;

use crate::front::Recorder;
use crate::place::Place;

const TOPIC: &str = "SQLite or plain files for the job store?";

fn request() -> StartRequest {
    StartRequest {
        topic: TOPIC.to_owned(),
        slug: Some("s".to_owned()),
        ..StartRequest::default()
    }
}

/// Adds a note to the debate as soon as its proposer is asked.
async fn steer(place: &Place) -> Result<String, Failure> {
    while place.tools.asks().is_empty() {
        sleep(Duration::from_millis(5)).await;
    }
    let note = SayInput::Note("Think of backups.".to_owned());
    let said = say(&place.caller, "s", note, &mut IgnoreNotes).await?;
    Ok(format!("{} {}", said.id, said.runs))
}

/// Returns the run state once no process runs the debate.
fn wait_for(caller: &Caller) -> RunState {
    let path = caller.cwd.join("debates/s");
    let until = Instant::now() + Duration::from_secs(120);
    while find::find_debate_folder(caller, "s").is_err() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    wait::wait_until_idle(&path, until, |_| {})
        .unwrap()
        .run_state
}

fn ended(outcome: Outcome) -> Ended {
    match outcome {
        Outcome::Ended(ended) => *ended,
        Outcome::Planned(_) | Outcome::Started(_) => panic!("{outcome:?}"),
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_debate_is_opened_steered_awaited_and_read() {
    let place = Place::new();
    place
        .tools
        .set_scenario("*", "r1.pro", Behaviour::Slow(1_500));
    let caller = place.caller.clone();
    let waiting = std::thread::spawn(move || wait_for(&caller));
    let mut front = Recorder::default();
    let request = request();
    let local = tokio::task::LocalSet::new();
    let (outcome, said) = local
        .run_until(async {
            tokio::join!(
                duel::start(&place.caller, &request, &mut front),
                steer(&place)
            )
        })
        .await;
    assert_eq!(said.unwrap(), "note 1 true");
    let ended = ended(outcome.unwrap());
    assert_eq!(
        (ended.authority, ended.waits.len()),
        (Some(Authority::Full), 0)
    );
    assert_eq!(front.began, ["debates/s"]);
    assert_eq!(front.ended, 1);
    assert_eq!(front.notes.len(), 1, "of the new folder: {:?}", front.notes);
    assert_eq!(waiting.join().unwrap(), RunState::Done);

    let document = serde_json::to_value(ended.document()).unwrap();
    assert_eq!(document["answer"], "Use SQLite for the job store");
    let path = find::find_debate_folder(&place.caller, "s").unwrap();
    let seen = status::inspect_debate(&path).unwrap();
    assert_eq!(seen.run_state, RunState::Done);
    assert_eq!(seen.glance.state.words.len(), 1);
}

#[tokio::test(flavor = "current_thread")]
async fn a_debate_that_was_started_is_given_again_and_not_paid_for_twice() {
    let place = Place::new();
    let request = StartRequest {
        reuse: true,
        ..request()
    };
    let mut front = Recorder::default();
    let start = async || {
        let local = tokio::task::LocalSet::new();
        let mut front = Recorder::default();
        let start = duel::start(&place.caller, &request, &mut front);
        ended(local.run_until(start).await.unwrap())
    };
    let first = start().await;
    let asks = place.tools.asks().len();
    let again = start().await;
    assert_eq!((first.is_reused, again.is_reused), (false, true));
    assert_eq!(place.tools.asks().len(), asks);

    let nowhere = StartRequest {
        detach: true,
        slug: None,
        topic: "Tabs or spaces?".to_owned(),
        ..StartRequest::default()
    };
    let refused = duel::start(&place.caller, &nowhere, &mut front).await;
    let failure = refused.unwrap_err();
    assert_eq!(
        (failure.kind, failure.code),
        (FailureKind::Bug, Code::NotStarted),
        "a caller without a program has nothing to run it in"
    );
}

#[tokio::test(flavor = "current_thread")]
async fn a_request_that_cannot_be_met_changes_nothing() {
    let place = Place::new();
    let mut front = Recorder::default();
    for (request, code) in [
        (StartRequest::default(), Code::MissingParameter),
        (
            StartRequest {
                rounds: Some(9),
                ..request()
            },
            Code::InvalidParameter,
        ),
        (
            StartRequest {
                context: Some("everything".to_owned()),
                ..request()
            },
            Code::ContextRefused,
        ),
    ] {
        let refused = duel::start(&place.caller, &request, &mut front).await;
        assert_eq!(refused.unwrap_err().code, code);
    }
    assert!(!place.caller.cwd.join("debates").exists());
    assert!(front.began.is_empty());
}
