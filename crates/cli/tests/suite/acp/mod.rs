//! `agon acp`, spoken to by the protocol's own client, and by one that breaks its rules.

mod editor;
mod given;
mod sessions;
mod settings;
mod wrong;

use agent_client_protocol::v1::schema::{
    ListSessionsRequest, PlanEntry, PlanEntryStatus, StopReason,
};
use agon_testkit::{Behaviour, Script};

use self::editor::Editor;
use crate::scenarios::place::Fakes;
use crate::support::TOPIC;

fn start(fakes: &Fakes) -> Editor {
    Editor::start(fakes.place.command(&["acp"]))
}

#[test]
fn a_prompt_is_a_debate_and_a_later_one_is_a_question_about_it() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(2_000));
    let editor = start(&fakes);
    let can = &editor.about.agent_capabilities;
    assert!(can.load_session && can.session_capabilities.resume.is_some());
    assert!(editor.about.auth_methods.is_empty());
    let cwd = fakes.place.project();
    let session = editor.session(&cwd);
    assert_eq!(editor.prompt(&session, TOPIC), StopReason::EndTurn);
    {
        let told = editor.told();
        assert_eq!(told.turns(), 8, "{}", told.text);
        for part in [
            "### proposer (claude",
            "Use SQLite for the job store",
            "## Hangs on",
            "Authority: **full**",
            "wrong citations: ",
            "the whole debate: `",
        ] {
            assert!(told.text.contains(part), "no {part} in {}", told.text);
        }
        let first: Vec<_> = told.plans[0].iter().map(|entry| &entry.status).collect();
        use PlanEntryStatus::{InProgress, Pending};
        assert_eq!(first, [&InProgress, &Pending, &Pending, &Pending]);
        let last = told.plans.last().unwrap();
        let titles: Vec<_> = last.iter().map(|entry| entry.content.as_str()).collect();
        assert_eq!(
            titles,
            [
                "First answers, unseen by each other",
                "Round 1 of 2",
                "Round 2 of 2",
                "Verdict"
            ]
        );
        let done = |plan: &[_]| plan.iter().filter(|entry| is_done(entry)).count();
        assert_eq!(done(last), 4);
        assert!(told.plans.len() >= 3, "{:?}", told.plans);
        assert!(
            told.plans
                .windows(2)
                .all(|two| done(&two[0]) <= done(&two[1]))
        );
        assert!(told.asked.is_empty(), "{:?}", told.asked);
    }
    let asks = fakes.asks().len();
    assert_eq!(asks, 8);
    editor.forget();
    let mut script = Script::job_store();
    script.default = "Two writers can claim one job [pro_001a].".to_owned();
    fakes.tools.set_script(&script);
    let why = editor.prompt(&session, "Why not plain files?");
    assert_eq!(why, StopReason::EndTurn);
    assert_eq!(editor.told().turns(), 0);
    let answer = editor.told().text.clone();
    assert!(answer.contains("Two writers can claim one job"), "{answer}");
    assert!(answer.contains("Based on pro_001a."), "{answer}");
    assert!(fakes.tools.asks().len() > asks, "no tool was asked");

    let request = ListSessionsRequest::new().cwd(cwd);
    let listed = editor.request(request).unwrap().sessions;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].session_id, session);
    assert_eq!(listed[0].title.as_deref(), Some(TOPIC));
}

fn is_done(entry: &PlanEntry) -> bool {
    entry.status == PlanEntryStatus::Completed
}

#[test]
fn cancelling_stops_the_debate_and_continue_takes_it_up_again() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(60_000));
    let editor = start(&fakes);
    let session = editor.session(&fakes.place.project());
    let answer = editor.begin_prompt(&session, TOPIC);
    editor.wait_for_turns(2);
    let busy = editor.begin_prompt(&session, "And now?").join().unwrap();
    assert!(busy.unwrap_err().message.contains("still running"));
    editor.cancel(&session);
    let answer = answer.join().unwrap().unwrap();
    assert_eq!(answer.stop_reason, StopReason::Cancelled);
    assert!(editor.told().text.contains("The debate is stopped"));
    let listed = fakes.place.run(&["list", "--json"]).stdout;
    assert!(listed.contains("stopped"), "{listed}");

    fakes.tools.clear_scenario();
    assert_eq!(editor.prompt(&session, "continue"), StopReason::EndTurn);
    let told = editor.told();
    assert_eq!(told.turns(), 8, "{}", told.text);
    assert!(told.text.contains("Authority: **full**"), "{}", told.text);
}

#[test]
fn an_agent_killed_in_mid_debate_leaves_it_running_and_another_one_shows_the_rest() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(6_000));
    let cwd = fakes.place.project();
    let editor = start(&fakes);
    let session = editor.session(&cwd);
    let answer = editor.begin_prompt(&session, TOPIC);
    editor.wait_for_turns(2);
    editor.kill();
    assert!(answer.join().unwrap().is_err());

    let editor = start(&fakes);
    editor.load(&session, &cwd).unwrap();
    assert_eq!(editor.told().user, TOPIC);
    let replayed = editor.told().turns();
    assert!((2..8).contains(&replayed), "{}", editor.told().text);
    assert!(editor.told().text.contains("The debate is running"));
    assert_eq!(editor.prompt(&session, "continue"), StopReason::EndTurn);
    let turns = editor.told().turns();
    assert_eq!(turns, 8, "{}", editor.told().text);
    assert!(editor.told().text.contains("Authority: **full**"));
    assert_eq!(fakes.asks().len(), 8, "{:?}", fakes.asks());

    // Once more, when it is over: all of it is history.
    let editor = start(&fakes);
    editor.load(&session, &cwd).unwrap();
    assert_eq!(editor.told().turns(), 8);
    assert!(editor.told().text.contains("Authority: **full**"));
}
