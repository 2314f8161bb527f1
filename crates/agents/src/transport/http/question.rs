//! Converts a request to the types of the crate `genai`.

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

/// Returns the URL and credentials of a request, so that `genai` does not guess them from the
/// model's name.
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

/// Returns the model's name for `genai`. Without an effort, `genai` strips a suffix such as
/// `-high`, so a `-` is appended; the server gets the real name in the URL or body.
fn genai_model_name(asked: HttpAsk<'_>) -> String {
    let is_given_effort = asked.http.adapter != Adapter::Openai && asked.extras.has(Extra::Effort);
    match is_given_effort {
        true => asked.model.to_owned(),
        false => format!("{}-", asked.model),
    }
}

/// Converts the prompt.
pub(super) fn request(ask: Ask<'_>) -> ChatRequest {
    ChatRequest::from_user(ask.prompt)
}

/// Returns the options of the request.
pub(super) fn options(asked: HttpAsk<'_>) -> ChatOptions {
    let HttpAsk {
        http, ask, extras, ..
    } = asked;
    let silence_limits = asked.silence_limits();
    let mut options = ChatOptions::default()
        .with_capture_usage(extras.has(Extra::Usage))
        .with_stream_header_timeout(silence_limits.first)
        // `genai` has no separate limit for the first message, so `next_event` checks that one.
        .with_stream_read_timeout(silence_limits.longest());
    options.raw_frame_sink = Some(Arc::<StreamMeter>::clone(asked.meter) as _);
    if http.adapter == Adapter::Openai {
        options.extra_body = Some(Value::Object(openai_fields(asked)));
        return options;
    }
    options.max_tokens = max_answer_tokens(http, ask);
    if extras.has(Extra::Effort) {
        options.reasoning_effort = Some(match ask.effort {
            Effort::Low => ReasoningEffort::Low,
            Effort::Medium => ReasoningEffort::Medium,
            Effort::High => ReasoningEffort::High,
            Effort::Max => ReasoningEffort::Max,
        });
    }
    if http.adapter == Adapter::Anthropic {
        // Send the model's name in the body, because `genai` changes one that ends with `-high` or
        // contains `::`.
        options.extra_body = Some(json!({"model": asked.model}));
    }
    if let Some(schema) = ask.schema.filter(|_| extras.has(Extra::Schema)) {
        options.response_format = Some(JsonSpec::new("moves", schema.clone()).into());
    }
    options
}

/// Returns the fields of a request to an OpenAI-protocol server, except its messages; the same with
/// and without streaming.
pub(super) fn openai_fields(asked: HttpAsk<'_>) -> Map<String, Value> {
    let HttpAsk {
        http, ask, extras, ..
    } = asked;
    let mut fields = Map::new();
    fields.insert("model".into(), asked.model.into());
    if let Some(most) = max_answer_tokens(http, ask) {
        fields.insert(max_tokens_key(asked.model).into(), most.into());
    }
    if extras.has(Extra::Effort) {
        let effort = match ask.effort {
            Effort::Low => "low",
            Effort::Medium => "medium",
            Effort::High => "high",
            Effort::Max => "max",
        };
        fields.insert("reasoning_effort".into(), effort.into());
    }
    if let Some(schema) = ask.schema.filter(|_| extras.has(Extra::Schema)) {
        let format = match http.strict {
            true => strict_response_format(schema),
            false => response_format(schema),
        };
        fields.insert("response_format".into(), format);
    }
    fields
}

/// Returns the name of the field for the answer's token limit: OpenAI's newer models reject the old
/// name.
fn max_tokens_key(model: &str) -> &'static str {
    let newer = ["gpt-5", "gpt-6", "o1", "o3", "o4"];
    match newer.iter().any(|name| model.starts_with(name)) {
        true => "max_completion_tokens",
        false => "max_tokens",
    }
}

/// Returns the token limit of an answer: the profile's, or what the prompt leaves of a small
/// budget.
fn max_answer_tokens(http: &Http, ask: Ask<'_>) -> Option<u32> {
    let left = || {
        let prompt_tokens = crate::transport::call::estimate(ask.prompt, 0).input;
        let prompt_tokens = u32::try_from(prompt_tokens).unwrap_or(u32::MAX);
        let budget = http.small_token_budget()?;
        Some(budget.saturating_sub(prompt_tokens).max(MIN_ANSWER_TOKENS))
    };
    http.max_tokens.or_else(left)
}

// Chosen, not measured: with fewer tokens, a reply is cut off in the middle of its moves; with
// more, a small server's context overflows.
/// The minimum token limit for an answer.
const MIN_ANSWER_TOKENS: u32 = 512;

/// Returns the bytes of text that are counted as written by a model.
pub(super) fn written_text_bytes(meter: &StreamMeter) -> usize {
    meter.text_bytes().min(MAX_WRITTEN)
}
