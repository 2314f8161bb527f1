//! Merges the layers.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::fault::Faults;
use super::flags::FlagValue;
use super::merged::{Merged, TRUST_HINT};
use super::{
    Agents, DEFAULT_FILES, DefaultsError, DefaultsKind, DefaultsLayer, Flags, LayerOwner, Profiles,
    Servers, Teams, ValueSource,
};
use crate::content::Role;

/// The effective values of the five files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// Settings of each role.
    pub agents: Agents,
    /// Flags of a team.
    pub flags: Flags,
    /// Named sets of choices.
    pub profiles: Profiles,
    /// Members of each team.
    pub teams: Teams,
    /// MCP servers, and the roles that may use them.
    pub servers: Servers,
}

/// The merged layers, with the source of every value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resolved {
    /// The values.
    pub defaults: Defaults,
    /// Every single value, by kind of file and dotted key.
    pub values: BTreeMap<(DefaultsKind, String), SetValue>,
}

/// A value, and where it was set.
#[derive(Clone, Debug, PartialEq)]
pub struct SetValue {
    /// The value.
    pub value: Value,
    /// Where it was set.
    pub source: ValueSource,
}

impl Defaults {
    /// Merges `layers` over the defaults; a later layer overrides an earlier one.
    ///
    /// `roles` and `skills` are the existing ones.
    ///
    /// # Errors
    ///
    /// The first error: an unknown key, a wrong value, an unknown name, or a key that a project may not
    /// set. It names the file and line.
    pub fn resolve(
        layers: &[DefaultsLayer],
        roles: &[Role],
        skills: &[String],
    ) -> Result<Resolved, DefaultsError> {
        let mut faults = Vec::new();
        let resolved = merge_all_kinds(layers, roles, skills, &mut faults);
        match faults.into_iter().next() {
            None => Ok(resolved.unwrap_or_default()),
            Some(fault) => Err(fault),
        }
    }

    /// Returns all flags with their defaults; a test makes sure that the file can be read.
    pub fn declared_flags() -> Flags {
        let mut files = DEFAULT_FILES.iter();
        let own = files.find(|(kind, _)| *kind == DefaultsKind::Flags);
        toml::from_str(own.map_or("", |(_, text)| text)).unwrap_or_default()
    }

    /// Returns all errors in `layers`: the format errors of every file, or, if there are none, the
    /// errors in the merged values.
    pub fn faults(
        layers: &[DefaultsLayer],
        roles: &[Role],
        skills: &[String],
    ) -> Vec<DefaultsError> {
        let mut faults = Vec::new();
        merge_all_kinds(layers, roles, skills, &mut faults);
        faults
    }
}

/// Merges `layers`; returns `None` if a file cannot be read.
fn merge_all_kinds(
    layers: &[DefaultsLayer],
    roles: &[Role],
    skills: &[String],
    failed: &mut Vec<DefaultsError>,
) -> Option<Resolved> {
    let mut of_form = |errors: Vec<DefaultsError>| failed.extend(errors);
    let agents = Merged::<Agents>::read(DefaultsKind::Agents, layers).map_err(&mut of_form);
    let flags = Merged::<Flags>::read(DefaultsKind::Flags, layers).map_err(&mut of_form);
    let teams = Merged::<Teams>::read(DefaultsKind::Teams, layers).map_err(&mut of_form);
    let servers = Merged::<Servers>::read(DefaultsKind::Servers, layers).map_err(&mut of_form);
    let profiles = Merged::<Profiles>::read(DefaultsKind::Profiles, layers).map_err(&mut of_form);
    let (agents, flags, teams) = (agents.ok()?, flags.ok()?, teams.ok()?);
    let (servers, profiles) = (servers.ok()?, profiles.ok()?);

    let mut faults = Faults::default();
    flags.value.check(&mut faults);
    refuse_project_flags(&flags, layers, &mut faults);
    failed.extend(flags.locate_all(std::mem::take(&mut faults)));
    agents.value.check(roles, skills, &mut faults);
    failed.extend(agents.locate_all(std::mem::take(&mut faults)));
    teams.value.check(roles, &mut faults);
    failed.extend(teams.locate_all(std::mem::take(&mut faults)));
    servers.value.check(roles, &mut faults);
    failed.extend(servers.locate_all(std::mem::take(&mut faults)));
    let (flags_value, teams_value) = (&flags.value, &teams.value);
    let profiles_value = &profiles.value;
    profiles_value.check(flags_value, teams_value, &servers.value, &mut faults);
    failed.extend(profiles.locate_all(faults));

    let mut values = BTreeMap::new();
    add_values(DefaultsKind::Agents, &agents, &mut values);
    add_values(DefaultsKind::Flags, &flags, &mut values);
    add_values(DefaultsKind::Teams, &teams, &mut values);
    add_values(DefaultsKind::Servers, &servers, &mut values);
    add_values(DefaultsKind::Profiles, &profiles, &mut values);
    let defaults = Defaults {
        agents: agents.value,
        flags: flags.value,
        profiles: profiles.value,
        teams: teams.value,
        servers: servers.value,
    };
    Some(Resolved { defaults, values })
}

