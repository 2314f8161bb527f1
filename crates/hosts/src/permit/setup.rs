//! Compiled permissions in the form in which they are installed.

use serde_json::Value;

use super::compile::CompiledPermissions;
use super::form::{PermissionForm, PermissionPlace};
use crate::edit::hooks::HookEntry;

/// Permissions to install in a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PermissionSetup {
    /// List entries in its settings.
    Lists(Vec<HookEntry>),
    /// Keys of a map in its settings.
    Map(Vec<(String, Value)>),
    /// A whole file.
    OwnFile(String),
}

impl PermissionForm {
    /// Returns the permissions to install for `compiled`, or `None` if there is nothing to install.
    pub fn setup(&self, compiled: &CompiledPermissions) -> Option<PermissionSetup> {
        let text = compiled.text.as_deref()?;
        let below = |key: &str| {
            let mut settings: Value = serde_json::from_str(text).unwrap_or_default();
            settings.get_mut(key).map(Value::take).unwrap_or_default()
        };
        match self.place {
            PermissionPlace::Lists(key) => {
                let lists = below(key);
                let of = |event: &'static str| {
                    let rules = lists.get(event).and_then(Value::as_array);
                    let rules = rules.into_iter().flatten().cloned();
                    rules.map(move |entry| HookEntry { event, entry })
                };
                Some(PermissionSetup::Lists(
                    of("deny").chain(of("ask")).collect(),
                ))
            }
            PermissionPlace::Map(key) => {
                let map = below(key);
                let keys = map.as_object().into_iter().flatten();
                let keys = keys.map(|(key, value)| (key.clone(), value.clone()));
                Some(PermissionSetup::Map(keys.collect()))
            }
            PermissionPlace::OwnFile(head) => {
                Some(PermissionSetup::OwnFile(format!("{head}{text}")))
            }
            PermissionPlace::Nowhere => None,
        }
    }
}
