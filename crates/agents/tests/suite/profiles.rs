//! Profiles: the built-in ones are valid, and the user can change them within limits.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::time::Duration;

use agon_agents::profile::command_args;
use agon_agents::{Ask, Environment, Profiles, ProfilesError, SavedConversation};
use agon_record::event::Usage;
use agon_record::spec::Effort;

fn with(tool: &str, over: &str) -> Result<Profiles, ProfilesError> {
    let table = toml::from_str(over).unwrap();
    Profiles::with_overrides(&BTreeMap::from([(tool.to_owned(), table)]))
}

fn refusal(tool: &str, over: &str) -> String {
    let error = with(tool, over).unwrap_err();
    format!("{error}: {}", error.source().unwrap())
}

fn args(profiles: &Profiles, tool: &str, here: &Environment) -> String {
    let profile = profiles.find(&tool.parse().unwrap()).unwrap();
    let args = |reads| {
        let ask = Ask {
            prompt: "",
            model: Some("MODEL"),
            effort: Effort::High,
            timeout: Duration::ZERO,
            reads,
            hears: None,
            schema: None,
            interview: None,
        };
        let cli = profile.cli.as_ref().unwrap();
        let args = command_args(cli, here, ask, Path::new("/private"), None);
        let args: Vec<_> = args.iter().map(|arg| arg.to_str().unwrap()).collect();
        format!("{args:?}")
    };
    format!("{}\n{}", args(None), args(Some(Path::new("/copy"))))
}

