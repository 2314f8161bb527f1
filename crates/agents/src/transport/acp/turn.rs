//! One prompt in a conversation, and its answer.

use std::pin::pin;
use std::time::{Duration, Instant};

use agent_client_protocol::v1::schema::{
    CancelNotification, ContentBlock, PromptRequest, TextContent,
};
use agent_client_protocol::{Error, is_incoming_transport_closed};
use agon_record::event::Usage;
use serde_json::Value;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::live::Live;
use super::message::AgentMessage;
use super::offer::is_same_mode;
use super::opening::call_failure;
use super::reply::ReplyText;
use super::tool::Tool;
use super::usage::answering_model;
use crate::agent::{AgentAnswer, AgentError, CallFailure};
use crate::ask::Ask;
use crate::breach::Breach;
use crate::host_text::protect_prompt;
use crate::transport::call::{MAX_WRITTEN, estimate};

/// The prompt that tells an agent to continue without a permission that was refused.
const CONTINUE: &str = "What you requested is not allowed in this conversation. Continue without it \
    and answer the request.";

// In measurements, Gemini CLI 0.61 confirmed a cancellation within 0.1 s. If an agent takes ten
// times as long, its process is ended.
/// The time limit for an agent to confirm a cancellation.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(1);

/// One prompt.
pub(super) struct AcpTurn<'a> {
    pub(super) ask: Ask<'a>,
    pub(super) cancel: &'a CancellationToken,
    pub(super) begun: Instant,
    pub(super) tool: &'a Tool,
}

/// The outcome of waiting for an answer.
enum End {
    Answered(Result<Value, Error>),
    Broken(Breach),
    Cancelled,
    TimedOut { received: usize },
}

