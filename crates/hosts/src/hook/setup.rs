//! Hook settings to install in a host.

use serde_json::json;

use super::HookEvent;
use super::form::{HookForm, HookPlace};
use crate::edit::hooks::HookEntry;

/// Hook settings for a given path of Agon's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookSetup {
    /// List entries.
    Lists(Vec<HookEntry>),
    /// A whole file.
    OwnFile(String),
}

// An answer takes a few milliseconds, but the machine may be busy.
/// How long a host waits for an answer.
pub(crate) const TIMEOUT_MS: u64 = 5_000;
// Longer, because Agon then reads the whole session record, which can be as large as 1 GB.
/// How long a host waits before a compaction.
const COMPACTION_TIMEOUT_MS: u64 = 30_000;

// Above the largest `plan_review_time` of 5 minutes, because the hook then ends its tools.
/// How long a host waits for the review of a plan.
const PLAN_TIMEOUT_MS: u64 = 360_000;

impl HookEvent {
    /// Returns how long a host waits for the answer, in milliseconds.
    pub(crate) const fn timeout_ms(self) -> u64 {
        match self {
            Self::PreCompact => COMPACTION_TIMEOUT_MS,
            Self::PlanEnd => PLAN_TIMEOUT_MS,
            Self::PreEdit | Self::PostTool | Self::Stop | Self::SessionStart | Self::Prompt => {
                TIMEOUT_MS
            }
        }
    }
}

impl HookForm {
    /// Returns the settings of a team's hooks for the host `host`, with Agon's program at `program`.
    pub fn setup(&self, host: &str, program: &str) -> HookSetup {
        self.setup_of(host, program, &HookEvent::TEAM)
    }

    /// Returns the settings of the hooks for `events`.
    pub fn setup_of(&self, host: &str, program: &str, events: &[HookEvent]) -> HookSetup {
        match self.place {
            HookPlace::OwnFile(text) => HookSetup::OwnFile(text(program, events)),
            HookPlace::Lists {
                also_matched,
                time_unit_ms,
            } => {
                let edits = [also_matched, self.edit_tools].concat().join("|");
                let entry = |event: HookEvent| {
                    let hook = json!({
                        "type": "command",
                        "command": command_line(program, host, event),
                        "timeout": event.timeout_ms() / time_unit_ms,
                    });
                    let entry = match event {
                        HookEvent::PreEdit => json!({"matcher": edits, "hooks": [hook]}),
                        HookEvent::PostTool => json!({"matcher": "*", "hooks": [hook]}),
                        HookEvent::PlanEnd => {
                            let tool = self.plan.map_or("", |plan| plan.tool);
                            json!({"matcher": tool, "hooks": [hook]})
                        }
                        HookEvent::Stop
                        | HookEvent::SessionStart
                        | HookEvent::PreCompact
                        | HookEvent::Prompt => json!({"hooks": [hook]}),
                    };
                    HookEntry {
                        event: (self.event_name)(event),
                        entry,
                    }
                };
                HookSetup::Lists(events.iter().copied().map(entry).collect())
            }
        }
    }
}

/// Returns the shell command line of a hook.
pub(crate) fn command_line(program: &str, host: &str, event: HookEvent) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    let program = match program.chars().all(is_plain) {
        true => program.to_owned(),
        false => format!("'{}'", program.replace('\'', "'\\''")),
    };
    format!("{program} hook {host} {}", event.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_whose_path_has_spaces_or_quotes_is_one_word_of_the_shell() {
        let line = |program| command_line(program, "claude", HookEvent::Stop);
        assert_eq!(line("/usr/bin/agon"), "/usr/bin/agon hook claude stop");
        assert_eq!(line("/my own/it's"), "'/my own/it'\\''s' hook claude stop");
    }

    #[test]
    fn the_end_of_plan_mode_has_its_own_tool_and_states_a_longer_time() {
        use crate::host::HOSTS;
        let with_plan = HOSTS.iter().filter(|host| host.hooks.plan.is_some());
        let mut names = Vec::new();
        for host in with_plan {
            names.push(host.name);
            let setup = host
                .hooks
                .setup_of(host.name, "agon", &[HookEvent::PlanEnd]);
            let (text, seconds) = match setup {
                HookSetup::Lists(entries) => {
                    let [entry] = entries.as_slice() else {
                        panic!("{entries:?}");
                    };
                    let unit = if host.name == "gemini" { 1_000 } else { 1 };
                    let timeout = entry.entry["hooks"][0]["timeout"].as_u64().unwrap();
                    (entry.entry.to_string(), timeout / unit)
                }
                HookSetup::OwnFile(text) => {
                    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
                    let hook = &value["hooks"]["preToolUse"][0];
                    (hook.to_string(), hook["timeoutSec"].as_u64().unwrap())
                }
            };
            let tool = format!("\"matcher\":\"{}\"", host.hooks.plan.unwrap().tool);
            assert!(text.contains(&tool), "{text}");
            assert!(
                text.contains("hook ") && text.contains(" plan-end"),
                "{text}"
            );
            assert_eq!(seconds, 360, "{text}");
            // The hooks of a team do not call it.
            let team = host.hooks.setup(host.name, "agon");
            assert!(!format!("{team:?}").contains("plan-end"), "{team:?}");
        }
        assert_eq!(names, ["claude", "gemini", "copilot"]);
    }

    #[test]
    fn every_host_has_a_hook_at_prompts_which_waits_for_seconds_only() {
        use crate::host::HOSTS;
        for host in HOSTS {
            let setup = host.hooks.setup_of(host.name, "agon", &[HookEvent::Prompt]);
            let text = format!("{setup:?}");
            let event = (host.hooks.event_name)(HookEvent::Prompt);
            assert!(!event.is_empty() && text.contains(event), "{text}");
            assert!(text.contains("prompt"), "{text}");
            assert!(
                text.contains("5000") || text.contains(": 5") || text.contains("(5)"),
                "{text}"
            );
        }
    }
}
