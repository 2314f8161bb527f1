//! The span of a request that changes a team.

use agon_caller::Failure;
use agon_engine::spans::TARGET;
use tracing::field::Empty;
use tracing::{Span, info_span};

use super::mark_failed;

/// The span of a request. In the conventions' terms it executes a tool, whether a model or a person
/// made the request.
pub(crate) struct RequestSpan(Span);

impl RequestSpan {
    /// Starts the span. The tool, the operation and the subject (an id such as `t3`, or a gate's
    /// name) contain no text from users.
    pub(crate) fn begin(
        tool: &'static str,
        op: &'static str,
        subject: Option<&dyn std::fmt::Display>,
    ) -> Self {
        Self(info_span!(
            target: TARGET,
            "request of a team",
            otel.name = format!("execute_tool {tool}"),
            otel.kind = "internal",
            otel.status_code = Empty,
            "error.type" = Empty,
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = tool,
            "gen_ai.tool.type" = "function",
            gen_ai.agent.name = Empty,
            agon.op = op,
            agon.subject = subject.map(tracing::field::display),
            agon.passed = Empty,
        ))
    }

    /// Records the caller once it is known: a member's name, or `person`.
    pub(crate) fn by(&self, who: &str) {
        self.0.record("gen_ai.agent.name", who);
    }

    /// Records whether a gate passed.
    pub(crate) fn passed(&self, passed: bool) {
        self.0.record("agon.passed", passed);
    }

    /// Ends the span with the outcome; a failure is recorded by its code only.
    pub(crate) fn end<T>(self, outcome: Result<T, Failure>) -> Result<T, Failure> {
        if let Err(failure) = &outcome {
            mark_failed(&self.0, failure.code.name());
        }
        outcome
    }
}
