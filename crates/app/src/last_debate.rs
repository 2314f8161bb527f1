//! The file in which a program that hosts us finds the last debate.

use std::path::{Path, PathBuf};

use agon_record::state::State;
use agon_report::last_debate_json;
use agon_store::{DiskError, RealDisk, write_file_atomically};
use jiff::Timestamp;

use crate::caller::Caller;
use crate::system::now_ms;

/// What a host sets in the environment, and the folder it keeps its state in.
const HOSTS: &[(&str, &str)] = &[
    ("CLAUDECODE", ".claude"),
    ("OPENCODE", ".opencode"),
    ("CODEX_SANDBOX", ".codex"),
    ("CODEX_THREAD_ID", ".codex"),
];

/// What other hosts set, whose state has no folder in the project.
const OTHER_HOSTS: [&str; 3] = ["AI_STATE_DIR", "GEMINI_CLI", "COPILOT_AGENT_SESSION_ID"];

/// Whether an AI host asks.
pub(crate) fn is_in_host(caller: &Caller) -> bool {
    let is_set = |name: &str| caller.vars.get(name).is_some_and(|value| !value.is_empty());
    let names = HOSTS.iter().map(|(name, _)| *name);
    caller.is_hosted || names.chain(OTHER_HOSTS).any(is_set)
}

/// Writes the debate where the host looks for it, else beside the debates.
///
/// # Errors
///
/// If the file cannot be written.
pub(crate) fn write(caller: &Caller, debates_dir: &Path, state: &State) -> Result<(), DiskError> {
    let path = match host_folder(caller) {
        Some(folder) => folder.join("debate/last-debate.json"),
        None => caller.cwd.join(debates_dir).join(".agon/last-debate.json"),
    };
    let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
    let timestamp = Timestamp::from_millisecond(now)
        .unwrap_or_default()
        .to_string();
    write_file_atomically(&RealDisk, &path, &last_debate_json(state, &timestamp))
}

fn host_folder(caller: &Caller) -> Option<PathBuf> {
    if let Some(dir) = caller
        .vars
        .get("AI_STATE_DIR")
        .filter(|dir| !dir.is_empty())
    {
        return Some(caller.cwd.join(dir));
    }
    let inside = |(variable, _): &&(&str, &str)| {
        caller
            .vars
            .get(*variable)
            .is_some_and(|value| !value.is_empty())
    };
    let (_, folder) = HOSTS.iter().find(inside)?;
    Some(caller.project().join(folder))
}