fn add_values<T: serde::de::DeserializeOwned>(
    kind: DefaultsKind,
    merged: &Merged<'_, T>,
    values: &mut BTreeMap<(DefaultsKind, String), SetValue>,
) {
    for (keys, value, source) in merged.values() {
        let value = value.clone();
        values.insert((kind, keys.join(".")), SetValue { value, source });
    }
}

/// Reports flags that an untrusted project sets without being allowed to.
fn refuse_project_flags(flags: &Merged<'_, Flags>, layers: &[DefaultsLayer], faults: &mut Faults) {
    let untrusted = |layer: &&DefaultsLayer| layer.owner == LayerOwner::UntrustedProject;
    for layer in layers.iter().filter(untrusted) {
        let files = layer.files.iter();
        for file in files.filter(|file| file.kind == DefaultsKind::Flags) {
            let set = file.text.parse::<Table>().unwrap_or_default();
            let set = set.get("set").and_then(Value::as_table);
            for name in set.into_iter().flat_map(Table::keys) {
                let flag = flags.value.flags.get(name);
                if flag.is_some_and(|flag| !flag.project) {
                    let what = format!("an untrusted project may not set the flag `{name}`");
                    faults.add(&["set", name], what, TRUST_HINT);
                }
            }
        }
    }
}

impl Resolved {
    /// Returns where the value at a dotted key was set, if it is set.
    pub fn source(&self, kind: DefaultsKind, key: &str) -> Option<&ValueSource> {
        let value = self.values.get(&(kind, key.to_owned()));
        value.map(|value| &value.source)
    }

    /// Returns the active profile and its name.
    pub fn profile(&self) -> Option<(&str, &super::profiles::Profile)> {
        let name = self.defaults.profiles.profile.as_deref()?;
        Some((name, self.defaults.profiles.profiles.get(name)?))
    }

    /// Returns the effective value of a flag and a description of its source, or `None` if there is no
    /// such flag. A request overrides the profile, which overrides the files.
    pub fn flag(&self, name: &str) -> Option<(&FlagValue, String)> {
        let of_files = self.defaults.flags.value(name)?;
        let source = self.source(DefaultsKind::Flags, &format!("set.{name}"));
        if let Some(source) = source.filter(|source| source.owner == LayerOwner::Request) {
            return Some((of_files, source.to_string()));
        }
        let of_profile = self.profile().and_then(|(profile, settings)| {
            let value = settings.set.get(name)?;
            let key = format!("set.{name}");
            Some((value, self.profile_source(profile, &key)))
        });
        let source = source.map_or_else(|| DEFAULT_WORD.to_owned(), ValueSource::to_string);
        Some(of_profile.unwrap_or((of_files, source)))
    }

    /// Describes where `profile` sets its `key`.
    pub(crate) fn profile_source(&self, profile: &str, key: &str) -> String {
        let key = format!("profiles.{profile}.{key}");
        let source = self.source(DefaultsKind::Profiles, &key);
        let source = source.map_or_else(|| DEFAULT_WORD.to_owned(), ValueSource::to_string);
        format!("profile {profile} in {source}")
    }
}

const DEFAULT_WORD: &str = super::source::DEFAULT;
