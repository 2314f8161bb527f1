//! Twenty-odd configurations as people have them: what is kept of them, and what is refused.

use agon_hosts::install::{Action, Refusal};

use super::home::{Home, step};

const CLAUDE: &str = ".claude.json";
const CODEX: &str = ".codex/config.toml";
const GEMINI: &str = ".gemini/settings.json";
const OPENCODE: &str = ".config/opencode/opencode.json";
const COPILOT: &str = ".copilot/mcp-config.json";

/// A configuration that gets the server, with every other byte of it left as it is.
struct Messy {
    host: &'static str,
    path: &'static str,
    text: &'static str,
}

const fn messy(host: &'static str, path: &'static str, text: &'static str) -> Messy {
    Messy { host, path, text }
}

const MESSY: &[Messy] = &[
    // Plain JSON in every style of white space.
    messy("claude", CLAUDE, "{}"),
    messy("claude", CLAUDE, "{}\n"),
    messy("claude", CLAUDE, "{\"a\":1,\"mcpServers\":{}}"),
    messy(
        "claude",
        CLAUDE,
        "{\n    \"numStartups\": 3,\n    \"mcpServers\": {\n        \"x\": {\n            \"command\": \"x\"\n        }\n    },\n    \"z\": [1,2]\n}\n",
    ),
    messy(
        "claude",
        CLAUDE,
        "{\n\t\"mcpServers\": {\n\t\t\"x\": {\"command\": \"x\"}\n\t}\n}",
    ),
    messy(
        "claude",
        CLAUDE,
        "{\r\n  \"a\": \"b\",\r\n  \"mcpServers\": {\r\n    \"x\": {\"command\": \"x\"}\r\n  }\r\n}\r\n",
    ),
    messy("claude", CLAUDE, "\u{feff}{\"a\": \"é\u{1F600}\"}\n"),
    messy("claude", CLAUDE, ""),
    messy(
        "claude",
        CLAUDE,
        "{\"a\": 123456789012345678901234567890, \"b\": 1.50e+3}",
    ),
    // Half an emoji, as JavaScript leaves it where it cuts a text.
    messy(
        "claude",
        CLAUDE,
        "{\n  \"history\": [{\"display\": \"nice \\ud83d\"}, {\"\\uDE00\": \"\\ud83d\\ude00 \\\\ud83d\"}],\n  \"mcpServers\": {\n    \"x\": {\"command\": \"\\uD83D\"}\n  },\n  \"z\": \"\\udfff\\ud800\"\n}\n",
    ),
    messy(
        "gemini",
        GEMINI,
        "{\n  // \\ud83d\n  \"a\": \"\\ud83d\",\n  \"hooks\": {\n    \"BeforeTool\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"\\ud83d\"}]}\n    ]\n  },\n  \"z\": \"\\ude00\"\n}\n",
    ),
    messy(
        "opencode",
        OPENCODE,
        "{\n  \"username\": \"\\ud83d\",\n  \"mcp\": {\n    \"x\": {\"type\": \"local\", \"command\": [\"\\ude00\",],},\n  },\n}\n",
    ),
    messy(
        "copilot",
        COPILOT,
        "{\n  \"mcpServers\": {\n    \"\\ud83d\": {\"type\": \"local\", \"command\": \"x\", \"tools\": [\"*\"]}\n  }\n}\n",
    ),
    // Comments, everywhere.
    messy(
        "gemini",
        GEMINI,
        "// first\n{\n  // before\n  \"mcpServers\": {\n    \"x\": {\"command\": \"x\"} // behind\n    // last\n  } /* end */\n}\n// after\n",
    ),
    messy(
        "gemini",
        GEMINI,
        "{ /* a */ \"mcpServers\": { /* nothing yet */ } }",
    ),
    messy("gemini", GEMINI, "{\n  \"theme\": \"dark\" // dark\n}\n"),
    // Commas after the last entry.
    messy(
        "opencode",
        OPENCODE,
        "{\n  \"$schema\": \"x\",\n  \"mcp\": {\n    \"x\": {\"type\": \"local\", \"command\": [\"x\",],},\n  },\n}\n",
    ),
    messy("opencode", OPENCODE, "{\n  \"theme\": \"a\",\n}\n"),
    messy(
        "opencode",
        ".config/opencode/opencode.jsonc",
        "{\n  // c\n  \"mcp\": {}, // d\n}\n",
    ),
    messy(
        "opencode",
        ".config/opencode/config.json",
        "{\"model\": \"a/b\"}\n",
    ),
    messy(
        "copilot",
        COPILOT,
        "{\"mcpServers\": {\"x\": {\"type\": \"local\", \"command\": \"x\", \"tools\": [\"*\"], \"odd\": null}}}",
    ),
    // TOML.
    messy(
        "codex",
        CODEX,
        "# mine\nmodel = \"gpt-5.5\" # this one\n\n[mcp_servers.x] # a comment on a header\ncommand = \"x\"\n\n  [mcp_servers.x.env]\n  A = '1'\n",
    ),
    messy("codex", CODEX, "model = \"a\""),
    messy("codex", CODEX, "a = 1\r\n[b]\r\nc = \"\"\"\r\nx\"\"\"\r\n"),
    messy("codex", CODEX, "\u{feff}a = 1\n"),
    messy(
        "codex",
        CODEX,
        "[[hooks.SessionStart]]\ncommand = \"x\"\n# last\n",
    ),
    messy("codex", CODEX, "mcp_servers.x.command = \"x\"\n"),
    messy("codex", CODEX, "mcp_servers = {}\nmodel = \"a\"\n"),
    messy(
        "codex",
        CODEX,
        "# mine\nmcp_servers = { x = { command = \"x\" } } # all\nmodel = \"a\"\n",
    ),
    messy("codex", CODEX, "[mcp_servers] # none yet\n\n[x]\ny = 1\n"),
];

