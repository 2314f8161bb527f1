//! Every tool there is: ours, as the user changed them, and the user's own.

use std::collections::BTreeMap;

use agon_record::spec::ToolName;

use super::overlay::overlay_table;
use super::{Profile, ProfileError, api, command};

/// The profiles this program brings along, in the order they are shown.
const BUILTIN: &[(&str, &str)] = &[
    ("claude", include_str!("../../tools/claude.toml")),
    ("codex", include_str!("../../tools/codex.toml")),
    ("gemini", include_str!("../../tools/gemini.toml")),
    ("opencode", include_str!("../../tools/opencode.toml")),
    ("copilot", include_str!("../../tools/copilot.toml")),
    ("kiro", include_str!("../../tools/kiro.toml")),
    ("human", include_str!("../../tools/human.toml")),
    ("local", include_str!("../../tools/local.toml")),
];

/// The tools that can be seated, in the order they are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Profiles(Vec<Profile>);

impl Profiles {
    /// The tools this program brings along.
    ///
    /// # Errors
    ///
    /// Never with the profiles as they are; a test holds them to it.
    pub fn builtin() -> Result<Self, ProfilesError> {
        Self::with_overrides(&BTreeMap::new())
    }

    /// The tools this program brings along, changed by the user's tables, and
    /// further tools of the user's.
    ///
    /// A table with the name of a tool here changes it: tables are laid over
    /// each other, lists and values replaced. One with the name of an agent by its program,
    /// such as `acp:my-agent`, changes what holds for those, and one with the name of a model,
    /// such as `openai:qwen3@http://127.0.0.1:11434/v1`, what holds for that. One with a table
    /// `http` is a model's server, and need say no more than that. Any other table is a whole
    /// profile; its `name` may be left out.
    ///
    /// # Errors
    ///
    /// If a profile cannot be used as it then is.
    pub fn with_overrides(
        overrides: &BTreeMap<String, toml::Table>,
    ) -> Result<Self, ProfilesError> {
        let mut all = Vec::new();
        for &(name, text) in BUILTIN {
            let mut table: toml::Table = toml::from_str(text)
                .map_err(|cause| ProfilesError::new(name, ProfileError::from_toml_error(cause)))?;
            if let Some(over) = overrides.get(name) {
                overlay_table(&mut table, over);
            }
            all.push(profile_from_table(name, table)?);
        }
        for (name, table) in overrides {
            if !BUILTIN.iter().any(|(builtin, _)| builtin == name) {
                all.push(profile_from_table(name, user_tool_table(name, table)?)?);
            }
        }
        Ok(Self(all))
    }

    /// The profiles of these names, and no others.
    pub fn filter_by_name(&self, names: &[ToolName]) -> Self {
        let chosen = self.iter().filter(|profile| names.contains(&profile.name));
        Self(chosen.cloned().collect())
    }

    /// Besides these profiles, one for each name that is that of a program which speaks the Agent
    /// Client Protocol, or of a model: see [`Profile::from_acp_name`] and [`Profile::from_model_name`].
    ///
    /// Such a program is started, and such a server asked, because the name says so: the names
    /// have to be the user's own.
    #[must_use]
    pub fn with_user_named<'a>(self, names: impl IntoIterator<Item = &'a ToolName>) -> Self {
        let model = |name| Profile::from_model_name(name).ok().flatten();
        let of = |name| Profile::from_acp_name(name).or_else(|| model(name));
        self.add_missing(names.into_iter().filter_map(of))
    }

    /// Besides these profiles, one for each name of a model that may be asked because a record
    /// names it: see [`Profile::is_trusted_endpoint`].
    #[must_use]
    pub fn with_trusted_endpoints<'a>(self, names: impl IntoIterator<Item = &'a ToolName>) -> Self {
        let models = names
            .into_iter()
            .filter_map(|name| Profile::from_model_name(name).ok()?);
        self.add_missing(models.filter(Profile::is_trusted_endpoint))
    }

    fn add_missing(mut self, profiles: impl Iterator<Item = Profile>) -> Self {
        for profile in profiles {
            if self.find(&profile.name).is_none() {
                self.0.push(profile);
            }
        }
        self
    }

    /// Besides these profiles, one for each name that is that of a model in this process: see
    /// [`Profile::for_local_model`]. Nothing is started for one, so anybody may name it.
    #[must_use]
    pub fn with_local_models<'a>(mut self, names: impl IntoIterator<Item = &'a ToolName>) -> Self {
        for name in names {
            let made = self
                .iter()
                .find_map(|profile| profile.for_local_model(name));
            if let Some(made) = made.filter(|_| self.find(name).is_none()) {
                self.0.push(made);
            }
        }
        self
    }

    /// Every profile.
    pub fn iter(&self) -> impl Iterator<Item = &Profile> {
        self.0.iter()
    }

    /// The profile of a tool.
    pub fn find(&self, name: &ToolName) -> Option<&Profile> {
        self.0.iter().find(|profile| profile.name == *name)
    }
}

/// The whole table of a tool of the user's.
fn user_tool_table(name: &str, table: &toml::Table) -> Result<toml::Table, ProfilesError> {
    if let Some(mut whole) = command::acp_agent_table(name) {
        overlay_table(&mut whole, table);
        return Ok(whole);
    }
    let address = |cause| ProfilesError::new(name, ProfileError::Address(cause));
    let model = api::model_table(name).map_err(address)?;
    // What the name says goes first, so that the user's table may say otherwise.
    let mut said = toml::Table::new();
    if let Some(http) = model.as_ref().and_then(|model| model.get("http")) {
        let http = http.as_table().into_iter().flatten();
        let named = http.filter(|(key, _)| ["adapter", "url", "model"].contains(&key.as_str()));
        let named = named.map(|(key, value)| (key.clone(), value.clone()));
        said.insert("http".into(), toml::Value::Table(named.collect()));
    }
    overlay_table(&mut said, table);
    let completed = api::complete_server_table(&said).map_err(address)?;
    Ok(completed.unwrap_or(said))
}

fn profile_from_table(name: &str, mut table: toml::Table) -> Result<Profile, ProfilesError> {
    // The key decides: a profile cannot take another's name.
    table.insert("name".into(), name.into());
    Profile::from_table(table).map_err(|cause| ProfilesError::new(name, cause))
}

/// Why the profile of a tool cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the profile of `{tool}` cannot be used")]
pub struct ProfilesError {
    /// The tool.
    pub tool: String,
    /// What is wrong with its profile.
    #[source]
    pub cause: ProfileError,
}

impl ProfilesError {
    fn new(tool: &str, cause: ProfileError) -> Self {
        Self {
            tool: tool.to_owned(),
            cause,
        }
    }
}
