//! What is installed so that a host asks.

use serde_json::{Value, json};

use super::HookEvent;
use crate::edit::hooks::HookEntry;

/// How a host is brought to ask.
#[derive(Clone, Copy, Debug)]
pub struct HookForm {
    /// What it calls an event; empty where it has none like it.
    pub event_name: fn(HookEvent) -> &'static str,
    /// What its user does before they run, where that is anything.
    pub next_step: Option<&'static str>,
    /// Where it is written down.
    pub(crate) place: HookPlace,
}

/// Where a host's hooks are written down.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HookPlace {
    /// In lists by event below `hooks` of a file that may have other settings.
    Lists {
        /// The tools that edit, as the host matches them.
        edit_matcher: &'static str,
        /// Milliseconds of its unit of time: 1 or 1,000.
        time_unit_ms: u64,
    },
    /// In a file of Agon's own.
    OwnFile(fn(program: &str) -> String),
}

/// What is to be written, for a program at a certain place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookSetup {
    /// Entries of lists.
    Lists(Vec<HookEntry>),
    /// A whole file.
    OwnFile(String),
}

// An answer takes some milliseconds; a machine may be busy.
/// How long a host waits for an answer.
const TIMEOUT_MS: u64 = 5_000;

impl HookForm {
    /// What is to be written down for the host `host`, where Agon's program is `program`.
    pub fn setup(&self, host: &str, program: &str) -> HookSetup {
        match self.place {
            HookPlace::OwnFile(text) => HookSetup::OwnFile(text(program)),
            HookPlace::Lists {
                edit_matcher,
                time_unit_ms,
            } => {
                let entry = |event: HookEvent| {
                    let command = command_line(program, host, event);
                    let hook = json!({
                        "type": "command",
                        "command": command,
                        "timeout": TIMEOUT_MS / time_unit_ms,
                    });
                    let entry = match event {
                        HookEvent::PreEdit => json!({"matcher": edit_matcher, "hooks": [hook]}),
                        HookEvent::PostTool => json!({"matcher": "*", "hooks": [hook]}),
                        HookEvent::Stop | HookEvent::SessionStart => json!({"hooks": [hook]}),
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

/// The line that a shell runs.
fn command_line(program: &str, host: &str, event: HookEvent) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    let program = match program.chars().all(is_plain) {
        true => program.to_owned(),
        false => format!("'{}'", program.replace('\'', "'\\''")),
    };
    format!("{program} hook {host} {}", event.name())
}

const fn claude_event(event: HookEvent) -> &'static str {
    match event {
        HookEvent::PreEdit => "PreToolUse",
        HookEvent::PostTool => "PostToolUse",
        HookEvent::Stop => "Stop",
        HookEvent::SessionStart => "SessionStart",
    }
}

pub(crate) const CLAUDE: HookForm = HookForm {
    event_name: claude_event,
    next_step: None,
    place: HookPlace::Lists {
        edit_matcher: "Edit|MultiEdit|NotebookEdit|Write",
        time_unit_ms: 1_000,
    },
};

pub(crate) const CODEX: HookForm = HookForm {
    event_name: claude_event,
    next_step: Some("Type /hooks and trust those of Agon: until then they do not run."),
    place: HookPlace::Lists {
        // Its model also hands a patch to a command, which is seen as `Bash`.
        edit_matcher: "Bash|Edit|Write|apply_patch",
        time_unit_ms: 1_000,
    },
};

pub(crate) const GEMINI: HookForm = HookForm {
    event_name: |event| match event {
        HookEvent::PreEdit => "BeforeTool",
        HookEvent::PostTool => "AfterTool",
        HookEvent::Stop => "AfterAgent",
        HookEvent::SessionStart => "SessionStart",
    },
    next_step: None,
    place: HookPlace::Lists {
        edit_matcher: "replace|write_file",
        time_unit_ms: 1,
    },
};

pub(crate) const COPILOT: HookForm = HookForm {
    event_name: |event| match event {
        HookEvent::PreEdit => "preToolUse",
        HookEvent::PostTool => "postToolUse",
        HookEvent::Stop => "agentStop",
        HookEvent::SessionStart => "sessionStart",
    },
    next_step: None,
    place: HookPlace::OwnFile(copilot_file),
};

pub(crate) const OPENCODE: HookForm = HookForm {
    event_name: |event| match event {
        HookEvent::PreEdit => "tool.execute.before",
        HookEvent::PostTool => "tool.execute.after",
        // Nothing that its plugins are told of can be refused or added to.
        HookEvent::Stop | HookEvent::SessionStart => "",
    },
    next_step: None,
    place: HookPlace::OwnFile(opencode_file),
};

fn copilot_file(program: &str) -> String {
    let mut hooks = serde_json::Map::new();
    for event in HookEvent::ALL {
        let hook = json!([{
            "type": "command",
            "bash": command_line(program, "copilot", event),
            "timeoutSec": TIMEOUT_MS / 1_000,
        }]);
        hooks.insert((COPILOT.event_name)(event).to_owned(), hook);
    }
    let file = json!({"version": 1, "hooks": hooks});
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}

fn opencode_file(program: &str) -> String {
    let program = Value::from(program).to_string();
    // The path comes last: whatever its folders are called, nothing in it is replaced.
    OPENCODE_PLUGIN
        .replace("TIMEOUT", &TIMEOUT_MS.to_string())
        .replace("PROGRAM", &program)
}

const OPENCODE_PLUGIN: &str = r#"// The hooks of a team, for OpenCode: `agon install --what team` writes this file.
import { spawnSync } from "node:child_process";

const EDITS = ["apply_patch", "edit", "multiedit", "patch", "write"];

function ask(event, call) {
  const options = { input: JSON.stringify(call), encoding: "utf8", timeout: TIMEOUT };
  const done = spawnSync(PROGRAM, ["hook", "opencode", event], options);
  try {
    return JSON.parse(done.stdout || "{}");
  } catch {
    // A hook that fails lets the call pass.
    return {};
  }
}

export const AgonTeam = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    if (!EDITS.includes(input.tool)) return;
    const answer = ask("pre-edit", { cwd: directory, tool: input.tool, args: output.args });
    if (answer.refuse) throw new Error(answer.refuse);
  },
  "tool.execute.after": async (_input, output) => {
    const answer = ask("post-tool", { cwd: directory });
    if (!answer.note) return;
    if (Array.isArray(output.content)) output.content.push({ type: "text", text: answer.note });
    else if (typeof output.output === "string") output.output += `\n${answer.note}`;
  },
});
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_whose_path_has_spaces_or_quotes_is_one_word_of_the_shell() {
        let line = |program| command_line(program, "claude", HookEvent::Stop);
        assert_eq!(line("/usr/bin/agon"), "/usr/bin/agon hook claude stop");
        assert_eq!(line("/my own/it's"), "'/my own/it'\\''s' hook claude stop");
        let plugin = opencode_file("/a \"b\"\\c");
        assert!(
            plugin.contains(r#"spawnSync("/a \"b\"\\c", ["hook""#),
            "{plugin}"
        );
        let plugin = opencode_file("/opt/TIMEOUT/PROGRAM/agon");
        assert!(
            plugin.contains(r#"spawnSync("/opt/TIMEOUT/PROGRAM/agon", ["hook""#),
            "{plugin}"
        );
        assert!(plugin.contains("timeout: 5000 }"), "{plugin}");
    }
}