#[test]
fn twenty_messy_configurations_get_the_server_and_are_as_before_without_it() {
    for Messy { host, path, text } in MESSY {
        let home = Home::new();
        home.write(path, text.as_bytes());
        home.set_mode(path, 0o640);
        let before = home.tree();
        let steps = home.install(host);
        let server = step(&steps, "server");
        assert_eq!(server.action, Action::Add, "{host} {text:?}: {server:?}");
        assert_eq!(server.path, home.path(path));
        let after = home.read(path);
        assert!(server.change.as_deref().unwrap().contains("agon"));
        // White space changes only where all of a file stands in one line, or on a map's line.
        let is_in_lines = text.trim().contains('\n') && !text.contains("{}");
        let mut left = after.chars();
        let mut kept = text.chars().filter(|c| is_in_lines || !c.is_whitespace());
        assert!(kept.all(|c| left.any(|other| other == c)), "{after}");
        assert_eq!(after.starts_with('\u{feff}'), text.starts_with('\u{feff}'));
        if text.contains("\r\n") {
            assert_eq!(
                after.matches('\n').count(),
                after.matches("\r\n").count(),
                "{after:?}"
            );
        }
        home.uninstall(host);
        assert_eq!(home.tree(), before, "{host} {text:?}");
    }
}

#[test]
fn what_a_user_changes_afterwards_stays_when_the_server_goes() {
    for Messy { host, path, text } in MESSY {
        // Something is put before everything: a comment where the host reads it, else a blank line.
        let note = match *host {
            "claude" => "\n",
            "codex" => "# new\n",
            _ => "// new\n",
        };
        if text.is_empty() || text.starts_with('\u{feff}') {
            continue;
        }
        let home = Home::new();
        home.write(path, text.as_bytes());
        home.install(host);
        let changed = format!("{note}{}", home.read(path));
        home.write(path, changed.as_bytes());
        home.uninstall(host);
        assert_eq!(home.read(path), format!("{note}{text}"), "{host}");
    }
}

