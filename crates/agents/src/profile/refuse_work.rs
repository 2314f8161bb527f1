//! Rejects profiles, including the user's own, that would start a team member with forbidden arguments
//! or settings.
//!
//! A member may write in its work tree. What would let it write elsewhere, or run programs without
//! restrictions, is rejected as in a debate.

use super::Work;
use super::refused::{Grants, MODES, PermissionBypass, VARIABLES, permission_bypass};

/// The exceptions for a team member: writing in its work tree, and Agon's own server.
const MEMBER: Grants = Grants {
    words: &["workspace-write"],
    // Forbidden, because each makes more than the work tree writable or allows network access.
    refused_words: &[
        "--add-dir",
        "--include-directories",
        "additionaldirectories",
        "writable_roots",
        "network_access=true",
        "exclude_slash_tmp=false",
        "exclude_tmpdir_env_var=false",
        "run_shell_command",
    ],
    // Allowed, because this empty list replaces the one in the user's configuration.
    arguments: &["sandbox_workspace_write.writable_roots=[]"],
    // Allowed, because Copilot still asks for permission to write outside the folder.
    allow_tool: &["write", "team"],
    rules: &["Edit(./**)", "mcp__team"],
    keys: &["read", "grep", "glob", "list", "edit", "team_*"],
    // Without Gemini's `glob`, because its patterns can lead out of the folder.
    tools: &[
        "read_file",
        "list_directory",
        "grep_search",
        "write_file",
        "replace",
        "mcp_team_*",
    ],
};

