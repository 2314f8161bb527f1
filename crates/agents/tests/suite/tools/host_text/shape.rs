//! The rest of a request besides the text: the same for every text that a host does not interpret.

use agon_testkit::models::Request;
use serde_json::Value;

/// The position of the text in a request.
const TEXT: &str = "<text>";

/// Whether a string of a request contains the unchanged text.
pub(super) fn has(request: &Request, text: &str) -> bool {
    leaves(&request.body)
        .iter()
        .any(|leaf| leaf.as_str().is_some_and(|said| said.contains(text)))
}

/// Whether a request asks for a title of the conversation. It runs concurrently with the answer.
fn is_for_title(request: &Request) -> bool {
    has(request, "You are naming a coding session")
}

/// All values of these requests, without the text, Agon's line before it, and what differs between any
/// two calls: names of folders, times and IDs.
pub(super) fn shape(requests: &[Request], text: &str) -> Vec<String> {
    let requests = requests.iter().filter(|it| !is_for_title(it));
    let leaves = requests.flat_map(|it| leaves(&it.body));
    let mut all: Vec<String> = leaves
        .map(|leaf| match leaf {
            Value::String(said) => steady(&without(said, text)),
            other => other.to_string(),
        })
        .collect();
    all.sort();
    all
}

fn leaves(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().flat_map(leaves).collect(),
        Value::Object(fields) => fields.values().flat_map(leaves).collect(),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => vec![value],
    }
}

/// A string of a request without the text. A short text could occur anywhere, so it is searched at the end.
fn without(said: &str, text: &str) -> String {
    let text = text.trim();
    let said = said.trim();
    let said = match said.strip_suffix(text) {
        Some(before) => format!("{before}{TEXT}"),
        None if text.len() > 8 => said.replace(text, TEXT),
        None => said.to_owned(),
    };
    let lead = "The request:";
    let Some((before, after)) = said.split_once(TEXT) else {
        return said;
    };
    // Agon's own line, or the random name of its command.
    let ours = |line: &&str| {
        *line == lead || line.starts_with("/agon") || line.starts_with("The request stands")
    };
    let kept: Vec<&str> = before
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !ours(line))
        .collect();
    format!("{} {TEXT}{after}", kept.join("\n"))
}

/// The words of a string, without those that contain a digit or a path.
fn steady(said: &str) -> String {
    let words = said.split_whitespace().map(|word| {
        let differs = word.chars().any(|it| it.is_ascii_digit()) || word.contains("/agon-");
        if differs { "*" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}
