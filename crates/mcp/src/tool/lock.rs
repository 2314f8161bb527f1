//! `lock`: locks paths against edits by other members.

use std::time::Duration;

use agon_caller::Failure;
use agon_teamwork::{Epoch, GlobSet, LockId, LockMode, LockRequest, TaskId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{CallFuture, Effect, ToolSpec, missing_parameter, read_arguments, with_notes};
use crate::context::CallContext;
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

// Hosts cancel a call after 60 s.
/// The maximum wait, in seconds.
const MAX_WAIT_S: u64 = 50;

/// The fields of a lock, or of the list.
const FIELDS: OutputFields = &["schema", "lock", "behind", "locks", "notes"];

pub(super) const TOOL: ToolSpec = ToolSpec {
    name: "lock",
    description: "Lock paths before you edit them. take: globs, for a task you claimed; if another \
        member holds one, the request queues, and you wait at most 50 s. A lock ends with the task's \
        lease. list: all locks.",
    input: input_schema::<LockArguments>,
    output: FIELDS,
    effect: Effect::Team,
    quotes: None,
    max_tokens: MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(run_op(context, arguments)) },
};

/// The operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum LockOp {
    Take,
    Release,
    List,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LockArguments {
    op: LockOp,
    #[schemars(with = "Option<Vec<String>>")]
    globs: Option<GlobSet>,
    shared: Option<bool>,
    #[schemars(with = "Option<String>")]
    task: Option<TaskId>,
    epoch: Option<i64>,
    reason: Option<String>,
    /// Seconds
    wait: Option<u64>,
    /// For release
    #[schemars(with = "Option<String>")]
    lock: Option<LockId>,
}

async fn run_op(context: &CallContext, arguments: Value) -> Result<Value, Failure> {
    let wish: LockArguments = read_arguments(arguments)?;
    let caller = &context.caller;
    let front = Collected::new(context.cancel.clone());
    let epoch = wish.epoch.map(Epoch);
    match wish.op {
        LockOp::Take => {
            let task = wish.task.ok_or_else(|| missing_parameter("task"))?;
            let request = LockRequest {
                task,
                epoch: agon_teamwork::epoch_or_current(caller, task, epoch)?,
                globs: wish.globs.ok_or_else(|| missing_parameter("globs"))?,
                mode: match wish.shared {
                    Some(true) => LockMode::Shared,
                    Some(false) | None => LockMode::Exclusive,
                },
                reason: wish.reason.unwrap_or_default(),
            };
            let wait = Duration::from_secs(wish.wait.unwrap_or_default().min(MAX_WAIT_S));
            let document = agon_teamwork::lock(caller, &request, wait, &context.cancel).await?;
            with_notes(&document, &front)
        }
        LockOp::Release => {
            let lock = wish.lock.ok_or_else(|| missing_parameter("lock"))?;
            with_notes(&agon_teamwork::unlock(caller, lock, epoch)?, &front)
        }
        LockOp::List => with_notes(&agon_teamwork::locks(caller)?, &front),
    }
}
