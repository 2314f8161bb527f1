//! `task`: what a team has to do, and who does it.

use agon_caller::{Caller, Code, Failure};
use agon_teamwork::{
    ClaimRequest, Epoch, HolderStep, NewTask, ReviewRequest, TaskId, TaskState, TeamStep,
    WaitReason,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{CallFuture, Effect, ToolSpec, missing, read_arguments, with_notes};
use crate::context::CallContext;
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

/// The board of a team, or a task.
const FIELDS: OutputFields = &[
    "schema",
    "you",
    "tasks",
    "members",
    "locks",
    "unread",
    "done",
    "left_out",
    "task",
    "state",
    "epoch",
    "holder",
    "lease_left_s",
    "text",
    "waits_for",
    "commit",
    "note",
    "notes",
];

pub(super) const TOOL: ToolSpec = ToolSpec {
    name: "task",
    description: "The team's work. list: the board. show. add: title, spec, needs, and whether a \
        review is needed. claim: it is yours until the lease ends, and each later op names the \
        epoch you got. start, renew, wait. submit a commit, then done: refused without evidence. \
        review what another submitted. release, fail and cancel take a note.",
    input: input_schema::<TaskArguments>,
    output: FIELDS,
    effect: Effect::Team,
    quotes: None,
    max_tokens: MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(act(context, arguments)) },
};

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum TaskOp {
    List,
    Show,
    Add,
    Claim,
    Renew,
    Start,
    Wait,
    Submit,
    Done,
    Review,
    Release,
    Fail,
    Cancel,
}

// Without `project`: a member is known by its work tree, and does not name another's.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TaskArguments {
    op: TaskOp,
    #[schemars(with = "Option<String>")]
    task: Option<TaskId>,
    epoch: Option<i64>,
    /// For add
    title: Option<String>,
    spec: Option<String>,
    #[schemars(with = "Option<Vec<String>>")]
    needs: Option<Vec<TaskId>>,
    /// wait: input|mail|lock|gate|rate_limit
    reason: Option<String>,
    /// Of lease or wait
    seconds: Option<u64>,
    /// HEAD
    commit: Option<String>,
    /// add: is it needed; review: approve
    review: Option<bool>,
    note: Option<String>,
}

impl TaskArguments {
    fn task(&self) -> Result<TaskId, Failure> {
        self.task.ok_or_else(|| missing("task"))
    }

    /// The task and the epoch that its holder names.
    fn task_and_epoch(&self) -> Result<(TaskId, Epoch), Failure> {
        let epoch = self.epoch.ok_or_else(|| missing("epoch"))?;
        Ok((self.task()?, Epoch(epoch)))
    }

    fn note(&self) -> Result<String, Failure> {
        self.note.clone().ok_or_else(|| missing("note"))
    }

    fn lease_ms(&self) -> Option<u64> {
        self.seconds.map(|seconds| seconds.saturating_mul(1_000))
    }

    fn reason(&self) -> Result<WaitReason, Failure> {
        let text = self.reason.as_deref().ok_or_else(|| missing("reason"))?;
        serde_json::from_value(text.into()).map_err(|error| {
            let message = format!("`reason`: {error}");
            Failure::new(Code::InvalidParameter, message).parameter("reason")
        })
    }
}

async fn act(context: &CallContext, arguments: Value) -> Result<Value, Failure> {
    let wish: TaskArguments = read_arguments(arguments)?;
    let caller = &context.caller;
    let front = Collected::new(context.cancel.clone());
    let task = match wish.op {
        TaskOp::List => return with_notes(&agon_teamwork::board(caller)?, &front),
        TaskOp::Show => wish.task()?,
        TaskOp::Add => add(caller, &wish)?,
        TaskOp::Claim => {
            let request = ClaimRequest {
                task: wish.task,
                lease_ms: wish.lease_ms(),
            };
            agon_teamwork::claim(caller, &request)?.task.id
        }
        TaskOp::Submit => {
            let (task, epoch) = wish.task_and_epoch()?;
            let commit = wish.commit.as_deref().unwrap_or("HEAD");
            agon_teamwork::submit(caller, task, epoch, commit)
                .await?
                .task
                .id
        }
        TaskOp::Done => {
            let (task, epoch) = wish.task_and_epoch()?;
            agon_teamwork::done(caller, task, epoch).await?.task.id
        }
        TaskOp::Review => {
            let (task, epoch) = wish.task_and_epoch()?;
            let request = ReviewRequest {
                task,
                epoch,
                approve: wish.review.ok_or_else(|| missing("review"))?,
                note: wish.note()?,
            };
            agon_teamwork::review(caller, &request)?.task.id
        }
        TaskOp::Cancel => {
            let step = TeamStep::Cancel { note: wish.note()? };
            agon_teamwork::direct(caller, wish.task()?, step)?.task.id
        }
        TaskOp::Renew | TaskOp::Start | TaskOp::Wait | TaskOp::Release | TaskOp::Fail => {
            step(caller, &wish)?
        }
    };
    with_notes(&agon_teamwork::work(caller, task)?, &front)
}

fn add(caller: &Caller, wish: &TaskArguments) -> Result<TaskId, Failure> {
    let new = NewTask {
        title: wish.title.clone().ok_or_else(|| missing("title"))?,
        spec: wish.spec.clone().unwrap_or_default(),
        needs: wish.needs.iter().flatten().copied().collect(),
        needs_review: wish.review.unwrap_or_default(),
        ..NewTask::default()
    };
    Ok(agon_teamwork::add(caller, new)?.task.id)
}

/// A step of the task's holder.
fn step(caller: &Caller, wish: &TaskArguments) -> Result<TaskId, Failure> {
    let (task, epoch) = wish.task_and_epoch()?;
    let step = match wish.op {
        TaskOp::Start => {
            match agon_teamwork::why(caller, task)?.why.task.state == TaskState::Waiting {
                true => HolderStep::Resume,
                false => HolderStep::Start,
            }
        }
        TaskOp::Wait => HolderStep::Wait {
            reason: wish.reason()?,
            for_ms: wish.lease_ms().ok_or_else(|| missing("seconds"))?,
        },
        TaskOp::Release => HolderStep::Release { note: wish.note()? },
        TaskOp::Fail => HolderStep::GiveUp { note: wish.note()? },
        _ => HolderStep::Renew {
            lease_ms: wish.lease_ms(),
        },
    };
    Ok(agon_teamwork::step(caller, task, epoch, step)?.task.id)
}
