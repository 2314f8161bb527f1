//! Values, so that two ways to write one are equal.

use crate::prose::strip_quotes;

/// A value, so that two ways to write one are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A number of the smallest unit of its kind.
    Number(String, &'static str),
    Switch(bool),
    Name(String),
}

pub(super) fn value<'a>(captures: &regex::Captures<'a>) -> Option<(&'a str, Value)> {
    let text = |name| captures.name(name).map(|it| it.as_str());
    if let Some(number) = text("number") {
        return Some((
            number,
            number_value(number, text("unit").unwrap_or_default()),
        ));
    }
    if let Some(word) = text("switch") {
        return Some((word, switch_value(word)?));
    }
    let raw = ["code", "quoted", "product", "word", "plain"]
        .iter()
        .find_map(|it| text(it))?;
    Some((raw, plain_value(raw)))
}

pub(super) fn plain_value(raw: &str) -> Value {
    let raw = strip_quotes(raw.trim());
    switch_value(raw)
        .or_else(|| {
            let digits = raw
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, '.' | '_' | ','));
            (digits && raw.starts_with(|c: char| c.is_ascii_digit())).then(|| number_value(raw, ""))
        })
        .unwrap_or_else(|| {
            let name = raw.trim_start_matches("./").trim_end_matches('/');
            Value::Name(name.to_lowercase())
        })
}

fn switch_value(word: &str) -> Option<Value> {
    match word.to_lowercase().as_str() {
        "true" | "enabled" | "on" => Some(Value::Switch(true)),
        "false" | "disabled" | "off" => Some(Value::Switch(false)),
        _ => None,
    }
}

fn number_value(number: &str, unit: &str) -> Value {
    let digits: String = number.chars().filter(|c| !matches!(c, '_' | ',')).collect();
    let unit = unit.to_lowercase();
    let (factor, kind) = match unit.as_str() {
        "" => (0, ""),
        "ms" => (1, "time"),
        it if it.starts_with("milli") => (1, "time"),
        it if it.starts_with('s') => (1_000, "time"),
        it if it.starts_with("min") => (60_000, "time"),
        it if it.starts_with('h') => (3_600_000, "time"),
        it if it.starts_with('d') => (86_400_000, "time"),
        "kb" | "kib" => (1, "bytes"),
        "mb" | "mib" => (1_024, "bytes"),
        "gb" | "gib" => (1_048_576, "bytes"),
        _ => (1, "percent"),
    };
    match digits.parse::<u64>() {
        Ok(count) if factor > 0 => Value::Number(count.saturating_mul(factor).to_string(), kind),
        _ => Value::Number(digits, kind),
    }
}
