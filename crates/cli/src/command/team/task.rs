//! `agon team task`: adds, claims and finishes tasks.

use agon_report::text::plain_line;
use agon_teamwork::{
    ClaimRequest, HolderStep, NewTask, SubmitRequest, Task, TaskEdit, TaskId, TaskPlace, TaskState,
    TeamStep, TeamTaskDoc, WaitsFor, describe_wait,
};

use super::mail::read_bounded;
use super::{next_steps, print, task_view};
use crate::args::{AddArgs, ClaimedTaskArgs, EditArgs, Global, SpecArgs, TeamTaskCommand};
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// The maximum number of locked paths that a warning lists.
const MAX_LOCKS: usize = 5;

/// Runs `agon team task`.
pub(super) async fn run(
    edge: &Surroundings,
    global: &Global,
    command: &TeamTaskCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = match command {
        TeamTaskCommand::Why { task } => return print_why(edge, global, *task, out),
        TeamTaskCommand::List(args) => return task_view::list(edge, global, args, out),
        TeamTaskCommand::Show { task } => return task_view::show(edge, global, *task, out),
        TeamTaskCommand::Add(args) => agon_teamwork::add(edge, new_task(edge, args)?),
        TeamTaskCommand::Edit(args) => agon_teamwork::edit(edge, args.task, task_edit(edge, args)?),
        TeamTaskCommand::Label(args) => {
            let edit = TaskEdit {
                add_labels: args.add.iter().cloned().collect(),
                remove_labels: args.remove.iter().cloned().collect(),
                ..TaskEdit::default()
            };
            agon_teamwork::edit(edge, args.task, edit)
        }
        TeamTaskCommand::Assign { task, who } => agon_teamwork::assign(edge, *task, Some(who)),
        TeamTaskCommand::Unassign { task } => agon_teamwork::assign(edge, *task, None),
        TeamTaskCommand::Move(args) => {
            let place = match (args.before, args.after) {
                (Some(other), _) => TaskPlace::Before(other),
                (None, Some(other)) => TaskPlace::After(other),
                (None, None) => TaskPlace::Top,
            };
            agon_teamwork::move_task(edge, args.task, place)
        }
        TeamTaskCommand::Reopen(args) => {
            let step = TeamStep::Reopen {
                attempts: args.attempts,
                note: args.note.clone(),
            };
            agon_teamwork::direct(edge, args.task, step)
        }
        TeamTaskCommand::Claim(args) => {
            let request = ClaimRequest {
                task: args.task,
                lease_ms: args.lease.milliseconds(),
                base: None,
            };
            agon_teamwork::claim(edge, &request).await
        }
        TeamTaskCommand::Renew(args) => {
            let lease_ms = args.lease.milliseconds();
            let step = HolderStep::Renew { lease_ms };
            take_step(edge, &args.held, step)
        }
        TeamTaskCommand::Start(args) => {
            let task = agon_teamwork::own_task(edge, args.task)?;
            let waits = agon_teamwork::why(edge, task)?.why.task.state == TaskState::Waiting;
            let step = match waits {
                true => HolderStep::Resume,
                false => HolderStep::Start,
            };
            agon_teamwork::step(edge, task, args.epoch, step)
        }
        TeamTaskCommand::Wait(args) => {
            let step = HolderStep::Wait {
                reason: args.reason,
                for_ms: args.seconds.saturating_mul(1_000),
            };
            take_step(edge, &args.held, step)
        }
        TeamTaskCommand::Submit(args) => {
            let request = SubmitRequest {
                task: agon_teamwork::own_task(edge, args.held.task)?,
                epoch: args.held.epoch,
                commit: args.commit.clone(),
                no_change: args.no_change.clone(),
            };
            let submitted = agon_teamwork::submit(edge, &request).await;
            if let Ok(document) = &submitted {
                warn_of_locks(edge, document.task.id, out).await;
            }
            submitted
        }
        TeamTaskCommand::Done(args) => {
            let task = agon_teamwork::own_task(edge, args.task)?;
            agon_teamwork::done(edge, task, args.epoch).await
        }
        TeamTaskCommand::Release(args) => {
            let task = agon_teamwork::own_task(edge, args.held.task)?;
            agon_teamwork::release(edge, task, args.held.epoch, args.note.clone()).await
        }
        TeamTaskCommand::Fail(args) => {
            let note = args.note.clone();
            let step = HolderStep::GiveUp { note };
            take_step(edge, &args.held, step)
        }
        TeamTaskCommand::Cancel(args) => {
            let note = args.note.clone();
            agon_teamwork::direct(edge, args.task, TeamStep::Cancel { note })
        }
    }?;
    print_task(edge, global, command, &document, out)
}

