//! What a team does unless it is told otherwise.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Faults;

/// Flags of earlier versions, each with what holds in its place.
const REMOVED: [(&str, &str); 4] = [
    ("evidence", "a task is never done without evidence"),
    ("fresh-reviewer", "every check has a context of its own"),
    ("worktrees", "every member has a work tree of its own"),
    (
        "commit-steps",
        "every task is merged as a commit of its own",
    ),
];

/// What a team does unless it is told otherwise: `flags.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Flags {
    /// `agon.flags/1`.
    pub schema: String,
    /// Every flag that there is, by name; only the defaults declare any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub flags: BTreeMap<String, Flag>,
    /// The values that differ from the defaults, by flag.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, FlagValue>,
}

/// A flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flag {
    /// What it switches, in a line.
    pub about: String,
    /// What kind of value it has.
    #[serde(rename = "type")]
    pub kind: FlagType,
    /// What holds where nothing is set.
    pub default: FlagValue,
    /// What follows from it.
    pub effect: String,
    /// The values that it may have, of type `choice`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// The least value, of type `integer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// The greatest value, of type `integer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// Whether a project may set it without the user's trust.
    #[serde(default)]
    pub project: bool,
}

/// What kind of value a flag has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FlagType {
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Integer,
    /// One of some words.
    Choice,
}

/// The value of a flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a value is true, false, a whole number or a word"
)]
pub enum FlagValue {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// One of some words.
    Choice(String),
}

impl fmt::Display for FlagValue {
    /// As it is written in TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(is_on) => is_on.fmt(f),
            Self::Integer(number) => number.fmt(f),
            Self::Choice(word) => toml::Value::from(word.as_str()).fmt(f),
        }
    }
}

impl Flag {
    /// What it may be, where `value` is not that.
    pub(super) fn refuse(&self, value: &FlagValue) -> Option<String> {
        let (fits, wanted) = match (self.kind, value) {
            (FlagType::Bool, value) => (
                matches!(value, FlagValue::Bool(_)),
                "true or false".to_owned(),
            ),
            (FlagType::Integer, value) => {
                let (min, max) = (self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX));
                let fits = match value {
                    FlagValue::Integer(number) => (min..=max).contains(number),
                    FlagValue::Bool(_) | FlagValue::Choice(_) => false,
                };
                (fits, format!("a whole number from {min} to {max}"))
            }
            (FlagType::Choice, FlagValue::Choice(word)) if self.choices.contains(word) => {
                (true, String::new())
            }
            (FlagType::Choice, _) => (false, format!("one of {}", self.choices.join(", "))),
        };
        (!fits).then_some(wanted)
    }
}

impl Flags {
    /// The value of a flag that holds; `None` where there is no such flag.
    pub fn value(&self, name: &str) -> Option<&FlagValue> {
        let flag = self.flags.get(name)?;
        Some(self.set.get(name).unwrap_or(&flag.default))
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        for (name, flag) in &self.flags {
            let keys = |key: &'static str| ["flags", name, key];
            faults.require_name(&["flags", name], name);
            faults.require_about(&keys("about"), &flag.about);
            if flag.effect.trim().is_empty() {
                let hint = "say what follows from it, in a sentence";
                faults.add(&keys("effect"), "it has no effect", hint);
            }
            if (flag.kind == FlagType::Choice) == flag.choices.is_empty() {
                let what = "`choices` belongs to the type `choice` and to no other";
                faults.add(
                    &keys("choices"),
                    what,
                    "give its words there, or another type",
                );
            } else if let Some(wanted) = flag.refuse(&flag.default) {
                let what = format!("its default is not {wanted}");
                faults.add(&keys("default"), what, "change the default or the type");
            }
        }
        self.check_values(&["set"], &self.set, faults);
    }

    /// Holds values that stand below `above` to what is declared.
    pub(super) fn check_values(
        &self,
        above: &[&str],
        values: &BTreeMap<String, FlagValue>,
        faults: &mut Faults,
    ) {
        for (name, value) in values {
            let keys: Vec<&str> = above.iter().copied().chain([name.as_str()]).collect();
            match self.flags.get(name) {
                None => {
                    if let Some((_, always)) = REMOVED.iter().find(|(removed, _)| removed == name) {
                        let what = format!("the flag `{name}` was removed");
                        faults.add(&keys, what, format!("delete it: {always}"));
                        continue;
                    }
                    let known = self.flags.keys().map(String::as_str);
                    faults.require_known(&keys, "flag", name, known);
                }
                Some(flag) => {
                    if let Some(wanted) = flag.refuse(value) {
                        let what = format!("`{name}` is not {wanted}");
                        faults.add(&keys, what, format!("{}. {}", flag.about, flag.effect));
                    }
                }
            }
        }
    }
}
