//! Adds a policy's restrictions on a team member to the files and arguments of its tool.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::overlay::overlay_json;
use super::user_file::read_json;
use crate::environment::Environment;

/// How a policy is passed to a tool.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, tag = "form", rename_all = "snake_case")]
pub enum PolicyPlace {
    /// As lists of rules below `permissions` in these JSON files.
    Lists {
        /// The files.
        files: Vec<String>,
    },
    /// As the map `permission` of these agents, in the JSON value of a variable.
    Map {
        /// The variable.
        variable: String,
        /// The agents.
        agents: Vec<String>,
    },
    /// As rules at the end of these TOML files.
    Rules {
        /// The files.
        files: Vec<String>,
    },
    /// As arguments that are added to those for the access.
    Arguments,
    /// As arguments that replace those for the access.
    Access,
}

/// A policy in a tool's format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkPolicy {
    /// Settings in JSON.
    Settings(Value),
    /// Rules as text.
    Rules(String),
    /// Arguments.
    Arguments(Vec<String>),
}

/// The error for a policy in a format that the tool does not accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the policy has a format that this tool does not accept")]
pub struct PolicyMisfit;

/// User settings to keep for a tool that Agon tells not to read the user's settings.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptSettings {
    /// The user's settings file.
    pub file: String,
    /// The keys to keep. They say how the tool connects to its service and do not grant
    /// permissions.
    pub keys: Vec<String>,
    /// The profile's files into which these keys are merged.
    pub into: Vec<String>,
}

impl KeptSettings {
    /// Returns `text`, the content of the file `name`, merged over the kept user settings.
    pub(crate) fn merge_under(&self, name: &str, text: String, here: &Environment) -> String {
        if !self.into.iter().any(|file| file == name) {
            return text;
        }
        let Some(Value::Object(mut kept)) = read_json(&self.file, here) else {
            return text;
        };
        kept.retain(|key, _| self.keys.contains(key));
        let Ok(ours) = serde_json::from_str::<Value>(&text) else {
            return text;
        };
        let mut both = Value::Object(kept);
        overlay_json(&mut both, ours);
        both.to_string()
    }
}

impl PolicyPlace {
    /// Applies `policy` to the files and variables of a run. Returns the arguments to add, and the
    /// arguments that replace the access arguments.
    pub(crate) fn apply(
        &self,
        policy: &WorkPolicy,
        files: &mut BTreeMap<String, String>,
        merge: &mut BTreeMap<String, String>,
    ) -> Result<(Vec<String>, Option<Vec<String>>), PolicyMisfit> {
        match (self, policy) {
            (Self::Lists { files: names }, WorkPolicy::Settings(over)) => {
                update_files(files, names, |text| merge_rule_lists(text, over))?;
            }
            (Self::Rules { files: names }, WorkPolicy::Rules(rules)) => {
                update_files(files, names, |text| Ok(format!("{text}\n{rules}")))?;
            }
            (Self::Map { variable, agents }, WorkPolicy::Settings(over)) => {
                let permission = over.get("permission").ok_or(PolicyMisfit)?;
                let text = merge.get_mut(variable).ok_or(PolicyMisfit)?;
                let mut settings: Value = serde_json::from_str(text).map_err(|_| PolicyMisfit)?;
                for agent in agents {
                    let own = settings.pointer_mut(&format!("/agent/{agent}/permission"));
                    merge_permissions(own.ok_or(PolicyMisfit)?, permission)?;
                }
                *text = settings.to_string();
            }
            (Self::Arguments, WorkPolicy::Arguments(args)) => return Ok((args.clone(), None)),
            (Self::Access, WorkPolicy::Arguments(args)) => {
                return Ok((Vec::new(), Some(args.clone())));
            }
            _ => return Err(PolicyMisfit),
        }
        Ok((Vec::new(), None))
    }
}

fn update_files(
    files: &mut BTreeMap<String, String>,
    names: &[String],
    with: impl Fn(&str) -> Result<String, PolicyMisfit>,
) -> Result<(), PolicyMisfit> {
    for name in names {
        let text = files.get_mut(name).ok_or(PolicyMisfit)?;
        *text = with(text)?;
    }
    Ok(())
}

