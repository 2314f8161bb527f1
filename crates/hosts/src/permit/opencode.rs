//! OpenCode: a map by permission, in which the last pattern that fits wins.

use serde_json::{Map, Value, json};

use super::form::{PermissionForm, PowerRules};
use super::glob::Glob;
use super::{PermissionEffect, PermissionScope};
use crate::content::agent::Power;

pub(super) const FORM: PermissionForm = PermissionForm {
    host: "opencode",
    may_loosen: true,
    can_say: |glob: &Glob, _: &PermissionScope<'_>| glob.as_wildcards().map(drop),
    can_except: None,
    write,
};

/// The permissions of an act.
pub(super) const fn keys(power: Power) -> &'static [&'static str] {
    match power {
        Power::Read => &["read", "grep", "glob", "list"],
        Power::Edit => &["edit"],
        Power::Run => &["bash"],
        Power::Network => &["webfetch", "websearch"],
        Power::Delegate => &["task"],
    }
}

fn write(all: &[PowerRules], scope: &PermissionScope<'_>) -> String {
    let mut permission: Map<String, Value> = Map::new();
    for held in all {
        if held.steps.is_empty() {
            let base = held.base.unwrap_or(PermissionEffect::Allow);
            for key in keys(held.power) {
                permission.insert((*key).to_owned(), base.name().into());
            }
            continue;
        }
        let mut patterns: Map<String, Value> = Map::new();
        // A session of the user's is left as it is where nothing is said.
        let base = held
            .base
            .or(scope.is_member().then_some(PermissionEffect::Allow));
        if let Some(base) = base {
            patterns.insert("*".to_owned(), base.name().into());
        }
        for (effect, glob) in &held.steps {
            for pattern in glob.as_wildcards().unwrap_or_default() {
                // One that is there already would keep its earlier place.
                patterns.shift_remove(&pattern);
                patterns.insert(pattern, effect.name().into());
            }
        }
        for key in keys(held.power) {
            permission.insert((*key).to_owned(), Value::Object(patterns.clone()));
        }
    }
    json!({ "permission": permission }).to_string()
}
