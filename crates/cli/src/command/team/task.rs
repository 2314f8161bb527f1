//! `agon team task`: tasks, added, claimed and finished.

use agon_report::text::plain_line;
use agon_teamwork::{
    ClaimRequest, HolderStep, NewTask, TaskId, TaskState, TeamStep, TeamTaskDoc, describe_wait,
};

use super::print;
use crate::args::{AddArgs, Global, TeamTaskCommand};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::Out;

/// Runs `agon team task`.
pub(super) async fn run(
    edge: &Surroundings,
    global: &Global,
    command: &TeamTaskCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = match command {
        TeamTaskCommand::Why { task } => return print_why(edge, global, *task, out),
        TeamTaskCommand::Add(args) => agon_teamwork::add(edge, new_task(args)),
        TeamTaskCommand::Claim(args) => {
            let request = ClaimRequest {
                task: args.task,
                lease_ms: args.lease.milliseconds(),
            };
            agon_teamwork::claim(edge, &request)
        }
        TeamTaskCommand::Renew(args) => {
            let lease_ms = args.lease.milliseconds();
            let step = HolderStep::Renew { lease_ms };
            agon_teamwork::step(edge, args.held.task, args.held.epoch, step)
        }
        TeamTaskCommand::Start(args) => {
            let waits = agon_teamwork::why(edge, args.task)?.why.task.state == TaskState::Waiting;
            let step = match waits {
                true => HolderStep::Resume,
                false => HolderStep::Start,
            };
            agon_teamwork::step(edge, args.task, args.epoch, step)
        }
        TeamTaskCommand::Wait(args) => {
            let step = HolderStep::Wait {
                reason: args.reason,
                for_ms: args.seconds.saturating_mul(1_000),
            };
            agon_teamwork::step(edge, args.held.task, args.held.epoch, step)
        }
        TeamTaskCommand::Submit(args) => {
            agon_teamwork::submit(edge, args.held.task, args.held.epoch, &args.commit).await
        }
        TeamTaskCommand::Done(args) => agon_teamwork::done(edge, args.task, args.epoch).await,
        TeamTaskCommand::Release(args) => {
            let note = args.note.clone();
            let step = HolderStep::Release { note };
            agon_teamwork::step(edge, args.held.task, args.held.epoch, step)
        }
        TeamTaskCommand::Fail(args) => {
            let note = args.note.clone();
            let step = HolderStep::GiveUp { note };
            agon_teamwork::step(edge, args.held.task, args.held.epoch, step)
        }
        TeamTaskCommand::Cancel(args) => {
            let note = args.note.clone();
            agon_teamwork::direct(edge, args.task, TeamStep::Cancel { note })
        }
    }?;
    print_task(global, &document, out)
}

/// Prints all that a task waits for.
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
    let head = describe_task(&document.why.task);
    let said = [&[head], lines.as_slice()].concat().join("\n");
    print(global, &document, &said, out)
}

fn print_task(global: &Global, document: &TeamTaskDoc, out: &mut Out) -> Result<Exit, Failure> {
    let task = &document.task;
    let said = match &task.lease {
        Some(_) => format!("{}, epoch {}", describe_task(task), task.epoch),
        None => describe_task(task),
    };
    print(global, document, &said, out)
}

fn new_task(args: &AddArgs) -> NewTask {
    NewTask {
        title: args.title.clone(),
        spec: args.spec.clone(),
        priority: args.priority,
        needs: args.needs.iter().copied().collect(),
        needs_review: args.review,
        gates: args.gate.iter().cloned().collect(),
        ..NewTask::default()
    }
}

/// A task in one line.
fn describe_task(task: &agon_teamwork::Task) -> String {
    let title = plain_line(&task.title);
    match &task.lease {
        Some(lease) => format!("{} {title}: {}, {}", task.id, task.state, lease.holder),
        None => format!("{} {title}: {}", task.id, task.state),
    }
}
