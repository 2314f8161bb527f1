//! A server of a team's settings, in the real tools: the role that gets it has its tools, another has
//! none, and the server is given its variable.

use std::fs;

use agon_hosts::content::agent::SERVER_TOOLS;
use agon_testkit::Answer;

use super::desk::{Desk, offered};
use super::driver::{self, Driver};

/// A server of `desk`, which writes down what its variable has and is Agon's own after that.
fn settings(seen: &std::path::Path) -> String {
    let line = format!(
        "printf %s \"$DESK_TOKEN\" > '{}'; exec agon mcp",
        seen.display()
    );
    format!(
        "schema = \"agon.mcp/1\"\n[servers.desk]\nabout = \"A desk\"\n\
         command = [\"sh\", \"-c\", {}]\nenv = [\"DESK_TOKEN\"]\nroles = [\"scout\"]\nenabled = true\n",
        serde_json::Value::from(line)
    )
}

fn gives_its_tools_to_its_role(driver: &'static Driver, roles: [&str; 2]) {
    let dir = tempfile::tempdir().unwrap();
    let seen = dir.path().join("seen");
    let Some(mut desk) = Desk::with_servers(driver, true, Some(&settings(&seen))) else {
        return;
    };
    desk.place
        .env
        .insert("DESK_TOKEN".into(), "a-placeholder".into());
    for role in roles {
        let last = driver.hand_in.map(|hand_in| hand_in());
        let calls = Answer::Calls(last.into_iter().collect());
        desk.models.set(&format!("cell.{role}"), calls);
    }
    let delegated = roles.map(|role| driver.delegate(role, &format!("cell.{role}")));
    desk.models
        .set("host.main", Answer::Calls(delegated.to_vec()));
    desk.ask("host.main");
    let of_desk = |role: &str| {
        let requests = desk.requests(&format!("cell.{role}"));
        let turns = desk.models.turns();
        assert!(
            !requests.is_empty(),
            "{}: {role} never ran: {turns:?}",
            driver.host
        );
        let all = offered(&requests[0]).into_iter();
        all.filter(|tool| tool.contains("desk")).count()
    };
    let [with, without] = roles;
    assert_eq!(of_desk(with), SERVER_TOOLS.len(), "{}: {with}", driver.host);
    assert_eq!(of_desk(without), 0, "{}: {without}", driver.host);
    let value = fs::read_to_string(&seen).unwrap();
    assert_eq!(value, "a-placeholder", "{}", driver.host);
}

#[test]
fn claude_gives_a_server_to_the_role_that_gets_it_and_to_no_other() {
    gives_its_tools_to_its_role(&driver::CLAUDE, ["scout", "worker"]);
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn gemini_gives_a_server_to_the_role_that_gets_it_and_to_no_other() {
        gives_its_tools_to_its_role(&driver::GEMINI, ["scout", "worker"]);
    }

    #[test]
    fn opencode_gives_a_server_to_the_role_that_gets_it_and_to_no_other() {
        gives_its_tools_to_its_role(&driver::OPENCODE, ["scout", "worker"]);
    }

    #[test]
    fn copilot_gives_a_server_to_the_role_that_gets_it_and_to_no_other() {
        gives_its_tools_to_its_role(&driver::COPILOT, ["scout", "worker"]);
    }
}
