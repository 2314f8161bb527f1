//! All tool profiles: the built-in ones with the user's changes, and the ones that the user adds.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use agon_record::spec::ToolName;

use super::overlay::overlay_table;
use super::{Profile, ProfileError, api, command};

/// The built-in profiles, in display order.
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

/// The built-in profiles as they are delivered. They are not checked at run time, because a test
/// does: compiling their patterns takes a quarter of the time of `agon debate --dry-run`.
static UNCHANGED: LazyLock<Vec<Profile>> = LazyLock::new(|| {
    let parse = |&(_, text): &(&str, &str)| toml::from_str(text).ok();
    let parsed: Option<Vec<Profile>> = BUILTIN.iter().map(parse).collect();
    parsed.unwrap_or_default()
});

/// The profiles of all tools, in display order.
#[derive(Clone, Debug, PartialEq)]
pub struct Profiles(Vec<Profile>);

impl Profiles {
    /// Returns the built-in profiles.
    ///
    /// # Errors
    ///
    /// Never with the current profiles, as a test checks.
    pub fn builtin() -> Result<Self, ProfilesError> {
        Self::with_overrides(&BTreeMap::new())
    }

    /// Returns the built-in profiles with the changes from the user's tables, and the user's own
    /// profiles.
    ///
    /// A table with the name of a built-in tool changes that tool: tables are merged, lists and
    /// values are replaced. A table with an agent name such as `acp:my-agent`, or a model name such
    /// as `openai:qwen3@http://127.0.0.1:11434/v1`, changes the defaults for that agent or model. A
    /// table with an `http` table is a model server and needs nothing else. Any other table is a
    /// complete profile; its `name` may be omitted.
    ///
    /// # Errors
    ///
    /// If a resulting profile is not valid.
    pub fn with_overrides(
        overrides: &BTreeMap<String, toml::Table>,
    ) -> Result<Self, ProfilesError> {
        let mut all = Vec::new();
        for (at, &(name, text)) in BUILTIN.iter().enumerate() {
            if !overrides.contains_key(name)
                && let Some(profile) = UNCHANGED.get(at)
            {
                all.push(profile.clone());
                continue;
            }
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

    /// Returns only the profiles with these names.
    pub fn filter_by_name(&self, names: &[ToolName]) -> Self {
        let chosen = self.iter().filter(|profile| names.contains(&profile.name));
        Self(chosen.cloned().collect())
    }

    /// Adds a profile for each name of an Agent Client Protocol program or a model: see
    /// [`Profile::from_acp_name`] and [`Profile::from_model_name`].
    ///
    /// The name alone makes Agon start such a program or call such a server, so the names must come
    /// from the user.
    #[must_use]
    pub fn with_user_named<'a>(self, names: impl IntoIterator<Item = &'a ToolName>) -> Self {
        let model = |name| Profile::from_model_name(name).ok().flatten();
        let of = |name| Profile::from_acp_name(name).or_else(|| model(name));
        self.add_missing(names.into_iter().filter_map(of))
    }

    /// Adds a profile for each name of a model that may be called because a record names it: see
    /// [`Profile::is_trusted_endpoint`].
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

    /// Adds a profile for each name of a model in this process: see [`Profile::for_local_model`]. No
    /// program is started for it, so the names may come from anyone.
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

    /// Returns all profiles.
    pub fn iter(&self) -> impl Iterator<Item = &Profile> {
        self.0.iter()
    }

    /// Returns the profile of a tool.
    pub fn find(&self, name: &ToolName) -> Option<&Profile> {
        self.0.iter().find(|profile| profile.name == *name)
    }
}

/// Returns the complete table of a tool that the user defines.
fn user_tool_table(name: &str, table: &toml::Table) -> Result<toml::Table, ProfilesError> {
    if let Some(mut whole) = command::acp_agent_table(name) {
        overlay_table(&mut whole, table);
        return Ok(whole);
    }
    let address = |cause| ProfilesError::new(name, ProfileError::Address(cause));
    let model = api::model_table(name).map_err(address)?;
    // Start with the values from the name, so that the user's table can override them.
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
    // Set the name from the table's key, so that a profile cannot take another tool's name.
    table.insert("name".into(), name.into());
    Profile::from_table(table).map_err(|cause| ProfilesError::new(name, cause))
}

/// The error for a tool whose profile is not valid.
#[derive(Debug, thiserror::Error)]
#[error("the profile of `{tool}` is not valid")]
pub struct ProfilesError {
    /// The tool.
    pub tool: String,
    /// The problem in the profile.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unchanged_profile_is_valid_and_has_the_name_of_its_file() {
        assert_eq!(UNCHANGED.len(), BUILTIN.len());
        for ((name, text), unchanged) in BUILTIN.iter().zip(UNCHANGED.iter()) {
            assert_eq!(
                Profile::parse(text).as_ref().ok(),
                Some(unchanged),
                "{name}"
            );
            assert_eq!(unchanged.name.as_str(), *name);
        }
    }
}