impl AcpTurn<'_> {
    /// Waits until the time limit for the answer is reached.
    pub(super) async fn wait_for_timeout(&self) {
        sleep(self.ask.timeout.saturating_sub(self.begun.elapsed())).await;
    }

    /// Returns the failure for a timeout.
    pub(super) fn timeout_failure(&self, received: usize) -> CallFailure {
        CallFailure::Timeout {
            limit: self.ask.timeout,
            heard: received,
        }
    }

    /// Converts a failure to an error, with the time it took.
    pub(super) fn agent_error(&self, failure: CallFailure, usage: Option<Usage>) -> AgentError {
        AgentError {
            failure,
            usage,
            took: self.begun.elapsed(),
        }
    }

    /// Sends the prompt. Also returns the conversation if it can continue.
    ///
    /// An agent that stops because a permission was refused is told once to continue without it.
    pub(super) async fn run(
        &self,
        mut live: Live,
    ) -> (Result<AgentAnswer, AgentError>, Option<Live>) {
        let mut reply = ReplyText::default();
        if let Err(breach) = check_idle_messages(&mut live) {
            return self.stop_with_failure(live, breach.into(), None).await;
        }
        let mut end = self
            .prompt_and_listen(self.ask.prompt, &mut reply, &mut live)
            .await;
        let mut spent = None;
        if let End::Answered(Ok(result)) = &end
            && result
                .get("stopReason")
                .and_then(Value::as_str)
                .is_some_and(|stop| reply.has_given_up(stop))
        {
            spent = live.meter.finish_answer(result, self.tool.acp.cumulative);
            reply.mark_tool_use();
            end = self
                .prompt_and_listen(CONTINUE, &mut reply, &mut live)
                .await;
        }
        // Add the usage of the first answer in every case, however the second one ends.
        let with = |usage: Option<Usage>| match (spent, usage) {
            (Some(spent), Some(usage)) => Some(add_usages(spent, usage)),
            (one, other) => one.or(other),
        };
        let guess = || {
            let asked = if spent.is_some() {
                CONTINUE
            } else {
                self.ask.prompt
            };
            with(Some(estimate(asked, reply.len().min(MAX_WRITTEN))))
        };
        let (failure, usage) = match end {
            End::Answered(Ok(result)) => {
                let usage = live.meter.finish_answer(&result, self.tool.acp.cumulative);
                let usage = with(usage);
                let stop = result.get("stopReason").and_then(Value::as_str);
                let Some(stop) = stop else {
                    let method = "session/prompt";
                    return self
                        .stop_with_failure(live, Breach::Answer { method }.into(), usage)
                        .await;
                };
                let written = reply.len().min(MAX_WRITTEN);
                match reply.finish(stop) {
                    Ok(text) => {
                        live.answered = true;
                        let usage = usage.unwrap_or_else(|| estimate(self.ask.prompt, written));
                        let answer = AgentAnswer {
                            text,
                            usage,
                            stop_reason: Some(stop.to_owned()),
                            model: answering_model(&result).or_else(|| live.offer.current_model()),
                            took: self.begun.elapsed(),
                        };
                        return (Ok(answer), Some(live));
                    }
                    Err(error) => (CallFailure::Said(Box::new(error)), usage),
                }
            }
            End::Answered(Err(error)) => {
                if is_incoming_transport_closed(&error) {
                    // The reason for the closed connection is recorded a moment later, so wait for
                    // it.
                    let lost = live.wire.lost_token();
                    timeout(CANCEL_TIMEOUT, lost.cancelled()).await.ok();
                }
                let failure = call_failure(&live.wire, &error);
                if matches!(failure, CallFailure::Broken(_)) {
                    return self.stop_with_failure(live, failure, guess()).await;
                }
                (failure, with(None))
            }
            End::Broken(breach) => {
                return self.stop_with_failure(live, breach.into(), guess()).await;
            }
            End::Cancelled => {
                return self
                    .stop_with_failure(live, CallFailure::Cancelled, guess())
                    .await;
            }
            End::TimedOut { received } => {
                return self
                    .stop_with_failure(live, self.timeout_failure(received), guess())
                    .await;
            }
        };
        // The process still runs and has its earlier context, so keep the conversation.
        if live.answered {
            (Err(self.agent_error(failure, usage)), Some(live))
        } else {
            self.stop_with_failure(live, failure, usage).await
        }
    }

    /// Sends one prompt and handles the agent's messages until it is answered.
    async fn prompt_and_listen(&self, prompt: &str, reply: &mut ReplyText, live: &mut Live) -> End {
        live.meter.begin_answer();
        let text = ContentBlock::Text(TextContent::new(protect_prompt(prompt)));
        let prompt = PromptRequest::new(live.session().clone(), vec![text]);
        let mut answer = pin!(live.wire.request("session/prompt", &prompt));
        let lost = live.wire.lost_token();
        let end = loop {
            tokio::select! {
                biased;
                () = self.cancel.cancelled() => break End::Cancelled,
                () = self.wait_for_timeout() => break End::TimedOut { received: live.wire.bytes_received() },
                Some((session, message)) = live.wire.next() => {
                    let ours = session == *live.session();
                    // Check tool calls of every conversation, because a forbidden one counts in
                    // any of them.
                    if (ours || matches!(message, AgentMessage::Call(_)))
                        && let Err(breach) = self.handle_message(message, reply, live)
                    {
                        break End::Broken(breach);
                    }
                }
                answer = &mut answer => break match live.calls.check_none_running() {
                    Ok(()) => End::Answered(answer),
                    Err(breach) => End::Broken(breach),
                },
                () = lost.cancelled() => break End::Broken(live.wire.breach()),
            }
        };
        if matches!(end, End::Cancelled | End::TimedOut { .. }) {
            let cancel = CancelNotification::new(live.session().clone());
            live.wire.notify("session/cancel", &cancel);
            // Give the agent this long to confirm; its answer is not used.
            timeout(CANCEL_TIMEOUT, answer).await.ok();
        }
        end
    }

    /// Ends the conversation with a failure.
    async fn stop_with_failure(
        &self,
        live: Live,
        failure: CallFailure,
        usage: Option<Usage>,
    ) -> (Result<AgentAnswer, AgentError>, Option<Live>) {
        let error = self.agent_error(failure, usage);
        live.wire.stop(self.tool.stop_timeouts()).await;
        (Err(error), None)
    }

    /// Handles a message of the agent during an answer.
    fn handle_message(
        &self,
        message: AgentMessage,
        reply: &mut ReplyText,
        live: &mut Live,
    ) -> Result<(), Breach> {
        match message {
            AgentMessage::Text { text, message } => {
                let said = reply.push_piece(&text, message, &self.tool.acp.notices);
                if let (Some(said), Some(hears)) = (said, self.ask.hears) {
                    hears.receive_chunk(said);
                }
            }
            AgentMessage::Call(call) => {
                if call.begins {
                    reply.mark_tool_use();
                }
                live.calls.track_call(&call)?;
            }
            AgentMessage::Cost(dollars) => live.meter.set_total_cost(dollars),
            AgentMessage::Asked { granted, call } => {
                if !granted {
                    live.calls.mark_refused(&call);
                    reply.mark_refused();
                }
            }
            AgentMessage::Mode(mode) => {
                if !live.modes.iter().any(|wanted| is_same_mode(&mode, wanted)) {
                    return Err(Breach::LeftMode { mode });
                }
            }
        }
        Ok(())
    }
}

/// Handles the messages that the agent sent between two prompts. A mode that may write or a harmful
/// tool call ends the conversation.
fn check_idle_messages(live: &mut Live) -> Result<(), Breach> {
    let mut last = None;
    for message in live.wire.begin_turn() {
        match message {
            AgentMessage::Mode(mode) => last = Some(mode),
            AgentMessage::Call(call) => live.calls.track_call(&call)?,
            AgentMessage::Asked { call, granted } => {
                if !granted {
                    live.calls.mark_refused(&call);
                }
            }
            AgentMessage::Text { .. } | AgentMessage::Cost(_) => {}
        }
    }
    match last {
        Some(mode) if !live.modes.iter().any(|wanted| is_same_mode(&mode, wanted)) => {
            Err(Breach::LeftMode { mode })
        }
        Some(_) | None => Ok(()),
    }
}

/// Adds two usages.
fn add_usages(one: Usage, other: Usage) -> Usage {
    let cost = match (one.cost_micros, other.cost_micros) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (cost, None) | (None, cost) => cost,
    };
    Usage {
        input: one.input.saturating_add(other.input),
        cached: one.cached.saturating_add(other.cached),
        output: one.output.saturating_add(other.output),
        cost_micros: cost,
        estimated: one.estimated || other.estimated,
    }
}
