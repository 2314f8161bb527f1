//! The hooks at the end of plan mode and at prompts: added to what is installed, kept, and removed.

use std::fs;

use agon_install::hosts::{ContentSet, HostDoc, InstallRequest, install, uninstall};
use serde_json::Value;

use crate::place::Place;

fn request(host: &str, what: Option<ContentSet>, plan_review: Option<bool>) -> InstallRequest {
    InstallRequest {
        hosts: vec![host.to_owned()],
        what,
        plan_review,
        ..InstallRequest::default()
    }
}

fn put(place: &Place, host: &str, what: Option<ContentSet>, plan_review: Option<bool>) -> HostDoc {
    let done = install(&place.caller, &request(host, what, plan_review)).unwrap();
    done.hosts.into_iter().next().unwrap()
}

/// The commands of the hooks in a file, by event.
fn commands(place: &Place, file: &str) -> Vec<String> {
    let Ok(text) = fs::read_to_string(place.home().join(file)) else {
        return Vec::new();
    };
    let settings: Value = serde_json::from_str(&text).unwrap();
    let mut found = Vec::new();
    for list in settings["hooks"].as_object().into_iter().flatten() {
        for entry in list.1.as_array().unwrap() {
            let inner = entry["hooks"].as_array();
            let all = inner.map_or_else(|| vec![entry], |inner| inner.iter().collect());
            for hook in all {
                let line = hook.get("command").filter(|it| *it != "command");
                let line = line.or(hook.get("bash")).unwrap().as_str().unwrap();
                let (_, asked) = line.split_once(" hook ").unwrap();
                found.push(format!("{} {asked}", list.0));
            }
        }
    }
    found
}

#[test]
fn the_hook_is_added_to_what_is_installed_and_removed_with_it() {
    for (host, file, line) in [
        (
            "claude",
            ".claude/settings.json",
            "PreToolUse claude plan-end",
        ),
        (
            "gemini",
            ".gemini/settings.json",
            "BeforeTool gemini plan-end",
        ),
        (
            "copilot",
            ".copilot/hooks/agon-team.json",
            "preToolUse copilot plan-end",
        ),
    ] {
        let place = Place::new();
        let first = put(&place, host, None, Some(true));
        assert_eq!(first.what, Some(ContentSet::Debate), "{host}");
        assert_eq!(commands(&place, file), [line], "{host}");
        let told = first.next.join(" ");
        assert!(told.contains("plan_review = \"auto\""), "{told}");
        assert!(told.contains("that you have allowed"), "{told}");
        // An upgrade keeps it, and changes nothing.
        let again = put(&place, host, None, None);
        assert!(
            again.steps.iter().all(|step| step.action == "same"),
            "{again:?}"
        );
        // Beside a team's hooks.
        put(&place, host, Some(ContentSet::All), Some(false));
        let of_team = commands(&place, file);
        assert!(
            !of_team.contains(&line.to_owned()) && of_team.len() == 5,
            "{of_team:?}"
        );
        put(&place, host, None, Some(true));
        let mut both = commands(&place, file);
        both.retain(|it| it != line);
        assert_eq!(both, of_team, "{host}");
        assert_eq!(commands(&place, file).len(), 6, "{host}");
        put(&place, host, Some(ContentSet::Debate), Some(false));
        assert_eq!(commands(&place, file), [""; 0], "{host}");
        put(&place, host, None, Some(true));
        uninstall(&place.caller, &request(host, None, None)).unwrap();
        assert_eq!(commands(&place, file), [""; 0], "{host}");
    }
}

#[test]
fn the_hook_at_prompts_is_added_in_every_tool_and_kept_with_the_other_one() {
    for (host, file, line) in [
        (
            "claude",
            ".claude/settings.json",
            "UserPromptSubmit claude prompt",
        ),
        (
            "codex",
            ".codex/hooks.json",
            "UserPromptSubmit codex prompt",
        ),
        (
            "gemini",
            ".gemini/settings.json",
            "BeforeAgent gemini prompt",
        ),
        (
            "copilot",
            ".copilot/hooks/agon-team.json",
            "userPromptSubmitted copilot prompt",
        ),
    ] {
        let place = Place::new();
        let suggest = |suggest, plan_review| {
            let request = InstallRequest {
                suggest,
                ..request(host, None, plan_review)
            };
            let done = install(&place.caller, &request).unwrap();
            done.hosts.into_iter().next().unwrap()
        };
        let first = suggest(Some(true), None);
        assert_eq!(commands(&place, file), [line], "{host}");
        assert!(first.next.join(" ").contains("costly = []"), "{first:?}");
        suggest(None, None);
        assert_eq!(commands(&place, file), [line], "{host}");
        if host != "codex" {
            suggest(None, Some(true));
            assert_eq!(commands(&place, file).len(), 2, "{host}");
        }
        suggest(Some(false), Some(false));
        assert_eq!(commands(&place, file), [""; 0], "{host}");
        suggest(Some(true), None);
        uninstall(&place.caller, &request(host, None, None)).unwrap();
        assert_eq!(commands(&place, file), [""; 0], "{host}");
    }
}

#[test]
fn the_plugin_of_opencode_has_only_the_installed_hooks() {
    let place = Place::new();
    let file = place.home().join(".config/opencode/plugins/agon-team.js");
    let put = |what, suggest| {
        let request = InstallRequest {
            suggest,
            ..request("opencode", what, None)
        };
        install(&place.caller, &request).unwrap();
        fs::read_to_string(&file).unwrap_or_default()
    };
    let has = |text: &str| {
        let names = ["chat.message", "tool.execute.before"];
        names.map(|name| text.contains(&format!("  \"{name}\": async")))
    };
    assert_eq!(has(&put(None, Some(true))), [true, false]);
    assert_eq!(has(&put(Some(ContentSet::All), None)), [true, true]);
    assert_eq!(has(&put(None, Some(false))), [false, true]);
    assert_eq!(put(Some(ContentSet::Debate), None), "");
}

#[test]
fn a_tool_whose_plan_mode_no_hook_sees_is_left_as_it_is_and_says_so() {
    for host in ["codex", "opencode"] {
        let place = Place::new();
        let done = put(&place, host, None, Some(true));
        let [step] = done.steps.as_slice() else {
            panic!("{done:?}");
        };
        assert_eq!((step.action, step.part.as_str()), ("refuse", "hooks"));
        let reason = step.reason.as_deref().unwrap();
        assert!(
            reason.contains("no hook sees the end of plan mode"),
            "{reason}"
        );
        assert_eq!((done.what, done.next), (None, Vec::new()));
        let receipts = place.home().join(".local");
        assert!(!receipts.join("share/agon/installed").exists());
        let all = install(&place.caller, &request(host, None, None)).unwrap();
        assert!(all.hosts[0].steps.iter().all(|step| step.action == "add"));
    }
}
