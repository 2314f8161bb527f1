//! By which variables an AI tool tells what it starts that it is there.

use std::path::PathBuf;

use agon_sessions::SessionHost;

use crate::Caller;

/// A variable that an AI tool sets for what it starts.
#[derive(Clone, Copy, Debug)]
pub struct HostSign {
    /// The tool.
    pub host: SessionHost,
    /// The variable.
    pub variable: &'static str,
    /// The one that has the id of the session, where there is one.
    pub session_variable: Option<&'static str>,
    /// The folder of the project in which the tool keeps its state, where it has one.
    pub state_folder: Option<&'static str>,
}

// A tool that another one started inherits the variables of that; which of two is the inner one
// cannot be told, so the order is fixed.
/// All of them.
pub const HOST_SIGNS: &[HostSign] = &[
    HostSign {
        host: SessionHost::Claude,
        variable: "CLAUDECODE",
        session_variable: Some("CLAUDE_CODE_SESSION_ID"),
        state_folder: Some(".claude"),
    },
    HostSign {
        host: SessionHost::Copilot,
        variable: "COPILOT_AGENT_SESSION_ID",
        session_variable: Some("COPILOT_AGENT_SESSION_ID"),
        state_folder: None,
    },
    HostSign {
        host: SessionHost::Opencode,
        variable: "OPENCODE",
        session_variable: None,
        state_folder: Some(".opencode"),
    },
    HostSign {
        host: SessionHost::Gemini,
        variable: "GEMINI_CLI",
        session_variable: None,
        state_folder: None,
    },
    HostSign {
        host: SessionHost::Codex,
        variable: "CODEX_THREAD_ID",
        session_variable: Some("CODEX_THREAD_ID"),
        state_folder: Some(".codex"),
    },
    HostSign {
        host: SessionHost::Codex,
        variable: "CODEX_SANDBOX",
        session_variable: None,
        state_folder: Some(".codex"),
    },
];

impl HostSign {
    /// Whether it is there.
    pub fn is_set(&self, caller: &Caller) -> bool {
        value(caller, self.variable).is_some()
    }

    /// The id of the session that it stands for.
    pub fn session(&self, caller: &Caller) -> Option<String> {
        value(caller, self.session_variable?).map(str::to_owned)
    }
}

/// What a variable has, unless that is nothing.
fn value<'c>(caller: &'c Caller, name: &str) -> Option<&'c str> {
    let value = caller.vars.get(name).map(String::as_str);
    value.filter(|it| !it.is_empty())
}

/// The folder of debates in the folder in which a host keeps its state.
pub const STATE_FOLDER: &str = "debate";

/// Whether an AI host asks.
pub fn is_in_host(caller: &Caller) -> bool {
    let has_state_dir = caller
        .vars
        .get("AI_STATE_DIR")
        .is_some_and(|value| !value.is_empty());
    caller.is_hosted || has_state_dir || HOST_SIGNS.iter().any(|sign| sign.is_set(caller))
}

/// The folder that the user's environment names.
pub fn state_folder_of_user(caller: &Caller) -> Option<PathBuf> {
    let named = caller.vars.get("AI_STATE_DIR");
    let named = named.filter(|dir| !dir.is_empty())?;
    Some(caller.cwd.join(named))
}

/// The folder in the project in which the host that asks keeps its state.
pub fn state_folder_in_project(caller: &Caller) -> Option<&'static str> {
    let mut present = HOST_SIGNS.iter().filter(|sign| sign.is_set(caller));
    present.find_map(|sign| sign.state_folder)
}
