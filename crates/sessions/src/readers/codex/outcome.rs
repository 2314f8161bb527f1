//! Determines whether a call failed.

use serde_json::Value;

use crate::json::{owned_at, str_at};
use crate::open_calls::OpenCalls;
use crate::{Failure, ToolCall, ToolKind};

/// Most calls that wait for their outcome.
const MAX_OPEN: usize = 256;

/// First words of the result of a refused call, which has no event.
const REFUSALS: &[&str] = &[
    "unsupported call",
    "unsupported custom tool call",
    "failed to parse function arguments",
    "failed to ",
    "error:",
    "Error:",
    "execution error",
    "exec_command failed",
    "apply_patch verification failed",
    "patch rejected",
    "tool call error",
    "aborted",
];

/// Open calls with the outcomes that their events reported.
#[derive(Debug)]
pub(super) struct Outcomes {
    kinds: OpenCalls<ToolKind>,
    events: OpenCalls<EventOutcome>,
}

#[derive(Clone, Copy, Debug)]
struct EventOutcome {
    has_failed: bool,
    exit: Option<i64>,
}

impl Outcomes {
    pub(super) fn new() -> Self {
        Self {
            kinds: OpenCalls::new(MAX_OPEN),
            events: OpenCalls::new(MAX_OPEN),
        }
    }

    pub(super) fn called(&mut self, call: &ToolCall) {
        self.kinds.open(&call.id, call.kind);
    }

    /// Records the event of a completed call.
    pub(super) fn completed(&mut self, item: &Value) {
        let id = owned_at(item, "id").or_else(|| owned_at(item, "call_id"));
        let Some(id) = id.filter(|id| self.kinds.is_open(id)) else {
            return;
        };
        let status = str_at(item, "status");
        let exit = item.get("exit_code").and_then(Value::as_i64);
        let outcome = EventOutcome {
            has_failed: matches!(status, "failed" | "declined" | "error")
                || item.get("success") == Some(&Value::Bool(false))
                || exit.is_some_and(|it| it != 0),
            exit,
        };
        self.events.open(&id, outcome);
    }

    /// Returns the failure of the call with this result, if any.
    pub(super) fn failure(&mut self, call: &str, result: &str) -> Option<Failure> {
        let kind = self.kinds.close(call);
        if let Some(event) = self.events.close(call) {
            return event.has_failed.then_some(Failure {
                recorded: true,
                exit: event.exit,
            });
        }
        let body = after_wall_time(result);
        let exit = exit_code(result);
        let is_refused = REFUSALS.iter().any(|words| body.starts_with(words));
        // Starting or awaiting a sub-agent always has an event, so without an event it failed.
        let has_no_event = kind == Some(ToolKind::Agent);
        let has_failed = exit.is_some_and(|it| it != 0) || is_refused || has_no_event;
        has_failed.then_some(Failure {
            recorded: false,
            exit,
        })
    }
}

/// Returns the text after "Wall time: … seconds", which precedes some tools' output.
fn after_wall_time(result: &str) -> &str {
    match result.strip_prefix("Wall time: ") {
        Some(rest) => rest.split_once('\n').map_or("", |(_, body)| body),
        None => result,
    }
}

/// Returns a command's exit code from the header that the host puts before its output.
fn exit_code(result: &str) -> Option<i64> {
    let head = result
        .lines()
        .take_while(|line| !line.starts_with("Output:"));
    head.take(8).find_map(|line| {
        let code = line
            .strip_prefix("Process exited with code ")
            .or_else(|| line.strip_prefix("Exit code: "))?;
        code.trim().parse().ok()
    })
}
