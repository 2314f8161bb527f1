//! Each role run by a real tool: the tools that its model is offered are those of the table, and
//! what it may not do is not done, although its model tries.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use agon_hosts::compile::Kind;
use agon_hosts::content::Role;
use agon_hosts::content::agent::Power;
use agon_hosts::field::SourceField;
use agon_hosts::matrix::MatrixRow;
use agon_testkit::{Answer, FakeModels, Script};

use super::desk::{Desk, offered};
use super::driver::{self, Act, Driver, ToolCall, power_of};

/// One role of each kind of permission: reads; runs too; edits too; delegates; reaches the network;
/// edits some files alone.
const ONE_OF_EACH: [&str; 6] = [
    "scout",
    "validator",
    "worker",
    "lead",
    "librarian",
    "scribe",
];

/// Longer than roles that run beside their session take.
const ROLES_TIMEOUT: Duration = Duration::from_secs(120);

/// A role in a tool, and what its model tries.
struct Trial<'a> {
    role: &'a Role,
    row: &'a MatrixRow,
    acts: Vec<Act>,
}

impl Trial<'_> {
    fn turn(&self) -> String {
        format!("cell.{}", self.role.name)
    }

    /// The turn of the role that this one hands a task to.
    fn inner_turn(&self) -> String {
        format!("cell.inner-{}", self.role.name)
    }

    /// Whether it can do what takes `power`: it may, or is not held to it here.
    fn can(&self, desk: &Desk, power: Power) -> bool {
        let is_waived = self.row.waived.contains(&SourceField::Power(power));
        (self.role.may.contains(&power) || is_waived) && !desk.host.lacks.contains(&power)
    }
}

/// What became of what was tried.
struct Outcome {
    is_done: bool,
    is_allowed: bool,
}

/// Runs these roles in one session of the tool; each tries all that a role could be kept from.
fn runs_roles(driver: &'static Driver, names: &[&str], is_joined: bool) {
    let Some(mut desk) = Desk::new(driver, true) else {
        return;
    };
    if is_joined {
        desk.join_team();
    }
    let network = FakeModels::start(Script::new(""));
    let rows = desk.rows();
    let roles = desk.content.roles.iter();
    let roles = roles.filter(|role| names.contains(&role.name.as_str()));
    let trials: Vec<_> = roles
        .map(|role| {
            let mut rows = rows.iter();
            let row = rows.find(|row| row.kind == Kind::Agent && row.name == role.name);
            let acts = acts(&desk, &network, role);
            let row = row.unwrap();
            Trial { role, row, acts }
        })
        .collect();
    assert_eq!(trials.len(), names.len());
    for trial in &trials {
        let acts = trial.acts.iter().map(|act| driver.act(act));
        let inner = match trial.role.name.as_str() {
            "quick" => "scout",
            _ => "quick",
        };
        let delegate = driver.delegate(inner, &trial.inner_turn());
        let last = driver.hand_in.map(|hand_in| hand_in());
        let calls = acts.chain([delegate]).chain(last).collect();
        desk.models.set(&trial.turn(), Answer::Calls(calls));
    }
    run_session(&desk, &trials);
    eprintln!("{} {}", driver.host, desk.run(&["--version"]).trim());
    for trial in &trials {
        check(&desk, &network, trial);
    }
}

/// What the model of this role tries: a file, a file by a command, an address; one who may write
/// documentation alone tries that as well.
fn acts(desk: &Desk, network: &FakeModels, role: &Role) -> Vec<Act> {
    let path = |ending: &str| desk.place.project().join(format!("{}.{ending}", role.name));
    let mut acts = vec![
        Act::Write(path("txt")),
        Act::Create(path("ran")),
        Act::Fetch(format!("{}/{}", network.url(), role.name)),
    ];
    if !role.edit_only.is_empty() {
        acts.push(Act::Write(path("md")));
    }
    acts
}

