//! Converts the arguments from clients to the types of a tool's schema.
//!
//! Models and their clients write numbers, booleans and lists as strings, fill optional parameters
//! with `null` or `""`, and add notes for themselves. Unambiguous values are converted, and all
//! others are rejected by name. The published schemas stay strict.

use agon_caller::{Code, Failure};
use agon_report::text::plain_line;
use serde_json::{Map, Value};

/// Parameters that clients add to every call for their own use: Cline's `task_progress`, Gemini
/// CLI's `wait_for_previous`, Antigravity's three, Cursor's `explanation`, and dummies for tools
/// without parameters. Dropped unless the tool has a parameter of that name.
const ADDED_BY_CLIENTS: &[&str] = &[
    "_meta",
    "dummy",
    "explanation",
    "random_string",
    "reason",
    "task_progress",
    "thought",
    "toolAction",
    "toolSummary",
    "waitForPreviousTools",
    "wait_for_previous",
];

/// Lists whose entries may contain commas, so a string is either one entry or ambiguous.
const LISTS_WITH_COMMAS: &[&str] = &["globs"];

/// The maximum number of characters of a quoted value.
const QUOTED_CHARS: usize = 40;

/// Converts the arguments of a call to the types in `schema`.
///
/// Accepts numbers, booleans and lists as strings, integers with a zero fraction, one name for a
/// list of names, and enum values in any case. Drops optional values that are `null` or blank.
/// Keeps unknown parameters, which the tool rejects.
///
/// # Errors
///
/// Returns an error if a value is ambiguous or invalid. It names the parameter, the value and the
/// expected type.
pub(crate) fn convert_arguments(
    arguments: Map<String, Value>,
    schema: &Map<String, Value>,
) -> Result<Map<String, Value>, Failure> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let mut read = Map::new();
    for (name, given) in arguments {
        let property = properties.and_then(|all| all.get(&name));
        let Some(property) = property else {
            if !ADDED_BY_CLIENTS.contains(&name.as_str()) {
                read.insert(name, given);
            }
            continue;
        };
        let kind = ParameterKind::of(&name, property);
        if kind.is_absent(&given) {
            match is_required(&name) {
                false => continue,
                // Accept a blank string here, because the use case rejects it with a better
                // message.
                true if given.is_string() => {}
                true => return Err(kind.refusal(&name, &given)),
            }
        }
        let value = kind
            .read(&given)
            .ok_or_else(|| kind.refusal(&name, &given))?;
        read.insert(name, value);
    }
    Ok(read)
}

/// Reads the arguments of a call from one value: an object, a string that contains one, or nothing.
///
/// # Errors
///
/// Returns an error for any other value.
pub(crate) fn arguments_object(arguments: Value) -> Result<Map<String, Value>, Failure> {
    let refuse = |given: &Value| {
        let message = format!("`arguments` is {}, but must be an object", quote(given));
        Failure::new(Code::InvalidParameter, message).parameter("arguments")
    };
    match arguments {
        Value::Object(fields) => Ok(fields),
        Value::Null => Ok(Map::new()),
        // PHP encodes an empty object as an empty list.
        Value::Array(all) if all.is_empty() => Ok(Map::new()),
        Value::String(text) if text.trim().is_empty() => Ok(Map::new()),
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(Value::Object(fields)) => Ok(fields),
            _ => Err(refuse(&Value::String(text))),
        },
        other => Err(refuse(&other)),
    }
}

/// The type of a parameter.
#[derive(Debug)]
enum ParameterKind<'a> {
    Text,
    Word(Vec<&'a str>),
    Integer,
    Number,
    Switch,
    Texts { has_commas: bool },
    Other,
}

impl<'a> ParameterKind<'a> {
    fn of(name: &str, property: &'a Value) -> Self {
        match property["type"].as_str() {
            Some("string") => match property["enum"].as_array() {
                Some(words) => Self::Word(words.iter().filter_map(Value::as_str).collect()),
                None => Self::Text,
            },
            Some("integer") => Self::Integer,
            Some("number") => Self::Number,
            Some("boolean") => Self::Switch,
            Some("array") if property["items"]["type"] == "string" => Self::Texts {
                has_commas: LISTS_WITH_COMMAS.contains(&name),
            },
            _ => Self::Other,
        }
    }

