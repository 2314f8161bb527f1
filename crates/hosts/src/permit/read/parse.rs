//! The texts of hosts, taken apart.

use globset::{GlobBuilder, GlobMatcher};
use regex::Regex;
use serde_json::Value;

use super::{Fits, HostPermissions, HostRule, PermissionsFault, fault};
use crate::permit::{PermissionEffect, PermissionScope, claude, copilot, gemini};

impl HostPermissions {
    fn push(&mut self, tool: &str, effect: PermissionEffect, fits: Fits) {
        self.rules.push(HostRule {
            tool: tool.to_owned(),
            effect,
            fits,
        });
    }

    pub(super) fn read_lists(
        &mut self,
        text: &str,
        scope: &PermissionScope<'_>,
    ) -> Result<(), PermissionsFault> {
        let settings = json_of(text)?;
        let Some(lists) = settings.get("permissions").and_then(Value::as_object) else {
            return Ok(());
        };
        let root = claude::root_of(scope);
        for (list, rules) in lists {
            let Some(effect) = PermissionEffect::find(list) else {
                continue;
            };
            let rules = rules
                .as_array()
                .ok_or_else(|| fault("a list of rules is something else"))?;
            for rule in rules.iter().filter_map(Value::as_str) {
                let (tool, glob) = match rule.split_once('(') {
                    None => (rule, None),
                    Some((tool, rest)) => (tool, rest.strip_suffix(')')),
                };
                let glob = glob.and_then(|glob| glob.strip_prefix(root.as_str()));
                let fits = match (rule.contains('('), glob) {
                    (false, _) => Fits::All,
                    (true, Some(glob)) => Fits::Ignored(matcher(glob)?),
                    // Another folder's.
                    (true, None) => continue,
                };
                self.is_narrowed |=
                    scope.is_member() && effect == PermissionEffect::Allow && tool == "Edit";
                self.push(tool, effect, fits);
            }
        }
        Ok(())
    }

    pub(super) fn read_map(&mut self, text: &str) -> Result<(), PermissionsFault> {
        let settings = json_of(text)?;
        let map = settings.get("permission").and_then(Value::as_object);
        for (key, value) in map.into_iter().flatten() {
            let effect_of = |value: &Value| {
                let effect = value.as_str().and_then(PermissionEffect::find);
                effect.ok_or_else(|| fault("a permission is none"))
            };
            match value.as_object() {
                None => self.push(key, effect_of(value)?, Fits::All),
                Some(patterns) => {
                    for (pattern, effect) in patterns {
                        let fits = match pattern.as_str() {
                            "*" => Fits::All,
                            pattern => Fits::Regex(wildcard(pattern)?),
                        };
                        self.push(key, effect_of(effect)?, fits);
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn read_policies(&mut self, text: &str) -> Result<(), PermissionsFault> {
        let table: toml::Table = toml::from_str(text).map_err(|error| fault(&error.to_string()))?;
        let rules = table.get("rule").and_then(toml::Value::as_array);
        let mut sorted: Vec<&toml::Value> = rules.into_iter().flatten().collect();
        let priority = |rule: &&toml::Value| rule.get("priority").and_then(toml::Value::as_integer);
        sorted.sort_by_key(priority);
        for rule in sorted {
            let decision = rule.get("decision").and_then(toml::Value::as_str);
            let all = [
                PermissionEffect::Allow,
                PermissionEffect::Ask,
                PermissionEffect::Deny,
            ];
            let effect = all
                .into_iter()
                .find(|it| Some(gemini::decision(*it)) == decision);
            let effect = effect.ok_or_else(|| fault("a rule decides nothing"))?;
            let fits = match rule.get("argsPattern").and_then(toml::Value::as_str) {
                None => Fits::All,
                Some(pattern) => {
                    Fits::Regex(Regex::new(pattern).map_err(|error| fault(&error.to_string()))?)
                }
            };
            let tools = rule.get("toolName").and_then(toml::Value::as_array);
            for tool in tools.into_iter().flatten().filter_map(toml::Value::as_str) {
                self.push(tool, effect, fits.clone());
            }
        }
        Ok(())
    }

    pub(super) fn read_profile(&mut self, text: &str) -> Result<(), PermissionsFault> {
        let args = arguments(text)?;
        let settings: Vec<&str> = args
            .iter()
            .map(String::as_str)
            .filter(|arg| *arg != "-c")
            .collect();
        let whole: toml::Table = toml::from_str(
            &settings
                .join("\n")
                .replace("default_permissions=team", "default_permissions=\"team\""),
        )
        .map_err(|error| fault(&error.to_string()))?;
        let name = whole
            .get("default_permissions")
            .and_then(toml::Value::as_str);
        let profile = whole.get("permissions").and_then(|all| all.get(name?));
        let files = profile.and_then(|profile| profile.get("filesystem"));
        let roots = files.and_then(|files| files.get(":workspace_roots"));
        let roots = roots.and_then(toml::Value::as_table);
        for (path, access) in roots.into_iter().flatten() {
            let access = access.as_str().unwrap_or_default();
            let (read, write) = match access {
                "write" => (PermissionEffect::Allow, PermissionEffect::Allow),
                "read" => (PermissionEffect::Allow, PermissionEffect::Deny),
                _ => (PermissionEffect::Deny, PermissionEffect::Deny),
            };
            for (tool, effect) in [("read", read), ("write", write)] {
                let fits = match path.as_str() {
                    "." => Fits::All,
                    path => Fits::Below(path.to_owned()),
                };
                self.push(tool, effect, fits);
            }
        }
        Ok(())
    }

    pub(super) fn read_switches(
        &mut self,
        text: &str,
        scope: &PermissionScope<'_>,
    ) -> Result<(), PermissionsFault> {
        let args = arguments(text)?;
        let root = scope.root().map(|root| format!("{}/", root.display()));
        let root = root.unwrap_or_default();
        for pair in args.chunks(2) {
            let [switch, what] = pair else { continue };
            if switch != copilot::DENY {
                continue;
            }
            let path = what
                .strip_prefix("write(")
                .and_then(|rest| rest.strip_suffix(')'));
            let fits = match path.map(|path| path.strip_prefix(root.as_str())) {
                None => Fits::All,
                Some(Some(path)) => Fits::Path(path.to_owned()),
                Some(None) => continue,
            };
            self.push("write", PermissionEffect::Deny, fits);
        }
        Ok(())
    }
}

fn json_of(text: &str) -> Result<Value, PermissionsFault> {
    let parsed = crate::json::Dialect::Comments.parse(text);
    let parsed = parsed.map_err(|error| fault(&error))?;
    Ok(parsed.unwrap_or_default())
}

fn arguments(text: &str) -> Result<Vec<String>, PermissionsFault> {
    serde_json::from_str(text).map_err(|error| fault(&error.to_string()))
}

fn matcher(glob: &str) -> Result<GlobMatcher, PermissionsFault> {
    let glob = GlobBuilder::new(glob).literal_separator(true).build();
    let glob = glob.map_err(|error| fault(&error.to_string()))?;
    Ok(glob.compile_matcher())
}

/// A pattern in which `*` stands for any text.
fn wildcard(pattern: &str) -> Result<Regex, PermissionsFault> {
    let parts: Vec<String> = pattern.split('*').map(regex::escape).collect();
    let whole = format!("^(?s:{})$", parts.join(".*").replace("\\?", "."));
    Regex::new(&whole).map_err(|error| fault(&error.to_string()))
}
