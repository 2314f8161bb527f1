//! Layer from the environment.

use std::collections::BTreeMap;

use toml::{Table, Value};

/// The settings that stand in `vars` as `AGON_NAME`, as a table.
///
/// Whole numbers and decimals become numbers; everything else stays text.
/// Variables of other use (`AGON_DEPTH`, …) and tables are left out.
pub(crate) fn table_from_vars(vars: &BTreeMap<String, String>) -> Table {
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
        "debates_dir",
    ];
    let mut table = Table::new();
    for key in KEYS {
        if let Some(text) = vars.get(&format!("AGON_{}", key.to_uppercase())) {
            table.insert((*key).to_owned(), parse_value(text));
        }
    }
    table
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
