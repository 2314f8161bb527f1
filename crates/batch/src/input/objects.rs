//! JSON lines, one request on each.

use agon_debates::request::StartRequest;
use serde_json::{Map, Value};

use super::{InputError, Row, RowKind, check, overlay};

/// Settings that concern how one debate is started, which the batch decides.
const DECIDED: &[&str] = &[
    "slug",
    "dry_run",
    "strict",
    "detach",
    "again",
    "reuse",
    "allow_download",
];

/// Reads `text`; rows leave out what `base` sets. Empty lines are skipped.
pub(super) fn read(
    text: &str,
    base: &Value,
    base_request: &StartRequest,
) -> (Vec<Row>, Vec<InputError>) {
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        match read_line(line, text, base, base_request) {
            Ok(row) => rows.push(row),
            Err(found) => errors.extend(found),
        }
    }
    (rows, errors)
}

fn read_line(
    line: u64,
    text: &str,
    base: &Value,
    base_request: &StartRequest,
) -> Result<Row, Vec<InputError>> {
    let object = parse_object(line, text).map_err(|error| vec![error])?;
    let mut errors = Vec::new();
    let at = |key: &str, what: String| InputError {
        line,
        column: Some(column_of_key(text, key).to_string()),
        what,
    };
    let (mut id, mut tags, mut request) = (String::new(), Vec::new(), Map::new());
    for (key, value) in object {
        match key.as_str() {
            "id" => match value {
                Value::String(text) => id = text,
                Value::Number(number) => id = number.to_string(),
                _ => errors.push(at("id", "`id` must be a string or a number".to_owned())),
            },
            "tags" => match serde_json::from_value(value) {
                Ok(read) => tags = read,
                Err(_) => errors.push(at("tags", "`tags` must be a list of strings".to_owned())),
            },
            name if DECIDED.contains(&name) => {
                let what = format!("`{name}` cannot be set in a row; the batch decides it");
                errors.push(at(name, what));
            }
            _ => {
                // Read each key alone, so that every error is found and has its place.
                let alone = Map::from_iter([(key.clone(), value.clone())]);
                match serde_json::from_value::<StartRequest>(alone.into()) {
                    Ok(_) => {
                        request.insert(key, value);
                    }
                    Err(error) => errors.push(at(&key, describe(&key, &error))),
                }
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut whole = base.clone();
    overlay(&mut whole, request.into());
    let read = serde_json::from_value::<StartRequest>(whole);
    let mut request = read.map_err(|error| vec![at("topic", error.to_string())])?;
    // Texts are not part of the JSON form of a request.
    request.pasted.clone_from(&base_request.pasted);
    check(&request).map_err(|(field, what)| vec![at(field, what)])?;
    Ok(Row {
        line,
        id,
        tags,
        kind: RowKind::Debate,
        apart: String::new(),
        request,
    })
}

/// Parses one line as a JSON object.
pub(super) fn parse_object(line: u64, text: &str) -> Result<Map<String, Value>, InputError> {
    let error = |column: Option<String>, what: String| InputError { line, column, what };
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(error(Some("1".to_owned()), "not a JSON object".to_owned())),
        Err(cause) => {
            let what = cause.to_string();
            // The line in this message is always 1.
            let what = what.split(" at line ").next().unwrap_or_default();
            Err(error(Some(cause.column().to_string()), what.to_owned()))
        }
    }
}

fn describe(key: &str, error: &serde_json::Error) -> String {
    let text = error.to_string();
    // Leave out the long list of all fields.
    match text.split_once(", expected one of") {
        Some((head, _)) if head.starts_with("unknown field") => head.to_owned(),
        _ => format!("`{key}`: {text}"),
    }
}

/// Returns the column of `key` in `text`, in characters from 1; 1 if it is not found.
fn column_of_key(text: &str, key: &str) -> usize {
    let quoted = serde_json::to_string(key).unwrap_or_default();
    let mut found = text.match_indices(&quoted).map(|(at, _)| at);
    let is_key = |at: &usize| {
        let after = text.get(at + quoted.len()..).unwrap_or_default();
        after.trim_start().starts_with(':')
    };
    let at = found.find(is_key).unwrap_or(0);
    text.get(..at)
        .map_or(1, |before| before.chars().count() + 1)
}
