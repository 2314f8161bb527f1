//! One piece of work from beginning to end in a real Claude Code, by the commands of a team: its
//! model is scripted, all else is real but the tools of the debate.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use agon_testkit::{Answer, FakeTools, Script, add, git, real_clis};
use serde_json::{Value, json};

use super::desk::Desk;
use super::driver::{self, ToolCall};
use crate::scenarios::place::SEATED;

/// What is typed, in order. Each line stands in `docs/team.md` as it is here.
const TYPED: [&str; 7] = [
    "/agon-init",
    "/agon-plan Greet by name: `sh greet.sh Ada` says \"Hello, Ada.\"",
    "Agreed.",
    "/execute plans/greet.md",
    "/agon-review",
    "/quality",
    "/agon-status",
];

const CHECK: &str = "test \"$(sh greet.sh)\" = 'Hello.'\n";
const GREET: &str = "echo 'Hello.'\n";
const NEW_CHECK: &str = "test \"$(sh greet.sh Ada)\" = 'Hello, Ada.'\n";
const NEW_GREET: &str = "echo \"Hello${1:+, $1}.\"\n";

const PLAN: &str = "# Greet by name\n\nEnd: `sh check.sh` exits 0.\n\n1. greet.sh and check.sh: the name. Check: `sh check.sh`.\n";

/// The user's project, and the tool that they work in.
struct Work {
    desk: Desk,
    fakes: FakeTools,
}

/// What the model was given back of its calls while a command ran.
struct Results(Vec<String>);

impl Results {
    /// That of the call at `at`.
    fn at(&self, at: usize) -> &str {
        &self.0[at]
    }
}

impl Work {
    fn new() -> Option<Self> {
        let desk = Desk::new(&driver::CLAUDE, false)?;
        let project = desk.place.project();
        add(
            &project,
            "README.md",
            "Greets. Test it with `sh check.sh`.\n",
        );
        add(&project, "greet.sh", GREET);
        add(&project, "check.sh", CHECK);
        git(&project, &["add", "."]);
        git(&project, &["commit", "-qm", "A greeting"]);
        let fakes = FakeTools::with(&SEATED);
        Some(Self { desk, fakes })
    }

    /// Types `line` in a new session of Claude Code, whose model makes these calls and then says
    /// `last`.
    fn types(&self, line: &str, calls: Vec<ToolCall>, last: &str) -> Results {
        self.types_in(line, (0, &[]), calls, last)
    }

    /// As [`Work::types`], in the session of before, in which so many calls were made.
    fn answers(&self, line: &str, made: usize, calls: Vec<ToolCall>, last: &str) {
        // The server counts the results of the whole session.
        let made_before = std::iter::repeat_n(bash("true"), made);
        let all = made_before.chain(calls).collect();
        self.types_in(line, (made, &["--continue"]), all, last);
    }

    fn types_in(
        &self,
        line: &str,
        (made, more): (usize, &[&str]),
        calls: Vec<ToolCall>,
        last: &str,
    ) -> Results {
        let count = calls.len();
        let models = &self.desk.models;
        models.set("*", Answer::Calls(calls));
        models.set_script(Script::new(last));
        let before = models.requests().len();
        let bins = real_clis().unwrap().join("node_modules/.bin");
        let mut command = Command::new(bins.join("claude"));
        command
            .args(["-p", line, "--output-format", "json"])
            .args(more);
        command.args(["--allowedTools", "Bash,Write,Edit,Read,Agent"]);
        command.current_dir(self.project()).env_clear();
        command.envs(&self.desk.place.env).stdin(Stdio::null());
        // The tools of the debate are fakes; Claude Code is started by its path.
        let path = &self.desk.place.env["PATH"];
        let path = format!("{}:{path}", self.fakes.dir().display());
        command
            .env("PATH", path)
            .env("GEMINI_API_KEY", "placeholder");
        for (name, value) in [("GIT_AUTHOR", "Test"), ("GIT_COMMITTER", "Test")] {
            command.env(format!("{name}_NAME"), value);
            command.env(format!("{name}_EMAIL"), "test@example.invalid");
        }
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{line}: {said}");
        let ended: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(ended["result"], last, "{line}");
        let requests = &models.requests()[before..];
        let asked = requests.iter().find(|request| !request.tools.is_empty());
        let asked = asked.unwrap().body.to_string();
        if let Some(name) = line.strip_prefix('/') {
            // The command's own text reached the model, with what was typed after it in its place.
            let (name, rest) = name.split_once(' ').unwrap_or((name, ""));
            let body = self.body_of(name, rest);
            assert!(asked.contains(&body), "{line}: {asked}");
        }
        let own = requests.iter().filter(|request| request.turn.is_none());
        let results = own.map(agon_testkit::models::Request::results);
        let results = results.max_by_key(Vec::len).unwrap();
        assert_eq!(results.len(), count, "{line}: {results:#?}");
        let failed = |text: &&String| text.contains("tool_use_error");
        assert_eq!(results[made..].iter().find(failed), None, "{line}");
        Results(results)
    }

