//! One question in a conversation, and its answer.

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
use super::offer::is;
use super::opening::call_failure;
use super::reply::ReplyText;
use super::tool::Tool;
use super::usage::model;
use crate::agent::{AgentAnswer, AgentError, CallFailure};
use crate::ask::Ask;
use crate::breach::Breach;
use crate::transport::call::{MAX_WRITTEN, estimate};

/// What an agent is told that gave up because it was refused something.
const GO_ON: &str = "What you asked for is not allowed in this conversation. Go on without it, \
    and answer what you were asked.";

// Gemini CLI 0.61 was measured to answer a cancel within 0.1 s; an agent that takes ten times as
// long is ended with its process.
/// For an agent to give up a turn when it is told to.
const GIVING_UP: Duration = Duration::from_secs(1);

/// One question.
pub(super) struct AcpTurn<'a> {
    pub(super) ask: Ask<'a>,
    pub(super) cancel: &'a CancellationToken,
    pub(super) begun: Instant,
    pub(super) tool: &'a Tool,
}

/// How the wait for an answer ended.
enum End {
    Answered(Result<Value, Error>),
    Broken(Breach),
    Cancelled,
    TimedOut { heard: usize },
}

impl AcpTurn<'_> {
    /// Waits until the time for the answer is over.
    pub(super) async fn time_is_over(&self) {
        sleep(self.ask.timeout.saturating_sub(self.begun.elapsed())).await;
    }

    /// No answer in time.
    pub(super) fn timeout(&self, heard: usize) -> CallFailure {
        CallFailure::Timeout {
            limit: self.ask.timeout,
            heard,
        }
    }

    /// A failure, with the time it took.
    pub(super) fn failed(&self, failure: CallFailure, usage: Option<Usage>) -> AgentError {
        AgentError {
            failure,
            usage,
            took: self.begun.elapsed(),
        }
    }

    /// Asks; gives the conversation back if it can go on.
    ///
    /// An agent that gives up because it was refused something is told once to go on without.
    pub(super) async fn run(
        &self,
        mut live: Live,
    ) -> (Result<AgentAnswer, AgentError>, Option<Live>) {
        let mut reply = ReplyText::default();
        if let Err(breach) = since(&mut live) {
            return self.end_with(live, breach.into(), None).await;
        }
        let mut end = self.listen(self.ask.prompt, &mut reply, &mut live).await;
        let mut spent = None;
        if let End::Answered(Ok(result)) = &end
            && result
                .get("stopReason")
                .and_then(Value::as_str)
                .is_some_and(|stop| reply.gave_up(stop))
        {
            spent = live.meter.end(result, self.tool.acp.cumulative);
            reply.turn();
            end = self.listen(GO_ON, &mut reply, &mut live).await;
        }
        // What the first answer cost counts, however the second one ends.
        let with = |usage: Option<Usage>| match (spent, usage) {
            (Some(spent), Some(usage)) => Some(sum(spent, usage)),
            (one, other) => one.or(other),
        };
        let guess = || {
            let asked = if spent.is_some() {
                GO_ON
            } else {
                self.ask.prompt
            };
            with(Some(estimate(asked, reply.len().min(MAX_WRITTEN))))
        };
        let (failure, usage) = match end {
            End::Answered(Ok(result)) => {
                let usage = live.meter.end(&result, self.tool.acp.cumulative);
                let usage = with(usage);
                let stop = result.get("stopReason").and_then(Value::as_str);
                let Some(stop) = stop else {
                    let method = "session/prompt";
                    return self
                        .end_with(live, Breach::Answer { method }.into(), usage)
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
                            model: model(&result).or_else(|| live.offer.current_model()),
                            took: self.begun.elapsed(),
                        };
                        return (Ok(answer), Some(live));
                    }
                    Err(error) => (CallFailure::Said(Box::new(error)), usage),
                }
            }
            End::Answered(Err(error)) => {
                if is_incoming_transport_closed(&error) {
                    // The reason is about to be known.
                    let lost = live.wire.lost();
                    timeout(GIVING_UP, lost.cancelled()).await.ok();
                }
                let failure = call_failure(&live.wire, &error);
                if matches!(failure, CallFailure::Broken(_)) {
                    return self.end_with(live, failure, guess()).await;
                }
                (failure, with(None))
            }
            End::Broken(breach) => return self.end_with(live, breach.into(), guess()).await,
            End::Cancelled => return self.end_with(live, CallFailure::Cancelled, guess()).await,
            End::TimedOut { heard } => {
                return self.end_with(live, self.timeout(heard), guess()).await;
            }
        };
        // The agent is well, and what it was told before it still knows.
        if live.answered {
            (Err(self.failed(failure, usage)), Some(live))
        } else {
            self.end_with(live, failure, usage).await
        }
    }

    /// Asks one thing, and takes what the agent says until that is answered.
    async fn listen(&self, prompt: &str, reply: &mut ReplyText, live: &mut Live) -> End {
        live.meter.begin();
        let text = ContentBlock::Text(TextContent::new(prompt));
        let prompt = PromptRequest::new(live.session().clone(), vec![text]);
        let mut answer = pin!(live.wire.request("session/prompt", &prompt));
        let lost = live.wire.lost();
        let end = loop {
            tokio::select! {
                biased;
                () = self.cancel.cancelled() => break End::Cancelled,
                () = self.time_is_over() => break End::TimedOut { heard: live.wire.bytes_received() },
                Some((session, heard)) = live.wire.next() => {
                    let ours = session == *live.session();
                    // What an agent does counts in whichever conversation it does it.
                    if (ours || matches!(heard, AgentMessage::Call(_)))
                        && let Err(breach) = self.take(heard, reply, live)
                    {
                        break End::Broken(breach);
                    }
                }
                answer = &mut answer => break match live.calls.end() {
                    Ok(()) => End::Answered(answer),
                    Err(breach) => End::Broken(breach),
                },
                () = lost.cancelled() => break End::Broken(live.wire.breach()),
            }
        };
        if matches!(end, End::Cancelled | End::TimedOut { .. }) {
            let cancel = CancelNotification::new(live.session().clone());
            live.wire.notify("session/cancel", &cancel);
            timeout(GIVING_UP, answer).await.ok();
        }
        end
    }

    /// Ends the conversation with a failure.
    async fn end_with(
        &self,
        live: Live,
        failure: CallFailure,
        usage: Option<Usage>,
    ) -> (Result<AgentAnswer, AgentError>, Option<Live>) {
        let error = self.failed(failure, usage);
        live.wire.stop(self.tool.ladder()).await;
        (Err(error), None)
    }

    /// Takes what the agent says while it answers.
    fn take(
        &self,
        heard: AgentMessage,
        reply: &mut ReplyText,
        live: &mut Live,
    ) -> Result<(), Breach> {
        match heard {
            AgentMessage::Text { text, message } => {
                let said = reply.take(&text, message, &self.tool.acp.notices);
                if let (Some(said), Some(hears)) = (said, self.ask.hears) {
                    hears.hear(said);
                }
            }
            AgentMessage::Call(call) => {
                if call.begins {
                    reply.turn();
                }
                live.calls.take(&call)?;
            }
            AgentMessage::Cost(dollars) => live.meter.cost(dollars),
            AgentMessage::Asked { granted, call } => {
                if !granted {
                    live.calls.refuse(&call);
                    reply.refuse();
                }
            }
            AgentMessage::Mode(mode) => {
                if !live.modes.iter().any(|wanted| is(&mode, wanted)) {
                    return Err(Breach::LeftMode { mode });
                }
            }
        }
        Ok(())
    }
}

/// What the agent said since it was last asked: it has to be as it was, and to have done nothing.
fn since(live: &mut Live) -> Result<(), Breach> {
    let mut last = None;
    for heard in live.wire.begin() {
        match heard {
            AgentMessage::Mode(mode) => last = Some(mode),
            AgentMessage::Call(call) => live.calls.take(&call)?,
            AgentMessage::Asked { call, granted } => {
                if !granted {
                    live.calls.refuse(&call);
                }
            }
            AgentMessage::Text { .. } | AgentMessage::Cost(_) => {}
        }
    }
    match last {
        Some(mode) if !live.modes.iter().any(|wanted| is(&mode, wanted)) => {
            Err(Breach::LeftMode { mode })
        }
        Some(_) | None => Ok(()),
    }
}

/// What two answers cost together.
fn sum(one: Usage, other: Usage) -> Usage {
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