/// The session, whose model hands a task to each role in turn.
fn run_session(desk: &Desk, trials: &[Trial<'_>]) {
    let name = |row: &MatrixRow| row.listed_as.as_ref().unwrap().1.clone();
    let delegated = trials.iter();
    let delegated = delegated.map(|trial| desk.driver.delegate(&name(trial.row), &trial.turn()));
    let mut calls: Vec<ToolCall> = delegated.collect();
    let release = desk.place.home().join("release");
    if desk.driver.runs_beside {
        let wait = format!("while [ ! -e '{}' ]; do sleep 0.1; done", release.display());
        let args = serde_json::json!({"cmd": wait, "yield_time_ms": 30_000});
        // It is told after 30 s that the command goes on; then it waits for it again.
        calls.extend(std::iter::repeat_n(("exec_command".to_owned(), args), 4));
    }
    desk.models.set("host.main", Answer::Calls(calls));
    std::thread::scope(|scope| {
        if desk.driver.runs_beside {
            scope.spawn(|| {
                let began = Instant::now();
                while !trials.iter().all(|trial| is_over(desk, trial)) {
                    if began.elapsed() > ROLES_TIMEOUT {
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(100));
                }
                fs::write(&release, "").unwrap();
            });
        }
        desk.ask("host.main");
    });
}

/// Whether the role's model has been given the result of all that it tried.
fn is_over(desk: &Desk, trial: &Trial<'_>) -> bool {
    let requests = desk.requests(&trial.turn());
    let tried = trial.acts.len() + 1;
    requests
        .iter()
        .any(|request| request.results().len() >= tried)
}

fn check(desk: &Desk, network: &FakeModels, trial: &Trial<'_>) {
    let (host, role) = (desk.driver.host, &trial.role.name);
    let requests = desk.requests(&trial.turn());
    assert!(!requests.is_empty(), "{host} never ran {role}");
    assert!(is_over(desk, trial), "{host}: {role} did not try all");
    let of_team = match desk.is_joined {
        true => trial.row.team_tools.as_slice(),
        false => &[],
    };
    let wanted: BTreeSet<String> = trial.row.tools.iter().chain(of_team).cloned().collect();
    for request in &requests {
        assert_eq!(offered(request), wanted, "{host}: what {role} is offered");
    }
    let skills = given_skills(desk, trial, &requests[0].body);
    let is_alone =
        desk.host.lacks.contains(&Power::Delegate) && trial.role.body_without_delegation.is_some();
    let told = requests[0].body.to_string();
    assert_eq!(
        told.contains("## Return without delegation"),
        is_alone,
        "{host}: what {role} is told of delegation"
    );
    let mut seen = Vec::new();
    for act in &trial.acts {
        let power = power_of(act);
        let mut is_allowed = trial.can(desk, power);
        let (what, is_done) = match act {
            Act::Write(path) => {
                let is_text = path.extension().is_some_and(|ending| ending == "txt");
                let is_bound = !trial.role.edit_only.is_empty();
                let is_waived = trial.row.waived.contains(&SourceField::EditOnly);
                is_allowed &= !(is_bound && is_text) || is_waived;
                (
                    if is_text {
                        "edit"
                    } else {
                        "edit documentation"
                    },
                    path.exists(),
                )
            }
            Act::Create(path) => ("run", path.exists()),
            Act::Fetch(_) => {
                let asked = network.unknown().contains(&format!("GET /{role}"));
                is_allowed &= desk.driver.reaches_this_machine() || asked;
                ("network", asked)
            }
        };
        seen.push((
            what,
            Outcome {
                is_done,
                is_allowed,
            },
        ));
    }
    let is_done = !desk.requests(&trial.inner_turn()).is_empty();
    let is_allowed = trial.can(desk, Power::Delegate);
    seen.push((
        "delegate",
        Outcome {
            is_done,
            is_allowed,
        },
    ));
    let waived: Vec<_> = trial.row.waived.iter().map(|field| field.name()).collect();
    let done = seen.iter().filter(|(_, outcome)| outcome.is_done);
    let done: Vec<_> = done.map(|(what, _)| *what).collect();
    eprintln!(
        "{host} | {role} | {} tools as in the table | of the team: {} | skills: {skills} | done: {} | waived: {}",
        wanted.len(),
        of_team.len(),
        done.join(", "),
        waived.join(", "),
    );
    for (what, outcome) in seen {
        assert_eq!(
            outcome.is_done, outcome.is_allowed,
            "{host}: {role}: {what}"
        );
    }
}

/// The skills of the role, each with how its model was given it: in whole, or by its description.
fn given_skills(desk: &Desk, trial: &Trial<'_>, request: &serde_json::Value) -> String {
    let (host, role) = (desk.driver.host, &trial.role.name);
    let told = request.to_string();
    let has = |text: &str| {
        let quoted = serde_json::Value::from(text).to_string();
        told.contains(quoted.trim_matches('"'))
    };
    let given = trial.role.skills.iter().map(|name| {
        let mut skills = desk.content.skills.iter();
        let skill = skills.find(|skill| skill.name == *name).unwrap();
        let begin: String = skill.description.chars().take(60).collect();
        let last = skill.text.trim_end().lines().last().unwrap();
        match (has(last), has(&begin)) {
            (true, _) => format!("{name} (whole)"),
            (false, true) => format!("{name} (offered)"),
            (false, false) => panic!("{host}: {role} was not given {name}: {told}"),
        }
    });
    given.collect::<Vec<_>>().join(", ")
}

fn runs_one_of_each(driver: &'static Driver) {
    runs_roles(driver, &ONE_OF_EACH, false);
}

fn runs_all(driver: &'static Driver) {
    let content = agon_hosts::content::team().unwrap();
    let names: Vec<_> = content
        .roles
        .iter()
        .map(|role| role.name.as_str())
        .collect();
    assert_eq!(names.len(), 20);
    runs_roles(driver, &names, true);
}

#[test]
fn claude_offers_one_role_of_each_kind_the_tools_of_the_table_and_no_other() {
    runs_one_of_each(&driver::CLAUDE);
}

#[test]
fn claude_offers_a_role_the_tools_of_a_team_that_was_joined() {
    runs_roles(&driver::CLAUDE, &["worker", "reviewer", "scribe"], true);
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn gemini_offers_one_role_of_each_kind_the_tools_of_the_table_and_no_other() {
        runs_one_of_each(&driver::GEMINI);
    }

    #[test]
    fn opencode_offers_one_role_of_each_kind_the_tools_of_the_table_and_no_other() {
        runs_one_of_each(&driver::OPENCODE);
    }

    #[test]
    fn copilot_offers_one_role_of_each_kind_the_tools_of_the_table_and_no_other() {
        runs_one_of_each(&driver::COPILOT);
    }

    #[test]
    fn claude_offers_every_role_the_tools_of_the_table_and_no_other() {
        runs_all(&driver::CLAUDE);
    }

    #[test]
    fn codex_offers_every_role_the_tools_of_the_table() {
        runs_all(&driver::CODEX);
    }

    #[test]
    fn gemini_offers_every_role_the_tools_of_the_table_and_no_other() {
        runs_all(&driver::GEMINI);
    }

    #[test]
    fn opencode_offers_every_role_the_tools_of_the_table_and_no_other() {
        runs_all(&driver::OPENCODE);
    }

    #[test]
    fn copilot_offers_every_role_the_tools_of_the_table_and_no_other() {
        runs_all(&driver::COPILOT);
    }
}