pub(super) fn check(work: &Work) -> Result<(), PermissionBypass> {
    let lists = [
        ("work.args", &work.args),
        ("work.writes", &work.writes),
        ("work.reads", &work.reads),
    ];
    for (place, list) in lists {
        MEMBER.check_arguments(place, list)?;
    }
    for (name, text) in work.set.iter().chain(&work.merge) {
        let place = format!("work.{name}");
        if VARIABLES.contains(&name.as_str()) {
            return Err(permission_bypass(&place, name));
        }
        MEMBER.check_value(&place, text)?;
        if MODES.contains(&text.to_lowercase().as_str()) {
            return Err(permission_bypass(&place, text));
        }
    }
    for (name, text) in &work.files {
        MEMBER.check_file(&format!("work.files.{name}"), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    fn writes(args: &[&str]) -> Result<(), PermissionBypass> {
        check(&Work {
            writes: args.iter().map(|&arg| arg.to_owned()).collect(),
            ..Work::default()
        })
    }

    #[test]
    fn the_tools_of_this_program_are_held_to_their_folder() {
        let profiles = Profiles::builtin().unwrap();
        let mut names: Vec<&str> = profiles
            .iter()
            .filter(|profile| profile.work.is_some())
            .map(|profile| profile.name.as_str())
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["claude", "codex", "copilot", "gemini", "opencode"]);
        for profile in profiles.iter() {
            let Some(work) = &profile.work else { continue };
            assert!(!work.held_by.is_empty(), "{}", profile.name);
            assert!(!work.reads.is_empty(), "{}", profile.name);
        }
    }

    /// What neither a seat nor a member may be started with.
    const REFUSED: &[&[&str]] = &[
        &["--dangerously-skip-permissions"],
        &["--allow-dangerously-skip-permissions"],
        &["--dangerously-bypass-approvals-and-sandbox"],
        &["--yolo"],
        &["--YOLO"],
        &["-y"],
        &["--approval-mode=yolo"],
        &["--approval-mode", "yolo"],
        &["--approval-mode", "auto_edit"],
        &["--approval-mode", "autoEdit"],
        &["-s", "danger-full-access"],
        &["--sandbox=danger-full-access"],
        &["-c", "sandbox_mode='danger-full-access'"],
        &["-c", "approval_policy=never"],
        &["--full-auto"],
        &["--auto"],
        &["--autopilot"],
        &["--permission-mode", "bypassPermissions"],
        &["--permission-mode", "acceptEdits"],
        &["--permission-mode", "dontAsk"],
        &["--permission-mode=auto"],
        &["--mode", "autopilot"],
        &["--allow-all"],
        &["--allow-all-tools"],
        &["--allow-all-paths"],
        &["--allow-all-urls"],
        &["--allow-url", "x"],
        &["--allow-tool", "shell"],
        &["--Allow-Tool", "shell"],
        &["--allow-tool", "shell(git:*)"],
        &["--allow-tool=shell"],
        &["--allow-tool"],
        &["--allowedTools", "Bash"],
        &["--allowed-tools=Bash"],
        &["--trust"],
        &["--trust-folder"],
        &["--trust-all-tools"],
        &["--approve-for-me"],
        &["--settings", r#"{"permissions":{"allow":["Bash"]}}"#],
        &["--settings", r#"{"permissions":{"allow":["Edit(//**)"]}}"#],
        &["--settings", r#"{"permissions":{"allow":"Bash"}}"#],
        &[
            "--settings",
            r#"{"permissions":{"defaultMode":"bypassPermissions"}}"#,
        ],
        &["--settings", r#"{"permissions":{"defaultMode":"auto"}}"#],
        &["--settings", r#"{"permission":{"bash":"allow"}}"#],
        &["--settings", r#"{"permission":{"bash":["allow"]}}"#],
        &["--settings", r#"{"permission":{"bash":{"read":"allow"}}}"#],
        &[
            "--settings",
            r#"{"permission":{"bash":{"*":{"read":"allow"}}}}"#,
        ],
        &["--settings", r#"{"permission":["allow"]}"#],
        &["--settings", r#"{"permission":"allow"}"#],
        &["--settings", r#"{"permission":{"*":"allow"}}"#],
        &[
            "--settings",
            r#"{"a":[{"permission":{"webfetch":"allow"}}]}"#,
        ],
        &["--settings", r#"{"allowedTools":["Bash"]}"#],
        &[r#"--settings={"permission":{"bash":"allow"}}"#],
        &["--settings", r#"{"permission":{"bash":"allow"},}"#],
        &["--settings", r#"{"permission":{"bash":/* x */"allow"}}"#],
        &[
            "--settings",
            "/* x */ {\"permission\":{\"bash\":\"allow\"}}",
        ],
        &["--settings", "// x\n{\"permission\":{\"bash\":\"allow\"}}"],
        &[
            "--settings",
            "\u{feff}{\"permission\":{\"bash\":\"allow\"}}",
        ],
        &[
            "--settings",
            " \u{feff} {\"permission\":{\"bash\":\"allow\"}}",
        ],
        // Some tools end the comment before `permission`.
        &[
            "--settings",
            "{ // x\r\"permission\":{\"bash\":\"allow\"},\n\"a\":1}",
        ],
        &["--settings", "{'permission':{'bash':'allow'}}"],
        &["--x", r#"{"a":1} {"permission":{"bash":"allow"}}"#],
        &["--x", r#"{model}{"permission":{"bash":"allow"},}"#],
        &["--x", r#"[{"permission":{"bash":"allow"}},]"#],
        // What is in such a file may be anything.
        &["--settings", "/srv/settings.json"],
        &["--settings", "{model}"],
        &["--settings", "{private}/../settings.json"],
        &["--settings", "{private}/tmp/settings.json"],
        &["--settings", "{private}/usage.json"],
        &["--settings=settings.json"],
        &["--Settings", "settings.json"],
        &["--settings"],
        &["--settings", r#"{"extraArgs":{}}"#],
        &["--settings", r#"{"executableArgs":[]}"#],
        &[
            "--settings",
            r#"{"sandbox":{"allowUnsandboxedCommands":true}}"#,
        ],
    ];

    #[test]
    fn what_a_seat_may_not_have_a_member_may_not_either() {
        for args in REFUSED {
            assert!(writes(args).is_err(), "{args:?}");
            let owned: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
            let seat = super::super::refuse::SEAT.check_arguments("cli.args", &owned);
            assert!(seat.is_err(), "a seat: {args:?}");
        }
    }

    #[test]
    fn settings_that_are_nested_too_deep_to_be_read_are_refused() {
        let open = r#"{"a":"#.repeat(200);
        let close = "}".repeat(200);
        let deep = format!(r#"{open}{{"permission":{{"bash":"allow"}}}}{close}"#);
        assert!(writes(&["--settings", &deep]).is_err());
        let set = |text: &str| Work {
            set: [("X".to_owned(), text.to_owned())].into(),
            ..Work::default()
        };
        assert!(check(&set(&deep)).is_err());
        assert!(check(&set(r#"{"permission":{"bash":"allow"},}"#)).is_err());
        assert!(check(&set("{private}/x.json")).is_ok());
    }

    #[test]
    fn settings_with_comments_and_files_of_the_profile_may_be_used() {
        for args in [
            &["--settings", "{ // why\r\n \"a\": 1, /* b */ }"][..],
            &["--settings", "{private}/writing.json"],
            &["--settings={private}/writing.json"],
            &["{model}", "{read_only}", "{private}/x", "[]"],
            &["-c", "mcp_servers={a={b=1}}"],
        ] {
            assert_eq!(writes(args), Ok(()), "{args:?}");
        }
        let file = |name: &str, text: &str| {
            let files = [(name.to_owned(), text.to_owned())].into();
            check(&Work {
                files,
                ..Work::default()
            })
        };
        assert_eq!(file("a.json", "{\"a\": [1,], // why\n}"), Ok(()));
        assert_eq!(file("a.json", ""), Ok(()));
        assert!(file("a.json", "{\"permission\":{\"bash\":\"allow\"},}").is_err());
        assert!(file("a", "{\"permission\":{\"bash\":\"allow\"},}").is_err());
        assert!(file("a.jsonc", "{'permission':{'bash':'allow'}}").is_err());
        assert_eq!(file("a.toml", "[a]\nb = 1"), Ok(()));
    }

    #[test]
    fn a_member_writes_in_its_work_tree_and_a_seat_writes_nothing() {
        for args in [
            &["-s", "workspace-write"][..],
            &["--allow-tool", "write"],
            &[
                "--settings",
                r#"{"permissions":{"allow":["Edit(./**)","mcp__team"]}}"#,
            ],
            &[
                "--settings",
                r#"{"permission":{"edit":"allow","*":"deny"}}"#,
            ],
        ] {
            assert_eq!(writes(args), Ok(()), "{args:?}");
            let owned: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
            let seat = super::super::refuse::SEAT.check_arguments("cli.args", &owned);
            assert!(seat.is_err(), "a seat: {args:?}");
        }
        let none = &["-c", "sandbox_workspace_write.writable_roots=[]"];
        assert_eq!(writes(none), Ok(()));
    }

    #[test]
    fn what_makes_more_than_the_work_tree_writable_is_refused() {
        for args in [
            &["--add-dir", "/"][..],
            &["--include-directories", "/"],
            &["-c", "sandbox_workspace_write.writable_roots=[\"/\"]"],
            &["-c", "sandbox_workspace_write.writable_roots=[] "],
            &["-c", "sandbox_workspace_write.network_access=true"],
            &["-c", "sandbox_workspace_write.exclude_slash_tmp=false"],
            &[
                "--settings",
                r#"{"permissions":{"additionalDirectories":["/"]}}"#,
            ],
        ] {
            assert!(writes(args).is_err(), "{args:?}");
        }
    }

    #[test]
    fn variables_and_files_are_held_to_the_same() {
        let set = |name: &str, text: &str| {
            let set = [(name.to_owned(), text.to_owned())].into();
            check(&Work {
                set,
                ..Work::default()
            })
        };
        assert!(set("COPILOT_ALLOW_ALL", "1").is_err());
        assert!(set("INITIAL_AGENT_MODE", "full-access").is_err());
        assert!(set("X", r#"{"agent":{"a":{"permission":{"bash":"allow"}}}}"#).is_err());
        assert_eq!(
            set("X", r#"{"agent":{"a":{"permission":{"edit":"allow"}}}}"#),
            Ok(())
        );
        let file = |text: &str| {
            let files = [("a.toml".to_owned(), text.to_owned())].into();
            check(&Work {
                files,
                ..Work::default()
            })
        };
        assert!(file("[[rule]]\ntoolName = \"*\"\ndecision = \"allow\"").is_err());
        assert!(
            file("[[rule]]\ntoolName = [\"replace\", \"glob\"]\ndecision = \"allow\"").is_err()
        );
        assert!(file("[[rule]]\ntoolName = [\"replace\"]\ndecision = \"ask_user\"").is_ok());
        assert!(file("[[rule]]\ntoolName = \"replace\"\ndecision = \" Allow\"").is_ok());
        assert!(file("[[rule]]\ntoolName = \"x\"\ndecision = \" Allow\"").is_err());
        assert!(
            file("[[rule]]\ntoolName = \"replace\"\nmcpName = \"x\"\ndecision = \"allow\"")
                .is_err()
        );
        assert!(file("[a.b]\ndecision = \"allow\"").is_err());
        assert!(file("not toml at all [").is_err());
        assert_eq!(
            file("[[rule]]\ntoolName = \"*\"\ndecision = \"deny\""),
            Ok(())
        );
    }
}
