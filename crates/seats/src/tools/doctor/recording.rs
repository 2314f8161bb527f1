//! What tools print, recorded, so that they are held against it later.

use std::fs;
use std::path::Path;

use agon_agents::drift::{Recording, builtin_recording, run_scripted_exchange};
use agon_agents::{DetectedTool, Environment};
use agon_caller::{CallFront, Caller, Failure, FailureKind, error_chain};

use super::looked::Unknown;
use super::request::{DoctorRequest, RecordRequest};
use super::selection::{detect_selected, require_not_cancelled};

/// What came of recording the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Whether every tool that is here was recorded.
    pub is_complete: bool,
    /// Whether one that was named is not here.
    pub is_missing: bool,
}

/// Hears of each recording as it is written.
pub trait RecordFront: CallFront {
    /// A recording was written to `path`.
    ///
    /// # Errors
    ///
    /// If it cannot be shown.
    fn recording_written(&mut self, path: &Path) -> Result<(), Failure>;
}

/// Writes a recording of every tool that is here.
///
/// # Errors
///
/// If one cannot be written, an unknown tool is named, or it is cancelled.
pub async fn record(
    caller: &Caller,
    request: &RecordRequest,
    front: &mut dyn RecordFront,
) -> Result<Recorded, Failure> {
    let tools = detect_selected(caller, &request.tools).await?;
    let here = Environment::new(caller.vars_os.clone());
    let cancel = front.cancel_token();
    let folder = caller.cwd.join(&request.folder);
    fs::create_dir_all(&folder).map_err(|cause| unwritable(&folder, &cause))?;
    let mut outcome = Recorded {
        is_complete: true,
        is_missing: false,
    };
    let missing = tools.detected().filter(|found| found.path.is_none());
    for found in missing.filter(|found| request.tools.contains(&found.profile.name)) {
        front.note(&format!("{} is not installed", found.profile.name));
        outcome.is_missing = true;
    }
    for found in tools.detected().filter(|found| found.path.is_some()) {
        let name = &found.profile.name;
        front.note(&format!("an exchange with {name}"));
        let exchanged = run_scripted_exchange(found, &here, &cancel).await;
        require_not_cancelled(&cancel)?;
        let failed = match exchanged {
            Ok(exchanged) if exchanged.failed.is_none() => {
                let path = folder.join(file_name(name.as_str()));
                let text = exchanged.recording.text();
                fs::write(&path, text).map_err(|cause| unwritable(&path, &cause))?;
                front.recording_written(&path)?;
                continue;
            }
            Ok(exchanged) => exchanged.failed.unwrap_or_default(),
            Err(error) => error_chain(&error),
        };
        front.note(&format!("  {name} is not recorded: {failed}"));
        outcome.is_complete = false;
    }
    Ok(outcome)
}

fn unwritable(path: &Path, cause: &std::io::Error) -> Failure {
    let message = format!("cannot write {}: {cause}", path.display());
    Failure::new(FailureKind::Store, "store", message).parameter("record")
}

/// The most bytes of a recording that are read.
const MAX_BYTES: u64 = 4 << 20;

/// The recording of a tool, or why there is none.
pub(super) fn read_recording(
    caller: &Caller,
    request: &DoctorRequest,
    found: &DetectedTool,
) -> Result<Recording, Unknown> {
    let against = |why| Unknown { why, against: true };
    let name = found.profile.name.as_str();
    let text = match &request.against {
        Some(dir) => {
            let path = caller.cwd.join(dir).join(file_name(name));
            agon_files::read_to_string(&path, MAX_BYTES)
                .map_err(|cause| against(format!("cannot read {}: {cause}", path.display())))?
        }
        None => builtin_recording(name)
            .ok_or_else(|| Unknown {
                why: "there is no recording of it; --record DIR makes one".to_owned(),
                against: false,
            })?
            .to_owned(),
    };
    Recording::parse(&text)
        .map_err(|error| against(format!("its recording cannot be read: {error}")))
}

/// A tool's name can hold what a file's cannot.
fn file_name(tool: &str) -> String {
    format!("{}.jsonl", tool.replace(['/', ':'], "_"))
}
