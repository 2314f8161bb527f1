//! The file in which a program that hosts us finds the last debate.

use std::path::{Path, PathBuf};

use agon_record::state::State;
use agon_report::last_debate_json;
use agon_store::{DiskError, RealDisk, write_file_atomically};
use jiff::Timestamp;

use crate::caller::Caller;
use crate::host_sign::HOST_SIGNS;
use crate::system::now_ms;

/// Whether an AI host asks.
pub(crate) fn is_in_host(caller: &Caller) -> bool {
    let has_state_dir = caller
        .vars
        .get("AI_STATE_DIR")
        .is_some_and(|value| !value.is_empty());
    caller.is_hosted || has_state_dir || HOST_SIGNS.iter().any(|sign| sign.is_set(caller))
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
    let mut present = HOST_SIGNS.iter().filter(|sign| sign.is_set(caller));
    let folder = present.find_map(|sign| sign.state_folder)?;
    Some(caller.project().join(folder))
}