    /// Returns whether `given` means that the parameter is absent.
    fn is_absent(&self, given: &Value) -> bool {
        match (self, given) {
            (_, Value::Null) => true,
            (Self::Other, _) => false,
            // Only blank text: `null` can be the name of a debate, a tool or a message.
            (Self::Text, Value::String(text)) => text.trim().is_empty(),
            // `none` is a valid entry of a list, so it does not mean "absent".
            (Self::Texts { .. }, Value::String(text)) => ["", "null"].contains(&text.trim()),
            (_, Value::String(text)) => {
                ["", "null", "none", "undefined"].contains(&text.trim().to_lowercase().as_str())
                    && !matches!(self, Self::Word(words) if words.contains(&text.trim()))
            }
            _ => false,
        }
    }

    /// Converts a value; `None` if it is ambiguous or invalid.
    fn read(&self, given: &Value) -> Option<Value> {
        match (self, given) {
            (Self::Text, Value::String(_)) | (Self::Other, _) => Some(given.clone()),
            (Self::Word(words), Value::String(text)) => {
                let same = |word: &&&str| word.eq_ignore_ascii_case(text.trim());
                words.iter().find(same).map(|word| (*word).into())
            }
            (Self::Integer, Value::Number(number)) => exact_integer(number),
            (Self::Integer, Value::String(text)) => match serde_json::from_str(text.trim()) {
                Ok(Value::Number(number)) => exact_integer(&number),
                _ => None,
            },
            (Self::Number, Value::Number(_)) => Some(given.clone()),
            (Self::Number, Value::String(text)) => serde_json::from_str(text.trim())
                .ok()
                .filter(Value::is_number),
            (Self::Switch, Value::Bool(_)) => Some(given.clone()),
            (Self::Switch, Value::Number(number)) => match number.as_f64()? {
                0.0 => Some(false.into()),
                1.0 => Some(true.into()),
                _ => None,
            },
            (Self::Switch, Value::String(text)) => {
                match text.trim().to_ascii_lowercase().as_str() {
                    "true" | "yes" | "on" | "1" => Some(true.into()),
                    "false" | "no" | "off" | "0" => Some(false.into()),
                    _ => None,
                }
            }
            (Self::Texts { .. }, Value::Array(all)) => {
                all.iter().all(Value::is_string).then(|| given.clone())
            }
            (Self::Texts { has_commas }, Value::String(text)) => read_list(text, *has_commas),
            _ => None,
        }
    }

    fn refusal(&self, name: &str, given: &Value) -> Failure {
        let wanted = match self {
            Self::Text => "a string".to_owned(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::Integer => "a whole number".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Switch => "true or false".to_owned(),
            Self::Texts { .. } => "a list of strings".to_owned(),
            Self::Other => "another value".to_owned(),
        };
        let message = format!("`{name}` is {}, but must be {wanted}", quote(given));
        Failure::new(Code::InvalidParameter, message)
            .parameter(name)
            .hint("see the parameters of each tool in tools/list")
    }
}

/// Converts a number to an integer; `None` if it has a fraction or is too large for an exact float.
fn exact_integer(number: &serde_json::Number) -> Option<Value> {
    if number.is_i64() || number.is_u64() {
        return Some(number.clone().into());
    }
    let float = number.as_f64()?;
    let is_exact = float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0;
    // Converts through text, because a cast from a float could change the value.
    let digits = is_exact.then(|| format!("{float:.0}"))?;
    let whole: i64 = digits.parse().ok()?;
    Some(whole.into())
}

/// Parses a list from a string: a JSON list, names separated by commas, or one entry.
fn read_list(text: &str, has_commas: bool) -> Option<Value> {
    let text = text.trim();
    if text.starts_with('[')
        && let Ok(all) = serde_json::from_str::<Vec<String>>(text)
    {
        return Some(all.into());
    }
    // Looks like JSON but is malformed or has entries that are not strings, so reject it.
    if text.starts_with(['[', '{', '"']) && !has_commas {
        return None;
    }
    if has_commas {
        let is_clear = !text.contains(',') && !text.starts_with(['{', '"']);
        return is_clear.then(|| vec![text.to_owned()].into());
    }
    let names = text.split(',').map(|name| name.trim().to_owned());
    let names: Vec<_> = names.filter(|name| !name.is_empty()).collect();
    (!names.is_empty()).then(|| names.into())
}

/// Quotes a value for an error message, on one line and shortened.
fn quote(value: &Value) -> String {
    let (kind, text) = match value {
        Value::Array(_) => ("a list, ", value.to_string()),
        Value::Object(_) => ("an object, ", value.to_string()),
        _ => ("", value.to_string()),
    };
    let line = plain_line(&text);
    match line.char_indices().nth(QUOTED_CHARS) {
        None => format!("{kind}{line}"),
        Some((end, _)) => format!("{kind}{}…", &line[..end]),
    }
}

#[cfg(test)]
mod tests;
