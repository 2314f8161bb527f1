//! `agon team status`: the board.

use agon_app::team::{self, TeamStatusDoc, TeamTaskState};
use agon_report::text::{format_duration, plain_line};

use super::words::describe;
use crate::args::Global;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{Out, STRONG, align_columns, apply_style};

/// Shows tasks, members and locks.
pub(super) fn run(edge: &Surroundings, global: &Global, out: &mut Out) -> Result<Exit, Failure> {
    let document = team::status(edge)?;
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    let width = edge.table_width;
    let parts = [
        ("Tasks", tasks(&document, width)),
        ("Members", members(&document, width)),
        ("Locks", locks(&document, width)),
    ];
    for (heading, rows) in parts {
        let rows = match rows.is_empty() {
            true => "none\n".to_owned(),
            false => rows,
        };
        out.write_stdout(&format!("{}\n{rows}", apply_style(STRONG, heading)))?;
    }
    Ok(Exit::Done)
}

/// The tasks, those that are over last.
fn tasks(document: &TeamStatusDoc, width: usize) -> String {
    let mut tasks: Vec<&TeamTaskState> = document.tasks.iter().collect();
    tasks.sort_by_key(|row| row.task.state.is_final());
    let rows: Vec<[String; 3]> = tasks
        .into_iter()
        .map(|row| {
            let task = &row.task;
            let mut facts = vec![plain_line(&task.title)];
            if let (Some(lease), Some(left)) = (&task.lease, row.lease_left_s) {
                let left = format_duration(left.saturating_mul(1_000));
                facts.push(format!("{}, lease {left}", lease.holder));
            }
            let is_held = |one: &&team::WaitsFor| matches!(one, team::WaitsFor::Holder { .. });
            let waits = row.waits_for.iter().filter(|one| !is_held(one));
            facts.extend(waits.map(|one| format!("waits for {}", plain_line(&describe(one)))));
            [
                task.id.to_string(),
                task.state.to_string(),
                facts.join("; "),
            ]
        })
        .collect();
    align_columns(&rows, width)
}

fn members(document: &TeamStatusDoc, width: usize) -> String {
    let rows: Vec<[String; 4]> = document
        .members
        .iter()
        .map(|row| {
            let member = &row.member;
            [
                member.name.to_string(),
                member.role.to_string(),
                plain_line(&member.host),
                format!("{} unread", row.unread),
            ]
        })
        .collect();
    align_columns(&rows, width)
}

fn locks(document: &TeamStatusDoc, width: usize) -> String {
    let rows: Vec<[String; 4]> = document
        .locks
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
                globs.join(" "),
            ]
        })
        .collect();
    align_columns(&rows, width)
}
