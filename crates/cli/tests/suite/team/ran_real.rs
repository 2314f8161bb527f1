//! A goal that five real AI tools work towards, each with a model that is scripted: it is planned,
//! objected to, debated, worked on by the roles of its tasks' weights, repaired after a check that
//! failed, tested, reviewed and merged.
//!
//! Only with `AGON_TEST_FULL=1`, and killed at 30 instants besides.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_testkit::models::Request;
use agon_testkit::{Answer, FakeModels, Sandbox, add, git, real_clis};
use serde_json::{Value, json};

use super::ran::{instants, script};
use super::run_settings::set;
use super::started::Team;
use crate::support::{Place, Running};

const PLAN: &str = r#"{"tasks": [
    {"title": "Greet by name", "spec": "greet.sh greets whom it is given.", "weight": "heavy"},
    {"title": "Say goodbye", "spec": "bye.sh says goodbye."},
    {"title": "Describe greet.sh", "spec": "A line in README.", "needs": [1]},
    {"title": "Describe bye.sh", "spec": "A line in README.", "needs": [1], "weight": "quick"}
]}"#;

/// Fails as it stands: `greet.sh` greets one and all alike.
const CHECK: &str = "\
test \"$(sh greet.sh Ada)\" = \"Hello, Ada\" || exit 3
test ! -e bye.sh || test \"$(sh bye.sh Ada)\" = \"Bye, Ada\" || exit 4
";

/// What the model of a member says and calls, by the member's name, its prompt and its folder alone:
/// it does the same however often it is begun again.
struct Members {
    home: PathBuf,
}

/// A call of a tool: its name and its arguments.
type ToolCall = (String, Value);

impl Members {
    fn respond(&self, request: &Request) -> Option<(Answer, String)> {
        let said = request.body.to_string();
        let (_, after) = said.split_once("You are `r1-")?;
        let (member, _) = after.split_once('`')?;
        // A tool's own requests, such as for a title, offer none of its tools.
        if request.tools.is_empty() {
            return None;
        }
        let reply = |text: &str| Some((Answer::Ok, text.to_owned()));
        match member {
            "planner" => reply(PLAN),
            "scout" => reply("greet.sh is the only program; check.sh tests it."),
            "validator" => reply("Ran nothing; read each line.\n\nVerdict: done"),
            "critic" => reply("Two of them write README at once: greet.sh:1."),
            "devil" => reply("Leave the greeting as it is."),
            // The first line of t3 does not say how it is called.
            "reviewer" if said.contains("+- Greets.") => {
                reply("README says no command.\n\nVerdict: do not merge")
            }
            "reviewer" => reply("Read all of it.\n\nVerdict: merge"),
            task => Some((
                Answer::Calls(self.calls(task, &said)),
                "Done: it is so.".to_owned(),
            )),
        }
    }

    fn calls(&self, task: &str, said: &str) -> Vec<ToolCall> {
        let teams = self.home.join(".local/state/agon/teams");
        let repository = fs::read_dir(teams).unwrap().next().unwrap().unwrap();
        let tree = repository.path().join(format!("r1-{task}"));
        let line_in = |name: &str, line: &str, but: &str| {
            let text = fs::read_to_string(tree.join(name)).unwrap_or_default();
            let old = text.lines().filter(|it| it.starts_with("- ") && *it != but);
            let lines: BTreeSet<&str> = old.chain([line]).collect();
            lines
                .into_iter()
                .map(|line| format!("{line}\n"))
                .collect::<String>()
        };
        match task {
            "t1" if !said.contains("It failed:") => claude(&tree, "greet.sh", "echo \"Hi, $1\"\n"),
            "t1" => {
                let gate = json!({"op": "run", "gate": "check", "task": "t1"});
                let mut calls = claude(&tree, "greet.sh", "echo \"Hello, $1\"\n");
                // It counts for the tree of then alone: what is written after it makes it stale.
                calls.push(("mcp__team__gate".to_owned(), gate));
                calls.extend(claude(
                    &tree,
                    "CHANGES",
                    &line_in("CHANGES", "- greets by name", ""),
                ));
                calls
            }
            "t2" => {
                let changes = line_in("CHANGES", "- says goodbye", "");
                let line = format!(
                    "printf 'echo \"Bye, $1\"\\n' > bye.sh; printf '%b' '{}' > CHANGES",
                    changes.replace('\n', "\\n")
                );
                vec![("exec_command".to_owned(), json!({"cmd": line}))]
            }
            "t3" => {
                let named = "- sh greet.sh NAME: greets";
                let text = match said.contains("README says no command") {
                    true => line_in("README", named, "- Greets."),
                    false => line_in("README", "- Greets.", ""),
                };
                let path = tree.join("README");
                vec![(
                    "write_file".to_owned(),
                    json!({"file_path": path, "content": text}),
                )]
            }
            _ => {
                let text = line_in("README", "- sh bye.sh NAME: says goodbye", "");
                let path = tree.join("README");
                vec![
                    ("read".to_owned(), json!({"filePath": path})),
                    (
                        "write".to_owned(),
                        json!({"filePath": path, "content": text}),
                    ),
                ]
            }
        }
    }
}