#[test]
fn the_commands_are_these() {
    let profiles = Profiles::builtin().unwrap();
    let here = Environment::new([("HOME", "/nonexistent")]);
    let all: Vec<_> = profiles
        .iter()
        .filter(|profile| profile.cli.is_some())
        .map(|profile| args(&profiles, profile.name.as_str(), &here))
        .collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_users_table_changes_what_it_names_and_nothing_else() {
    let profiles = with(
        "claude",
        "concurrency = 9\n[cli.effort]\nhigh = [\"--effort\", \"xhigh\"]\n[env.set]\nEXTRA = \"1\"",
    )
    .unwrap();
    let ours = Profiles::builtin().unwrap();
    let name = "claude".parse().unwrap();
    let mut expected = ours.find(&name).unwrap().clone();
    expected.concurrency = 9;
    let xhigh = vec!["--effort".to_owned(), "xhigh".to_owned()];
    expected
        .cli
        .as_mut()
        .unwrap()
        .effort
        .insert(Effort::High, xhigh);
    expected.env.set.insert("EXTRA".into(), "1".into());
    assert_eq!(profiles.find(&name), Some(&expected));
}

#[test]
fn a_users_own_tool_is_a_whole_profile() {
    let text = include_str!("../../tools/codex.toml").replace("name = \"codex\"", "");
    let profiles = with("mine", &text).unwrap();
    assert_eq!(profiles.iter().count(), 9);
    assert_eq!(profiles.iter().last().unwrap().name.as_str(), "mine");
}

#[test]
fn an_unknown_key_is_an_error() {
    assert!(refusal("gemini", "[cli]\nargz = []").contains("argz"));
    assert!(refusal("mine", "title = \"Mine\"").contains("missing field"));
}

#[test]
fn switches_that_bypass_permissions_are_refused_everywhere() {
    for (tool, over) in [
        (
            "claude",
            "cli.args = [\"{read_only}\", \"{no_mcp}\", \"--dangerously-skip-permissions\"]",
        ),
        (
            "claude",
            "cli.args = [\"{read_only}\", \"{no_mcp}\", \"--allow-dangerously-skip-permissions\"]",
        ),
        (
            "claude",
            "cli.read_only = [\"--permission-mode\", \"bypassPermissions\"]",
        ),
        (
            "claude",
            "cli.read_only = [\"--permission-mode=acceptEdits\"]",
        ),
        (
            "claude",
            "cli.model = [\"--settings\", '{\"permissions\": {\"defaultMode\": \"bypassPermissions\"}}']",
        ),
        // An unpaired surrogate, which Claude Code accepts.
        (
            "claude",
            "cli.model = [\"--settings\", '{\"theme\": \"\\ud83d\", \"permissions\": {\"allow\": [\"Bash\"]}}']",
        ),
        ("codex", "cli.read_only = [\"-s\", \"danger-full-access\"]"),
        ("codex", "cli.read_only = [\"--sandbox=workspace-write\"]"),
        (
            "codex",
            "cli.effort.max = [\"-c\", \"sandbox_mode=danger-full-access\"]",
        ),
        (
            "codex",
            "cli.no_mcp = [\"--dangerously-bypass-approvals-and-sandbox\"]",
        ),
        ("codex", "cli.no_mcp = [\"--full-auto\"]"),
        ("gemini", "cli.read_only = [\"--yolo\"]"),
        ("gemini", "cli.read_only = [\"--approval-mode\", \"yolo\"]"),
        ("gemini", "cli.read_only = [\"--approval-mode=auto_edit\"]"),
        ("gemini", "cli.read_only = [\"-y\"]"),
        ("opencode", "cli.read_only = [\"--auto\"]"),
        (
            "opencode",
            "env.merge.OPENCODE_CONFIG_CONTENT = '{\"agent\": {\"agon\": {\"permission\": {\"bash\": \"allow\"}}}}'",
        ),
        ("opencode", "env.set.OPENCODE_PERMISSION = '{}'"),
        ("copilot", "cli.read_only = [\"--allow-all-tools\"]"),
        ("copilot", "cli.read_only = [\"--ALLOW-ALL\"]"),
        ("copilot", "cli.read_only = [\"--allow-tool=shell\"]"),
        ("copilot", "env.pass = [\"COPILOT_ALLOW_ALL\"]"),
        ("copilot", "login.args = [\"--yolo\"]"),
        (
            "claude",
            "cli.session.again = [\"--resume\", \"{id}\", \"--dangerously-skip-permissions\"]",
        ),
        ("codex", "cli.session.first = [\"--full-auto\"]"),
        ("gemini", "probe.help = [[\"--yolo\", \"--help\"]]"),
        ("copilot", "version.args = [\"--yolo\"]"),
    ] {
        let text = refusal(tool, over);
        assert!(text.contains("bypasses permissions"), "{over}: {text}");
    }
}

#[test]
fn a_debater_cannot_lose_its_read_only_switches() {
    assert!(refusal("gemini", "cli.read_only = []").contains("read_only"));
    assert!(refusal("gemini", "cli.args = [\"{no_mcp}\"]").contains("read_only"));
    assert!(refusal("gemini", "cli.args = [\"{read_only}\"]").contains("no_mcp"));
}

#[test]
fn values_that_cannot_work_are_refused() {
    assert!(refusal("gemini", "concurrency = 0").contains("at least 1"));
    assert!(refusal("gemini", "cli.dialect = \"klingon\"").contains("klingon"));
    assert!(refusal("gemini", "version.pattern = \"(\"").contains("regular expression"));
    assert!(refusal("gemini", "version.pattern = \"no group\"").contains("regular expression"));
    assert!(refusal("gemini", "cli.session.again = [\"--continue\"]").contains("{id}"));
}

#[test]
fn servers_that_can_only_be_switched_off_by_name_are() {
    let home = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = home.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put(
        ".codex/config.toml",
        "[mcp_servers.one]\ncommand = \"x\"\n[mcp_servers.\"--yolo\"]\ncommand = \"x\"",
    );
    put(
        ".copilot/mcp-config.json",
        r#"{"mcpServers": {"two": {}, "a b": {}}}"#,
    );
    let here = Environment::new([("HOME", home.path())]);
    let profiles = Profiles::builtin().unwrap();
    let codex = args(&profiles, "codex", &here);
    assert!(
        codex.contains(r#""-c", "mcp_servers.one.enabled=false""#),
        "{codex}"
    );
    assert!(!codex.contains("yolo"), "{codex}");
    let copilot = args(&profiles, "copilot", &here);
    assert!(
        copilot.contains(r#""--disable-mcp-server", "two""#),
        "{copilot}"
    );
    assert!(!copilot.contains("a b"), "{copilot}");
}

#[test]
fn our_settings_lie_over_the_users_and_replace_nothing_else() {
    let here = Environment::new([(
        "OPENCODE_CONFIG_CONTENT",
        r#"{"provider": {"mine": {}}, "share": "auto", "agent": {"build": {}}}"#,
    )]);
    let profiles = Profiles::builtin().unwrap();
    let profile = profiles.find(&"opencode".parse().unwrap()).unwrap();
    let vars = profile.env.child_env(&here, None);
    let text = vars["OPENCODE_CONFIG_CONTENT".as_ref() as &std::ffi::OsStr]
        .to_str()
        .unwrap();
    let config: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(config["provider"], serde_json::json!({"mine": {}}));
    assert_eq!(config["share"], "disabled");
    assert_eq!(config["agent"]["build"], serde_json::json!({}));
    assert_eq!(
        config["agent"]["agon"]["permission"],
        serde_json::json!({"*": "deny"})
    );
}

#[test]
fn what_is_known_of_a_model_is_found_by_its_name() {
    let profiles = Profiles::builtin().unwrap();
    let claude = profiles.find(&"claude".parse().unwrap()).unwrap();
    let facts = claude.model("claude-opus-4-5-20251101").unwrap();
    assert_eq!(
        (facts.onset_tokens, facts.severe_tokens),
        (Some(100_000), Some(180_000))
    );
    assert_eq!(claude.model("haiku"), None);
}

#[test]
fn a_child_is_one_debate_deeper_and_never_gets_a_variable_that_bypasses_permissions() {
    let profiles = with("copilot", "env.pass = [\"COPILOT_*\"]").unwrap();
    let profile = profiles.find(&"copilot".parse().unwrap()).unwrap();
    let here = Environment::new([
        ("COPILOT_ALLOW_ALL", "true"),
        ("COPILOT_HOME", "/srv/copilot"),
        ("AGON_DEPTH", "2"),
    ]);
    let vars = profile.env.child_env(&here, None);
    let vars: Vec<_> = vars
        .iter()
        .map(|(name, value)| (name.to_str().unwrap(), value.to_str().unwrap()))
        .collect();
    assert_eq!(
        vars,
        [
            ("AGON_DEPTH", "3"),
            ("COPILOT_AUTO_UPDATE", "false"),
            ("COPILOT_HOME", "/srv/copilot"),
            ("NO_COLOR", "1"),
            ("TERM", "dumb"),
        ]
    );
}

#[test]
fn a_conversation_begins_and_goes_on_by_its_name() {
    let profiles = Profiles::builtin().unwrap();
    let here = Environment::new([("HOME", "/nonexistent")]);
    let told = |tool: &str, begun| {
        let profile = profiles.find(&tool.parse().unwrap()).unwrap();
        let kept = SavedConversation {
            id: "ID".parse().unwrap(),
            begun,
            folder: "/empty".into(),
            spent: Usage::default(),
        };
        let ask = Ask {
            prompt: "",
            model: None,
            effort: Effort::Low,
            timeout: Duration::ZERO,
            reads: None,
            hears: None,
            schema: None,
            interview: None,
        };
        let args = command_args(
            profile.cli.as_ref().unwrap(),
            &here,
            ask,
            Path::new("/private"),
            Some(&kept),
        );
        let args: Vec<_> = args.iter().map(|arg| arg.to_str().unwrap()).collect();
        format!(" {} ", args.join(" "))
    };
    for (tool, first, again) in [
        ("claude", "--session-id ID", "--resume ID"),
        ("codex", " - ", "resume ID - "),
        ("gemini", "--session-id ID", "--resume ID"),
        ("opencode", "--variant low ", "--session ID"),
        ("copilot", "--session-id ID", "--resume=ID"),
    ] {
        let (begins, goes_on) = (told(tool, false), told(tool, true));
        assert!(begins.contains(first), "{tool}: {begins}");
        assert!(goes_on.contains(again), "{tool}: {goes_on}");
        for args in [begins, goes_on] {
            let left = ["--ephemeral", "--no-session-persistence", "{"];
            assert!(
                left.iter()
                    .all(|left| !args.contains(left) || tool == "claude" && *left == "{"),
                "{tool}: {args}"
            );
        }
    }
}

#[test]
fn switches_and_modes_that_bypass_permissions_are_refused_over_the_protocol_too() {
    for (tool, over) in [
        ("gemini", "acp.read_only.modes = [\"yolo\"]"),
        ("gemini", "acp.read_only.modes = [\"autoEdit\"]"),
        ("gemini", "acp.reads.args = [\"--approval-mode\", \"yolo\"]"),
        (
            "gemini",
            "acp.args = [\"--acp\", \"{read_only}\", \"{no_mcp}\", \"{model}\", \"--yolo\"]",
        ),
        ("claude", "acp.reads.modes = [\"bypassPermissions\"]"),
        ("claude", "acp.reads.modes = [\"auto\"]"),
        ("claude", "acp.reads.modes = [\"dontAsk\"]"),
        (
            "claude",
            "acp.reads.meta = '{\"claudeCode\": {\"options\": {\"permissionMode\": \"acceptEdits\"}}}'",
        ),
        (
            "claude",
            "acp.reads.meta = '{\"claudeCode\": {\"options\": {\"allowDangerouslySkipPermissions\": true}}}'",
        ),
        ("codex", "acp.reads.modes = [\"agent-full-access\"]"),
        ("codex", "acp.reads.modes = [\"workspace-write\"]"),
        (
            "codex",
            "acp.reads.set.INITIAL_AGENT_MODE = \"agent-full-access\"",
        ),
        (
            "codex",
            "acp.reads.merge.CODEX_CONFIG = '{\"sandbox_mode\": \"danger-full-access\"}'",
        ),
        (
            "copilot",
            "acp.reads.modes = [\"https://agentclientprotocol.com/protocol/session-modes#autopilot\"]",
        ),
        ("copilot", "acp.reads.options.allow_all = \"on\""),
        ("copilot", "acp.reads.set.COPILOT_ALLOW_ALL = \"true\""),
        ("kiro", "acp.args = [\"acp\", \"--trust-all-tools\"]"),
        ("acp:mine", "acp.args = [\"--yolo\"]"),
        (
            "opencode",
            "acp.reads.merge.OPENCODE_CONFIG_CONTENT = '{\"permission\": {\"bash\": \"allow\"}}'",
        ),
    ] {
        let refused = refusal(tool, over);
        assert!(
            refused.contains("bypasses permissions"),
            "{tool} {over}: {refused}"
        );
    }
}

#[test]
fn an_agent_by_its_program_may_be_given_arguments_by_the_user() {
    let profiles = with("acp:mine", "acp.args = [\"--stdio\"]").unwrap();
    let profile = profiles.find(&"acp:mine".parse().unwrap()).unwrap();
    assert_eq!(profile.programs, ["mine"]);
    assert_eq!(profile.acp.as_ref().unwrap().args, ["--stdio"]);
    assert!(with("acp:../mine", "").is_err());
}

#[test]
fn a_way_to_speak_has_to_be_described() {
    for (over, wrong) in [
        ("transports = []", "must not be empty"),
        ("acp.args = [\"--acp\"]", "`acp.args` must contain"),
        ("acp.read_only.meta = \"[]\"", "must be a JSON object"),
    ] {
        let refused = refusal("gemini", over);
        assert!(refused.contains(wrong), "{over}: {refused}");
    }
    assert!(refusal("kiro", "transports = [\"cli\"]").contains("the table [cli] is missing"));
}

#[test]
fn a_tool_of_a_hosts_that_does_harm_is_listed_with_what_refuses_it() {
    let harm =
        |seat: &str, can: &str| refusal("claude", &format!("[cli.offer.{seat}]\nNew = \"{can}\""));
    for can in ["write", "run", "fetch", "spawn", "mode"] {
        let said = harm("reads", can);
        let expected = format!("`cli.offer.reads.New` can {can}; set `refused`");
        assert!(said.contains(&expected), "{said}");
    }
    assert!(harm("read_only", "write").contains("`cli.offer.read_only.New`"));
    let blank = refusal(
        "claude",
        "[cli.offer.reads]\nNew = { can = \"run\", refused = \" \" }",
    );
    assert!(blank.contains("`cli.offer.reads.New` can run"), "{blank}");
    assert!(harm("reads", "sing").contains("is not valid"));
    let listed =
        "[cli.offer.reads]\nNew = \"read\"\nOther = { can = \"run\", refused = \"it is\" }";
    let profiles = with("claude", listed).unwrap();
    let claude = profiles.find(&"claude".parse().unwrap()).unwrap();
    let names = ["Read", "New", "Other", "Third"].map(str::to_owned).into();
    use agon_agents::profile::Transport;
    let unlisted = |way, reads| claude.unlisted_tools(way, reads, &names);
    assert_eq!(unlisted(Transport::Cli, true), ["Third"]);
    assert_eq!(
        unlisted(Transport::Cli, false),
        ["New", "Other", "Read", "Third"]
    );
    assert_eq!(unlisted(Transport::Acp, true), ["New", "Other", "Third"]);
}

#[test]
fn a_file_of_a_profile_lies_in_the_private_folder() {
    for name in ["../x", "/etc/x", ""] {
        let said = refusal("gemini", &format!("[files]\n\"{name}\" = \"\""));
        assert!(
            said.contains("must be a path inside the private folder"),
            "{said}"
        );
    }
    for name in ["empty", "empty/x", "tmp/x", "usage.json"] {
        let said = refusal("gemini", &format!("[files]\n\"{name}\" = \"\""));
        assert!(said.contains("use another name"), "{said}");
    }
    for name in ["../x", "/etc/x", "", "tmp/x"] {
        let said = refusal("gemini", &format!("[work.files]\n\"{name}\" = \"\""));
        assert!(
            said.contains("private folder") || said.contains("another name"),
            "{said}"
        );
    }
    for rule in [
        "toolName = \"run_shell_command\"\ndecision = \"allow\"",
        "toolName = [\"read_file\", \"write_file\"]\ndecision = \"Allow\"",
        "decision = \"allow\"",
        "toolName = \"read_file\"\nmcpName = \"x\"\ndecision = \"allow\"",
        "no TOML",
    ] {
        let over = format!("[files]\n\"more.toml\" = '''\n[[rule]]\n{rule}\n'''");
        let said = refusal("gemini", &over);
        assert!(said.contains("bypasses permissions"), "{rule}: {said}");
    }
    for text in [
        r#"{"x": 1, // no JSON}"#,
        r#"{"x": "\ud83d", "permissions": {"allow": ["x"]}}"#,
    ] {
        let over = format!("[files]\n\"more.json\" = '''\n{text}\n'''");
        let said = refusal("gemini", &over);
        assert!(said.contains("bypasses permissions"), "{text}: {said}");
    }
    let said = refusal("gemini", "[files]\n\"x\" = \"danger-full-access\"");
    assert!(said.contains("bypasses permissions"), "{said}");
}
