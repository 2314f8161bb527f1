//! Which of the user's environment variables a tool gets.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use agon_proc::{NETWORK_VARIABLES, PLACE_VARIABLES, allows_variable};
use serde::Deserialize;

use super::FileMark;
use super::child::merge_json;
use super::refused::VARIABLES;
use super::service_variables::ServiceVariables;
use crate::environment::{DEPTH, Environment};

/// Which environment variables a tool gets.
///
/// Names in `pass` and `remove` may contain one `*`. A `*` in `pass` does not match a name that looks
/// like a secret; the name of a key must be given in full.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Vars {
    /// Variables that are passed on in addition to the variables that every tool gets.
    pub pass: Vec<String>,
    /// Variables of which only the first one that is set is passed on.
    pub first: Vec<String>,
    /// Variables that are passed on only if the user has selected a certain service.
    pub when: Vec<PassWhen>,
    /// The service that the tool's own configuration selects, and the variables with its key.
    pub service: Option<ServiceVariables>,
    /// Variables that are never passed on, even if listed above.
    pub remove: Vec<String>,
    /// Variables that are set to these values.
    pub set: BTreeMap<String, String>,
    /// JSON objects to merge into the user's value of a variable, if any.
    pub merge: BTreeMap<String, String>,
}

/// Variables that are passed on only if the user has selected the service that needs them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PassWhen {
    /// Variables that select the service, unless their value is empty, `0` or `false`.
    pub env: Vec<String>,
    /// Files that select the service.
    pub files: Vec<FileMark>,
    /// The variables that are passed on if the service is selected.
    pub pass: Vec<String>,
}

/// Variables that every tool gets, in addition to those for folders and the network.
pub const TOOL_VARIABLES: &[&str] = &["DBUS_SESSION_BUS_ADDRESS"];

impl Vars {
    /// Returns the complete environment of a tool started from `here`, with the debate depth
    /// increased by one.
    ///
    /// `model` is the model of the call: if its name contains the service, only the key of that
    /// service is passed on.
    pub fn child_env(
        &self,
        here: &Environment,
        model: Option<&str>,
    ) -> BTreeMap<OsString, OsString> {
        let mut vars = self.passed_env(here, model);
        for (name, value) in &self.set {
            vars.insert(name.into(), value.into());
        }
        for (name, ours) in &self.merge {
            vars.insert(name.into(), merge_json(here.var_text(name), ours).into());
        }
        let deeper = here.debate_depth().saturating_add(1);
        vars.insert(OsStr::new(DEPTH).to_owned(), deeper.to_string().into());
        vars
    }

    /// Returns the variables of `here` that a tool gets outside a debate, with its user's own
    /// servers and settings.
    pub fn passed_env(
        &self,
        here: &Environment,
        model: Option<&str>,
    ) -> BTreeMap<OsString, OsString> {
        let own = self.selected_names(here, model);
        let every = [PLACE_VARIABLES, NETWORK_VARIABLES, TOOL_VARIABLES];
        let passes = |name: &str, value: &str| {
            let is_removed = self.remove.iter().any(|it| matches_pattern(it, name));
            let is_every = every.iter().any(|list| allows_variable(list, name, value));
            (is_every || allows_variable(&own, name, value))
                && !is_removed
                && !VARIABLES.contains(&name)
        };
        let kept = here.vars().iter().filter(|(name, value)| {
            let value = value.to_string_lossy();
            name.to_str().is_some_and(|name| passes(name, &value))
        });
        let mut vars: BTreeMap<OsString, OsString> = kept
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        vars.insert("TERM".into(), "dumb".into());
        vars.insert("NO_COLOR".into(), "1".into());
        vars
    }

    /// Returns the names and patterns that this tool gets in `here`, besides the names and patterns
    /// that every tool gets.
    pub(crate) fn selected_names(&self, here: &Environment, model: Option<&str>) -> Vec<String> {
        let mut names = self.pass.clone();
        names.extend(first_set(&self.first, here).cloned());
        let chosen = self.when.iter().filter(|when| when.is_selected(here));
        names.extend(chosen.flat_map(|when| when.pass.iter().cloned()));
        if let Some(service) = &self.service {
            let asked = service.find(here, model);
            names.retain(|name| !asked.withheld.contains(name));
            names.extend(asked.names);
        }
        names
    }

    /// Returns all names and patterns that this tool may get in `here`, with any model.
    pub fn possible_names(&self, here: &Environment) -> Vec<String> {
        let mut names = self.listed_names();
        let service = self.service.iter();
        names.extend(service.flat_map(|service| service.configured_names(here)));
        names
    }

    /// Returns all names and patterns in the profile.
    pub fn listed_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.pass.clone();
        names.extend(self.first.iter().cloned());
        names.extend(self.when.iter().flat_map(|when| when.pass.iter().cloned()));
        let known = self
            .service
            .iter()
            .flat_map(|service| service.known.values());
        names.extend(known.flatten().cloned());
        names
    }
}

impl PassWhen {
    fn is_selected(&self, here: &Environment) -> bool {
        let is_on = |name: &String| {
            let value = here.var_text(name).map(str::trim);
            value.is_some_and(|it| it != "0" && !it.eq_ignore_ascii_case("false"))
        };
        self.env.iter().any(is_on) || self.files.iter().any(|mark| mark.is_present(here))
    }
}

/// Restricts every git that a tool starts in `cwd` to the repository of that folder: git neither searches
/// the folders above nor accepts a bare repository, whose configuration could name programs to run.
pub(crate) fn confine_git(cwd: &Path, env: &mut BTreeMap<OsString, OsString>) {
    let above = cwd.parent().unwrap_or(cwd);
    for (name, value) in [
        ("GIT_CEILING_DIRECTORIES", above.as_os_str()),
        ("GIT_CONFIG_COUNT", OsStr::new("1")),
        ("GIT_CONFIG_KEY_0", OsStr::new("safe.bareRepository")),
        ("GIT_CONFIG_VALUE_0", OsStr::new("explicit")),
    ] {
        env.insert(name.into(), value.into());
    }
}

/// Returns the first of these variables that is set.
fn first_set<'a>(names: &'a [String], here: &Environment) -> Option<&'a String> {
    names.iter().find(|name| here.var_text(name).is_some())
}

/// Returns whether a name matches a pattern with at most one `*`.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => pattern == name,
    }
}
