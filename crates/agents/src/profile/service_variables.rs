//! The service that a tool's own configuration selects, and the variables with its key.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use super::overlay_json;
use super::user_file::{parse_settings_json, read_settings};
use crate::environment::Environment;

/// Where a tool's configuration says which service the tool uses, and which variables contain the
/// service's key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ServiceVariables {
    /// Files in TOML or JSON; later ones override earlier ones.
    pub files: Vec<String>,
    /// Variables with the same settings in JSON, which override the files.
    pub env: Vec<String>,
    /// Keys that contain the service's name; the first one that exists is used. In `a.b`, `{key}` is
    /// replaced by the text at that key.
    pub named_by: Vec<String>,
    /// Whether a model's name begins with its service: `service/model`.
    pub before_model: bool,
    /// The table in the settings with an entry for each service.
    pub table: String,
    /// Keys of such an entry whose values are names of variables.
    pub keys: Vec<String>,
    /// Whether `{env:NAME}` in an entry refers to a variable.
    pub references: bool,
    /// Files with an entry for each service that the user is logged in to.
    pub logins: Vec<String>,
    /// The variables of services that are known without an entry.
    pub known: BTreeMap<String, Vec<String>>,
    /// The services to try if nothing is selected or configured: the first one with a variable that
    /// is set is used.
    pub fallback: Vec<String>,
    /// The tool's own service. Its variables are withheld if another service is selected.
    pub own: String,
    /// The variables of the tool's own service.
    pub own_variables: Vec<String>,
    /// The key of an entry that means that the service uses the login of the tool's own service.
    pub uses_own: String,
}

/// The variables for the selected service.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ServiceChoice {
    /// The variables to pass on.
    pub(super) names: Vec<String>,
    /// The variables of another service, which are withheld.
    pub(super) withheld: Vec<String>,
}

impl ServiceVariables {
    /// Returns the variables of the service that `model` selects, or else the configuration.
    pub(super) fn find(&self, here: &Environment, model: Option<&str>) -> ServiceChoice {
        let settings = self.settings(here);
        let table = value_at_path(&settings, &self.table).and_then(Value::as_object);
        let configured = || table.into_iter().flat_map(|table| table.keys().cloned());
        let services: BTreeSet<String> = match self.selected_service(&settings, model) {
            Some(name) => BTreeSet::from([name]),
            None if self.own.is_empty() => configured().collect(),
            None => BTreeSet::new(),
        };
        let mut asked = ServiceChoice::default();
        for name in &services {
            asked
                .names
                .extend(self.known.get(name).into_iter().flatten().cloned());
            if let Some(entry) = table.and_then(|table| table.get(name)) {
                asked.names.extend(self.variables_named_in(entry));
            }
        }
        if services.is_empty() && !self.has_login(here) {
            asked.names.extend(self.first_fallback_with_key(here));
        }
        let keeps_own = services.iter().all(|name| {
            let entry = table.and_then(|table| table.get(name));
            let flag = entry.and_then(|entry| entry.get(&self.uses_own));
            *name == self.own || flag.and_then(Value::as_bool) == Some(true)
        });
        if !keeps_own {
            let is_named = |name: &&String| !asked.names.contains(name);
            asked.withheld = self
                .own_variables
                .iter()
                .filter(is_named)
                .cloned()
                .collect();
        }
        asked
    }

    /// Returns the variables that the configuration names for any service.
    pub(super) fn configured_names(&self, here: &Environment) -> Vec<String> {
        let settings = self.settings(here);
        let table = value_at_path(&settings, &self.table).and_then(Value::as_object);
        let entries = table.into_iter().flat_map(|table| table.values());
        entries
            .flat_map(|entry| self.variables_named_in(entry))
            .collect()
    }

    /// Returns the tool's merged configuration.
    fn settings(&self, here: &Environment) -> Value {
        let mut all = Value::Object(serde_json::Map::new());
        let files = self
            .files
            .iter()
            .filter_map(|file| read_settings(file, here));
        let vars = self.env.iter().filter_map(|name| here.var_text(name));
        for settings in files.chain(vars.filter_map(parse_settings_json)) {
            if settings.is_object() {
                overlay_json(&mut all, settings);
            }
        }
        all
    }

    fn selected_service(&self, settings: &Value, model: Option<&str>) -> Option<String> {
        let service = |name: &str| match self.before_model {
            true => name.split_once('/').map(|(service, _)| service.to_owned()),
            false => Some(name.to_owned()),
        };
        let by_model = model.filter(|_| self.before_model).and_then(service);
        by_model.or_else(|| {
            let mut paths = self.named_by.iter();
            let name = paths.find_map(|path| text_at_path(settings, path))?;
            service(&name)
        })
    }

    /// Returns the variables that an entry names.
    fn variables_named_in(&self, entry: &Value) -> Vec<String> {
        let mut names = Vec::new();
        for key in &self.keys {
            match entry.get(key) {
                Some(Value::String(name)) => names.push(name.clone()),
                Some(Value::Array(list)) => names.extend(string_values(list.iter())),
                Some(Value::Object(table)) => names.extend(string_values(table.values())),
                _ => {}
            }
        }
        if self.references {
            let text = entry.to_string();
            let parts = text.split("{env:").skip(1);
            names.extend(parts.filter_map(|part| Some(part.split_once('}')?.0.trim().to_owned())));
        }
        names.retain(|name| is_service_variable(name));
        names
    }

    fn has_login(&self, here: &Environment) -> bool {
        let entries =
            |file: &String| read_settings(file, here).and_then(|it| Some(it.as_object()?.len()));
        self.logins
            .iter()
            .filter_map(entries)
            .any(|count| count > 0)
    }

    fn first_fallback_with_key(&self, here: &Environment) -> Vec<String> {
        let lists = self.fallback.iter().filter_map(|name| self.known.get(name));
        let mut set = lists.filter(|list| list.iter().any(|name| here.var_text(name).is_some()));
        set.next().cloned().unwrap_or_default()
    }
}

fn string_values<'a>(values: impl Iterator<Item = &'a Value>) -> impl Iterator<Item = String> {
    values.filter_map(|value| Some(value.as_str()?.to_owned()))
}

/// Returns whether a configuration may cause this variable to be passed on. Agon's own variables
/// never are.
fn is_service_variable(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && name.chars().all(is_plain) && !name.starts_with("AGON_")
}

fn value_at_path<'a>(settings: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(settings, |at, key| at.get(key))
}

/// Returns the text at a path, in which `{key}` is replaced by the text at that key.
fn text_at_path(settings: &Value, path: &str) -> Option<String> {
    let mut at = settings;
    for key in path.split('.') {
        let inner = key.strip_prefix('{').and_then(|key| key.strip_suffix('}'));
        at = match inner {
            Some(inner) => at.get(settings.get(inner)?.as_str()?)?,
            None => at.get(key)?,
        };
    }
    let text = at.as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}
