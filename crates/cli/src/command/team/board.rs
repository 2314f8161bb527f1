//! `agon team status`: shows tasks, members and locks.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use agon_report::text::{format_duration, plain_line};
use agon_teamwork::{SessionDoc, TaskId, TeamStatusDoc, TeamTaskState, describe_wait};

use super::lock::lock_rows;
use super::print;
use super::record::{event_line, unknown_name_failure};
use crate::args::{Global, TeamStatusArgs};
use crate::error::{Exit, Failure};
use crate::output::{Out, STRONG, align_columns, apply_style};
use crate::stop;
use crate::surroundings::{Surroundings, terminal_width};

/// The time between two checks for changes.
const CHECK_EVERY: Duration = Duration::from_millis(500);
/// Moves the cursor to the top left corner and clears the screen below it.
const REDRAW: &str = "\u{1b}[H\u{1b}[J";

/// Shows the board once or on every change, or explains the state of a task or a member.
pub(super) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &TeamStatusArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match &args.why {
        Some(name) => explain(edge, global, name, out),
        None if args.watch => watch(edge, global, out).await,
        None => {
            let mut document = agon_teamwork::status(edge)?;
            agon_teamwork::mark_unmerged(edge, &mut document).await;
            print(
                global,
                &document,
                render_board(&document, edge.table_width).trim_end(),
                out,
            )
        }
    }
}

/// Explains the state of a task or a member.
fn explain(
    edge: &Surroundings,
    global: &Global,
    name: &str,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if let Ok(task) = name.parse() {
        return super::task::print_why(edge, global, task, out);
    }
    let member = name.parse().map_err(|_| unknown_name_failure(name))?;
    let document = agon_teamwork::member(edge, &member)?;
    let state = &document.member;
    let mut head = format!("{} {}", state.member.name, state.member.role);
    match state.member.left_ms {
        Some(_) => head.push_str(", left"),
        None => head.push_str(&format!(", {} unread", state.unread)),
    }
    let mut parts = vec![head];
    let tasks = task_rows(&document.tasks, &BTreeSet::new(), edge.table_width);
    let locks = lock_rows(&document.locks, edge.table_width);
    let events: Vec<String> = document.events.iter().map(event_line).collect();
    let session = document.member.session.as_ref();
    for (heading, rows) in [
        ("Session", session.map(session_rows).unwrap_or_default()),
        ("Tasks", tasks),
        ("Locks", locks),
        ("Latest events", events.join("\n")),
    ] {
        if !rows.is_empty() {
            parts.push(format!(
                "{}\n{}",
                apply_style(STRONG, heading),
                rows.trim_end()
            ));
        }
    }
    print(global, &document, &parts.join("\n"), out)
}

/// Shows the board on every change: on a terminal in place, otherwise one below another.
async fn watch(edge: &Surroundings, global: &Global, out: &mut Out) -> Result<Exit, Failure> {
    let cancel = stop::signal_cancellation_token();
    let is_terminal = std::io::stdout().is_terminal() && !global.json;
    let mut shown: Option<TeamStatusDoc> = None;
    let mut drawn = String::new();
    loop {
        let mut document = agon_teamwork::status(edge)?;
        // Ignore the remaining lease time here: it changes every second, and only a terminal shows
        // each change.
        let has_changed = shown
            .as_ref()
            .is_none_or(|shown| !is_same_board(shown, &document));
        // Run git only if something else has changed, because this loop runs twice a second.
        match (&shown, has_changed) {
            (Some(shown), false) => document.unmerged.clone_from(&shown.unmerged),
            _ => agon_teamwork::mark_unmerged(edge, &mut document).await,
        }
        if global.json && has_changed {
            out.write_json_line(&document)?;
        }
        let width = match is_terminal {
            true => terminal_width(),
            false => edge.table_width,
        };
        let board = render_board(&document, width);
        if is_terminal && board != drawn {
            // Write directly, because `out` strips control sequences.
            std::io::stdout().write_all(REDRAW.as_bytes()).ok();
            out.write_stdout(&board)?;
            drawn = board;
        } else if !is_terminal && !global.json && has_changed {
            if shown.is_some() {
                out.write_line("")?;
            }
            out.write_stdout(&board)?;
        }
        shown = Some(document);
        tokio::select! {
            () = tokio::time::sleep(CHECK_EVERY) => {}
            () = cancel.cancelled() => return Ok(Exit::Done),
        }
    }
}

