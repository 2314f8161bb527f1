//! Calls a model server and reads its streamed answer.

use std::sync::Arc;

use agon_record::event::{CauseCode, Class};
use genai::chat::{ChatStreamEvent, StopReason, StreamChunk, StreamEnd};

use super::agent::Service;
use super::client::build_client;
use super::extras::Extra;
use super::fault::{
    HttpAsk, HttpFault, broken_off_error, error_from_body, unreadable_answer_error,
};
use super::halves;
use super::meter::{ReadAbort, StreamMeter, next_event};
use super::question::{options, request, target};
use super::reply::HttpReply;
use crate::agent::CallFailure;
use crate::ask::Ask;
use crate::dialect::DialectError;
use crate::profile::Adapter;
use crate::transport::call;

impl Service {
    /// Returns the clients for streams and for answers in one body.
    pub(super) fn clients(&self) -> Result<&(genai::Client, reqwest::Client), CallFailure> {
        match self.client.get() {
            Some(clients) => Ok(clients),
            None => {
                let clients = build_client(&self.http.url, &self.here)?;
                Ok(self.client.get_or_init(|| clients))
            }
        }
    }

    /// Sends the request, and repeats it without each optional feature that the server rejects.
    pub(super) async fn ask(
        &self,
        ask: Ask<'_>,
        meter: &Arc<StreamMeter>,
    ) -> Result<HttpReply, CallFailure> {
        let model = call::validate_model_name(ask.model)?.unwrap_or(&self.http.model);
        if model.is_empty() {
            let what = "no model is set; choose one for the participant, or set `model` in the tool's table";
            let error = DialectError::new(CauseCode::NoSuchModel, Class::User, what);
            return Err(CallFailure::Said(Box::new(error)));
        }
        let mut asked = HttpAsk {
            tool: &self.profile.name,
            http: &self.http,
            model,
            key: self.http.find_api_key(&self.here),
            ask,
            extras: self.refused.extras_for(&self.http, ask),
            meter,
        };
        loop {
            match self.ask_once(asked).await {
                Ok(said) => {
                    self.refused.record_acceptance(asked.extras);
                    return Ok(said);
                }
                // The loop ends, because each attempt has fewer optional features.
                Err(HttpFault {
                    refuses: Some(extra),
                    ..
                }) => {
                    self.refused.mark_refused(extra);
                    asked.extras = asked.extras.without(extra);
                }
                Err(fault) => return Err(fault.failure),
            }
        }
    }

    async fn ask_once(&self, asked: HttpAsk<'_>) -> Result<HttpReply, HttpFault> {
        let HttpAsk { ask, meter, .. } = asked;
        if !asked.extras.has(Extra::Stream) {
            return self.ask_without_streaming(asked).await;
        }
        let options = options(asked);
        let (client, _) = self.clients()?;
        let begun = client.exec_chat_stream(target(asked), request(ask), Some(&options));
        let mut stream = begun
            .await
            .map_err(|error| asked.fault_from_error(&error))?
            .stream;
        let max_bytes = self.profile.limits.output_bytes;
        let (mut text, mut has_halves) = (String::new(), false);
        let end = loop {
            let event = next_event(&mut stream, meter, max_bytes, asked.silence_limits()).await;
            let event = event.map_err(|missed| match missed {
                ReadAbort::Flood => CallFailure::Flooded { limit: max_bytes },
                ReadAbort::Silence(limit) => asked.silence_failure(limit),
            })?;
            let event = match event {
                // `genai` cannot parse a message with half a surrogate pair, so parse it here.
                Some(Err(error)) => {
                    let message = meter.take_message_with_half();
                    let message = message.and_then(|it| halves::read_message(&it));
                    let message = message.ok_or_else(|| asked.fault_from_error(&error))?;
                    if message.get("error").is_some_and(|error| !error.is_null()) {
                        return Err(error_from_body(&message).into());
                    }
                    has_halves = true;
                    let content = halves::text_of_message(asked.http.adapter, &message);
                    Some(ChatStreamEvent::Chunk(StreamChunk { content }))
                }
                Some(Ok(event)) => Some(event),
                None => None,
            };
            match event {
                Some(ChatStreamEvent::Chunk(piece)) => {
                    meter.count_text(&piece.content);
                    if let Some(hears) = ask.hears {
                        hears.receive_chunk(&halves::join(&piece.content));
                    }
                    text.push_str(&piece.content);
                }
                // No stream message arrived: the body is a web page, a JSON document or empty.
                None | Some(ChatStreamEvent::End(_)) if meter.message_count() == 0 => {
                    let mut fault = HttpFault::from(unreadable_answer_error());
                    let is_openai = asked.http.adapter == Adapter::Openai;
                    fault.refuses = is_openai.then_some(Extra::Stream);
                    return Err(fault);
                }
                Some(ChatStreamEvent::End(mut end)) => {
                    // If `genai` could not parse the message with the reason, take the reason from
                    // the meter.
                    let reason = end.captured_stop_reason.take();
                    let reason = reason.filter(|reason| !reason.raw().trim().is_empty());
                    end.captured_stop_reason =
                        reason.or_else(|| meter.finish().map(StopReason::from));
                    break end;
                }
                Some(_) => {}
                // Some servers omit the last message, which would contain only the end of the
                // stream.
                None => {
                    let reason = meter.finish().ok_or_else(broken_off_error)?;
                    break StreamEnd {
                        captured_stop_reason: Some(StopReason::from(reason)),
                        ..StreamEnd::default()
                    };
                }
            }
        };
        let text = match has_halves {
            true => halves::join(&text),
            false => text,
        };
        HttpReply::from_stream_end(&end, &text, asked)
    }
}