/// Warns of paths in a submitted change that other members have locked.
async fn warn_of_locks(edge: &Surroundings, task: TaskId, out: &mut Out) {
    // The change is submitted, so a failure to list the locks must not look like a refusal.
    let locked = agon_teamwork::locks_on_submitted_paths(edge, task).await;
    let locked = locked.unwrap_or_default();
    let shown = locked.iter().take(MAX_LOCKS);
    let mut shown: Vec<String> = shown
        .map(agon_teamwork::BrokenLock::describe_lock)
        .collect();
    if let Some(more @ 1..) = locked.len().checked_sub(MAX_LOCKS) {
        shown.push(format!("{more} more"));
    }
    if !shown.is_empty() {
        out.eprint_warning(&format!(
            "{task} changes paths that other members locked: {}. Agree with them by mail before it \
             is merged",
            shown.join("; ")
        ));
    }
}

/// Prints everything that a task waits for.
pub(super) fn print_why(
    edge: &Surroundings,
    global: &Global,
    task: TaskId,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = agon_teamwork::why(edge, task)?;
    let waits_for = document.why.waits_for.iter();
    let lines: Vec<String> = waits_for
        .map(|one| format!("  waits for {}", plain_line(&describe_wait(one))))
        .collect();
    let head = describe_task_or_blockers(&document.why.task, &document.why.waits_for);
    let mut said = [&[head], lines.as_slice()].concat().join("\n");
    if let Some(note) = &document.why.task.note {
        said = format!("{said}\n  last note: {}", plain_line(note));
    }
    print(global, &document, &said, out)
}

/// Takes a step of the named task or else of the caller's only one.
fn take_step(
    edge: &Surroundings,
    held: &ClaimedTaskArgs,
    step: HolderStep,
) -> Result<TeamTaskDoc, Failure> {
    let task = agon_teamwork::own_task(edge, held.task)?;
    agon_teamwork::step(edge, task, held.epoch, step)
}

/// Prints a task after a step, and the next step.
fn print_task(
    edge: &Surroundings,
    global: &Global,
    command: &TeamTaskCommand,
    document: &TeamTaskDoc,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if global.json {
        return print(global, document, "", out);
    }
    let task = &document.task;
    let waits_for = agon_teamwork::why(edge, task.id)?.why.waits_for;
    let mut said = match &task.lease {
        Some(_) => format!("{}, claim {}", describe_task(task), task.epoch),
        None => describe_task_or_blockers(task, &waits_for),
    };
    if matches!(command, TeamTaskCommand::Claim(_)) {
        // Print the specification too, with the reviewers' notes if the task was sent back.
        let text = agon_teamwork::show(edge, task.id)?.text;
        said = format!("{said}\n{text}");
    }
    if let Some(next) = next_steps::next_step(command, task, &waits_for) {
        said = format!("{said}\nnext: {next}");
    }
    print(global, document, &said, out)
}

fn new_task(edge: &Surroundings, args: &AddArgs) -> Result<NewTask, Failure> {
    Ok(NewTask {
        title: args.title.clone(),
        spec: read_spec(edge, &args.spec)?.unwrap_or_default(),
        priority: args.priority,
        needs: args.needs.iter().copied().collect(),
        needs_review: args.review,
        gates: args.gate.iter().cloned().collect(),
        labels: args.label.iter().cloned().collect(),
        ..NewTask::default()
    })
}

fn task_edit(edge: &Surroundings, args: &EditArgs) -> Result<TaskEdit, Failure> {
    let names_gates = args.no_gates || !args.gate.is_empty();
    Ok(TaskEdit {
        title: args.title.clone(),
        spec: read_spec(edge, &args.spec)?,
        priority: args.priority,
        gates: names_gates.then(|| args.gate.iter().cloned().collect()),
        needs_review: match (args.review, args.no_review) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        },
        ..TaskEdit::default()
    })
}

/// Reads the specification of a task from the argument, a file or stdin.
fn read_spec(edge: &Surroundings, args: &SpecArgs) -> Result<Option<String>, Failure> {
    let failed = |message: String, parameter: &'static str| {
        Failure::new(Code::InvalidParameter, message).parameter(parameter)
    };
    if let Some(path) = &args.spec_file {
        let file = std::fs::File::open(edge.cwd.join(path)).and_then(read_bounded);
        let named = plain_line(&path.display().to_string());
        let read =
            file.map_err(|cause| failed(format!("cannot read {named}: {cause}"), "spec-file"));
        return read.map(Some);
    }
    match args.spec.as_deref() {
        Some("-") => read_bounded(std::io::stdin())
            .map(Some)
            .map_err(|cause| failed(format!("cannot read stdin: {cause}"), "spec")),
        other => Ok(other.map(str::to_owned)),
    }
}

/// Describes a task on one line; a task that cannot be claimed yet with the tasks that block it.
fn describe_task_or_blockers(task: &Task, waits_for: &[WaitsFor]) -> String {
    let needs = next_steps::list_unfinished_dependencies(waits_for);
    match task.state {
        TaskState::Ready if !needs.is_empty() => {
            format!(
                "{} {}: blocked by {needs}",
                task.id,
                plain_line(&task.title)
            )
        }
        _ => describe_task(task),
    }
}

/// Describes a task on one line.
fn describe_task(task: &Task) -> String {
    let title = plain_line(&task.title);
    match &task.lease {
        Some(lease) => format!("{} {title}: {}, {}", task.id, task.state, lease.holder),
        None => format!("{} {title}: {}", task.id, task.state),
    }
}