#[test]
fn a_file_that_its_host_rewrote_loses_the_server_alone() {
    let home = Home::new();
    home.write(CLAUDE, b"{\"mcpServers\": {\"x\": {\"command\": \"x\"}}}");
    home.install("claude");
    let value: serde_json::Value = serde_json::from_str(&home.read(CLAUDE)).unwrap();
    home.write(
        CLAUDE,
        serde_json::to_string_pretty(&value).unwrap().as_bytes(),
    );
    home.uninstall("claude");
    let left: serde_json::Value = serde_json::from_str(&home.read(CLAUDE)).unwrap();
    assert_eq!(
        left,
        serde_json::json!({"mcpServers": {"x": {"command": "x"}}})
    );

    let home = Home::new();
    home.install("claude");
    home.write(CLAUDE, b"{\"numStartups\": 1, \"mcpServers\": {\"agon\": {\"args\": [\"mcp\"], \"command\": \"agon\", \"type\": \"stdio\"}}}");
    home.uninstall("claude");
    assert_eq!(home.read(CLAUDE), "{\"numStartups\": 1}");

    let home = Home::new();
    home.write(CODEX, b"model = \"a\"\n");
    home.install("codex");
    let installed = home.read(CODEX);
    let (_, table) = installed.split_once("[mcp_servers.agon]\n").unwrap();
    let reversed: Vec<_> = table.lines().rev().collect();
    let rewritten = format!(
        "# kept\nmodel = \"a\"\n[mcp_servers.agon]\n{}\n[x]\ny = 1 # kept\n",
        reversed.join("\n")
    );
    home.write(CODEX, rewritten.as_bytes());
    home.uninstall("codex");
    assert_eq!(
        home.read(CODEX),
        "# kept\nmodel = \"a\"\n[x]\ny = 1 # kept\n"
    );
}

/// Configurations that are left alone, each with why.
const REFUSED: &[(&str, &str, &str, &str)] = &[
    ("claude", CLAUDE, "{\"a\": 1,}", "it cannot be read"),
    ("claude", CLAUDE, "{\"a\": 1", "it cannot be read"),
    ("claude", CLAUDE, "// a\n{}", "it cannot be read"),
    ("claude", CLAUDE, "[]", "it cannot be read"),
    (
        "claude",
        CLAUDE,
        "{\"mcpServers\": []}",
        "its key `mcpServers` is not a map",
    ),
    (
        "claude",
        CLAUDE,
        "{\"mcpServers\": {}, \"mcpServers\": {\"x\": {}}}",
        "its formatting cannot be edited",
    ),
    ("gemini", GEMINI, "{\"a\": 1,}", "it cannot be read"),
    ("opencode", OPENCODE, "{a: 1}", "it cannot be read"),
    ("codex", CODEX, "a = \n", "it cannot be read"),
    (
        "codex",
        CODEX,
        "mcp_servers = []\n",
        "its key `mcp_servers` is not a map",
    ),
];

#[test]
fn a_file_that_cannot_be_read_or_edited_is_refused_and_left() {
    for (host, path, text, reason) in REFUSED {
        let home = Home::new();
        home.write(path, text.as_bytes());
        let steps = home.install(host);
        let server = step(&steps, "server");
        assert_eq!(server.action, Action::Refuse, "{host} {text}");
        let said = server.reason.as_deref().unwrap();
        assert!(said.starts_with(reason), "{host} {text}: {said}");
        assert_eq!(home.read(path), *text);
        // What calls its tools is not there either; the rest does not depend on it.
        let debate = step(&steps, "skill debate");
        assert_eq!(debate.refusal, Some(Refusal::NeedsServer), "{host} {text}");
        assert!(!home.place(host).places.skills.join("debate").exists());
        assert_eq!(step(&steps, "skill formal-debate").action, Action::Add);
        home.uninstall(host);
        assert_eq!(home.read(path), *text);
    }
    let home = Home::new();
    home.write(CLAUDE, b"\xff{}");
    let steps = home.install("claude");
    assert_eq!(
        step(&steps, "server").reason.as_deref(),
        Some("it is not valid UTF-8")
    );
}

#[test]
fn another_server_of_the_name_stays_and_one_that_says_the_same_is_left_to_its_user() {
    let other = "{\"mcpServers\": {\"agon\": {\"command\": \"other\"}}}";
    let home = Home::new();
    home.write(CLAUDE, other.as_bytes());
    let steps = home.install("claude");
    let server = step(&steps, "server");
    assert_eq!(server.action, Action::Keep);
    assert!(
        server
            .reason
            .as_deref()
            .unwrap()
            .starts_with("you have another server called `agon`")
    );
    home.uninstall("claude");
    assert_eq!(home.read(CLAUDE), other);

    let own = "{\"mcpServers\": {\"agon\": {\"type\": \"stdio\", \"command\": \"agon\", \"args\": [\"mcp\"]}}}";
    let home = Home::new();
    home.write(CLAUDE, own.as_bytes());
    assert_eq!(step(&home.install("claude"), "server").action, Action::Same);
    home.uninstall("claude");
    assert_eq!(home.read(CLAUDE), own);
}

