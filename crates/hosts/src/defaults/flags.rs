//! Flags of a team: `flags.toml`.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Faults;

/// Removed flags, each with what always applies now.
const REMOVED: [(&str, &str); 4] = [
    ("evidence", "a task is never done without evidence"),
    ("fresh-reviewer", "every check has its own context"),
    ("worktrees", "every member has its own work tree"),
    ("commit-steps", "every task is merged as its own commit"),
];

/// Flags of a team: `flags.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Flags {
    /// `agon.flags/1`.
    pub schema: String,
    /// All flags, by name; only Agon's defaults declare them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub flags: BTreeMap<String, Flag>,
    /// Values that override the defaults, by flag.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, FlagValue>,
}

/// A flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flag {
    /// What it controls, in one line.
    pub about: String,
    /// Type of its value.
    #[serde(rename = "type")]
    pub kind: FlagType,
    /// Value if nothing is set.
    pub default: FlagValue,
    /// Its effect, in a sentence.
    pub effect: String,
    /// Allowed values, for type `choice`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Minimum value, for type `integer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// Maximum value, for type `integer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// Whether an untrusted project may set it.
    #[serde(default)]
    pub project: bool,
}

/// Type of a flag's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FlagType {
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Integer,
    /// One of a list of words.
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
    /// One of a list of words.
    Choice(String),
}

impl fmt::Display for FlagValue {
    /// Writes the value in TOML syntax.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(is_on) => is_on.fmt(f),
            Self::Integer(number) => number.fmt(f),
            Self::Choice(word) => toml::Value::from(word.as_str()).fmt(f),
        }
    }
}

impl Flag {
    /// Returns a description of the allowed values if `value` is not one.
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
    /// Returns the effective value of a flag, or `None` if there is no such flag.
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
                let hint = "describe the effect in a sentence";
                faults.add(&keys("effect"), "`effect` is empty", hint);
            }
            if (flag.kind == FlagType::Choice) == flag.choices.is_empty() {
                let what = "`choices` is required for type `choice` and allowed only there";
                faults.add(
                    &keys("choices"),
                    what,
                    "list the allowed words, or change the type",
                );
            } else if let Some(wanted) = flag.refuse(&flag.default) {
                let what = format!("its default must be {wanted}");
                faults.add(&keys("default"), what, "change the default or the type");
            }
        }
        self.check_values(&["set"], &self.set, faults);
    }

    /// Checks the values under the keys `above` against the declared flags.
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
                        let what = format!("`{name}` must be {wanted}");
                        faults.add(&keys, what, format!("{}. {}", flag.about, flag.effect));
                    }
                }
            }
        }
    }
}
