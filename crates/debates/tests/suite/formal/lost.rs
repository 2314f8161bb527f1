//! A side or a judge that gives no usable turn.

use agon_caller::bounds::Bounds;
use agon_caller::{Code, FailureKind, IgnoreNotes};
use agon_debates::read::show::show;
use agon_debates::request::PlayRequest;
use agon_report::screen::NextStep;
use agon_testkit::Behaviour;

use super::table::{Table, rebuttals, seats};

/// Makes `tool` lose `turn` of exchange 1, then tries again.
async fn lost(turn: &str, tool: &str, behaviour: Behaviour, again: &[&str]) {
    let table = Table::after_opening().await;
    let before = table.files();
    let asked = table.tools().asks().len();
    table.tools().set_scenario(tool, turn, behaviour);
    let failure = table.play(&rebuttals(1)).await.unwrap_err();
    assert_eq!(failure.code, Code::TurnLost, "{failure:?}");
    let hint = failure.hint.unwrap().typed();
    assert!(hint.contains("agon resume s"), "{hint}");
    let after = table.files();
    let judged = turn.ends_with("judge");
    // The transcript shows the lost turn, the verdict its effect, and the judge still has arguments
    // to score.
    let told = ["transcript.md", "verdict.json", "verdict.md"];
    let argued = [
        "argument-graph.mmd",
        "debate.md",
        "verdict.json",
        "verdict.md",
    ];
    let changed = after.iter().filter(|(name, bytes)| {
        before.get(*name) != Some(bytes)
            && !told.contains(&name.as_str())
            && !(judged && argued.contains(&name.as_str()))
    });
    let changed: Vec<_> = changed.map(|(name, _)| name.as_str()).collect();
    let new: &[&str] = if judged {
        &["arguments/opp_001.md", "arguments/prop_001.md"]
    } else {
        &[]
    };
    assert_eq!(changed, new);
    assert!(before.keys().all(|name| after.contains_key(name)));
    let shown = show(&table.place.caller, Some("s"), &mut IgnoreNotes).unwrap();
    let next = shown.next_step();
    let goes_on = match &next {
        NextStep::Command(command) => command.contains("agon resume s"),
        NextStep::Fix { hint, .. } => hint.as_ref().is_some_and(|it| it.contains("agon resume s")),
        NextStep::Running(_) | NextStep::Answer(_) => false,
    };
    assert!(goes_on, "{next:?}");

    let first = table.asks_since(asked);
    assert!(first.contains(&"r1.prop#0".to_owned()), "{first:?}");
    table.tools().clear_scenario();
    let asked = table.tools().asks().len();
    table.resume().await.unwrap();
    assert_eq!(
        table.asks_since(asked),
        again,
        "the good side is not asked again"
    );
    assert_eq!(table.front()["current_exchange"], 2);
}

const OPPOSITION: &[&str] = &["r1.judge#0", "r1.opp#0"];

#[tokio::test(flavor = "current_thread")]
async fn a_side_that_speaks_garbage_changes_nothing_and_is_asked_again() {
    lost("r1.opp", "codex", Behaviour::Garbage, OPPOSITION).await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_side_whose_moves_are_wrong_twice_changes_nothing_and_is_asked_again() {
    lost("r1.opp", "codex", Behaviour::WrongAlways, OPPOSITION).await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_judge_that_is_lost_leaves_the_arguments_and_is_asked_again() {
    let wrong = Behaviour::WrongAlways;
    lost("r1.judge", "gemini", wrong, &["r1.judge#0"]).await;
}

/// Returns a table at which the opposition loses its turn in exchange 1.
async fn without_opposition() -> Table {
    let table = Table::after_opening().await;
    let garbage = Behaviour::Garbage;
    table.tools().set_scenario("codex", "r1.opp", garbage);
    assert!(table.play(&rebuttals(1)).await.is_err());
    table
}

#[tokio::test(flavor = "current_thread")]
async fn after_a_lost_turn_another_tool_may_take_the_seat() {
    let table = without_opposition().await;
    let asked = table.tools().asks().len();
    let replaced = PlayRequest {
        seats: seats("", "gemini", ""),
        ..rebuttals(1)
    };
    table.play(&replaced).await.unwrap();
    assert_eq!(table.asks_since(asked), OPPOSITION);
    assert_eq!(table.tools().asks()[asked].tool, "gemini");
}

#[tokio::test(flavor = "current_thread")]
async fn a_stored_reply_of_another_tool_is_used_by_nobody_without_a_word() {
    let table = without_opposition().await;
    table.tools().clear_scenario();
    let asked = table.tools().asks().len();
    let replaced = PlayRequest {
        seats: seats("gemini", "", ""),
        ..rebuttals(1)
    };
    let refused = table.play(&replaced).await.unwrap_err();
    assert_eq!(refused.code, Code::StaleReply, "{refused:?}");
    assert_eq!(table.tools().asks().len(), asked);
    let again = PlayRequest {
        ask_again: true,
        ..replaced
    };
    table.play(&again).await.unwrap();
    let all = ["r1.judge#0", "r1.opp#0", "r1.prop#0"];
    assert_eq!(table.asks_since(asked), all);
}

#[tokio::test(flavor = "current_thread")]
async fn a_bound_that_is_reached_stops_it_and_a_run_with_more_goes_on() {
    let table = Table::after_opening().await;
    let bounded = PlayRequest {
        bounds: Bounds {
            max_calls: Some(2),
            ..Bounds::default()
        },
        ..rebuttals(1)
    };
    let stopped = table.play(&bounded).await.unwrap_err();
    assert_eq!(
        (stopped.kind, stopped.code),
        (FailureKind::Limit, Code::Limit)
    );
    table.play(&rebuttals(1)).await.unwrap();
    assert_eq!(table.front()["current_exchange"], 2);
}
