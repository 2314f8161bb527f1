//! Formats answers in the four protocols, whole and as stream events.

use serde_json::{Value, json};

use super::counts::Counts;
use super::request::{Api, Request};

/// Number of characters in a stream event.
const PIECE: usize = 64;

/// The model's output: text or a tool call.
pub(crate) enum ModelOutput {
    Text(String),
    Call(String, Value),
}

/// An answer in both forms.
pub(crate) struct Wire {
    /// The body of an answer without streaming.
    pub(crate) whole: Value,
    /// The frames of a streamed answer.
    pub(crate) frames: Vec<String>,
}

/// Formats an output in the request's protocol.
pub(crate) fn wire(request: &Request, id: usize, said: &ModelOutput) -> Wire {
    match request.api {
        Api::Anthropic => anthropic(&request.model, id, said, request.counts),
        Api::Responses => responses(&request.model, id, said, request.counts),
        Api::Chat => chat(&request.model, id, said, request.counts),
        Api::Gemini => gemini(&request.model, id, said, request.counts),
    }
}

/// The body of a refusal.
pub(crate) fn refusal_body(api: Option<Api>, status: u16, message: &str) -> Value {
    let kind = match status {
        401 => "authentication_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        _ => "api_error",
    };
    match api {
        Some(Api::Anthropic) => {
            json!({"type": "error", "error": {"type": kind, "message": message}})
        }
        Some(Api::Gemini) => {
            let name = match status {
                401 => "UNAUTHENTICATED",
                404 => "NOT_FOUND",
                429 => "RESOURCE_EXHAUSTED",
                _ => "INTERNAL",
            };
            json!({"error": {"code": status, "message": message, "status": name}})
        }
        Some(Api::Responses | Api::Chat) | None => {
            let code = match status {
                401 => "invalid_api_key",
                429 => "rate_limit_exceeded",
                _ => kind,
            };
            json!({"error": {"message": message, "type": kind, "code": code}})
        }
    }
}

fn text_pieces(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars
        .chunks(PIECE)
        .map(|piece| piece.iter().collect())
        .collect()
}

fn event_frames(events: Vec<Value>) -> Vec<String> {
    let frame = |event: Value| {
        let name = event["type"].as_str().unwrap().to_owned();
        format!("event: {name}\ndata: {event}\n\n")
    };
    events.into_iter().map(frame).collect()
}

fn data_frames(events: Vec<Value>) -> Vec<String> {
    events
        .into_iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect()
}

fn anthropic(model: &str, id: usize, said: &ModelOutput, counts: Counts) -> Wire {
    // In this protocol `input_tokens` does not include cached tokens.
    let input = counts.input - counts.cached;
    let usage = |output: u64| {
        json!({"input_tokens": input, "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": counts.cached, "output_tokens": output})
    };
    let (block, empty, deltas, stop) = match said {
        ModelOutput::Text(text) => (
            json!({"type": "text", "text": text}),
            json!({"type": "text", "text": ""}),
            text_pieces(text)
                .iter()
                .map(|piece| json!({"type": "text_delta", "text": piece}))
                .collect(),
            "end_turn",
        ),
        ModelOutput::Call(name, args) => (
            json!({"type": "tool_use", "id": format!("toolu_{id}"), "name": name, "input": args}),
            json!({"type": "tool_use", "id": format!("toolu_{id}"), "name": name, "input": {}}),
            vec![json!({"type": "input_json_delta", "partial_json": args.to_string()})],
            "tool_use",
        ),
    };
    let message = |content: Value, stop: Option<&str>, output: u64| {
        json!({"id": format!("msg_{id}"), "type": "message", "role": "assistant", "model": model,
            "content": content, "stop_reason": stop, "stop_sequence": null, "usage": usage(output)})
    };
    let mut events = vec![
        json!({"type": "message_start", "message": message(json!([]), None, 1)}),
        json!({"type": "content_block_start", "index": 0, "content_block": empty}),
    ];
    let delta = |delta: Value| json!({"type": "content_block_delta", "index": 0, "delta": delta});
    events.extend(deltas.into_iter().map(delta));
    events.extend([
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null},
            "usage": {"output_tokens": counts.output}}),
        json!({"type": "message_stop"}),
    ]);
    Wire {
        whole: message(json!([block]), Some(stop), counts.output),
        frames: event_frames(events),
    }
}