    /// What a command of the source says to the model, as it stands in JSON.
    fn body_of(&self, name: &str, typed: &str) -> String {
        let name = name.strip_prefix("agon-").unwrap_or(name);
        let commands = &self.desk.content.commands;
        let command = commands.iter().find(|command| command.name == name);
        let body = command.unwrap().body_with(typed);
        let quoted = Value::from(body).to_string();
        quoted.trim_matches('"').to_owned()
    }

    fn project(&self) -> std::path::PathBuf {
        self.desk.place.project()
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.project().join(path)).unwrap()
    }

    /// A call that writes a file of the project.
    fn write(&self, path: &str, text: &str) -> ToolCall {
        let path = self.project().join(path);
        call("Write", json!({"file_path": path, "content": text}))
    }

    /// A call that reads one.
    fn read(&self, path: &str) -> ToolCall {
        call("Read", json!({"file_path": self.project().join(path)}))
    }

    /// A call that puts `new` in the place of `old` in a file of the project.
    fn edit(&self, path: &str, old: &str, new: &str) -> ToolCall {
        let path = self.project().join(path);
        let args = json!({"file_path": path, "old_string": old, "new_string": new});
        call("Edit", args)
    }

    /// A call that hands a task to `role`, whose model makes these calls.
    fn delegate(&self, role: &str, calls: Vec<ToolCall>) -> ToolCall {
        let turn = format!("cell.{role}");
        self.desk.models.set(&turn, Answer::Calls(calls));
        self.desk.driver.delegate(role, &turn)
    }
}

fn call(name: &str, args: Value) -> ToolCall {
    (name.to_owned(), args)
}

fn bash(line: &str) -> ToolCall {
    call("Bash", json!({"command": line, "description": "d"}))
}

