//! Whether a call failed.

use serde_json::Value;

use crate::json::{owned_at, str_at};
use crate::open_calls::OpenCalls;
use crate::{Failure, ToolCall, ToolKind};

/// Calls whose outcome is waited for at most.
const MAX_OPEN: usize = 256;

/// With these words a result begins that is not one: no event says that such a call failed.
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

/// Calls that were made, and what events say of them before their results come.
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

    /// Takes in the event of a call that was carried out.
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

    /// Why the call with this result failed, if it did.
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
        // Of a sub-agent there is an event whenever one was started or waited for.
        let has_no_event = kind == Some(ToolKind::Agent);
        let has_failed = exit.is_some_and(|it| it != 0) || is_refused || has_no_event;
        has_failed.then_some(Failure {
            recorded: false,
            exit,
        })
    }
}

/// The text behind "Wall time: … seconds", which stands before what some tools give.
fn after_wall_time(result: &str) -> &str {
    match result.strip_prefix("Wall time: ") {
        Some(rest) => rest.split_once('\n').map_or("", |(_, body)| body),
        None => result,
    }
}

/// The code with which a command ended: in the head that the host writes before its output.
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
