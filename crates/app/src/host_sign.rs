//! By which variables an AI tool tells what it starts that it is there.

use agon_sessions::SessionHost;

use crate::caller::Caller;

/// A variable that an AI tool sets for what it starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostSign {
    /// The tool.
    pub(crate) host: SessionHost,
    /// The variable.
    pub(crate) variable: &'static str,
    /// The one that has the id of the session, where there is one.
    pub(crate) session_variable: Option<&'static str>,
    /// The folder of the project in which the tool keeps its state, where it has one.
    pub(crate) state_folder: Option<&'static str>,
}

// A tool that another one started inherits the variables of that; which of two is the inner one
// cannot be told, so the order is fixed.
/// All of them.
pub(crate) const HOST_SIGNS: &[HostSign] = &[
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
    pub(crate) fn is_set(&self, caller: &Caller) -> bool {
        value(caller, self.variable).is_some()
    }

    /// The id of the session that it stands for.
    pub(crate) fn session(&self, caller: &Caller) -> Option<String> {
        value(caller, self.session_variable?).map(str::to_owned)
    }
}

/// What a variable has, unless that is nothing.
fn value<'c>(caller: &'c Caller, name: &str) -> Option<&'c str> {
    let value = caller.vars.get(name).map(String::as_str);
    value.filter(|it| !it.is_empty())
}
