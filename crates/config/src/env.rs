//! Reads the configuration layer from the environment.

use std::collections::BTreeMap;

use toml::{Table, Value};

/// The keys that the environment may set.
const KEYS: &[&str] = &[
    "proposer",
    "challenger",
    "judge",
    "rounds",
    "effort",
    "transport",
    "fallback",
    "context",
    "timeout",
    "max_calls",
    "max_tokens",
    "max_time",
    "max_cost",
    "batch_calls",
    "debates_dir",
    "profile",
    "vendors",
];

/// The keys whose value is a list. In a variable, commas separate its elements.
const LISTS: &[&str] = &["vendors"];

/// Variables with another purpose.
const OTHERS: &[&str] = &[
    "CONFIG_DIR",
    "DEPTH",
    "GROUP",
    "MODELS_DIR",
    "TEAM_TOKEN",
    "LOOPBACK_SERVERS",
    "FAILPOINT",
];

/// Returns the settings in variables `AGON_NAME` as a table.
///
/// Whole numbers and decimals become numbers; everything else stays a string.
/// Variables with another purpose (`AGON_DEPTH`, …) and tables are left out.
pub(crate) fn table_from_vars(vars: &BTreeMap<String, String>) -> Table {
    let mut table = Table::new();
    for key in KEYS {
        if let Some(text) = vars.get(&format!("AGON_{}", key.to_uppercase())) {
            let value = match LISTS.contains(key) {
                true => parse_list(text),
                false => parse_value(text),
            };
            table.insert((*key).to_owned(), value);
        }
    }
    table
}

/// Returns the unknown variables in `vars` that begin with `AGON_`.
pub fn unknown_vars(vars: &BTreeMap<String, String>) -> Vec<&str> {
    let is_known =
        |name: &str| OTHERS.contains(&name) || KEYS.iter().any(|key| key.to_uppercase() == *name);
    let unknown = vars.keys().filter(|name| {
        name.strip_prefix("AGON_")
            .is_some_and(|rest| !is_known(rest))
    });
    unknown.map(String::as_str).collect()
}

fn parse_list(text: &str) -> Value {
    let elements = text.split(',').map(str::trim);
    let elements = elements.filter(|element| !element.is_empty());
    Value::Array(elements.map(Value::from).collect())
}

fn parse_value(text: &str) -> Value {
    if let Ok(whole) = text.parse::<i64>() {
        return Value::Integer(whole);
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Value::Float(number),
        Ok(_) | Err(_) => Value::String(text.to_owned()),
    }
}
