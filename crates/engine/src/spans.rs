//! Traces a debate: a span for the run, one for each turn, and one for each call.
//!
//! Names and attributes follow the semantic conventions of OpenTelemetry for generative AI; other
//! names begin with `agon.`. They contain nothing of the debate, not even the topic, unless the
//! [`RunContext`](crate::run_context::RunContext) allows it. Without a subscriber, nothing is
//! traced.

use std::collections::BTreeMap;

use agon_record::event::{Asked, Event, Given, Reply, Usage};
use agon_record::id::{AskKey, Stage, TurnId};
use agon_record::state::State;
use agon_redact::Redactor;
use agon_rules::format;
use serde_json::json;
use tracing::field::Empty;
use tracing::{Span, info_span};

use crate::outcome::RunEnd;

/// The tracing target of a debate's spans.
pub const TARGET: &str = "agon";

/// The open spans of a run.
#[derive(Debug)]
pub(crate) struct Spans {
    debate: Span,
    turns: BTreeMap<TurnId, Span>,
    asks: BTreeMap<AskKey, Span>,
    /// The number of calls of each turn, so that retries are recognized.
    attempts: BTreeMap<AskKey, u32>,
    /// Calls and tokens of earlier runs.
    before: (u32, Usage),
}

/// Returns the tokens of all tools so far.
fn total_usage(state: &State) -> Usage {
    let tools = state.spent.tools.values();
    tools.fold(Usage::default(), |sum, tool| Usage {
        input: sum.input.saturating_add(tool.usage.input),
        output: sum.output.saturating_add(tool.usage.output),
        ..sum
    })
}

impl Spans {
    /// Begins the span of a run.
    pub(crate) fn begin(state: &State) -> Self {
        let spec = &state.spec;
        let workflow = format!("agon {}", spec.format());
        let debate = info_span!(
            target: TARGET,
            parent: None,
            "debate",
            otel.name = format!("invoke_workflow {workflow}"),
            otel.kind = "internal",
            otel.status_code = Empty,
            "error.type" = Empty,
            gen_ai.operation.name = "invoke_workflow",
            gen_ai.workflow.name = workflow,
            gen_ai.conversation.id = %spec.ulid,
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            agon.rounds = i64::from(state.planned_rounds()),
            agon.calls = Empty,
            agon.ended = Empty,
        );
        Self {
            debate,
            turns: BTreeMap::new(),
            asks: BTreeMap::new(),
            attempts: BTreeMap::new(),
            before: (state.spent.calls, total_usage(state)),
        }
    }

    /// Returns whether there is no subscriber.
    fn has_no_subscriber(&self) -> bool {
        self.debate.is_disabled()
    }

    /// Begins the span of a call; `prompt` is included if traces contain texts.
    pub(crate) fn begin_call(&mut self, state: &State, asked: &Asked, prompt: Option<&str>) {
        if self.has_no_subscriber() {
            return;
        }
        let key = asked.key;
        let kind = format::format_of(state).moves_kind(key.turn).name();
        let debate = &self.debate;
        let turn = self
            .turns
            .entry(key.turn)
            .or_insert_with(|| turn_span(debate, key.turn, kind));
        let attempt = self.attempts.entry(key).or_default();
        *attempt += 1;
        let vendor = state.seats.get(&key.turn.seat);
        let vendor = vendor.map(|seat| seat.vendor.as_str()).unwrap_or_default();
        let model = asked.model.as_deref();
        let span = info_span!(
            target: TARGET,
            parent: &*turn,
            "ask",
            otel.name = format!("chat {}", model.unwrap_or(asked.tool.as_str())),
            otel.kind = "client",
            otel.status_code = Empty,
            "error.type" = Empty,
            gen_ai.operation.name = "chat",
            gen_ai.provider.name = otel_provider_name(vendor, asked.tool.as_str()),
            gen_ai.request.model = model,
            gen_ai.agent.name = asked.tool.as_str(),
            gen_ai.conversation.id = %state.spec.ulid,
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            gen_ai.usage.cache_read.input_tokens = Empty,
            gen_ai.input.messages = prompt.map(|prompt| single_message_json("user", prompt)),
            gen_ai.output.messages = Empty,
            agon.ask = %key,
            agon.attempt = i64::from(*attempt),
            agon.effort = asked.effort.name(),
            agon.cost_usd = Empty,
            agon.tokens_estimated = Empty,
            agon.stop_reason = Empty,
            agon.redacted = Empty,
        );
        self.asks.insert(key, span);
    }

