//! A debater inside a debate has nothing of Agon's, although its user has Agon in that very tool.
//!
//! Two of the tools each time; all with `AGON_TEST_FULL=1`.

use std::process::{Command, Stdio};

use agon_testkit::models::Request;
use agon_testkit::{is_full, real_clis};

use crate::hosts::real::{CLAUDE, CODEX, COPILOT, GEMINI, Host, OPENCODE, flags};
use crate::real::table::Table;

/// What a model would be told of Agon's server, and of its skill for debates.
const SERVER_TRACES: [&str; 3] = ["debate_start", "duel-prompt", "Agon lets AI tools argue"];
const SKILL_TRACE: &str = "Let AI tools argue a decision with Agon";

/// What it would be told of a team's roles.
const ROLE_TRACE: &str = "Finds where something is in this project, and reports places.";

/// What the model of this request is told of Agon, with what stands around it.
fn traces(host: &Host, request: &Request) -> Vec<String> {
    let body = request.body.to_string();
    let tools = request.tools.iter().filter(|tool| tool.contains("agon"));
    // Gemini CLI writes the names of the user's skills into each prompt, and has no switch for that on
    // its command line; what would read one is not offered.
    let skill = Some(SKILL_TRACE).filter(|_| host.name != GEMINI.name);
    let all = SERVER_TRACES.into_iter().chain([ROLE_TRACE]).chain(skill);
    let in_body = all.filter_map(|trace| {
        let at = body.find(trace)?;
        let (from, to) = (at.saturating_sub(200), at + 100);
        let (from, to) = (body.floor_char_boundary(from), body.floor_char_boundary(to));
        Some(body[from..to].to_owned())
    });
    tools.cloned().chain(in_body).collect()
}

/// Runs the host as its user does, in the project.
fn ask_host(table: &Table, host: &Host, more: &[String]) {
    let bins = real_clis().unwrap().join("node_modules/.bin");
    let mut command = Command::new(bins.join(host.name));
    command.args(host.args).args(more);
    command.current_dir(table.place.project()).env_clear();
    command.envs(&table.place.env).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Lets `host` debate with itself, with Agon in its user's own configuration, over `transport`.
fn debates_without_agon(host: &Host, transport: &str) {
    let Some(mut table) = Table::laid(&[host.name]) else {
        return;
    };
    table
        .place
        .env
        .insert("AGON_TRANSPORT".into(), transport.into());
    let args = ["install", host.name, "--what", "all", "--json"];
    let ran = table.place.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    ask_host(&table, host, &flags(&ran.json()));
    let own = table.models.requests();
    let start = format!("{}debate_start", host.prefix);
    let has_tool = |request: &Request| request.tools.contains(&start);
    assert!(own.iter().any(has_tool), "{} is not offered it", host.name);
    assert!(own.iter().any(|request| !traces(host, request).is_empty()));
    // Codex holds no role to its limits, and has none.
    let knows_role = |request: &Request| request.body.to_string().contains(ROLE_TRACE);
    assert!(own.iter().any(knows_role) || host.name == CODEX.name);

    let seats = [host.name; 3];
    let ran = table.debate(seats, &["--same-tool", "--no-swap"]);
    if host.name == CODEX.name && transport == "acp" {
        // It would start every server of the user's: such a debate is not begun.
        assert_eq!(
            ran.ended(),
            (Some(4), "no_transport".to_owned()),
            "{ran:#?}"
        );
        assert_eq!(table.models.requests().len(), own.len());
        return;
    }
    assert_eq!(
        ran.code,
        Some(0),
        "{} over {transport}: {ran:#?}",
        host.name
    );
    let requests = table.models.requests();
    let inside = &requests[own.len()..];
    let turns = inside.iter().filter(|request| request.turn.is_some());
    assert!(turns.count() >= 7, "{}: {:?}", host.name, table.turns());
    for request in inside {
        let (turn, told) = (&request.turn, traces(host, request));
        assert!(told.is_empty(), "{} in {turn:?}: {told:?}", host.name);
    }
    eprintln!("{} over {transport}: {} requests", host.name, inside.len());
}

fn debates_without_agon_in_each_way(host: &Host) {
    debates_without_agon(host, "cli");
    if is_full() {
        debates_without_agon(host, "acp");
    }
}

#[test]
fn claude_in_a_seat_has_nothing_of_the_agon_that_its_user_installed() {
    debates_without_agon_in_each_way(&CLAUDE);
}

#[test]
fn codex_in_a_seat_has_nothing_of_the_agon_that_its_user_installed() {
    debates_without_agon_in_each_way(&CODEX);
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn gemini_in_a_seat_has_nothing_of_the_agon_that_its_user_installed() {
        debates_without_agon_in_each_way(&GEMINI);
    }

    #[test]
    fn opencode_in_a_seat_has_nothing_of_the_agon_that_its_user_installed() {
        debates_without_agon_in_each_way(&OPENCODE);
    }

    #[test]
    fn copilot_in_a_seat_has_nothing_of_the_agon_that_its_user_installed() {
        debates_without_agon_in_each_way(&COPILOT);
    }
}
