//! Records the last debate in a file for the host program.

use std::path::Path;

use agon_caller::Caller;
use agon_caller::host_sign::{STATE_FOLDER, state_folder_in_project, state_folder_of_user};
use agon_caller::system::now_ms;
use agon_record::state::State;
use agon_report::last_debate_json;
use agon_store::{DiskError, RealDisk, write_file_atomically, write_file_below};
use jiff::Timestamp;

/// Writes the debate to the host's file, or to one beside the debates.
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
            // Ignore a link in the project, because it could lead out of it.
            Err(error) if error.is_unexpected_file() => {}
            written => return written,
        }
    }
    let debates = caller.cwd.join(debates_dir);
    let below = Path::new(".agon/last-debate.json");
    write_file_below(&RealDisk, &debates, below, &bytes)
}
