//! `agon model`: the models that answer in this program, and bringing them here.

#[cfg(feature = "local-model")]
mod here;
#[cfg(feature = "local-model")]
mod pip;
#[cfg(feature = "local-model")]
mod progress;

use agon_config::Settings;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::{Global, ModelCommand};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::settings;

/// The version of the list of models.
pub(crate) const MODELS_SCHEMA: &str = "agon.models/1";

/// The version of what is said of one model.
pub(crate) const MODEL_SCHEMA: &str = "agon.model/1";

/// The models that can answer in this program.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelsDoc {
    /// The name and version of this document.
    pub(crate) schema: &'static str,
    /// The folder where they lie.
    pub(crate) folder: String,
    /// Each of them, the known ones first.
    pub(crate) models: Vec<ModelEntry>,
}

/// A model, and where it lies.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelDoc {
    /// The name and version of this document.
    pub(crate) schema: &'static str,
    /// The model.
    pub(crate) model: ModelEntry,
    /// Whether it was fetched just now.
    pub(crate) fetched: bool,
}

/// A model.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelEntry {
    /// What it is called.
    pub(crate) name: String,
    /// What its maker calls it.
    pub(crate) title: String,
    /// What it is good for.
    pub(crate) about: String,
    /// The name of its file.
    pub(crate) file: String,
    /// The bytes of its file; null where that is not known.
    pub(crate) size: Option<u64>,
    /// The SHA-256 of its file; null for a file of the user's own.
    pub(crate) sha256: Option<String>,
    /// The licence of its weights; null where that is not known.
    pub(crate) licence: Option<String>,
    /// The tokens that a prompt and its answer may have together.
    pub(crate) budget: u32,
    /// Whether it is the one that `local` is asked for.
    pub(crate) usual: bool,
    /// Where it lies; null when it is not here.
    pub(crate) path: Option<String>,
}

/// Runs `agon model`.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    command: &ModelCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let settings = settings::resolve(edge, global, &Settings::default())?.settings;
    #[cfg(feature = "local-model")]
    return here::run(edge, (&settings, global.json), command, out).await;
    #[cfg(not(feature = "local-model"))]
    none_in_here(&settings, command.name(), out).map(|()| Exit::Done)
}

/// Sees that a model is here, with progress on stderr; without a name, the one that `local` is
/// asked for.
///
/// # Errors
///
/// If it cannot be had, or this program was built without a model in itself.
pub(crate) async fn ensure(
    edge: &Edge,
    settings: &Settings,
    name: Option<&str>,
    out: &mut Out,
) -> Result<(), Failure> {
    #[cfg(feature = "local-model")]
    return here::ensure(edge, settings, name, out).await.map(drop);
    #[cfg(not(feature = "local-model"))]
    {
        // Nothing here depends on where the program was started.
        let Edge { .. } = edge;
        none_in_here(settings, name, out)
    }
}

/// What a program without a model in itself says of one.
#[cfg(not(feature = "local-model"))]
fn none_in_here(_settings: &Settings, name: Option<&str>, _out: &mut Out) -> Result<(), Failure> {
    let pull = name.map_or_else(String::new, |name| format!(" {name}"));
    let message = "this build has no model in itself";
    Err(
        Failure::new(Exit::Tool, "no_local_model", message).hint(format!(
            "build it with one: cargo install --path crates/cli --features local-model, then \
         agon model pull{pull}; or name a tool that is here (agon tools)"
        )),
    )
}