/// Whether two boards are equal, apart from remaining lease times and the ages of signals.
fn is_same_board(one: &TeamStatusDoc, other: &TeamStatusDoc) -> bool {
    let without_time = |document: &TeamStatusDoc| {
        let mut document = document.clone();
        document.unmerged.clear();
        for row in &mut document.tasks {
            row.lease_left_s = None;
        }
        let sessions = document.members.iter_mut();
        for session in sessions.filter_map(|row| row.session.as_mut()) {
            session.ages = Default::default();
        }
        document
    };
    without_time(one) == without_time(other)
}

/// Formats the board; sections without rows are left out, except for the tasks.
fn render_board(document: &TeamStatusDoc, width: usize) -> String {
    let parts = [
        (
            "Tasks",
            task_rows(&document.tasks, &document.unmerged, width),
        ),
        ("Members", member_rows(document, width)),
        ("Locks", lock_rows(&document.locks, width)),
    ];
    let mut board = String::new();
    let runs = run_rows(document, width);
    if !runs.is_empty() {
        board.push_str(&format!("{}\n{runs}", apply_style(STRONG, "Runs")));
    }
    for (heading, rows) in parts {
        let rows = match (rows.is_empty(), heading) {
            (true, "Tasks") => "none; add one: agon team task add TITLE\n".to_owned(),
            (true, _) => continue,
            (false, _) => rows,
        };
        board.push_str(&format!("{}\n{rows}", apply_style(STRONG, heading)));
    }
    board
}

/// Formats the runs, and notes which of them run no gates.
fn run_rows(document: &TeamStatusDoc, width: usize) -> String {
    let rows: Vec<[String; 3]> = document
        .runs
        .iter()
        .map(|run| {
            let mut facts = vec![plain_line(&run.goal)];
            facts.extend(run.note.as_deref().map(plain_line));
            facts.extend(run.nothing_executed.clone());
            [
                run.run.to_string(),
                run.stage.as_str().to_owned(),
                facts.join("; "),
            ]
        })
        .collect();
    align_columns(&rows, width)
}

/// Formats the state of a session, the evidence for it, and the steps taken.
fn session_rows(session: &SessionDoc) -> String {
    let mut rows = vec![format!(
        "{} {}, restarted {} times, last step {}",
        session.session, session.state, session.restarts, session.rung
    )];
    rows.extend(session.evidence.iter().map(|line| plain_line(line)));
    if let Some(ending) = &session.ending {
        rows.push(format!("ended: {}", plain_line(&ending.said)));
    }
    rows.join("\n")
}

/// Formats the tasks, finished ones last.
fn task_rows(tasks: &[TeamTaskState], unmerged: &BTreeSet<TaskId>, width: usize) -> String {
    let mut tasks: Vec<&TeamTaskState> = tasks.iter().collect();
    tasks.sort_by_key(|row| row.task.state.is_final());
    let rows: Vec<[String; 3]> = tasks
        .into_iter()
        .map(|row| {
            let task = &row.task;
            let mut facts = vec![plain_line(&task.title)];
            if row.unchecked {
                facts.push("unchecked".to_owned());
            }
            if unmerged.contains(&task.id) {
                facts.push("not merged".to_owned());
            }
            if let (Some(lease), Some(left)) = (&task.lease, row.lease_left_s) {
                let left = format_duration(left.saturating_mul(1_000));
                facts.push(format!("{}, lease {left}", lease.holder));
            }
            let is_held = |one: &&agon_teamwork::WaitsFor| {
                matches!(one, agon_teamwork::WaitsFor::Holder { .. })
            };
            let waits = row.waits_for.iter().filter(|one| !is_held(one));
            facts.extend(waits.map(|one| format!("waits for {}", plain_line(&describe_wait(one)))));
            [task.id.to_string(), row.word().to_owned(), facts.join("; ")]
        })
        .collect();
    align_columns(&rows, width)
}

fn member_rows(document: &TeamStatusDoc, width: usize) -> String {
    let rows: Vec<[String; 5]> = document
        .members
        .iter()
        .map(|row| {
            let member = &row.member;
            [
                member.name.to_string(),
                member.role.to_string(),
                plain_line(&member.host),
                match row.unread {
                    0 => String::new(),
                    unread => format!("{unread} unread"),
                },
                row.session
                    .as_ref()
                    .map(|session| session.state.to_string())
                    .unwrap_or_default(),
            ]
        })
        .collect();
    align_columns(&rows, width)
}