    /// Ends the span of a call; includes the reply if `content` is set.
    pub(crate) fn end_call(&mut self, event: &Event, content: bool) {
        if self.has_no_subscriber() {
            return;
        }
        if let Event::Given(given) = event
            && let Some(span) = self.asks.remove(&given.key)
        {
            record_reply(&span, given, content);
        } else if let Event::Lost(lost) = event
            && let Some(span) = self.asks.remove(&lost.key)
        {
            mark_failed(&span, lost.cause.code.name());
            if let Some(usage) = lost.usage {
                record_usage(&span, usage);
            }
        }
    }

    /// Ends the spans of turns that were admitted or lost.
    pub(crate) fn end_turns(&mut self, events: &[Event]) {
        if self.has_no_subscriber() {
            return;
        }
        for event in events {
            if let Event::Admitted { key, findings, .. } = event
                && let Some(span) = self.turns.remove(&key.turn)
            {
                span.record("agon.outcome", "admitted");
                span.record("agon.findings", saturating_i64(findings.len()));
            } else if let Event::TurnLost { turn, cause, .. } = event
                && let Some(span) = self.turns.remove(turn)
            {
                span.record("agon.outcome", "lost");
                mark_failed(&span, cause.code.name());
            }
        }
    }

    /// Ends all open spans at the end of the run.
    pub(crate) fn end(self, state: &State, ended: Option<RunEnd>) {
        if self.has_no_subscriber() {
            return;
        }
        // Subtract the usage of earlier runs: a resumed debate gets a new span for each run.
        let (calls, before) = self.before;
        let usage = total_usage(state);
        let usage = Usage {
            input: usage.input.saturating_sub(before.input),
            output: usage.output.saturating_sub(before.output),
            ..usage
        };
        record_usage(&self.debate, usage);
        let calls = state.spent.calls.saturating_sub(calls);
        self.debate.record("agon.calls", i64::from(calls));
        let how = match (ended, &state.halted) {
            (Some(RunEnd::Stopped), _) => "stopped",
            (Some(RunEnd::Awaits), _) => "awaits",
            (Some(RunEnd::Settled), Some(_)) => "halted",
            (Some(RunEnd::Settled), None) => "settled",
            (None, _) => "failed",
        };
        self.debate.record("agon.ended", how);
        if !matches!(how, "settled" | "stopped") {
            mark_failed(&self.debate, how);
        }
    }
}

fn turn_span(debate: &Span, turn: TurnId, kind: &str) -> Span {
    let round = match turn.stage {
        Stage::Round(round) => Some(i64::from(round)),
        Stage::Theses | Stage::Verdict | Stage::Swap => None,
    };
    info_span!(
        target: TARGET,
        parent: debate,
        "turn",
        otel.name = format!("turn {kind}"),
        otel.kind = "internal",
        otel.status_code = Empty,
        "error.type" = Empty,
        agon.turn = %turn,
        agon.seat = %turn.seat,
        agon.round = round,
        agon.kind = kind,
        agon.outcome = Empty,
        agon.findings = Empty,
    )
}

/// Returns the vendor's name in the conventions, if they have one.
pub fn otel_provider_name<'a>(vendor: &'a str, tool: &'a str) -> &'a str {
    match vendor {
        "" => tool,
        "google" => "gcp.gemini",
        "mistral" => "mistral_ai",
        "xai" => "x_ai",
        other => other,
    }
}

fn record_reply(span: &Span, given: &Given, content: bool) {
    record_usage(span, given.usage);
    span.record("agon.tokens_estimated", given.usage.estimated);
    span.record("agon.redacted", i64::from(given.redacted));
    if let Some(reason) = &given.stop_reason {
        span.record("agon.stop_reason", reason.as_str());
    }
    if let (true, Reply::Text(text)) = (content, &given.reply) {
        span.record(
            "gen_ai.output.messages",
            single_message_json("assistant", text),
        );
    }
}

fn record_usage(span: &Span, usage: Usage) {
    span.record("gen_ai.usage.input_tokens", saturating_i64(usage.input));
    span.record("gen_ai.usage.output_tokens", saturating_i64(usage.output));
    if usage.cached > 0 {
        span.record(
            "gen_ai.usage.cache_read.input_tokens",
            saturating_i64(usage.cached),
        );
    }
    if let Some(micros) = usage.cost_micros {
        span.record("agon.cost_usd", micros as f64 / 1e6);
    }
}

/// Converts a number to the signed type of the conventions.
fn saturating_i64(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

fn mark_failed(span: &Span, code: &str) {
    span.record("error.type", code);
    span.record("otel.status_code", "ERROR");
}

/// Formats one message as in the conventions.
fn single_message_json(role: &str, text: &str) -> String {
    let parts = [json!({ "type": "text", "content": text })];
    json!([{ "role": role, "parts": parts }]).to_string()
}

/// Returns a prompt without secrets.
pub(crate) fn redact_prompt(redactor: &Redactor, prompt: &str) -> String {
    redactor.redact(prompt).text.into_owned()
}
