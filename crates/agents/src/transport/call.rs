//! What every call has: a place in line, a folder of its own, and a guess at its cost.

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

/// The line for a tool: so many calls at once, in whichever way it is spoken to.
#[derive(Clone, Debug)]
pub(crate) struct CallSlots(Arc<Semaphore>);

impl CallSlots {
    /// The line for the tool of a profile.
    pub(crate) fn of(profile: &Profile) -> Self {
        Self(Arc::new(Semaphore::new(profile.concurrency)))
    }

    /// Waits in line for a place.
    pub(super) async fn take(
        &self,
        cancel: &CancellationToken,
    ) -> Result<OwnedSemaphorePermit, CallFailure> {
        let places = Arc::clone(&self.0);
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(CallFailure::Cancelled),
            place = places.acquire_owned() => {
                place.map_err(|_| CallFailure::Bug("the line for a tool is closed"))
            }
        }
    }
}

/// A folder of ours for a tool, gone when dropped.
#[derive(Debug)]
pub(crate) struct PrivateCallFolder {
    folder: PrivateFolder,
}

impl PrivateCallFolder {
    /// What it reads as a project is empty; what it writes for us is in a folder beside it.
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

    /// Writes the files of a profile there.
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

    /// A folder with nothing in it.
    pub(crate) fn empty_folder(&self) -> PathBuf {
        self.path().join(EMPTY)
    }

    /// For its temporary files: some leave reports there, with the prompt in them.
    pub(crate) fn temp_folder(&self) -> PathBuf {
        self.path().join(TEMP)
    }

    /// The folder around both.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The model that was chosen, if its name can be one.
pub(crate) fn validate_model_name(name: Option<&str>) -> Result<Option<&str>, CallFailure> {
    match explicit_model(name) {
        Some(name) if !is_model_name(name) => Err(CallFailure::ModelName),
        chosen => Ok(chosen),
    }
}

/// Whether the name is safe as a command-line argument behind a switch: no leading `-`, no unusual
/// characters, at most 128 bytes.
pub fn is_model_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._:/@+-[]~".contains(&byte);
    name.len() <= 128 && !name.starts_with('-') && name.bytes().all(allowed)
}

/// An error that cost neither tokens nor time.
pub(super) fn error_without_cost(failure: CallFailure) -> AgentError {
    AgentError {
        failure,
        usage: None,
        took: Duration::ZERO,
    }
}

// Chosen, not measured: at four bytes each it is 65,536 tokens. A tool's own noise beyond it would
// count as spent; a longer answer is counted too low.
/// Bytes of output that are taken for what a model wrote, at the most.
pub(super) const MAX_WRITTEN: usize = 256 * 1024;

/// About four bytes make a token.
pub(super) fn estimate(prompt: &str, output: usize) -> Usage {
    let tokens = |bytes: usize| u64::try_from(bytes).unwrap_or(u64::MAX).div_ceil(4);
    Usage {
        input: tokens(prompt.len()),
        output: tokens(output),
        estimated: true,
        ..Usage::default()
    }
}
