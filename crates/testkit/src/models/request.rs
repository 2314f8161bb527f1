//! Parses the tools' requests to the server.

use axum::http::HeaderMap;
use serde_json::Value;

use super::counts::Counts;
use crate::script::Cue;

/// The protocol of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Responses.
    Responses,
    /// OpenAI Chat Completions.
    Chat,
    /// Gemini `generateContent`.
    Gemini,
}

impl Api {
    /// The protocol of a path.
    pub(crate) fn of(path: &str) -> Option<Self> {
        match path {
            _ if path.ends_with("/messages") => Some(Self::Anthropic),
            _ if path.ends_with("/responses") => Some(Self::Responses),
            _ if path.ends_with("/chat/completions") => Some(Self::Chat),
            _ if path.contains("enerateContent") => Some(Self::Gemini),
            _ => None,
        }
    }
}

/// A request for a completion, as parsed by the server.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Its protocol.
    pub api: Api,
    /// The model it names.
    pub model: String,
    /// The turn of the newest user message with a `Turn:` line; `None` for a tool's own calls.
    pub turn: Option<String>,
    /// How many times the turn had been asked for before, according to that message.
    pub again: usize,
    /// The text of that message, or of the newest user message.
    pub prompt: String,
    /// Length of the body, in bytes.
    pub body_bytes: usize,
    /// Whether the answer should be streamed.
    pub stream: bool,
    /// The requested effort, in the protocol's vocabulary.
    pub effort: Option<String>,
    /// The required schema of the answer.
    pub schema: Option<Value>,
    /// The API key, as the protocol transmits it.
    pub key: Option<String>,
    /// Names of the offered tools.
    pub tools: Vec<String>,
    /// Token counts in its answer.
    pub counts: Counts,
    /// The whole body.
    pub body: Value,
}

impl Request {
    /// Reads a request from its path and body.
    pub(crate) fn read(api: Api, path: &str, body: Value, body_bytes: usize) -> Self {
        let model = body["model"].as_str().map(str::to_owned);
        let of_path = || Some(path.split_once("/models/")?.1.split(':').next()?.to_owned());
        let texts: Vec<String> = messages(&body)
            .filter(|said| said["role"] == "user")
            .map(text_of)
            .collect();
        let asks = texts.iter().rev().find(|text| Cue::of(text).turn.is_some());
        let prompt = asks.or_else(|| texts.last()).cloned().unwrap_or_default();
        let cue = if wants_json(&body) {
            Cue::default()
        } else {
            Cue::of(&prompt)
        };
        let effort = match api {
            Api::Anthropic => &body["output_config"]["effort"],
            Api::Responses => &body["reasoning"]["effort"],
            Api::Chat => &body["reasoning_effort"],
            Api::Gemini => &body["generationConfig"]["thinkingConfig"]["thinkingLevel"],
        };
        let schema = match api {
            Api::Anthropic => body.pointer("/output_config/format/schema"),
            Api::Responses => body.pointer("/text/format/schema"),
            Api::Chat => body.pointer("/response_format/json_schema/schema"),
            Api::Gemini => body.pointer("/generationConfig/responseJsonSchema"),
        };
        Self {
            api,
            model: model.or_else(of_path).unwrap_or_default(),
            turn: cue.turn,
            again: cue.again,
            prompt,
            body_bytes,
            stream: body["stream"] == true || path.contains("streamGenerateContent"),
            effort: effort.as_str().map(str::to_owned),
            schema: schema.cloned(),
            key: None,
            counts: Counts::default(),
            tools: tools(&body),
            body,
        }
    }

    /// The results of the called tools, in order.
    pub fn results(&self) -> Vec<String> {
        const OUTPUTS: [&str; 2] = ["function_call_output", "custom_tool_call_output"];
        let mut results = Vec::new();
        for said in messages(&self.body) {
            if said["role"] == "tool" {
                results.push(text_of(&said["content"]));
            }
            if OUTPUTS.iter().any(|output| said["type"] == *output) {
                results.push(text_of(&said["output"]));
            }
            let parts = said["content"]
                .as_array()
                .or_else(|| said["parts"].as_array());
            for part in parts.into_iter().flatten() {
                if part["type"] == "tool_result" {
                    results.push(text_of(&part["content"]));
                } else if let Some(answer) = part.get("functionResponse") {
                    results.push(answer["response"].to_string());
                }
            }
        }
        results
    }

    /// Returns whether it is a call by which a tool makes a decision in JSON.
    pub(crate) fn wants_json(&self) -> bool {
        wants_json(&self.body)
    }
}

/// Returns whether it is a tool's own call, which has instructions as well.
fn wants_json(body: &Value) -> bool {
    body["generationConfig"]["responseMimeType"] == "application/json"
        && body.get("systemInstruction").is_some()
}

fn messages(body: &Value) -> impl Iterator<Item = &Value> {
    ["messages", "input", "contents"]
        .into_iter()
        .flat_map(|key| body[key].as_array().into_iter().flatten())
}

/// The text of a message, with its parts on separate lines.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<_> = parts
                .iter()
                .map(text_of)
                .filter(|text| !text.is_empty())
                .collect();
            texts.join("\n")
        }
        Value::Object(fields) => {
            let inner = ["text", "content", "parts"]
                .iter()
                .find_map(|key| fields.get(*key));
            inner.map(text_of).unwrap_or_default()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// The names of the offered tools; a tool of a server in its own namespace is `SPACE/NAME`.
fn tools(body: &Value) -> Vec<String> {
    let offers = body["tools"].as_array().into_iter().flatten();
    let mut found = Vec::new();
    for offer in offers {
        let declared = match offer["functionDeclarations"].as_array() {
            Some(declared) => declared.iter().map(|one| &one["name"]).collect(),
            None => vec![&offer["function"]["name"], &offer["name"]],
        };
        let names = declared.into_iter().filter_map(Value::as_str);
        found.extend(names.map(str::to_owned));
        let space = offer["name"].as_str().unwrap_or_default();
        if offer["type"] == "namespace" && space.starts_with("mcp__") {
            let below = offer["tools"].as_array().into_iter().flatten();
            let names = below.filter_map(|tool| tool["name"].as_str());
            found.extend(names.map(|name| format!("{space}/{name}")));
        }
    }
    found
}

/// The API key, from any header.
pub(super) fn key(headers: &HeaderMap) -> Option<String> {
    let names = ["authorization", "x-api-key", "x-goog-api-key"];
    let value = names.iter().find_map(|name| headers.get(*name))?;
    let value = value.to_str().ok()?;
    Some(value.strip_prefix("Bearer ").unwrap_or(value).to_owned())
}
