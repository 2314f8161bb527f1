//! The profile table of a model that runs in this process.

use std::collections::BTreeMap;

use agon_record::spec::ToolName;
use serde::Deserialize;

use super::{Profile, explicit_model};

/// The name of the tool that runs a model in this process.
pub const LOCAL: &str = "local";

/// The prefix before the model in the name of such a tool.
const PREFIX: &str = "local:";

/// The models that run in this process.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// The default model.
    pub model: String,
    /// The user's own models, by name: `path`, or `file`, `size`, `sha256` and `sources`.
    #[serde(default)]
    pub models: BTreeMap<String, toml::Table>,
}

impl Weights {
    /// Returns the given model, or else the default model.
    pub fn model_or_default<'a>(&'a self, model: Option<&'a str>) -> &'a str {
        explicit_model(model).unwrap_or(&self.model)
    }
}

impl Profile {
    /// Returns the profile of the tool `local:MODEL`, derived from the profile `local` with MODEL
    /// as the default. `None` if the name has another form.
    ///
    /// ```
    /// # use agon_agents::{Profiles, profile::LOCAL};
    /// let local = Profiles::builtin()?.find(&LOCAL.parse()?).cloned().ok_or("no profile")?;
    /// let other = local.for_local_model(&"local:qwen2.5-1.5b-instruct".parse()?).ok_or("no name")?;
    /// assert_eq!(other.weights.map(|weights| weights.model), Some("qwen2.5-1.5b-instruct".into()));
    /// assert_eq!(local.for_local_model(&"local".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_local_model(&self, name: &ToolName) -> Option<Self> {
        let model = name.as_str().strip_prefix(PREFIX)?;
        let mut profile = self.clone();
        let weights = profile.weights.as_mut().filter(|_| !model.is_empty())?;
        weights.model = model.to_owned();
        profile.name = name.clone();
        profile.install.hint = format!("agon model pull {model}");
        Some(profile)
    }
}