/// Adds the policy's denials to the settings, and replaces the edit rules if the policy has any.
fn merge_rule_lists(text: &str, over: &Value) -> Result<String, PolicyMisfit> {
    let mut settings: Value = serde_json::from_str(text).map_err(|_| PolicyMisfit)?;
    let over = over.get("permissions").ok_or(PolicyMisfit)?;
    let own = settings.get_mut("permissions").ok_or(PolicyMisfit)?;
    if let Some(denied) = over.get("deny").and_then(Value::as_array) {
        let list = own.get_mut("deny").and_then(Value::as_array_mut);
        list.ok_or(PolicyMisfit)?.extend(denied.iter().cloned());
    }
    if let Some(narrow) = over.get("allow").and_then(Value::as_array) {
        let list = own.get_mut("allow").and_then(Value::as_array_mut);
        let list = list.ok_or(PolicyMisfit)?;
        let edits = |rule: &Value| rule.as_str().is_some_and(|rule| rule.starts_with("Edit("));
        if list.iter().any(edits) {
            list.retain(|rule| !edits(rule));
            list.extend(narrow.iter().cloned());
        }
    }
    Ok(settings.to_string())
}

/// Merges `over` into the permissions of an agent that denies everything not listed. Only keys that
/// are now `allow` are changed.
fn merge_permissions(own: &mut Value, over: &Value) -> Result<(), PolicyMisfit> {
    let own = own.as_object_mut().ok_or(PolicyMisfit)?;
    for (key, effect) in over.as_object().ok_or(PolicyMisfit)? {
        if let Some(known) = own.get_mut(key)
            && known == "allow"
        {
            *known = effect.clone();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn apply(place: &PolicyPlace, policy: &WorkPolicy, text: &str) -> Result<String, PolicyMisfit> {
        let mut files = [("a".to_owned(), text.to_owned())].into();
        let mut merge = [("V".to_owned(), text.to_owned())].into();
        place.apply(policy, &mut files, &mut merge)?;
        let is_map = matches!(place, PolicyPlace::Map { .. });
        Ok(match is_map {
            true => merge["V"].clone(),
            false => files["a"].clone(),
        })
    }

    #[test]
    fn a_policy_narrows_what_a_tool_is_started_with_and_widens_nothing() {
        let lists = PolicyPlace::Lists {
            files: vec!["a".to_owned()],
        };
        let over = json!({"permissions": {"deny": ["Edit(//t/x)"], "allow": ["Edit(//t/src)"]}});
        let over = WorkPolicy::Settings(over);
        let writes = r#"{"permissions":{"allow":["Edit(./**)","mcp__team"],"deny":["Y"]}}"#;
        assert_eq!(
            apply(&lists, &over, writes).unwrap(),
            r#"{"permissions":{"allow":["mcp__team","Edit(//t/src)"],"deny":["Y","Edit(//t/x)"]}}"#
        );
        let reads = r#"{"permissions":{"allow":["mcp__team"],"deny":[]}}"#;
        assert_eq!(
            apply(&lists, &over, reads).unwrap(),
            r#"{"permissions":{"allow":["mcp__team"],"deny":["Edit(//t/x)"]}}"#
        );
        let map = PolicyPlace::Map {
            variable: "V".to_owned(),
            agents: vec!["w".to_owned()],
        };
        let over = json!({"permission": {"edit": {"*": "allow", "x": "deny"}, "bash": "allow"}});
        let own = r#"{"agent":{"w":{"permission":{"*":"deny","edit":"allow"}}}}"#;
        assert_eq!(
            apply(&map, &WorkPolicy::Settings(over), own).unwrap(),
            r#"{"agent":{"w":{"permission":{"*":"deny","edit":{"*":"allow","x":"deny"}}}}}"#
        );
        assert_eq!(
            apply(&map, &WorkPolicy::Rules(String::new()), own),
            Err(PolicyMisfit)
        );
    }
}
