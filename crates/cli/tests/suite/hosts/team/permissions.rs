//! What a policy forbids, in the real tools: refused by their own permissions, whatever their models call
//! and whatever they were started with, and done again once it is taken out.

use agon_testkit::{Answer, add, git};

use super::desk::{Desk, offered};
use super::driver::{self, Act, Driver};

const POLICY: &str = "schema = \"agon.policy/1\"
default = \"allow\"

[[rule]]
effect = \"deny\"
tools = [\"run\"]

[[rule]]
effect = \"deny\"
tools = [\"edit\"]
paths = [\".github\"]
";

/// Lets the model write where it may and where it may not, and run a command; what is there then.
fn try_all(desk: &Desk, turn: &str) -> [bool; 3] {
    let project = desk.place.project();
    let files = ["free.txt", ".github/ci.yml", "ran.txt"].map(|name| project.join(name));
    let [free, held, ran] = &files;
    let calls = [
        Act::Write(free.clone()),
        Act::Write(held.clone()),
        Act::Create(ran.clone()),
    ];
    // One after the other: some tools end a turn in which a call of several is refused.
    for (name, act) in ["free", "path", "run"].iter().zip(&calls) {
        let turn = format!("cell.{turn}-{name}");
        desk.models
            .set(&turn, Answer::Calls(vec![desk.driver.act(act)]));
        desk.ask(&turn);
    }
    let made = files.each_ref().map(|file| file.exists());
    for file in &files {
        std::fs::remove_file(file).ok();
    }
    made
}

/// `holds_paths`: whether it can be told of a path for sessions in all folders.
fn refuses_by_itself(driver: &'static Driver, holds_paths: bool) {
    let Some(desk) = Desk::new(driver, false) else {
        return;
    };
    desk.allow_sessions();
    let project = desk.place.project();
    git(&project, &["init", "-q", "-b", "main"]);
    std::fs::create_dir(project.join(".github")).unwrap();
    assert_eq!(try_all(&desk, "before"), [true; 3], "{}", driver.host);

    add(&desk.place.home(), ".config/agon/policy.toml", POLICY);
    let install = ["install", driver.host, "--what", "all"];
    assert_eq!(desk.place.run(&install).code, Some(0));
    let made = try_all(&desk, "held");
    assert_eq!(made, [true, !holds_paths, false], "{}", driver.host);
    let tools = offered(&desk.requests("cell.held-free")[0]);
    let shells = ["Bash", "bash", "run_shell_command"];
    let shell = shells.iter().find(|name| tools.contains(**name));
    assert_eq!(shell, None, "{}: {tools:?}", driver.host);

    std::fs::remove_file(desk.place.home().join(".config/agon/policy.toml")).unwrap();
    assert_eq!(desk.place.run(&install).code, Some(0));
    assert_eq!(try_all(&desk, "after"), [true; 3], "{}", driver.host);
}

#[test]
fn claude_refuses_by_its_own_permissions_what_a_policy_denies() {
    refuses_by_itself(&driver::CLAUDE, false);
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn opencode_refuses_by_its_own_permissions_what_a_policy_denies() {
        refuses_by_itself(&driver::OPENCODE, true);
    }

    #[test]
    fn gemini_refuses_by_its_own_policies_what_a_policy_denies() {
        refuses_by_itself(&driver::GEMINI, false);
    }
}
