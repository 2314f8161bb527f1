//! Gates queried from another folder than that of the change.

use agon_team::store::NewTask;
use agon_teamwork::gate::{add, run, show};
use agon_teamwork::{CommandGate, GateDefinition, GateName, GateStanding, TaskId};

use crate::repository::{Front, Repository};

fn tests() -> GateName {
    "tests".parse().unwrap()
}

/// A team with a gate that requires a greeting by name, and a task of ada's without one.
async fn with_failing_change() -> (Repository, TaskId) {
    let team = Repository::with_team();
    let gate = GateDefinition::Command(CommandGate {
        argv: ["grep", "-q", "Hello", "greet.sh"]
            .map(str::to_owned)
            .into(),
        timeout_s: 60,
        exit: 0,
        env: Vec::new(),
    });
    add(&team.caller("lea"), tests(), gate).unwrap();
    let new = NewTask {
        title: "Greet by name".to_owned(),
        gates: [tests()].into(),
        ..NewTask::default()
    };
    let task = team.begin("ada", new).await;
    team.commit("ada", "echo Bye\n");
    team.submit("ada", task).await.unwrap();
    (team, task)
}

#[tokio::test]
async fn a_pass_in_another_folder_is_said_to_be_none_of_the_task() {
    let (team, task) = with_failing_change().await;
    let lead = team.caller("lea");
    let in_tree = run(&team.caller("ada"), &tests(), Some(task), &mut Front).await;
    let in_tree = in_tree.unwrap();
    assert!(!in_tree.run.passed && in_tree.submitted.unwrap().is_here);

    let elsewhere = run(&lead, &tests(), Some(task), &mut Front).await.unwrap();
    assert!(elsewhere.run.passed);
    let submitted = elsewhere.submitted.unwrap();
    assert!(!submitted.is_here && !submitted.is_own);
    assert_eq!(submitted.author.as_str(), "ada");
    assert_eq!(
        submitted.work_tree.map(|it| it.canonicalize().unwrap()),
        Some(team.tree("ada").canonicalize().unwrap())
    );

    let shown = show(&lead, None, Some(task)).await.unwrap();
    assert!(!shown.submitted.unwrap().is_here);
    let gate = shown.gates.into_iter().next().unwrap();
    assert_eq!(gate.standing, Some(GateStanding::Passed));
    let outcome = "exit 1".to_owned();
    assert_eq!(gate.of_submitted, Some(GateStanding::Failed { outcome }));
}

#[tokio::test]
async fn the_author_of_a_change_is_told_that_a_later_one_is_not_submitted() {
    let (team, task) = with_failing_change().await;
    team.commit("ada", "echo Hello, Ada\n");
    let ran = run(&team.caller("ada"), &tests(), Some(task), &mut Front).await;
    let submitted = ran.unwrap().submitted.unwrap();
    assert!(!submitted.is_here && submitted.is_own);
}

#[tokio::test]
async fn a_gate_without_a_task_judges_this_folder_and_counts_for_no_task() {
    let (team, task) = with_failing_change().await;
    let lead = team.caller("lea");
    let ran = run(&lead, &tests(), None, &mut Front).await.unwrap();
    assert!(ran.run.passed && ran.task.is_none() && ran.submitted.is_none());
    let shown = show(&lead, None, Some(task)).await.unwrap();
    assert!(shown.gates.iter().all(|gate| gate.runs.is_empty()));

    add(&lead, "seen".parse().unwrap(), GateDefinition::Review {}).unwrap();
    let refused = run(&lead, &"seen".parse().unwrap(), None, &mut Front).await;
    assert_eq!(refused.unwrap_err().parameter.as_deref(), Some("task"));
}
