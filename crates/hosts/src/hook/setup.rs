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

impl HookEvent {
    /// Returns how long a host waits for the answer, in milliseconds.
    pub(crate) const fn timeout_ms(self) -> u64 {
        match self {
            Self::PreCompact => COMPACTION_TIMEOUT_MS,
            Self::PreEdit | Self::PostTool | Self::Stop | Self::SessionStart => TIMEOUT_MS,
        }
    }
}

impl HookForm {
    /// Returns the settings for the host `host`, with Agon's program at `program`.
    pub fn setup(&self, host: &str, program: &str) -> HookSetup {
        match self.place {
            HookPlace::OwnFile(text) => HookSetup::OwnFile(text(program)),
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
                        HookEvent::Stop | HookEvent::SessionStart | HookEvent::PreCompact => {
                            json!({"hooks": [hook]})
                        }
                    };
                    HookEntry {
                        event: (self.event_name)(event),
                        entry,
                    }
                };
                HookSetup::Lists(HookEvent::ALL.into_iter().map(entry).collect())
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
}
