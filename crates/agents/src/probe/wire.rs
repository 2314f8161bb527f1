//! One fixed answer in the model protocols that tools use: a minimal version of each.

use serde_json::{Value, json};

// Different from `CACHED`, `WRITTEN` and their sums and differences, so that a test notices if two
// counts are confused.
/// The number of input tokens that an answer reports.
const READ: u64 = 1_000;
// Less than `READ`. The difference, 700, is also different from every other count.
/// The number of input tokens reported as read from a cache.
const CACHED: u64 = 300;
// Different from `READ` and `CACHED`, so that a test notices if input and output are swapped.
/// The number of output tokens that an answer reports.
const WRITTEN: u64 = 50;

/// An HTTP answer: its media type and body.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Response {
    pub(super) kind: &'static str,
    pub(super) body: String,
}

impl Response {
    fn json(body: &Value) -> Self {
        Self {
            kind: "application/json",
            body: body.to_string(),
        }
    }

    fn stream(body: String) -> Self {
        Self {
            kind: "text/event-stream",
            body,
        }
    }
}

/// Returns the answer to a completion request; `None` if the path is not one for completions.
pub(super) fn completion_response(path: &str, request: &Value, reply: &str) -> Option<Response> {
    let streamed = request.get("stream") == Some(&Value::Bool(true));
    if path.ends_with("/messages") {
        Some(messages_api_response(reply, streamed))
    } else if path.ends_with("/responses") {
        Some(responses_api_response(reply, streamed))
    } else if path.ends_with("/chat/completions") {
        Some(chat_api_response(reply, streamed))
    } else if path.contains("enerateContent") {
        Some(gemini_api_response(reply, request, path.contains("stream")))
    } else {
        None
    }
}

/// Returns the answer to any other request: a list of models, or a token count.
pub(super) fn auxiliary_response(path: &str) -> Response {
    if path.ends_with("/models") {
        let model = json!({"id": "probe", "object": "model", "owned_by": "probe", "type": "model", "display_name": "Probe"});
        return Response::json(&json!({"object": "list", "data": [model], "models": []}));
    }
    Response::json(&json!({"input_tokens": 1, "totalTokens": 1}))
}

fn event_stream_response(events: &[Value]) -> Response {
    let frame = |event: &Value| {
        let name = event["type"].as_str().unwrap_or_default();
        format!("event: {name}\ndata: {event}\n\n")
    };
    Response::stream(events.iter().map(frame).collect())
}

fn messages_api_response(reply: &str, streamed: bool) -> Response {
    let usage = |output: u64| {
        json!({"input_tokens": READ - CACHED, "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": CACHED, "output_tokens": output})
    };
    let message = |content: Value, stop: Value, output: u64| {
        json!({"id": "msg_probe", "type": "message", "role": "assistant", "model": "probe",
            "content": content, "stop_reason": stop, "stop_sequence": null, "usage": usage(output)})
    };
    if !streamed {
        let content = json!([{"type": "text", "text": reply}]);
        return Response::json(&message(content, json!("end_turn"), WRITTEN));
    }
    event_stream_response(&[
        json!({"type": "message_start", "message": message(json!([]), Value::Null, 1)}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": reply}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null},
            "usage": {"output_tokens": WRITTEN}}),
        json!({"type": "message_stop"}),
    ])
}

fn responses_api_response(reply: &str, streamed: bool) -> Response {
    let part = json!({"type": "output_text", "text": reply, "annotations": []});
    let item = |status: &str, content: Value| json!({"type": "message", "id": "msg_probe", "role": "assistant", "status": status, "content": content});
    let whole = item("completed", json!([part]));
    let response = |status: &str, output: Value, usage: Value| {
        json!({"id": "resp_probe", "object": "response", "created_at": 1_795_000_000, "status": status,
            "model": "probe", "output": output, "parallel_tool_calls": true, "tools": [], "usage": usage})
    };
    let usage = json!({"input_tokens": READ, "input_tokens_details": {"cached_tokens": CACHED},
        "output_tokens": WRITTEN, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": READ + WRITTEN});
    let done = response("completed", json!([whole]), usage);
    if !streamed {
        return Response::json(&done);
    }
    let at = |kind: &str, key: &str, value: Value| json!({"type": kind, "item_id": "msg_probe", "output_index": 0, "content_index": 0, key: value});
    let empty = json!({"type": "output_text", "text": "", "annotations": []});
    let mut events = vec![
        json!({"type": "response.created", "response": response("in_progress", json!([]), Value::Null)}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item("in_progress", json!([]))}),
        at("response.content_part.added", "part", empty),
        at("response.output_text.delta", "delta", json!(reply)),
        at("response.output_text.done", "text", json!(reply)),
        at("response.content_part.done", "part", part),
        json!({"type": "response.output_item.done", "output_index": 0, "item": whole}),
        json!({"type": "response.completed", "response": done}),
    ];
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    event_stream_response(&events)
}

fn chat_api_response(reply: &str, streamed: bool) -> Response {
    let of = |kind: &str, choices: Value| json!({"id": "chatcmpl-probe", "object": kind, "created": 1_795_000_000, "model": "probe", "choices": choices});
    let usage = json!({"prompt_tokens": READ, "completion_tokens": WRITTEN, "total_tokens": READ + WRITTEN,
        "prompt_tokens_details": {"cached_tokens": CACHED}});
    let message = json!({"role": "assistant", "content": reply});
    if !streamed {
        let choice = json!([{"index": 0, "message": message, "finish_reason": "stop"}]);
        let mut whole = of("chat.completion", choice);
        whole["usage"] = usage;
        return Response::json(&whole);
    }
    let chunk = |delta: Value, finish: Value| {
        of(
            "chat.completion.chunk",
            json!([{"index": 0, "delta": delta, "finish_reason": finish}]),
        )
    };
    let mut last = of("chat.completion.chunk", json!([]));
    last["usage"] = usage;
    let events = [
        chunk(message, Value::Null),
        chunk(json!({}), json!("stop")),
        last,
    ];
    let frames: String = events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    Response::stream(format!("{frames}data: [DONE]\n\n"))
}

fn gemini_api_response(reply: &str, request: &Value, streamed: bool) -> Response {
    // Gemini CLI asks its model for some decisions as JSON, so answer those requests with JSON.
    let decides = request["generationConfig"]["responseMimeType"] == "application/json";
    let decision = json!({"reasoning": "short", "model_choice": "flash", "next_speaker": "user",
        "complexity_reasoning": "short", "complexity_score": 1});
    let text = if decides {
        decision.to_string()
    } else {
        reply.to_owned()
    };
    let whole = json!({
        "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "index": 0, "finishReason": "STOP"}],
        "modelVersion": "probe", "responseId": "probe",
        "usageMetadata": {"promptTokenCount": READ, "candidatesTokenCount": WRITTEN,
            "totalTokenCount": READ + WRITTEN, "cachedContentTokenCount": CACHED},
    });
    if streamed {
        Response::stream(format!("data: {whole}\n\n"))
    } else {
        Response::json(&whole)
    }
}
