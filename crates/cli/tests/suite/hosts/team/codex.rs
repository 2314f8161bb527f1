//! What the real Codex makes of the keys of an agent's file: the reason why it gets no role.

use std::collections::BTreeSet;

use agon_testkit::{Answer, add};

use super::desk::{Desk, offered};
use super::driver;

/// Agents, each with what its file says besides its name and instructions.
const AGENTS: [(&str, &str); 6] = [
    ("plain", ""),
    (
        "offline",
        "web_search = \"disabled\"\n[tools]\nweb_search = false\n",
    ),
    (
        "served",
        "[mcp_servers.agon]\ncommand = \"agon\"\nargs = [\"mcp\"]\nenabled = false\n",
    ),
    (
        "alone",
        "[features]\nmulti_agent = false\n[agents]\nmax_depth = 0\n",
    ),
    (
        "reader",
        "sandbox_mode = \"read-only\"\ndefault_permissions = \"ro\"\n\
         [permissions.ro.filesystem]\n\":root\" = \"read\"\n",
    ),
    ("mute", "[features]\nshell_tool = false\n"),
];

/// Runs all of them; `flags` are given to the session.
fn offers(flags: &[&'static str]) -> Option<(Desk, Vec<BTreeSet<String>>)> {
    let desk = Desk::new(&driver::CODEX, false)?;
    let mut calls = Vec::new();
    for (name, rest) in AGENTS {
        let head = format!(
            "name = \"{name}\"\ndescription = \"{name}\"\ndeveloper_instructions = \"Do it.\"\n"
        );
        let path = format!(".codex/agents/{name}.toml");
        add(&desk.place.home(), &path, &format!("{head}{rest}"));
        let turn = format!("cell.{name}");
        let file = desk.place.project().join(name);
        let write = desk.driver.act(&driver::Act::Write(file));
        desk.models.set(&turn, Answer::Calls(vec![write]));
        calls.push(desk.driver.delegate(name, &turn));
    }
    let all_done = format!(
        "for i in $(seq 200); do [ -e '{}' ] && break; sleep 0.1; done; sleep 3",
        desk.place.project().join("reader").display()
    );
    let wait = serde_json::json!({"cmd": all_done, "yield_time_ms": 30_000});
    calls.push(("exec_command".to_owned(), wait));
    desk.models.set("host.main", Answer::Calls(calls));
    let prompt = "Do it.\nTurn: host.main\n";
    let mut args = desk.driver.args_for(prompt);
    args.splice(1..1, flags.iter().copied());
    desk.run(&args);
    let offers = AGENTS.map(|(name, _)| {
        let requests = desk.requests(&format!("cell.{name}"));
        offered(
            requests
                .first()
                .unwrap_or_else(|| panic!("{name} never ran")),
        )
    });
    Some((desk, offers.into()))
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    /// Where one of these begins to act, a role may become one that Codex can hold to its limits.
    #[test]
    fn codex_holds_an_agent_to_no_limit_of_its_file_but_one_on_its_shell() {
        let Some((desk, offers)) = offers(&["-c", "agents.max_depth=4"]) else {
            return;
        };
        let [plain, offline, served, alone, reader, mute] = offers.as_slice() else {
            panic!("{offers:?}");
        };
        for tool in [
            "web_search",
            "exec_command",
            "mcp__agon/debate_start",
            "multi_agent_v1",
        ] {
            assert!(plain.contains(tool), "{tool}: {plain:?}");
        }
        for limited in [offline, served, alone, reader] {
            assert_eq!(limited, plain);
        }
        assert!(
            desk.place.project().join("reader").exists(),
            "a sandbox of its own"
        );
        let without_shell: BTreeSet<_> = plain
            .iter()
            .filter(|tool| !["exec_command", "write_stdin"].contains(&tool.as_str()))
            .cloned()
            .collect();
        assert_eq!(*mute, without_shell);
    }
}
