//! Arguments as clients send them, made into what a tool's schema says.
//!
//! Models and the clients around them write numbers, switches and lists as text, fill optional
//! parameters with `null` or `""`, and add notes to themselves. Where only one meaning is possible,
//! that is taken; everything else is refused by name. The schemas that clients are shown stay strict.

use agon_caller::{Code, Failure};
use agon_report::text::plain_line;
use serde_json::{Map, Value};

/// What clients add to the call of any tool, for themselves: Cline's `task_progress`, Gemini CLI's
/// `wait_for_previous`, Antigravity's three, Cursor's `explanation`, and a parameter for tools that
/// have none. Dropped where the tool has no parameter of that name.
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

/// Lists whose entries may have commas in them, so that a text is one entry or unclear.
const LISTS_WITH_COMMAS: &[&str] = &["globs"];

/// Characters of a value that an error quotes.
const QUOTED_CHARS: usize = 40;

/// The arguments of a call, of the kinds that `schema` names: its `properties` and `required`.
///
/// Takes numbers, switches and lists as text, a whole number with a fraction of zero, one name for a
/// list of names, words of an enumeration in any case, and leaves out what is `null` or blank where
/// it is optional. What is unknown or cannot be read stays, for the tool to refuse.
///
/// # Errors
///
/// If a value can mean several things or nothing: the failure names the parameter, what was given
/// and what is wanted.
pub(crate) fn read_by_schema(
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
                // A blank text is refused by the use case, which knows what it is for.
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

/// The arguments of a call that came as one value: an object, the text of one, or none.
///
/// # Errors
///
/// If it is none of these.
pub(crate) fn read_whole(arguments: Value) -> Result<Map<String, Value>, Failure> {
    let refuse = |given: &Value| {
        let message = format!("`arguments` is {}; an object is wanted", quote(given));
        Failure::new(Code::InvalidParameter, message).parameter("arguments")
    };
    match arguments {
        Value::Object(fields) => Ok(fields),
        Value::Null => Ok(Map::new()),
        // PHP writes an empty object so.
        Value::Array(all) if all.is_empty() => Ok(Map::new()),
        Value::String(text) if text.trim().is_empty() => Ok(Map::new()),
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(Value::Object(fields)) => Ok(fields),
            _ => Err(refuse(&Value::String(text))),
        },
        other => Err(refuse(&other)),
    }
}

/// What a parameter takes.
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

    /// Whether nothing is meant by `given`.
    fn is_absent(&self, given: &Value) -> bool {
        match (self, given) {
            (_, Value::Null) => true,
            (Self::Other, _) => false,
            // A debate, a tool or a message can be called null.
            (Self::Text, Value::String(text)) => text.trim().is_empty(),
            // `none` could be the name of one.
            (Self::Texts { .. }, Value::String(text)) => ["", "null"].contains(&text.trim()),
            (_, Value::String(text)) => {
                ["", "null", "none", "undefined"].contains(&text.trim().to_lowercase().as_str())
                    && !matches!(self, Self::Word(words) if words.contains(&text.trim()))
            }
            _ => false,
        }
    }

    /// The value that is meant; none where that is not clear.
    fn read(&self, given: &Value) -> Option<Value> {
        match (self, given) {
            (Self::Text, Value::String(_)) | (Self::Other, _) => Some(given.clone()),
            (Self::Word(words), Value::String(text)) => {
                let same = |word: &&&str| word.eq_ignore_ascii_case(text.trim());
                words.iter().find(same).map(|word| (*word).into())
            }
            (Self::Integer, Value::Number(number)) => whole_number(number),
            (Self::Integer, Value::String(text)) => match serde_json::from_str(text.trim()) {
                Ok(Value::Number(number)) => whole_number(&number),
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
            Self::Text => "a text".to_owned(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::Integer => "a whole number".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Switch => "true or false".to_owned(),
            Self::Texts { .. } => "a list of texts".to_owned(),
            Self::Other => "another value".to_owned(),
        };
        let message = format!("`{name}` is {}; {wanted} is wanted", quote(given));
        Failure::new(Code::InvalidParameter, message)
            .parameter(name)
            .hint("tools/list has what each tool takes")
    }
}

/// A number without a fraction, as an integer; none where it has one, or is past what a float holds
/// exactly.
fn whole_number(number: &serde_json::Number) -> Option<Value> {
    if number.is_i64() || number.is_u64() {
        return Some(number.clone().into());
    }
    let float = number.as_f64()?;
    let is_exact = float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0;
    // Written out and read again: no cast can change it.
    let digits = is_exact.then(|| format!("{float:.0}"))?;
    let whole: i64 = digits.parse().ok()?;
    Some(whole.into())
}

/// A list that came as text: that of a JSON list, names with commas between them, or one entry.
fn read_list(text: &str, has_commas: bool) -> Option<Value> {
    let text = text.trim();
    if text.starts_with('[')
        && let Ok(all) = serde_json::from_str::<Vec<String>>(text)
    {
        return Some(all.into());
    }
    // A broken list, or one of other things than texts.
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

/// A value as an error quotes it: on one line, and cut.
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
