//! What a project's file may set.

use std::collections::BTreeMap;

use agon_record::finding::Severity;
use agon_rules::rule;

use crate::layer::Layer;

/// The keys that a project's file may set without the user's trust.
pub(crate) const ALLOWED: &[&str] = &["rounds", "context", "rules"];

/// The first setting of a project's file that needs the user's trust.
///
/// Rules may only be made stricter: a project must not switch off what holds
/// its debates to the rules.
pub(crate) fn first_untrusted_setting(keys: &[String], settings: &Layer) -> Option<String> {
    if let Some(key) = keys.iter().find(|key| !ALLOWED.contains(&key.as_str())) {
        return Some(key.clone());
    }
    first_loosened_rule(&settings.rules)
}

fn first_loosened_rule(rules: &BTreeMap<String, Severity>) -> Option<String> {
    let looser = |(code, severity): &(&String, &Severity)| {
        rule::find_rule(code).is_some_and(|rule| **severity < rule.severity)
    };
    let (code, _) = rules.iter().find(looser)?;
    Some(format!("rules.{code}"))
}
