//! Keys that a project's file may set.

use std::collections::BTreeMap;

use agon_record::finding::Severity;
use agon_rules::rule;
use toml::{Table, Value};

use crate::layer::{Layer, PlanReview};

/// Keys that a project's file may set without the user's trust.
pub(crate) const ALLOWED: &[&str] = &["rounds", "context", "rules", "plan_review", "costly"];

/// Returns the first setting of a project's file that needs the user's trust.
///
/// A project may only make rules stricter, so that it cannot switch off checks of its debates.
pub(crate) fn first_untrusted_setting(keys: &[String], settings: &Layer) -> Option<String> {
    if let Some(key) = keys.iter().find(|key| !ALLOWED.contains(&key.as_str())) {
        return Some(key.clone());
    }
    first_loosened_rule(&settings.rules)
}

/// Keys that are allowed only in the user's own file, even if the folder is trusted.
const OF_USER: &[&str] = &[
    "daily_tokens",
    "monthly_tokens",
    "plan_review_time",
    "vendors",
];

/// The seats that a file may fill.
const SEATS: &[&str] = &["proposer", "challenger", "judge"];

/// Returns whether a tool's name itself determines the program to start (`acp:PROGRAM`) or the URL
/// to contact (`NAME@URL`).
pub fn names_program_or_address(name: &str) -> bool {
    name.starts_with("acp:") || name.contains('@')
}

/// Returns the first setting of a project's file that only the user's own file may have. Trusting
/// the folder is not enough, because its content can change.
pub(crate) fn first_user_only_table_key(table: &Table) -> Option<String> {
    let profiles = table.get("profiles").and_then(Value::as_table);
    let profiles = profiles.into_iter().flatten();
    let profiles = profiles.filter_map(|(name, value)| Some((name, value.as_table()?)));
    let in_profile = |(name, table): (&String, &Table)| {
        let key = first_user_only_setting(table)?;
        Some(format!("profiles.{name}.{key}"))
    };
    first_user_only_setting(table).or_else(|| profiles.into_iter().find_map(in_profile))
}

/// Returns the first profile of a project's file that lets AI tools' plans be reviewed more than
/// `allowed` by the user, who pays for it.
pub(crate) fn first_raised_review(settings: &Layer, allowed: PlanReview) -> Option<String> {
    settings.profiles.iter().find_map(|(name, table)| {
        let mode = table.get("plan_review")?.as_str()?;
        let is_allowed = [PlanReview::Off, PlanReview::Suggest, PlanReview::Auto]
            .iter()
            .any(|one| one.name() == mode && *one <= allowed);
        (!is_allowed).then(|| format!("profiles.{name}.plan_review = {mode}"))
    })
}

/// Returns the first profile of a project's file that sets the key `costly`, which would replace
/// the user's topics.
pub(crate) fn first_replaced_topics(settings: &Layer) -> Option<String> {
    let mut profiles = settings.profiles.iter();
    let profile = profiles.find(|(_, table)| table.contains_key("costly"));
    profile.map(|(name, _)| format!("profiles.{name}.costly"))
}

/// Returns whether a context contains the user's session with an AI tool, which a project must not
/// send to others.
fn names_session(context: &str) -> bool {
    context
        .split('\0')
        .any(|one| one == "session" || one.starts_with("session="))
}

fn first_user_only_setting(table: &Table) -> Option<String> {
    let context = table.get("context").and_then(Value::as_str);
    if context.is_some_and(names_session) {
        return Some("context = session".to_owned());
    }
    let of_user = OF_USER.iter().find(|key| table.contains_key(**key));
    let seat = || {
        SEATS.iter().find(|seat| {
            let tool = table.get(**seat).and_then(Value::as_str);
            tool.is_some_and(names_program_or_address)
        })
    };
    if let Some(key) = of_user.or_else(seat) {
        return Some((*key).to_owned());
    }
    let tools = table.get("tools").and_then(Value::as_table)?;
    let mut names = tools.keys().filter(|name| names_program_or_address(name));
    names.next().map(|name| format!("tools.{name}"))
}

fn first_loosened_rule(rules: &BTreeMap<String, Severity>) -> Option<String> {
    let looser = |(code, severity): &(&String, &Severity)| {
        rule::find_rule(code).is_some_and(|rule| **severity < rule.severity)
    };
    let (code, _) = rules.iter().find(looser)?;
    Some(format!("rules.{code}"))
}