fn responses(model: &str, id: usize, said: &ModelOutput, counts: Counts) -> Wire {
    let response = |status: &str, output: Value, usage: Value| {
        json!({"id": format!("resp_{id}"), "object": "response", "created_at": 1_795_000_000,
            "status": status, "model": model, "output": output, "parallel_tool_calls": true,
            "tools": [], "usage": usage})
    };
    let usage = json!({"input_tokens": counts.input, "output_tokens": counts.output,
        "input_tokens_details": {"cached_tokens": counts.cached},
        "output_tokens_details": {"reasoning_tokens": 10}, "total_tokens": counts.input + counts.output});
    let mut events = vec![json!({"type": "response.created",
        "response": response("in_progress", json!([]), Value::Null)})];
    let item = match said {
        ModelOutput::Text(text) => {
            let item_id = format!("msg_{id}");
            let item = |status: &str, content: Value| json!({"type": "message", "id": item_id, "role": "assistant", "status": status, "content": content});
            let part = json!({"type": "output_text", "text": text, "annotations": []});
            let at = json!({"item_id": item_id, "output_index": 0, "content_index": 0});
            let event =
                |kind: &str, more: Value| merge_objects(&[json!({"type": kind}), at.clone(), more]);
            events.push(json!({"type": "response.output_item.added", "output_index": 0, "item": item("in_progress", json!([]))}));
            events.push(event(
                "response.content_part.added",
                json!({"part": {"type": "output_text", "text": "", "annotations": []}}),
            ));
            for piece in text_pieces(text) {
                events.push(event("response.output_text.delta", json!({"delta": piece})));
            }
            events.push(event("response.output_text.done", json!({"text": text})));
            events.push(event("response.content_part.done", json!({"part": part})));
            item("completed", json!([part]))
        }
        ModelOutput::Call(name, Value::String(input)) => {
            let item = |status: &str, input: &str| {
                json!({"type": "custom_tool_call", "id": format!("ctc_{id}"), "call_id": format!("call_{id}"),
                    "name": name, "input": input, "status": status})
            };
            events.push(json!({"type": "response.output_item.added", "output_index": 0, "item": item("in_progress", "")}));
            item("completed", input)
        }
        ModelOutput::Call(name, args) => {
            let args = args.to_string();
            // In `SERVER/TOOL`, the server goes into a separate field, `namespace`.
            let (space, name) = match name.split_once('/') {
                Some((space, name)) => (Some(space.to_owned()), name.to_owned()),
                None => (None, name.clone()),
            };
            let item = |status: &str, args: &str| {
                let mut item = json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": format!("call_{id}"),
                    "name": name, "arguments": args, "status": status});
                if let Some(space) = &space {
                    item["namespace"] = json!(space);
                }
                item
            };
            let at = json!({"item_id": format!("fc_{id}"), "output_index": 0});
            let event =
                |kind: &str, more: Value| merge_objects(&[json!({"type": kind}), at.clone(), more]);
            events.push(json!({"type": "response.output_item.added", "output_index": 0, "item": item("in_progress", "")}));
            events.push(event(
                "response.function_call_arguments.delta",
                json!({"delta": args}),
            ));
            events.push(event(
                "response.function_call_arguments.done",
                json!({"arguments": args}),
            ));
            item("completed", &args)
        }
    };
    events.push(json!({"type": "response.output_item.done", "output_index": 0, "item": item}));
    let whole = response("completed", json!([item]), usage);
    events.push(json!({"type": "response.completed", "response": whole}));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    Wire {
        whole,
        frames: event_frames(events),
    }
}

fn merge_objects(objects: &[Value]) -> Value {
    let fields = objects
        .iter()
        .flat_map(|object| object.as_object().unwrap().clone());
    Value::Object(fields.collect())
}

fn chat(model: &str, id: usize, said: &ModelOutput, counts: Counts) -> Wire {
    let base = |kind: &str, choices: Value| {
        json!({"id": format!("chatcmpl-{id}"), "object": kind, "created": 1_795_000_000,
            "model": model, "choices": choices})
    };
    let chunk = |delta: Value, finish: Option<&str>| {
        base(
            "chat.completion.chunk",
            json!([{"index": 0, "delta": delta, "finish_reason": finish}]),
        )
    };
    let usage = json!({"prompt_tokens": counts.input, "completion_tokens": counts.output,
        "total_tokens": counts.input + counts.output, "prompt_tokens_details": {"cached_tokens": counts.cached}});
    let mut events = vec![chunk(json!({"role": "assistant", "content": ""}), None)];
    let (message, finish) = match said {
        ModelOutput::Text(text) => {
            let deltas = text_pieces(text).into_iter();
            events.extend(deltas.map(|piece| chunk(json!({"content": piece}), None)));
            (json!({"role": "assistant", "content": text}), "stop")
        }
        ModelOutput::Call(name, args) => {
            let function = json!({"name": name, "arguments": args.to_string()});
            let call =
                json!({"id": format!("call_{id}"), "type": "function", "function": function});
            let delta = merge_objects(&[json!({"index": 0}), call.clone()]);
            events.push(chunk(json!({"tool_calls": [delta]}), None));
            (
                json!({"role": "assistant", "content": null, "tool_calls": [call]}),
                "tool_calls",
            )
        }
    };
    events.push(chunk(json!({}), Some(finish)));
    let mut last = base("chat.completion.chunk", json!([]));
    last["usage"] = usage.clone();
    events.push(last);
    let mut whole = base(
        "chat.completion",
        json!([{"index": 0, "message": message, "finish_reason": finish}]),
    );
    whole["usage"] = usage;
    let mut frames = data_frames(events);
    frames.push("data: [DONE]\n\n".into());
    Wire { whole, frames }
}

fn gemini(model: &str, id: usize, said: &ModelOutput, counts: Counts) -> Wire {
    let chunk = |part: Value, finish: Option<&str>| {
        let mut candidate = json!({"content": {"role": "model", "parts": [part]}, "index": 0});
        if let Some(finish) = finish {
            candidate["finishReason"] = json!(finish);
        }
        json!({"candidates": [candidate], "modelVersion": model, "responseId": id.to_string(),
            "usageMetadata": {"promptTokenCount": counts.input, "candidatesTokenCount": counts.output,
                "totalTokenCount": counts.input + counts.output, "cachedContentTokenCount": counts.cached}})
    };
    match said {
        ModelOutput::Text(text) => {
            let mut pieces = text_pieces(text);
            let last = pieces.pop().unwrap_or_default();
            let mut events: Vec<_> = pieces
                .into_iter()
                .map(|piece| chunk(json!({"text": piece}), None))
                .collect();
            events.push(chunk(json!({"text": last}), Some("STOP")));
            Wire {
                whole: chunk(json!({"text": text}), Some("STOP")),
                frames: data_frames(events),
            }
        }
        ModelOutput::Call(name, args) => {
            let call = chunk(
                json!({"functionCall": {"name": name, "args": args}}),
                Some("STOP"),
            );
            Wire {
                whole: call.clone(),
                frames: data_frames(vec![call]),
            }
        }
    }
}
