//! A question in the form that `genai` takes it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agon_debate::spec::Effort;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest, JsonSpec, ReasoningEffort};
use genai::resolver::{AuthData, Endpoint};
use genai::{Headers, ModelIden, ServiceTarget};
use serde_json::{Value, json};

use super::heard::Heard;
use crate::agent::Ask;
use crate::profile::{Adapter, Http};
use crate::transport::call::MOST_WRITTEN;

/// What may go along with a question and what some servers refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extra {
    /// The schema of the answer.
    Schema,
    /// How hard to think.
    Effort,
    /// That the tokens be counted.
    Usage,
}

/// What a server has refused, which is left out from then on.
#[derive(Debug, Default)]
pub(super) struct Refused {
    schema: AtomicBool,
    effort: AtomicBool,
    usage: AtomicBool,
    /// Whether it took a schema before: then it refused one of them, and not all there are.
    takes_schemas: AtomicBool,
}

impl Refused {
    fn of(&self, extra: Extra) -> &AtomicBool {
        match extra {
            Extra::Schema => &self.schema,
            Extra::Effort => &self.effort,
            Extra::Usage => &self.usage,
        }
    }

    /// It refused this; whether that is news.
    pub(super) fn note(&self, extra: Extra) -> bool {
        !self.of(extra).swap(true, Ordering::Relaxed)
    }

    /// It answered a question, which had this schema.
    pub(super) fn answered(&self, schema: bool) {
        if schema && !self.has(Extra::Schema) {
            self.takes_schemas.store(true, Ordering::Relaxed);
        }
        if self.takes_schemas.load(Ordering::Relaxed) {
            self.schema.store(false, Ordering::Relaxed);
        }
    }

    fn has(&self, extra: Extra) -> bool {
        self.of(extra).load(Ordering::Relaxed)
    }
}

/// Where a question goes, and as whom: nothing of it is left to be guessed from a name.
pub(super) fn target(http: &Http, model: &str, key: Option<&str>) -> ServiceTarget {
    let (kind, url, named) = match http.adapter {
        Adapter::Openai => {
            let url = http.url.below(&["chat", "completions"]);
            let key = key.map(|key| ("authorization", format!("Bearer {key}")));
            (AdapterKind::OpenAI, url, vec![key])
        }
        Adapter::Anthropic => {
            let version = ("anthropic-version", "2023-06-01".to_owned());
            let key = key.map(|key| ("x-api-key", key.to_owned()));
            let url = http.url.below(&["messages"]);
            (AdapterKind::Anthropic, url, vec![Some(version), key])
        }
        Adapter::Gemini => {
            let call = format!("{model}:streamGenerateContent");
            let mut url = http.url.below(&["models", &call]);
            url.set_query(Some("alt=sse"));
            let key = key.map(|key| ("x-goog-api-key", key.to_owned()));
            (AdapterKind::Gemini, url, vec![key])
        }
    };
    let named = named.into_iter().flatten();
    let headers: Vec<_> = named
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    ServiceTarget {
        endpoint: Endpoint::from_owned(http.url.to_string()),
        auth: AuthData::RequestOverride {
            url: url.to_string(),
            headers: Headers::from(headers),
        },
        model: ModelIden::new(kind, model.to_owned()),
    }
}

/// The question itself.
pub(super) fn request(ask: Ask<'_>) -> ChatRequest {
    ChatRequest::from_user(ask.prompt)
}

/// What goes along with it.
pub(super) fn options(
    http: &Http,
    (ask, model): (Ask<'_>, &str),
    refused: &Refused,
    heard: &Arc<Heard>,
) -> ChatOptions {
    let mut options = ChatOptions::default()
        .with_capture_usage(!refused.has(Extra::Usage))
        .with_stream_header_timeout(Duration::from_millis(http.first_byte_ms).min(ask.timeout))
        .with_stream_read_timeout(Duration::from_millis(http.between_bytes_ms).min(ask.timeout));
    options.raw_frame_sink = Some(Arc::<Heard>::clone(heard) as _);
    options.max_tokens = most_tokens(http, ask);
    if http.effort && !refused.has(Extra::Effort) {
        options.reasoning_effort = Some(match ask.effort {
            Effort::Low => ReasoningEffort::Low,
            Effort::Medium => ReasoningEffort::Medium,
            Effort::High => ReasoningEffort::High,
            Effort::Max => ReasoningEffort::Max,
        });
    }
    let mut body = serde_json::Map::new();
    if http.adapter != Adapter::Gemini {
        // A name that ends with `-high`, or has `::` in it, is a name.
        body.insert("model".into(), model.into());
    }
    if let Some(schema) = ask
        .schema
        .filter(|_| http.schema && !refused.has(Extra::Schema))
    {
        if http.adapter == Adapter::Openai && !http.strict {
            body.insert("response_format".into(), loose(schema));
        } else {
            let spec = JsonSpec::new("moves", schema.clone());
            options.response_format = Some(spec.into());
        }
    }
    options.extra_body = (!body.is_empty()).then_some(Value::Object(body));
    options
}

/// A schema as it is, for servers that take more of them than OpenAI does.
fn loose(schema: &Value) -> Value {
    let schema = &counted(schema.clone());
    json!({"type": "json_schema", "json_schema": {"name": "moves", "schema": schema, "strict": true}})
}

/// The same without `items: false` behind `prefixItems`: `maxItems` says so too, and llama.cpp
/// refuses it.
fn counted(schema: Value) -> Value {
    match schema {
        Value::Array(items) => items.into_iter().map(counted).collect(),
        Value::Object(keys) => {
            let ends = keys.contains_key("prefixItems") && keys.contains_key("maxItems");
            let kept = |(key, value): &(String, Value)| {
                !(ends && key == "items" && *value == Value::Bool(false))
            };
            let keys = keys.into_iter().filter(kept);
            keys.map(|(key, value)| (key, counted(value))).collect()
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => other,
    }
}

/// The most tokens of an answer: what the profile says, else what the prompt leaves of few.
fn most_tokens(http: &Http, ask: Ask<'_>) -> Option<u32> {
    let left = || {
        let read = crate::transport::call::estimate(ask.prompt, 0).input;
        let read = u32::try_from(read).unwrap_or(u32::MAX);
        let few = http.few()?;
        Some(few.saturating_sub(read).max(LEAST))
    };
    http.max_tokens.or_else(left)
}

/// Fewer tokens hold no answer.
const LEAST: u32 = 512;

/// Bytes of text that are taken for what a model wrote, at the most.
pub(super) fn written(heard: &Heard) -> usize {
    heard.text().min(MOST_WRITTEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_says_its_end_once() {
        let schema = json!({"properties": {"a": {"prefixItems": [{"const": 1}], "items": false, "maxItems": 1},
            "b": {"items": false}}});
        let told = json!({"properties": {"a": {"prefixItems": [{"const": 1}], "maxItems": 1},
            "b": {"items": false}}});
        assert_eq!(counted(schema), told);
    }

    #[test]
    fn a_server_that_takes_schemas_is_given_the_next_one() {
        let refused = Refused::default();
        assert!(refused.note(Extra::Schema));
        refused.answered(true);
        assert!(refused.has(Extra::Schema), "it has taken none so far");
        let refused = Refused::default();
        refused.answered(true);
        assert!(refused.note(Extra::Schema));
        refused.answered(true);
        assert!(!refused.has(Extra::Schema));
    }
}
