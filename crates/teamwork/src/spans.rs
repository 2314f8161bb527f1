//! Traces a team: a span for each run, each turn of a member, and each request that changes the
//! team.
//!
//! Names and attributes follow OpenTelemetry's semantic conventions for generative AI; other
//! attributes are named `agon.…`. Spans never contain goals, titles, descriptions, prompts,
//! replies, messages, notes, paths or output, whatever the conventions' environment variables ask
//! for. Without a subscriber, tracing costs nothing.

mod request;

use agon_caller::Caller;
use agon_caller::profiles::profiles;
use agon_caller::settings::read_settings;
use agon_engine::spans::{TARGET, otel_provider_name};
use agon_team::id::{RunId, SessionId};
use agon_team::ladder::SessionState;
use agon_team::store::{SessionUsage, Team, TurnUsage};
use tracing::field::Empty;
use tracing::{Span, info_span};

pub(super) use self::request::RequestSpan;
use super::usage::TeamUsageSum;

/// The span of a process that executes a run.
pub(super) struct RunSpan {
    span: Span,
    run: RunId,
    before: TeamUsageSum,
}

impl RunSpan {
    pub(super) fn begin(team: &mut Team, run: RunId) -> Self {
        let span = info_span!(
            target: TARGET,
            "team run",
            otel.name = "invoke_workflow agon team run",
            otel.kind = "internal",
            otel.status_code = Empty,
            "error.type" = Empty,
            gen_ai.operation.name = "invoke_workflow",
            gen_ai.workflow.name = "agon team run",
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            agon.run = %run,
            agon.turns = Empty,
            agon.retries = Empty,
            agon.cost_usd = Empty,
            agon.tokens_unknown = Empty,
            agon.claims_refused = Empty,
            agon.leases_lost = Empty,
            agon.mails = Empty,
            agon.ended = Empty,
        );
        let before = match span.is_disabled() {
            true => TeamUsageSum::default(),
            false => TeamUsageSum::of_run(team, run),
        };
        Self { span, run, before }
    }

    /// Returns the span, as the parent of everything that the run does.
    pub(super) fn span(&self) -> Span {
        self.span.clone()
    }

    /// Ends the span with what this process used. A resumed run gets a new span each time.
    pub(super) fn end(self, team: &mut Team, is_carried_out: bool) {
        let span = &self.span;
        if span.is_disabled() {
            return;
        }
        let took = TeamUsageSum::of_run(team, self.run).since(&self.before);
        span.record("agon.turns", signed(took.turns));
        span.record("agon.retries", signed(took.retries));
        span.record("agon.tokens_unknown", signed(took.tokens_unknown));
        if let Some(tokens) = &took.tokens {
            span.record("gen_ai.usage.input_tokens", signed(tokens.input));
            span.record("gen_ai.usage.output_tokens", signed(tokens.output));
        }
        if let Some(cost) = took.cost {
            span.record("agon.cost_usd", cost);
        }
        record_counts(span, &took);
        let stage = team.run(self.run).map(|run| run.stage.as_str());
        let ended = match is_carried_out {
            true => stage.unwrap_or("failed"),
            false => "failed",
        };
        span.record("agon.ended", ended);
        if ended == "failed" {
            mark_failed(span, ended);
        }
    }
}

/// The span of one turn of a member.
pub(super) struct TurnSpan {
    span: Span,
    session: SessionId,
}

impl TurnSpan {
    /// Starts the span and records whose turn it is.
    pub(super) fn begin(caller: &Caller, team: &mut Team, session: SessionId) -> Self {
        let span = info_span!(
            target: TARGET,
            "turn of a member",
            otel.name = "invoke_agent",
            otel.kind = "client",
            otel.status_code = Empty,
            "error.type" = Empty,
            gen_ai.operation.name = "invoke_agent",
            gen_ai.provider.name = Empty,
            gen_ai.request.model = Empty,
            gen_ai.agent.name = Empty,
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            gen_ai.usage.cache_read.input_tokens = Empty,
            agon.session = %session,
            agon.role = Empty,
            agon.tool = Empty,
            agon.task = Empty,
            agon.run = Empty,
            agon.is_retry = Empty,
            agon.cost_usd = Empty,
            agon.tokens_estimated = Empty,
            agon.claims_refused = Empty,
            agon.leases_lost = Empty,
            agon.mails = Empty,
            agon.trees_written_outside = Empty,
            agon.ended = Empty,
        );
        if !span.is_disabled()
            && let Some(row) = find(team, session)
        {
            describe(&span, caller, &row);
        }
        Self { span, session }
    }

    /// Ends the span with the turn's result, its usage, and the number of other members' trees that
    /// were written.
    pub(super) fn end(self, team: &mut Team, state: SessionState, outside: usize) {
        let span = &self.span;
        if span.is_disabled() {
            return;
        }
        if let Some(usage) = find(team, self.session).and_then(|it| it.usage) {
            record_usage(span, &usage);
        }
        record_counts(span, &TeamUsageSum::of_session(team, self.session));
        span.record("agon.trees_written_outside", signed(outside));
        span.record("agon.ended", state.as_str());
        if state != SessionState::Finished {
            mark_failed(span, state.as_str());
        }
    }
}

fn describe(span: &Span, caller: &Caller, row: &SessionUsage) {
    let host = row.host.as_str();
    let profiles = read_settings(caller).and_then(|it| profiles(&it)).ok();
    let vendor = profiles.as_ref().and_then(|all| {
        let mut all = all.iter();
        all.find(|profile| profile.name.as_str() == host)
            .map(|profile| profile.vendor.as_str())
    });
    let provider = otel_provider_name(vendor.unwrap_or_default(), host);
    span.record("otel.name", format!("invoke_agent {}", row.role));
    span.record("gen_ai.provider.name", provider);
    span.record("gen_ai.request.model", row.model.as_deref());
    span.record("gen_ai.agent.name", row.member.as_str());
    span.record("agon.role", row.role.as_str());
    span.record("agon.tool", host);
    span.record("agon.task", row.task.map(tracing::field::display));
    span.record("agon.run", row.run.map(tracing::field::display));
    span.record("agon.is_retry", row.is_retry);
}

fn find(team: &mut Team, session: SessionId) -> Option<SessionUsage> {
    let sessions = team.usage().ok()?;
    sessions.into_iter().find(|it| it.session == session)
}

fn record_usage(span: &Span, usage: &TurnUsage) {
    if let Some(tokens) = usage.tokens {
        span.record("gen_ai.usage.input_tokens", signed(tokens.input));
        span.record("gen_ai.usage.output_tokens", signed(tokens.output));
        if tokens.cached > 0 {
            span.record(
                "gen_ai.usage.cache_read.input_tokens",
                signed(tokens.cached),
            );
        }
        span.record("agon.tokens_estimated", tokens.estimated);
    }
    if let Some(micros) = usage.cost_micros {
        span.record("agon.cost_usd", micros as f64 / 1e6);
    }
}

fn record_counts(span: &Span, sum: &TeamUsageSum) {
    span.record("agon.claims_refused", signed(sum.claims_refused));
    span.record("agon.leases_lost", signed(sum.leases_lost));
    span.record("agon.mails", signed(sum.mails));
}

fn mark_failed(span: &Span, kind: &str) {
    span.record("error.type", kind);
    span.record("otel.status_code", "ERROR");
}

/// Converts a number to the signed form that the conventions require.
fn signed(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}