#[test]
fn a_server_that_the_user_changed_is_the_users() {
    let home = Home::new();
    home.install("claude");
    let changed = home
        .read(CLAUDE)
        .replace("\"mcp\"", "\"mcp\", \"--profile\", \"x\"");
    home.write(CLAUDE, changed.as_bytes());
    assert_eq!(step(&home.install("claude"), "server").action, Action::Keep);
    assert_eq!(
        step(&home.uninstall("claude"), "server").action,
        Action::Keep
    );
    assert_eq!(home.read(CLAUDE), changed);
}

#[test]
fn a_skill_that_was_there_before_is_kept() {
    let home = Home::new();
    home.write(".claude/skills/debate/SKILL.md", b"mine");
    home.write(".claude/skills/debate/more.md", b"more");
    let before = home.tree();
    let steps = home.install("claude");
    let debate = step(&steps, "skill debate");
    assert_eq!(debate.action, Action::Keep);
    assert!(
        debate
            .reason
            .as_deref()
            .unwrap()
            .starts_with("yours, left alone")
    );
    assert!(home.plan("claude").is_partial());
    home.uninstall("claude");
    assert_eq!(home.tree(), before);
}

#[test]
fn a_link_stays_one_and_the_file_behind_it_is_written() {
    let home = Home::new();
    home.write("dotfiles/claude.json", b"{\"a\": 1}\n");
    home.write("dotfiles/skills/own/SKILL.md", b"own");
    std::os::unix::fs::symlink("dotfiles/claude.json", home.path(CLAUDE)).unwrap();
    std::fs::create_dir(home.path(".claude")).unwrap();
    std::os::unix::fs::symlink("../dotfiles/skills", home.path(".claude/skills")).unwrap();
    let before = home.tree();
    home.install("claude");
    assert!(home.path(CLAUDE).is_symlink());
    assert!(home.read("dotfiles/claude.json").contains("\"agon\""));
    assert!(home.path("dotfiles/skills/debate/SKILL.md").is_file());
    home.uninstall("claude");
    assert_eq!(home.tree(), before);

    let home = Home::new();
    std::os::unix::fs::symlink("nowhere", home.path(CLAUDE)).unwrap();
    let steps = home.install("claude");
    let reason = step(&steps, "server").reason.as_deref().unwrap();
    assert_eq!(reason, "it is a link to nowhere, which does not exist");
}

#[test]
fn a_file_that_is_read_only_is_refused() {
    let home = Home::new();
    home.write(CLAUDE, b"{}\n");
    home.set_mode(CLAUDE, 0o444);
    let before = home.read(CLAUDE);
    let steps = home.install("claude");
    let server = step(&steps, "server");
    assert_eq!(server.reason.as_deref(), Some("it is read-only"));
    assert_eq!(home.read(CLAUDE), before);
    home.set_mode(CLAUDE, 0o644);
    assert_eq!(step(&home.install("claude"), "server").action, Action::Add);
    home.set_mode(CLAUDE, 0o444);
    assert_eq!(
        step(&home.uninstall("claude"), "server").action,
        Action::Refuse
    );
    home.set_mode(CLAUDE, 0o644);
    assert_eq!(
        step(&home.uninstall("claude"), "server").action,
        Action::Remove
    );
    assert_eq!(home.read(CLAUDE), before);
}

#[test]
fn a_file_where_a_folder_is_to_be_is_left() {
    let home = Home::new();
    home.write(".claude", b"a file");
    let before = home.read(".claude");
    let steps = home.install("claude");
    assert_eq!(step(&steps, "skill debate").action, Action::Refuse);
    assert_eq!(step(&steps, "server").action, Action::Add);
    assert_eq!(home.read(".claude"), before);
    home.uninstall("claude");
    assert!(!home.path(CLAUDE).exists());
}

#[test]
fn a_receipt_that_cannot_be_read_stops_everything() {
    let home = Home::new();
    home.write(".local/share/agon/hosts/claude.json", b"{");
    let place = home.place("claude");
    let before = home.tree();
    let refused = agon_hosts::install::uninstall(&place, false).unwrap_err();
    assert!(
        refused.to_string().ends_with("that this version can read"),
        "{refused}"
    );
    assert_eq!(home.tree(), before);
}
