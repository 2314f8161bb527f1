//! The file in which a program that hosts us finds the last debate.

use std::path::{Path, PathBuf};

use agon_record::state::State;
use agon_report::last_debate_json;
use agon_store::{DiskError, RealDisk, write_file_atomically, write_file_below};
use jiff::Timestamp;

use crate::caller::Caller;
use crate::host_sign::HOST_SIGNS;
use crate::system::now_ms;

/// The folder of debates in the folder in which a host keeps its state.
pub(crate) const STATE_FOLDER: &str = "debate";

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
    let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
    let timestamp = Timestamp::from_millisecond(now)
        .unwrap_or_default()
        .to_string();
    let bytes = last_debate_json(state, &timestamp);
    let file = Path::new(STATE_FOLDER).join("last-debate.json");
    if let Some(folder) = state_folder_of_user(caller) {
        return write_file_atomically(&RealDisk, &folder.join(&file), &bytes);
    }
    if let Some(folder) = state_folder_in_project(caller) {
        let below = Path::new(folder).join(file);
        match write_file_below(&RealDisk, &caller.project(), &below, &bytes) {
            // A link there can lead out of the project.
            Err(error) if error.is_unfit() => {}
            written => return written,
        }
    }
    let debates = caller.cwd.join(debates_dir);
    let below = Path::new(".agon/last-debate.json");
    write_file_below(&RealDisk, &debates, below, &bytes)
}

/// The folder that the user's environment names.
pub(crate) fn state_folder_of_user(caller: &Caller) -> Option<PathBuf> {
    let named = caller.vars.get("AI_STATE_DIR");
    let named = named.filter(|dir| !dir.is_empty())?;
    Some(caller.cwd.join(named))
}

/// The folder in the project in which the host that asks keeps its state.
pub(crate) fn state_folder_in_project(caller: &Caller) -> Option<&'static str> {
    let mut present = HOST_SIGNS.iter().filter(|sign| sign.is_set(caller));
    present.find_map(|sign| sign.state_folder)
}