#[test]
fn one_piece_of_work_goes_from_init_to_status_by_the_commands_of_a_team() {
    let Some(work) = Work::new() else { return };
    let [init, plan, agreed, execute, review, quality, status] = TYPED;

    let agents = "# For agents\n\nTest: `sh check.sh` (exit 0, under 1 s).\n";
    let calls = vec![
        work.read("README.md"),
        bash("sh check.sh; echo \"exit $?\""),
        work.write("AGENTS.md", agents),
        bash("agon tools"),
    ];
    let init = work.types(
        init,
        calls,
        "Written: AGENTS.md. `sh check.sh` ran, exit 0.",
    );
    assert!(init.at(1).contains("exit 0"), "{}", init.at(1));
    assert!(init.at(3).contains("codex"), "{}", init.at(3));
    assert_eq!(work.text("AGENTS.md"), agents);

    let debate = "agon debate 'Should the plan be carried out as it stands?' --context file=plans/greet.md --slug plan-greet";
    let decided = "\nDebated: plan-greet.\n";
    let calls = vec![
        bash("agon recall 'greet by name'; true"),
        work.delegate("planner", vec![work.read("greet.sh")]),
        work.write("plans/greet.md", PLAN),
        bash(debate),
        work.edit(
            "plans/greet.md",
            "`sh check.sh`.\n",
            &format!("`sh check.sh`.\n{decided}"),
        ),
    ];
    let planned = work.types(plan, calls, "The plan: one step. Is it agreed?");
    assert!(
        planned.at(3).contains("Use SQLite for the job store"),
        "{}",
        planned.at(3)
    );
    let verdict = work.project().join("debates/plan-greet/verdict.json");
    assert!(verdict.is_file());
    assert!(work.text("plans/greet.md").ends_with(decided));
    assert_eq!(work.text("greet.sh"), GREET, "a plan changes no code");

    let calls = vec![
        work.read("plans/greet.md"),
        work.edit(
            "plans/greet.md",
            decided,
            "\nDebated: plan-greet. Agreed by the user.\n",
        ),
    ];
    work.answers(agreed, 5, calls, "Noted in plans/greet.md.");

    let evidence = "1. greet.sh and check.sh: the name. Check: `sh check.sh`. Done: exit 0.";
    let step = "1. greet.sh and check.sh: the name. Check: `sh check.sh`.";
    let by_executor = vec![
        work.read("plans/greet.md"),
        work.read("greet.sh"),
        work.read("check.sh"),
        work.write("greet.sh", NEW_GREET),
        work.write("check.sh", NEW_CHECK),
        bash("sh check.sh; echo \"exit $?\""),
        work.edit("plans/greet.md", step, evidence),
        bash(
            "git add greet.sh check.sh plans && git commit -qm 'Greet by name' && git log --oneline | head -1",
        ),
    ];
    let calls = vec![
        work.read("plans/greet.md"),
        work.delegate("executor", by_executor),
        bash("sh check.sh; echo \"exit $?\""),
    ];
    let executed = work.types(execute, calls, "Step 1 is done: Greet by name.");
    assert!(executed.at(2).contains("exit 0"), "{}", executed.at(2));
    assert_eq!(work.text("greet.sh"), NEW_GREET);
    assert!(work.text("plans/greet.md").contains(evidence));
    let log = git(&work.project(), &["log", "--format=%s"]);
    assert_eq!(log, "Greet by name\nA greeting\n");

    let calls = vec![
        bash("git show --stat HEAD"),
        work.delegate(
            "reviewer",
            vec![work.read("greet.sh"), work.read("check.sh")],
        ),
        work.read("greet.sh"),
    ];
    let reviewed = work.types(
        review,
        calls,
        "1 commit, 3 files. No finding. Sound: greet.sh:1.",
    );
    assert!(reviewed.at(0).contains("greet.sh"), "{}", reviewed.at(0));

    let calls = vec![
        bash("sh check.sh; echo \"exit $?\""),
        bash("agon check plan-greet --evidence; echo \"exit $?\""),
        work.delegate("validator", vec![bash("sh greet.sh Ada")]),
    ];
    let checked = work.types(quality, calls, "check.sh: green. Nothing else is checked.");
    assert!(checked.at(0).contains("exit 0"), "{}", checked.at(0));
    assert!(checked.at(1).contains("exit 0"), "{}", checked.at(1));

    let calls = vec![
        bash("git status --short; git worktree list"),
        bash("agon list"),
        bash("agon usage --since 7d"),
    ];
    let told = work.types(status, calls, "The plan is done: 1 of 1, with evidence.");
    assert!(told.at(0).contains("AGENTS.md"), "{}", told.at(0));
    assert!(told.at(1).contains("plan-greet"), "{}", told.at(1));

    // Who did what: each role with its own tools, on its own.
    for (role, tool) in [
        ("planner", "mcp__agon__recall"),
        ("executor", "Bash"),
        ("reviewer", "Grep"),
        ("validator", "Bash"),
    ] {
        let requests = work.desk.requests(&format!("cell.{role}"));
        let has_tool = requests
            .iter()
            .all(|one| one.tools.contains(&tool.to_owned()));
        assert!(!requests.is_empty() && has_tool, "{role}: {requests:#?}");
    }
}

#[test]
fn the_guide_shows_what_is_typed() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/in-your-tool.md");
    let page = fs::read_to_string(page).unwrap();
    for line in TYPED {
        assert!(
            page.lines().any(|shown| shown == format!("> {line}")),
            "{line}"
        );
    }
}
