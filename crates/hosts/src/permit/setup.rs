//! Compiled permissions as they are installed.

use serde_json::Value;

use super::compile::CompiledPermissions;
use crate::edit::hooks::HookEntry;

/// How permissions are written down in a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PermissionSetup {
    /// Entries of lists in its settings.
    Lists(Vec<HookEntry>),
    /// Keys of a map in its settings.
    Map(Vec<(String, Value)>),
    /// A whole file.
    OwnFile(String),
}

impl CompiledPermissions {
    /// How they are written down in the host `host`; none where nothing of it is.
    pub fn setup(&self, host: &str) -> Option<PermissionSetup> {
        let text = self.text.as_deref()?;
        let settings = || serde_json::from_str::<Value>(text).unwrap_or_default();
        match host {
            "claude" => {
                let settings = settings();
                let lists = settings.get("permissions");
                let of = |list: &'static str| {
                    let rules = lists.and_then(|lists| lists.get(list));
                    let rules = rules.and_then(Value::as_array).into_iter().flatten();
                    rules.map(move |rule| HookEntry {
                        event: list,
                        entry: rule.clone(),
                    })
                };
                Some(PermissionSetup::Lists(
                    of("deny").chain(of("ask")).collect(),
                ))
            }
            "opencode" => {
                let settings = settings();
                let map = settings.get("permission").and_then(Value::as_object);
                let keys = map.into_iter().flatten();
                let keys = keys.map(|(key, value)| (key.clone(), value.clone()));
                Some(PermissionSetup::Map(keys.collect()))
            }
            "gemini" => {
                let head =
                    "# What the policy of a team forbids: `agon install` writes this file.\n\n";
                Some(PermissionSetup::OwnFile(format!("{head}{text}")))
            }
            _ => None,
        }
    }
}
