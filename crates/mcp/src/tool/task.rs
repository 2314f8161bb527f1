//! `task`: lists, claims and finishes the tasks of a team.

use agon_caller::{Caller, Code, Failure};
use agon_teamwork::{
    ClaimRequest, Epoch, HolderStep, Label, LabelError, NewTask, ReviewRequest, SubmitRequest,
    TaskEdit, TaskId, TaskState, TeamStep, WaitReason,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{CallFuture, Effect, ToolSpec, missing_parameter, read_arguments, with_notes};
use crate::context::CallContext;
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

/// The fields of the board, or of a task.
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
    description: "The team's tasks. list: the board. show. add: title, spec, needs, review. \
        claim: yours until the lease ends. start, renew, wait. submit a commit (without changes: \
        explain in note), then done (refused without evidence). review another member's \
        submission (epoch: its claim number). release, fail and cancel need a note. Lead only: \
        edit, assign (without to: unassign), label, reopen with a note.",
    input: input_schema::<TaskArguments>,
    output: FIELDS,
    effect: Effect::Team,
    quotes: None,
    max_tokens: MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(run_op(context, arguments)) },
};

/// The operation.
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
    Edit,
    Assign,
    Label,
    Reopen,
}

// No parameter `project`: the work tree identifies the member, who cannot act for another one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TaskArguments {
    op: TaskOp,
    #[schemars(with = "Option<String>")]
    task: Option<TaskId>,
    epoch: Option<i64>,
    title: Option<String>,
    spec: Option<String>,
    #[schemars(with = "Option<Vec<String>>")]
    needs: Option<Vec<TaskId>>,
    /// wait: input|mail|lock|gate|rate_limit
    reason: Option<String>,
    seconds: Option<u64>,
    /// HEAD
    commit: Option<String>,
    /// add: require a review; review: approve
    review: Option<bool>,
    note: Option<String>,
    /// Member or role
    to: Option<String>,
    /// label: -x removes x
    labels: Option<Vec<String>>,
    priority: Option<i64>,
}

impl TaskArguments {
    fn task(&self) -> Result<TaskId, Failure> {
        self.task.ok_or_else(|| missing_parameter("task"))
    }

    /// Returns the task and the epoch of the call.
    fn task_and_epoch(&self) -> Result<(TaskId, Option<Epoch>), Failure> {
        Ok((self.task()?, self.epoch.map(Epoch)))
    }

    fn note(&self) -> Result<String, Failure> {
        self.note.clone().ok_or_else(|| missing_parameter("note"))
    }

    fn lease_ms(&self) -> Option<u64> {
        self.seconds.map(|seconds| seconds.saturating_mul(1_000))
    }

    fn reason(&self) -> Result<WaitReason, Failure> {
        let text = self
            .reason
            .as_deref()
            .ok_or_else(|| missing_parameter("reason"))?;
        serde_json::from_value(text.into()).map_err(|error| {
            let message = format!("`reason`: {error}");
            Failure::new(Code::InvalidParameter, message).parameter("reason")
        })
    }
}

async fn run_op(context: &CallContext, arguments: Value) -> Result<Value, Failure> {
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
                base: None,
            };
            agon_teamwork::claim(caller, &request).await?.task.id
        }
        TaskOp::Submit => {
            let (task, epoch) = wish.task_and_epoch()?;
            let request = SubmitRequest {
                task,
                epoch,
                commit: wish.commit.clone().unwrap_or_else(|| "HEAD".to_owned()),
                no_change: wish.note.clone(),
            };
            agon_teamwork::submit(caller, &request).await?.task.id
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
                approve: wish.review.ok_or_else(|| missing_parameter("review"))?,
                note: wish.note()?,
            };
            agon_teamwork::review(caller, &request)?.task.id
        }
        TaskOp::Cancel => {
            let step = TeamStep::Cancel { note: wish.note()? };
            agon_teamwork::direct(caller, wish.task()?, step)?.task.id
        }
        TaskOp::Release => {
            let (task, epoch) = wish.task_and_epoch()?;
            let released = agon_teamwork::release(caller, task, epoch, wish.note()?);
            released.await?.task.id
        }
        TaskOp::Edit | TaskOp::Assign | TaskOp::Label | TaskOp::Reopen => change(caller, &wish)?,
        TaskOp::Renew | TaskOp::Start | TaskOp::Wait | TaskOp::Fail => step(caller, &wish)?,
    };
    with_notes(&agon_teamwork::work(caller, task)?, &front)
}

fn add(caller: &Caller, wish: &TaskArguments) -> Result<TaskId, Failure> {
    let new = NewTask {
        title: wish
            .title
            .clone()
            .ok_or_else(|| missing_parameter("title"))?,
        spec: wish.spec.clone().unwrap_or_default(),
        needs: wish.needs.iter().flatten().copied().collect(),
        priority: wish.priority.unwrap_or_default(),
        needs_review: wish.review.unwrap_or_default(),
        ..NewTask::default()
    };
    Ok(agon_teamwork::add(caller, new)?.task.id)
}

/// Applies a change of the lead to a task.
fn change(caller: &Caller, wish: &TaskArguments) -> Result<TaskId, Failure> {
    let task = wish.task()?;
    let document = match wish.op {
        TaskOp::Assign => agon_teamwork::assign(caller, task, wish.to.as_deref())?,
        TaskOp::Reopen => {
            let step = TeamStep::Reopen {
                attempts: None,
                note: wish.note()?,
            };
            agon_teamwork::direct(caller, task, step)?
        }
        TaskOp::Label => {
            let labels = wish
                .labels
                .as_ref()
                .ok_or_else(|| missing_parameter("labels"))?;
            let mut edit = TaskEdit::default();
            for label in labels {
                match label.strip_prefix('-') {
                    Some(gone) => edit.remove_labels.insert(read_label(gone)?),
                    None => edit.add_labels.insert(read_label(label)?),
                };
            }
            agon_teamwork::edit(caller, task, edit)?
        }
        _ => {
            let edit = TaskEdit {
                title: wish.title.clone(),
                spec: wish.spec.clone(),
                priority: wish.priority,
                needs_review: wish.review,
                ..TaskEdit::default()
            };
            agon_teamwork::edit(caller, task, edit)?
        }
    };
    Ok(document.task.id)
}

fn read_label(text: &str) -> Result<Label, Failure> {
    text.parse().map_err(|error: LabelError| {
        Failure::new(Code::InvalidParameter, error.to_string()).parameter("labels")
    })
}

/// Runs an op of the member that holds the task.
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
            for_ms: wish
                .lease_ms()
                .ok_or_else(|| missing_parameter("seconds"))?,
        },
        TaskOp::Fail => HolderStep::GiveUp { note: wish.note()? },
        _ => HolderStep::Renew {
            lease_ms: wish.lease_ms(),
        },
    };
    Ok(agon_teamwork::step(caller, task, epoch, step)?.task.id)
}
