//! Whether the user allowed to send a project's material to a tool's vendor.

use std::collections::BTreeSet;

use agon_caller::{Caller, Code, Failure};
use agon_debates::request::{SeatRequest, StartRequest};
use agon_debates::run::duel;
use agon_debates::status::outcome::Outcome;
use agon_seats::consent::{ConsentDoc, withdraw_vendors};

use crate::front::Recorder;
use crate::place::Place;

/// A place whose user allowed nothing yet.
fn place() -> Place {
    let mut place = Place::new();
    forget(&mut place.caller);
    place
}

/// Removes what the tests of other subjects allow.
pub(crate) fn forget(caller: &mut Caller) {
    caller.vars.remove("AGON_VENDORS");
    caller.vars_os.remove(std::ffi::OsStr::new("AGON_VENDORS"));
}

async fn start(
    caller: &Caller,
    request: &StartRequest,
    front: &mut Recorder,
) -> Result<Outcome, Failure> {
    let local = tokio::task::LocalSet::new();
    local.run_until(duel::start(caller, request, front)).await
}

fn request(slug: &str) -> StartRequest {
    StartRequest {
        topic: "SQLite or plain files?".to_owned(),
        slug: Some(slug.to_owned()),
        quick: true,
        ..StartRequest::default()
    }
}

fn naming(slug: &str, tools: [&str; 2], judge: &str) -> StartRequest {
    let mut request = request(slug);
    for (seat, tool) in request.seats.sides.iter_mut().zip(tools) {
        *seat = SeatRequest {
            tool: Some(tool.to_owned()),
            ..SeatRequest::default()
        };
    }
    request.seats.judges.tools = vec![judge.to_owned()];
    request
}

#[tokio::test(flavor = "current_thread")]
async fn a_person_is_asked_once_for_each_vendor_and_project() {
    let place = place();
    let caller = place.caller.clone();
    let mut front = Recorder::with_person(true);
    // A plan sends nothing, so it does not ask.
    let plan = StartRequest {
        dry_run: true,
        ..request("one")
    };
    start(&caller, &plan, &mut front).await.unwrap();
    assert!(front.questions.is_empty());
    let outcome = start(&caller, &request("one"), &mut front).await.unwrap();
    assert!(matches!(outcome, Outcome::Ended(_)));
    let [question] = front.questions.as_slice() else {
        panic!("{:?}", front.questions);
    };
    for part in ["claude (anthropic)", "codex (openai)", "gemini (google)"] {
        assert!(question.contains(part), "{question}");
    }
    assert!(question.contains("project"), "{question}");
    // Not again: in this project, even without a person.
    let mut front = Recorder::with_person(false);
    start(&caller, &request("two"), &mut front).await.unwrap();
    assert!(front.questions.is_empty(), "{:?}", front.questions);
    let mut alone = Recorder::default();
    start(&place.caller, &request("three"), &mut alone)
        .await
        .unwrap();

    // Again for a vendor that was withdrawn, and only for that one.
    withdraw_vendors(&caller, &["openai".to_owned()], false).unwrap();
    let mut front = Recorder::with_person(true);
    start(&caller, &request("four"), &mut front).await.unwrap();
    assert_eq!(front.questions.len(), 1);
    assert!(
        !front.questions[0].contains("anthropic"),
        "{:?}",
        front.questions
    );

    // Again in another project.
    let other = caller.cwd.parent().unwrap().join("other");
    std::fs::create_dir(&other).unwrap();
    let elsewhere = Caller {
        cwd: other,
        ..caller.clone()
    };
    let before = place.tools.asks().len();
    let mut front = Recorder::with_person(false);
    let refused = start(&elsewhere, &request("five"), &mut front).await;
    assert_eq!(refused.unwrap_err().code, Code::Cancelled);
    assert_eq!(front.questions.len(), 1);
    assert_eq!(place.tools.asks().len(), before, "something was sent");
    assert!(!elsewhere.cwd.join("debates").exists());
}

#[tokio::test(flavor = "current_thread")]
async fn without_a_person_only_allowed_and_named_tools_are_asked() {
    let place = place();
    let refused = start(&place.caller, &request("one"), &mut Recorder::default()).await;
    let failure = refused.unwrap_err();
    assert_eq!(failure.code, Code::ConsentNeeded);
    for part in ["claude (anthropic)", "codex (openai)", "gemini (google)"] {
        assert!(failure.message.contains(part), "{}", failure.message);
    }
    assert!(place.tools.asks().is_empty());
    assert!(!place.caller.cwd.join("debates").exists());

    // The names of two tools are no consent for a third, which judges otherwise.
    let mut two = naming("two", ["claude", "codex"], "gemini");
    two.seats.judges.tools.clear();
    start(&place.caller, &two, &mut Recorder::default())
        .await
        .unwrap();
    let asked = place.tools.asks();
    assert!(asked.iter().all(|ask| ask.tool != "gemini"), "{asked:?}");

    // The same over a protocol.
    let relayed = Caller {
        is_relayed: true,
        ..place.caller.clone()
    };
    let refused = start(&relayed, &request("three"), &mut Recorder::default()).await;
    assert_eq!(refused.unwrap_err().code, Code::ConsentNeeded);
    assert!(place.tools.asks().iter().all(|ask| ask.tool != "gemini"));

    // The user's own configuration allows it.
    let mut allowed = relayed.clone();
    let vendors = ("AGON_VENDORS", "anthropic, openai,google");
    allowed.vars.insert(vendors.0.into(), vendors.1.into());
    allowed.vars_os.insert(vendors.0.into(), vendors.1.into());
    start(&allowed, &request("three"), &mut Recorder::default())
        .await
        .unwrap();
    assert!(place.tools.asks().iter().any(|ask| ask.tool == "gemini"));
}

#[tokio::test(flavor = "current_thread")]
async fn a_project_cannot_allow_a_vendor() {
    let place = place();
    let file = place.caller.cwd.join("agon.toml");
    std::fs::write(&file, "vendors = [\"all\"]\n").unwrap();
    let refused = start(&place.caller, &request("one"), &mut Recorder::default()).await;
    assert_eq!(refused.unwrap_err().code, Code::Configuration);
    let document = ConsentDoc::read(&place.caller, BTreeSet::new()).unwrap();
    assert!(document.everywhere.is_empty());
}