/// How Claude Code writes a file that may be there.
fn claude(tree: &Path, name: &str, text: &str) -> Vec<ToolCall> {
    let path = tree.join(name);
    vec![
        ("Read".to_owned(), json!({"file_path": path})),
        (
            "Write".to_owned(),
            json!({"file_path": path, "content": text}),
        ),
    ]
}

struct World {
    team: Team,
    models: FakeModels,
    /// What stands in the main work tree and in that of a person, and when it was changed.
    before: Vec<String>,
}

impl World {
    fn new(clis: &Path) -> Self {
        let mut world = Self::without_gates(clis);
        world
            .team
            .json(&["gate", "add", "check", "--", "sh", "check.sh"]);
        world.before = world.outside();
        world
    }

    fn without_gates(clis: &Path) -> Self {
        let sandbox = Sandbox::new();
        let models = FakeModels::start(script("Yes, carry it out"));
        let members = Members {
            home: sandbox.home(),
        };
        models.set_responder(move |request| members.respond(request));
        let mut env = sandbox.connect_all_tools(&models.url(), clis);
        for (name, value) in [
            ("AGON_PROPOSER", "codex"),
            ("AGON_CHALLENGER", "claude"),
            ("AGON_JUDGE", "gemini"),
        ] {
            env.insert(name.to_owned(), value.to_owned());
        }
        let team = Team::begin(Place::new(sandbox, env));
        let project = team.place.project();
        for (name, text) in [("check.sh", CHECK), ("README", ""), ("CHANGES", "")] {
            add(&project, name, text);
        }
        git(&project, &["add", "."]);
        git(&project, &["commit", "-q", "-m", "checks"]);
        let own = project.with_file_name("own");
        git(
            &project,
            &["worktree", "add", "-q", "-b", "own", own.to_str().unwrap()],
        );
        let members = "[teams.small.members]\ncritic = 1\ndevil = 1\nheavy-worker = 1\n";
        set(&team, "teams", members);
        let mut world = Self {
            team,
            models,
            before: Vec::new(),
        };
        world.before = world.outside();
        world
    }

    fn outside(&self) -> Vec<String> {
        let project = self.team.place.project();
        [project.clone(), project.with_file_name("own")]
            .iter()
            .flat_map(|tree| {
                let files = git(tree, &["ls-files", "-z", "--cached", "--others"]);
                let files: Vec<String> = files.split_terminator('\0').map(str::to_owned).collect();
                let looks = files.into_iter().map(|name| {
                    let facts = fs::symlink_metadata(tree.join(&name)).unwrap();
                    let changed = std::os::unix::fs::MetadataExt::ctime_nsec(&facts);
                    format!("{name} {changed}")
                });
                let state =
                    git(tree, &["status", "--porcelain"]) + &git(tree, &["rev-parse", "HEAD"]);
                looks.chain([state]).collect::<Vec<_>>()
            })
            .collect()
    }

