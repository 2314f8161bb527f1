//! Common parts of all calls: the call slots, the private folder and the usage estimate.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agon_proc::PrivateFolder;
use agon_record::event::Usage;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::agent::{AgentError, CallFailure};
use crate::environment::Environment;
use crate::profile::{EMPTY, Profile, TEMP, explicit_model};

/// The call slots of a tool, which limit its simultaneous calls over all transports.
#[derive(Clone, Debug)]
pub(crate) struct CallSlots(Arc<Semaphore>);

impl CallSlots {
    /// Creates the call slots for a profile's tool.
    ///
    /// With shared limits there is no other limit, because they already hold back each call.
    pub(crate) fn of(profile: &Profile, here: &Environment) -> Self {
        let slots = match here.call_limits() {
            Some(_) => Semaphore::MAX_PERMITS,
            None => profile.concurrency,
        };
        Self(Arc::new(Semaphore::new(slots)))
    }

    /// Waits for a free slot.
    pub(super) async fn take(
        &self,
        cancel: &CancellationToken,
    ) -> Result<OwnedSemaphorePermit, CallFailure> {
        let places = Arc::clone(&self.0);
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(CallFailure::Cancelled),
            place = places.acquire_owned() => {
                place.map_err(|_| CallFailure::Bug("the call slots of a tool are closed"))
            }
        }
    }
}

/// A private folder for a call, deleted when dropped.
#[derive(Debug)]
pub(crate) struct PrivateCallFolder {
    folder: PrivateFolder,
}

impl PrivateCallFolder {
    /// Creates the folder, with an empty project folder and a separate folder for temporary files.
    pub(crate) fn make(here: &Environment) -> Result<Self, CallFailure> {
        let folder = here
            .private_places()
            .make_folder()
            .map_err(CallFailure::NoPlace)?;
        for made in [EMPTY, TEMP] {
            folder.make_subfolder(made).map_err(CallFailure::Folder)?;
        }
        Ok(Self { folder })
    }

    /// Writes a profile's files into the folder.
    pub(crate) fn with_files(self, files: &BTreeMap<String, String>) -> Result<Self, CallFailure> {
        for (name, text) in files {
            let path = self.path().join(name);
            let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            folder
                .and_then(|()| std::fs::write(path, text))
                .map_err(CallFailure::Folder)?;
        }
        Ok(self)
    }

    /// Returns the empty project folder.
    pub(crate) fn empty_folder(&self) -> PathBuf {
        self.path().join(EMPTY)
    }

    /// Returns the folder for temporary files. It is private because some tools leave reports with
    /// the prompt there.
    pub(crate) fn temp_folder(&self) -> PathBuf {
        self.path().join(TEMP)
    }

    /// Returns the path of the private folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Returns the chosen model, if its name is valid.
pub(crate) fn validate_model_name(name: Option<&str>) -> Result<Option<&str>, CallFailure> {
    match explicit_model(name) {
        Some(name) if !is_model_name(name) => Err(CallFailure::ModelName),
        chosen => Ok(chosen),
    }
}

/// Returns whether a name is safe as an argument after a flag: no leading `-`, no unusual
/// characters, at most 128 bytes.
pub fn is_model_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._:/@+-[]~".contains(&byte);
    name.len() <= 128 && !name.starts_with('-') && name.bytes().all(allowed)
}

/// Creates an error that cost neither tokens nor time.
pub(crate) fn error_without_usage(failure: CallFailure) -> AgentError {
    AgentError {
        failure,
        usage: None,
        took: Duration::ZERO,
    }
}

// Chosen, not measured: 65,536 tokens at four bytes each. A higher limit would count more of a
// tool's own messages as tokens; with this one, a longer answer is underestimated.
/// The maximum number of output bytes that are counted as written by a model.
pub(super) const MAX_WRITTEN: usize = 256 * 1024;

/// Estimates the usage at four bytes per token.
pub(super) fn estimate(prompt: &str, output: usize) -> Usage {
    let tokens = |bytes: usize| u64::try_from(bytes).unwrap_or(u64::MAX).div_ceil(4);
    Usage {
        input: tokens(prompt.len()),
        output: tokens(output),
        estimated: true,
        ..Usage::default()
    }
}
