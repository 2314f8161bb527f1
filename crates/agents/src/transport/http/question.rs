//! A question in the form that `genai` takes it.

use std::sync::Arc;

use agon_record::spec::Effort;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest, JsonSpec, ReasoningEffort};
use genai::resolver::{AuthData, Endpoint};
use genai::{Headers, ModelIden, ServiceTarget};
use serde_json::{Map, Value, json};

use super::extras::Extra;
use super::fault::HttpAsk;
use super::meter::StreamMeter;
use super::schema::{response_format, strict_response_format};
use crate::ask::Ask;
use crate::profile::{Adapter, Http};
use crate::transport::call::MAX_WRITTEN;

/// Where a question goes, and as whom: nothing of it is left to be guessed from a name.
pub(super) fn target(asked: HttpAsk<'_>) -> ServiceTarget {
    let HttpAsk { http, model, .. } = asked;
    let key = asked.key.map(|(_, key)| key);
    let (kind, url, named) = match http.adapter {
        Adapter::Openai => {
            let url = http.url.join_path(&["chat", "completions"]);
            let key = key.map(|key| ("authorization", format!("Bearer {key}")));
            (AdapterKind::OpenAI, url, vec![key])
        }
        Adapter::Anthropic => {
            let version = ("anthropic-version", "2023-06-01".to_owned());
            let key = key.map(|key| ("x-api-key", key.to_owned()));
            let url = http.url.join_path(&["messages"]);
            (AdapterKind::Anthropic, url, vec![Some(version), key])
        }
        Adapter::Gemini => {
            let call = format!("{model}:streamGenerateContent");
            let mut url = http.url.join_path(&["models", &call]);
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
        model: ModelIden::new(kind, genai_model_name(asked)),
    }
}

/// Returns the model name to give `genai`. It strips an effort suffix such as `-high` from a name if
/// it is given no effort, so a `-` is appended there; the server gets the real name, by address or
/// body.
fn genai_model_name(asked: HttpAsk<'_>) -> String {
    let is_given_effort = asked.http.adapter != Adapter::Openai && asked.along.has(Extra::Effort);
    match is_given_effort {
        true => asked.model.to_owned(),
        false => format!("{}-", asked.model),
    }
}

/// The question itself.
pub(super) fn request(ask: Ask<'_>) -> ChatRequest {
    ChatRequest::from_user(ask.prompt)
}

/// What goes along with it.
pub(super) fn options(asked: HttpAsk<'_>) -> ChatOptions {
    let HttpAsk {
        http, ask, along, ..
    } = asked;
    let silence_limits = asked.silence_limits();
    let mut options = ChatOptions::default()
        .with_capture_usage(along.has(Extra::Usage))
        .with_stream_header_timeout(silence_limits.first)
        // It does not know which silence comes before the first message: that is looked at here.
        .with_stream_read_timeout(silence_limits.longest());
    options.raw_frame_sink = Some(Arc::<StreamMeter>::clone(asked.heard) as _);
    if http.adapter == Adapter::Openai {
        options.extra_body = Some(Value::Object(openai_fields(asked)));
        return options;
    }
    options.max_tokens = max_answer_tokens(http, ask);
    if along.has(Extra::Effort) {
        options.reasoning_effort = Some(match ask.effort {
            Effort::Low => ReasoningEffort::Low,
            Effort::Medium => ReasoningEffort::Medium,
            Effort::High => ReasoningEffort::High,
            Effort::Max => ReasoningEffort::Max,
        });
    }
    if http.adapter == Adapter::Anthropic {
        // A name that ends with `-high`, or has `::` in it, is a name.
        options.extra_body = Some(json!({"model": asked.model}));
    }
    if let Some(schema) = ask.schema.filter(|_| along.has(Extra::Schema)) {
        options.response_format = Some(JsonSpec::new("moves", schema.clone()).into());
    }
    options
}

/// Returns what a question to a server of the OpenAI protocol has beside its messages, for a stream
/// and for one body alike.
pub(super) fn openai_fields(asked: HttpAsk<'_>) -> Map<String, Value> {
    let HttpAsk {
        http, ask, along, ..
    } = asked;
    let mut fields = Map::new();
    fields.insert("model".into(), asked.model.into());
    if let Some(most) = max_answer_tokens(http, ask) {
        fields.insert(max_tokens_key(asked.model).into(), most.into());
    }
    if along.has(Extra::Effort) {
        let effort = match ask.effort {
            Effort::Low => "low",
            Effort::Medium => "medium",
            Effort::High => "high",
            Effort::Max => "max",
        };
        fields.insert("reasoning_effort".into(), effort.into());
    }
    if let Some(schema) = ask.schema.filter(|_| along.has(Extra::Schema)) {
        let format = match http.strict {
            true => strict_response_format(schema),
            false => response_format(schema),
        };
        fields.insert("response_format".into(), format);
    }
    fields
}

/// Returns the field for the most tokens of an answer: newer models of OpenAI refuse the old one.
fn max_tokens_key(model: &str) -> &'static str {
    let newer = ["gpt-5", "gpt-6", "o1", "o3", "o4"];
    match newer.iter().any(|name| model.starts_with(name)) {
        true => "max_completion_tokens",
        false => "max_tokens",
    }
}

/// The most tokens of an answer: what the profile says, else what the prompt leaves of few.
fn max_answer_tokens(http: &Http, ask: Ask<'_>) -> Option<u32> {
    let left = || {
        let read = crate::transport::call::estimate(ask.prompt, 0).input;
        let read = u32::try_from(read).unwrap_or(u32::MAX);
        let few = http.small_token_budget()?;
        Some(few.saturating_sub(read).max(MIN_ANSWER_TOKENS))
    };
    http.max_tokens.or_else(left)
}

// Chosen, not measured: fewer cut a reply in the middle of its moves; more ask a small server for
// what its window does not hold.
/// Fewer tokens hold no answer.
const MIN_ANSWER_TOKENS: u32 = 512;

/// Bytes of text that are taken for what a model wrote, at the most.
pub(super) fn written_bytes(heard: &StreamMeter) -> usize {
    heard.text_bytes().min(MAX_WRITTEN)
}
