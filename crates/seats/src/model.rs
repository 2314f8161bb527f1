//! The models that answer in this program, and bringing them here.

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
pub use here::{format_bytes, list, locate_model, pull};
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(feature = "local-model")]
use tokio_util::sync::CancellationToken;

/// The version of the list of models.
pub const MODELS_SCHEMA: &str = "agon.models/1";

/// The version of what is said of one model.
pub const MODEL_SCHEMA: &str = "agon.model/1";

/// The models that can answer in this program.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelsDoc {
    /// The name and version of this document.
    pub schema: &'static str,
    /// The folder where they lie.
    pub folder: String,
    /// Each of them, the known ones first.
    pub models: Vec<ModelEntry>,
}

/// A model, and where it lies.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelDoc {
    /// The name and version of this document.
    pub schema: &'static str,
    /// The model.
    pub model: ModelEntry,
    /// Whether it was fetched just now.
    pub fetched: bool,
}

/// A model.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelEntry {
    /// What it is called.
    pub name: String,
    /// What its maker calls it.
    pub title: String,
    /// What it is good for.
    pub about: String,
    /// The name of its file.
    pub file: String,
    /// The bytes of its file; null where that is not known.
    pub size: Option<u64>,
    /// The SHA-256 of its file; null for a file of the user's own.
    pub sha256: Option<String>,
    /// The licence of its weights; null where that is not known.
    pub licence: Option<String>,
    /// The tokens that a prompt and its answer may have together.
    pub budget: u32,
    /// Whether it is the one that `local` is asked for.
    pub usual: bool,
    /// Where it lies; null when it is not here.
    pub path: Option<String>,
}

/// Shows how far a model's file has come.
#[cfg(feature = "local-model")]
pub trait PullProgress: PullWatch {
    /// It comes no further.
    fn finish(&self);
}

/// Shows nothing of a pull.
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

/// Shows a pull, and can stop it.
#[cfg(feature = "local-model")]
pub trait PullFront: Notes {
    /// A pull begins; cancelling the token stops it.
    fn begin_pull(&mut self) -> (Box<dyn PullProgress>, CancellationToken);
}

/// What a program without a model in itself says of one.
pub fn no_local_model_failure(name: Option<&str>) -> Failure {
    let pull = name.map_or_else(String::new, |name| format!(" {name}"));
    let message = "this build has no model in itself";
    Failure::new(Code::NoLocalModel, message).hint(format!(
        "released builds have one, and so does the one of `cargo install --path crates/cli \
         --features local-model`; there, agon model pull{pull} fetches it; or name a tool that is \
         here (agon tools)"
    ))
}