    fn begin() -> Vec<&'static str> {
        let mut args = vec!["team", "run", "Greet by name, and say goodbye", "--json"];
        for host in ["claude", "codex", "gemini", "opencode", "copilot"] {
            args.extend(["--host", host]);
        }
        args
    }

    fn is_begun(&self) -> bool {
        self.team
            .place
            .home()
            .join(".local/state/agon/teams")
            .exists()
    }

    fn finished(&self) -> Value {
        let args = match self.is_begun() {
            true => vec!["team", "run", "--resume", "r1", "--json"],
            false => Self::begin(),
        };
        let ran = self.team.place.run(&args);
        assert!(matches!(ran.code, Some(0 | 7)), "{ran:?}");
        ran.json()
    }

    /// What a run that is done has to have come to, however it came there.
    fn check(&self, done: &Value) -> String {
        let project = self.team.place.project();
        assert_eq!(done["stage"], "done", "{done:#}");
        assert_eq!(self.outside(), self.before, "nothing else was written");
        assert!(
            done["debate"]
                .as_str()
                .unwrap()
                .contains("verdict: yes, authority full")
        );
        let readme = git(&project, &["show", "agon/r1:README"]);
        assert_eq!(
            readme,
            "- sh bye.sh NAME: says goodbye\n- sh greet.sh NAME: greets\n"
        );
        let changes = git(&project, &["show", "agon/r1:CHANGES"]);
        assert_eq!(changes, "- greets by name\n- says goodbye\n");
        // Each commit of the branch was looked at as it was merged.
        let scratch = project.with_file_name("scratch");
        git(
            &project,
            &[
                "worktree",
                "add",
                "-q",
                "--detach",
                scratch.to_str().unwrap(),
            ],
        );
        for commit in git(&project, &["rev-list", "--first-parent", "HEAD..agon/r1"]).lines() {
            git(&scratch, &["checkout", "-q", commit]);
            let checked = std::process::Command::new("sh")
                .arg("check.sh")
                .current_dir(&scratch)
                .status();
            assert!(checked.unwrap().success(), "{commit}");
        }
        git(&project, &["ls-tree", "-r", "agon/r1"])
    }
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn five_real_tools_plan_debate_work_review_and_merge() {
        let Some(clis) = real_clis() else {
            return;
        };
        let world = World::new(&clis);
        let done = world.finished();
        world.check(&done);
        let team = &world.team;
        let log = team.json(&["log"]);
        let events = log["events"].as_array().unwrap();
        let of = |kind: &str, subject: &str| {
            let found = events
                .iter()
                .position(|it| it["kind"] == kind && it["subject"] == subject);
            found.unwrap_or_else(|| panic!("{kind} {subject}: {events:#?}"))
        };
        let hosts: BTreeSet<&str> = events
            .iter()
            .filter(|it| it["kind"] == "session.finished")
            .map(|it| {
                let began = of("session.spawning", it["subject"].as_str().unwrap());
                events[began]["detail"]["host"].as_str().unwrap()
            })
            .collect();
        assert_eq!(hosts.len(), 5, "each had a part in it: {hosts:?}");
        let rows = done["report"].as_array().unwrap().iter();
        let roles: Vec<&str> = rows.map(|row| row["role"].as_str().unwrap()).collect();
        assert_eq!(roles, ["heavy-worker", "worker", "worker", "quick"]);
        let repairs = world.models.requests();
        let repaired = |it: &&Request| {
            let said = it.body.to_string();
            said.contains("You are `r1-t1`") && said.contains("It failed:")
        };
        let repaired = repairs.iter().find(repaired).unwrap();
        assert!(repaired.body.to_string().contains("exit 3"));
        for role in ["scout", "critic", "devil", "validator"] {
            of("member.joined", &format!("r1-{role}"));
        }
        for (task, why) in [
            ("t2", "gate check: exit 3"),
            ("t3", "Verdict: do not merge"),
        ] {
            let back = &events[of("task.returned", task)]["detail"];
            assert!(back["note"].as_str().unwrap().contains(why), "{back}");
        }
        let both_begun = of("task.started", "t1").max(of("task.started", "t2"));
        let one_over = of("task.submitted", "t1").min(of("task.submitted", "t2"));
        assert!(both_begun < one_over, "two worked at once");
        // A check failed and was repaired; the gate that t1 ran itself counted for the tree of then.
        let shown = team.json(&["gate", "show", "check", "--task", "t1"]);
        let runs = shown["gates"][0]["runs"].as_array().unwrap();
        let passed: Vec<&Value> = runs.iter().map(|run| &run["passed"]).collect();
        assert_eq!(passed[..2], [false, true], "{shown:#}");
        let last = runs.last().unwrap();
        assert!(
            last["passed"] == true && last["tree"] != runs[1]["tree"],
            "{shown:#}"
        );
    }

    #[test]
    fn five_real_tools_without_a_gate_say_that_nothing_was_executed() {
        let Some(clis) = real_clis() else {
            return;
        };
        let world = World::without_gates(&clis);
        let ran = world.team.place.run(&World::begin());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let why = "no gate is defined";
        let before = format!("nothing will be executed: {why}");
        let first_call = ran.stderr.find("r1").unwrap();
        let said_at = ran.stderr.find(&before);
        assert!(said_at.is_some_and(|it| it < first_call), "{}", ran.stderr);
        let done = ran.json();
        assert_eq!(done["stage"], "done", "{done:#}");
        let said = format!("nothing was executed: {why}");
        assert_eq!(done["nothing_executed"], said.as_str());
        let status = world.team.json(&["status"]);
        assert_eq!(status["runs"][0]["nothing_executed"], said.as_str());
        let board = world.team.run(&["status"]).stdout;
        assert!(board.contains(&said), "{board}");
        let project = world.team.place.project();
        let merges = git(&project, &["log", "--merges", "--format=%B", "agon/r1"]);
        let count = merges.matches("Nothing was executed: the run has no gate.");
        assert_eq!(count.count(), 4, "{merges}");
        // Nothing failed, so nothing was repaired: t1's first attempt is what was merged.
        let greet = git(&project, &["show", "agon/r1:greet.sh"]);
        assert_eq!(greet, "echo \"Hi, $1\"\n");
        assert_eq!(world.outside(), world.before, "nothing else was written");
    }

    #[test]
    fn five_real_tools_come_to_the_same_tree_however_often_they_are_killed() {
        let Some(clis) = real_clis() else {
            return;
        };
        let whole = World::new(&clis);
        let expected = whole.check(&whole.finished());
        let killed = World::new(&clis);
        for instant in 1..=instants() {
            let args = match killed.is_begun() {
                true => vec!["team", "run", "--resume", "r1", "--json"],
                false => World::begin(),
            };
            let running = Running::start(killed.team.place.command(&args));
            std::thread::sleep(Duration::from_millis(2_000 + instant * 1_370 % 16_000));
            if Path::new(&format!("/proc/{}", running.pid)).exists() {
                running.kill();
            }
        }
        let done = killed.finished();
        assert_eq!(killed.check(&done), expected);
    }
}
