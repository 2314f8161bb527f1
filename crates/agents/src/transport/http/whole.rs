//! Calls a server without streaming, for servers that do not support streams.

use agon_files::json_text::replace_lone_surrogates;
use futures_util::StreamExt;
use genai::chat::{StopReason, StreamEnd, Usage};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout, timeout_at};

use super::agent::Service;
use super::fault::{
    HttpAsk, HttpFault, broken_off_error, error_from_body, unreadable_answer_error,
};
use super::question::openai_fields;
use super::reply::HttpReply;
use crate::agent::CallFailure;

impl Service {
    /// Calls an OpenAI-protocol server and reads the answer as one body.
    pub(super) async fn ask_without_streaming(
        &self,
        asked: HttpAsk<'_>,
    ) -> Result<HttpReply, HttpFault> {
        let url = asked.http.url.join_path(&["chat", "completions"]);
        let (_, client) = self.clients()?;
        let mut request = client.post(url.to_string()).json(&body(asked));
        if let Some((_, key)) = asked.key {
            request = request.bearer_auth(key);
        }
        // One limit covers the time until the headers and the first byte of the body have arrived.
        let limits = asked.silence_limits();
        let first_byte_due = Instant::now() + limits.first;
        let sent = timeout_at(first_byte_due, request.send()).await;
        let sent = sent.map_err(|_| asked.silence_failure(limits.first))?;
        let response = sent.map_err(|error| asked.fault_from_reqwest(&error))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let max_bytes = self.profile.limits.output_bytes;
        let (mut bytes, mut pieces) = (Vec::new(), response.bytes_stream());
        loop {
            let (limit, piece) = match bytes.is_empty() {
                true => (
                    limits.first,
                    timeout_at(first_byte_due, pieces.next()).await,
                ),
                false => (limits.between, timeout(limits.between, pieces.next()).await),
            };
            let Some(piece) = piece.map_err(|_| asked.silence_failure(limit))? else {
                break;
            };
            let piece = piece.map_err(|_| broken_off_error())?;
            asked.meter.count_bytes(piece.len());
            bytes.extend_from_slice(&piece);
            if bytes.len() > max_bytes {
                return Err(CallFailure::Flooded { limit: max_bytes }.into());
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if !status.is_success() {
            return Err(asked.fault_from_status(status.as_u16(), &text, &headers));
        }
        let body = serde_json::from_str(&replace_lone_surrogates(&text));
        let body: Value = body.map_err(|_| unreadable_answer_error())?;
        read(&body, asked)
    }
}

fn body(asked: HttpAsk<'_>) -> Value {
    let mut body = openai_fields(asked);
    let messages = json!([{"role": "user", "content": asked.ask.prompt}]);
    body.insert("messages".into(), messages);
    Value::Object(body)
}

/// Returns the answer in `body`, or its error: some servers send errors with a success status.
fn read(body: &Value, asked: HttpAsk<'_>) -> Result<HttpReply, HttpFault> {
    if body.get("error").is_some_and(|error| !error.is_null()) {
        return Err(error_from_body(body).into());
    }
    let choice = body.pointer("/choices/0");
    let choice = choice.ok_or_else(unreadable_answer_error)?;
    let text = choice.pointer("/message/content").and_then(Value::as_str);
    let text = text.unwrap_or_default();
    if let Some(hears) = asked.ask.hears {
        hears.receive_chunk(text);
    }
    let reason = choice.get("finish_reason").and_then(Value::as_str);
    let count = |name: &str| {
        let count = body.pointer(&format!("/usage/{name}"))?.as_i64()?;
        i32::try_from(count).ok()
    };
    let usage = count("prompt_tokens").map(|read| Usage {
        prompt_tokens: Some(read),
        completion_tokens: count("completion_tokens"),
        ..Usage::default()
    });
    let end = StreamEnd {
        captured_usage: usage,
        captured_stop_reason: reason.map(|reason| StopReason::from(reason.to_owned())),
        ..StreamEnd::default()
    };
    HttpReply::from_stream_end(&end, text, asked)
}
