//! What a member is given of the skills, as its model sees it: a skill that its role has not, when its
//! task asks for it, and not when it does not.

use agon_testkit::{FakeModels, Sandbox, Script, real_clis};

use super::started::Team;
use crate::support::Place;

/// The role, the task, and the skill that the task asks for.
const ASKED: [(&str, &str, &str); 6] = [
    (
        "worker",
        "Find the root cause: upload fails about once in ten runs, only on CI",
        "root-cause-analysis",
    ),
    (
        "worker",
        "Design first: settle the api contract of the import endpoint before writing code",
        "design-first",
    ),
    (
        "worker",
        "Test the prompt of the summary agent: run it with and without it",
        "test-prompt",
    ),
    (
        "worker",
        "Reflect on the last attempt: it failed again. What went wrong?",
        "reflexion-reflect",
    ),
    (
        "reviewer",
        "Does the code still match docs/plan.md, or has it drifted out of sync with it?",
        "drift-analysis",
    ),
    (
        "qa",
        "Build an eval with a test set and a pass rate: how good is the new ranking?",
        "evaluation",
    ),
];

/// A line of each skill that no other text has.
fn body_line(skill: &str) -> &'static str {
    match skill {
        "root-cause-analysis" => "# Find the cause",
        "design-first" => "# Design before code",
        "test-prompt" => "# Test a text that a model follows",
        "reflexion-reflect" => "# Reflect, then act differently",
        "drift-analysis" => "# Find the drift",
        _ => "# Measure how good it is",
    }
}

/// The member starts with the task, and its model says that it is done; everything that the model of
/// the tool was asked.
fn asked_of(host: &str, role: &str, title: &str) -> Option<String> {
    let clis = real_clis()?;
    let sandbox = Sandbox::new();
    let models = FakeModels::start(Script::new("Done."));
    let env = sandbox.connect_all_tools(&models.url(), &clis);
    let team = Team::begin(Place::new(sandbox, env));
    let task = team.task(title);
    let args = [
        "start", role, "--host", host, "--name", "ada", "--task", &task, "--wait",
    ];
    team.json(&args);
    let requests = models.requests().into_iter();
    let bodies: Vec<_> = requests.map(|request| request.body.to_string()).collect();
    assert!(!bodies.is_empty(), "{host} asked no model");
    assert_eq!(team.place.left(), Vec::<String>::new());
    Some(bodies.join("\n"))
}

#[test]
fn a_member_is_given_the_skill_that_its_task_asks_for() {
    for (role, title, skill) in ASKED {
        let Some(asked) = asked_of("codex", role, title) else {
            return;
        };
        for part in [&format!("skill name=\\\"{skill}\\\""), body_line(skill)] {
            assert!(asked.contains(part), "{role}, {title}: no {part}");
        }
        for (.., other) in ASKED.iter().filter(|(.., other)| *other != skill) {
            assert!(!asked.contains(body_line(other)), "{title}: {other} too");
        }
    }
}

#[test]
fn a_member_whose_task_asks_for_none_has_those_of_its_role_alone() {
    let Some(asked) = asked_of("claude", "worker", "Make a file") else {
        return;
    };
    assert!(asked.contains("# Before you say done"), "the role's own");
    for (.., skill) in ASKED {
        assert!(!asked.contains(body_line(skill)), "{skill}");
    }
    let (role, title, skill) = ASKED[0];
    let asked = asked_of("claude", role, title).unwrap_or_default();
    assert!(asked.contains(body_line(skill)), "{skill}");
}
