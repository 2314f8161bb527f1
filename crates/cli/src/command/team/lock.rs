//! `agon team lock`: locks on paths.

use std::time::Duration;

use agon_caller::Code;
use agon_report::text::plain_line;
use agon_teamwork::{GlobSet, LockMode, LockRequest, PathLock, TeamLockDoc};

use super::print;
use crate::args::{Global, LockTakeArgs, TeamLockCommand};
use crate::error::{Exit, Failure};
use crate::output::{Out, align_columns};
use crate::stop;
use crate::surroundings::Surroundings;

/// Runs `agon team lock`.
pub(super) async fn run(
    edge: &Surroundings,
    global: &Global,
    command: &TeamLockCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match command {
        TeamLockCommand::Take(args) => take(edge, global, args, out).await,
        TeamLockCommand::Release(args) => {
            let document = agon_teamwork::unlock(edge, args.lock, args.epoch)?;
            let said = format!("{} released", document.lock);
            print(global, &document, &said, out)
        }
        TeamLockCommand::List => {
            let document = agon_teamwork::locks(edge)?;
            let rows = match document.locks.as_slice() {
                [] => "no locks\n".to_owned(),
                locks => lock_rows(locks, edge.table_width),
            };
            print(global, &document, rows.trim_end(), out)
        }
    }
}

async fn take(
    edge: &Surroundings,
    global: &Global,
    args: &LockTakeArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let globs = GlobSet::try_from(args.globs.clone())
        .map_err(|error| Failure::from_error(Code::InvalidParameter, &error).parameter("glob"))?;
    let task = agon_teamwork::own_task(edge, args.task)?;
    let request = LockRequest {
        task,
        epoch: agon_teamwork::epoch_or_current(edge, task, args.epoch)?,
        globs,
        mode: match args.shared {
            true => LockMode::Shared,
            false => LockMode::Exclusive,
        },
        reason: args.reason.clone(),
    };
    let wait = Duration::from_secs(args.wait.unwrap_or_default());
    let cancel = stop::signal_cancellation_token();
    let document = agon_teamwork::lock(edge, &request, wait, &cancel).await?;
    print(global, &document, &describe_locks(&document), out)?;
    Ok(match document.lock.granted {
        true => Exit::Done,
        false => Exit::Lesser,
    })
}

fn describe_locks(document: &TeamLockDoc) -> String {
    let lock = &document.lock;
    let globs = plain_line(&lock.globs.to_string());
    if lock.granted {
        return format!("{} granted: {globs}", lock.id);
    }
    let one = |lock: &PathLock| format!("{} of {} ({})", lock.id, lock.holder, lock.task);
    let behind: Vec<String> = document.behind.iter().map(one).collect();
    let id = lock.id;
    format!(
        "{id} waits for {globs}, behind {}\nnext: do other work until agon team lock list says \
         that {id} holds; agon team lock release {id} withdraws it",
        behind.join(", ")
    )
}

/// Formats locks, granted and waiting.
pub(super) fn lock_rows(locks: &[PathLock], width: usize) -> String {
    let rows: Vec<[String; 4]> = locks
        .iter()
        .map(|lock| {
            let globs = lock.globs.globs().iter();
            let globs: Vec<String> = globs.map(|glob| plain_line(glob.as_str())).collect();
            let held = match lock.granted {
                true => "holds",
                false => "waits",
            };
            [
                lock.id.to_string(),
                format!("{} {}", lock.task, lock.holder),
                format!("{held} {}", lock.mode.as_str()),
                match lock.reason.is_empty() {
                    true => globs.join(" "),
                    false => format!("{}: {}", globs.join(" "), plain_line(&lock.reason)),
                },
            ]
        })
        .collect();
    align_columns(&rows, width)
}
