//! The board: tasks by state, runs, members, locks, gates and mail.

use agon_caller::system::{describe_age, now_ms};
use agon_report::text::{count_with_noun, format_duration, plain_line, truncate_to_width};
use agon_teamwork::gate::TeamGateState;
use agon_teamwork::{
    GateDefinition, MailHeader, PathLock, TaskId, TaskState, TeamMemberState, TeamRunState,
    TeamStatusDoc, TeamTaskState, WaitsFor, describe_wait,
};
use maud::{Markup, html};

use super::Board;

/// Maximum width of a text on a card, in columns.
const MAX_COLUMNS: usize = 180;
/// Maximum number of cards in a column of the board.
const MAX_CARDS: usize = 200;

/// A column of the board: its heading, and whether a task belongs into it.
type Column = (&'static str, fn(TaskState) -> bool);

/// The columns, from the left.
const COLUMNS: [Column; 4] = [
    ("To do", |state| {
        matches!(state, TaskState::Draft | TaskState::Ready)
    }),
    ("In work", |state| {
        matches!(
            state,
            TaskState::Claimed | TaskState::Running | TaskState::Waiting
        )
    }),
    ("In review", |state| state == TaskState::Review),
    ("Over", TaskState::is_final),
];

/// Returns the board.
pub(super) fn board(board: &Board) -> Markup {
    let status = &board.status;
    html! {
        h1 { "Team" }
        (lost())
        div data-refresh="team" {
            p.found.note { (summary(board)) }
            @if status.tasks.is_empty() {
                section.part.empty {
                    h2 { "No tasks yet" }
                    p { "Add one in a terminal: " code { "agon team task add TITLE" } }
                }
            } @else {
                div.columns { @for column in COLUMNS { (cards(column, board)) } }
            }
            @if !status.runs.is_empty() { (runs(&status.runs)) }
            @if !status.members.is_empty() { (members(status)) }
            @if !status.locks.is_empty() { (locks(&status.locks)) }
            @if !board.gates.is_empty() { (gates(&board.gates)) }
            @if !board.mail.is_empty() { (mail(&board.mail)) }
            p.note.twins { "The same as " a href="/team.md" { "Markdown" } " or " a href="/team.json" { "JSON" } "." }
        }
    }
}

/// Returns the line that the script shows while the server does not answer.
pub(super) fn lost() -> Markup {
    html! { p.lost role="alert" hidden { "The connection to Agon is lost. This page reconnects by itself." } }
}

/// Says in a line how far the team is.
pub(super) fn summary(board: &Board) -> String {
    let tasks = &board.status.tasks;
    let done = tasks.iter().filter(|row| row.task.state == TaskState::Done);
    let mut parts = vec![
        format!(
            "{} of {} done",
            done.count(),
            count_with_noun(tasks.len() as u64, "task")
        ),
        count_with_noun(board.status.members.len() as u64, "member"),
    ];
    let unmerged = board.status.unmerged.len();
    if unmerged > 0 {
        parts.push(format!("{unmerged} done but not merged"));
    }
    parts.join(" · ")
}

fn cards((title, belongs): Column, board: &Board) -> Markup {
    let tasks = board.status.tasks.iter();
    let mut tasks: Vec<&TeamTaskState> = tasks.filter(|row| belongs(row.task.state)).collect();
    // The tasks to do in the order in which they are claimed, the finished ones latest first.
    match title {
        "Over" => tasks.reverse(),
        _ => tasks.sort_by_key(|row| {
            (
                std::cmp::Reverse(row.task.priority),
                row.task.place,
                row.task.id,
            )
        }),
    }
    let more = tasks.len().saturating_sub(MAX_CARDS);
    html! {
        section.column {
            h2 { (title) " " span.number.faint { (tasks.len()) } }
            @if tasks.is_empty() { p.note { "None" } }
            ul { @for row in tasks.iter().take(MAX_CARDS) { (card(row, board)) } }
            @if more > 0 { p.note { "and " (more) " more, in " a href="/team.json" { "JSON" } } }
        }
    }
}

fn card(row: &TeamTaskState, board: &Board) -> Markup {
    let task = &row.task;
    let is_unmerged = board.status.unmerged.contains(&task.id);
    html! {
        li.card data-state=(dot(task.state)) {
            p.meta { span.dot aria-hidden="true" {} span { (task.id) } span { (row.word()) } }
            h3 { a href={ "/team/tasks/" (task.id) } dir="auto" { (short(&task.title)) } }
            @if let Some(lease) = &task.lease { p.meta { span { (lease.holder) } (lease_left(row)) } }
            @else if let Some(assignee) = &task.assignee { p.meta { span { "for " (assignee) } } }
            @for wait in waits(row) { p.note { "waits for " (wait) } }
            @if row.unchecked || is_unmerged {
                p.meta {
                    @if row.unchecked { span.caution { "unchecked" } }
                    @if is_unmerged { span.caution { "not merged" } }
                }
            }
            @if !task.labels.is_empty() {
                p.meta { @for label in &task.labels { span { "#" (plain_line(label.as_str())) } } }
            }
        }
    }
}

/// Returns what a task waits for, except for its holder, whom the card names anyway.
pub(super) fn waits(row: &TeamTaskState) -> impl Iterator<Item = String> {
    let waits = row.waits_for.iter();
    let waits =
        waits.filter(|one| !matches!(one, WaitsFor::Holder { .. } | WaitsFor::Claim { .. }));
    waits.map(|one| plain_line(&describe_wait(one)))
}

/// Returns the time left on the lease of a task, which the script counts down.
pub(super) fn lease_left(row: &TeamTaskState) -> Markup {
    let Some(left) = row.lease_left_s else {
        return html! {};
    };
    let left_ms = left.saturating_mul(1_000);
    html! {
        span { "lease " span.left data-left=(left_ms) { (format_duration(left_ms)) } }
    }
}

/// Returns the state whose dot a task has.
pub(super) fn dot(state: TaskState) -> &'static str {
    match state {
        TaskState::Draft | TaskState::Ready => "stopped",
        TaskState::Claimed | TaskState::Running => "running",
        TaskState::Waiting | TaskState::Review => "waiting_for_person",
        TaskState::Done => "done",
        TaskState::Failed | TaskState::Cancelled => "failed",
    }
}

fn runs(runs: &[TeamRunState]) -> Markup {
    html! {
        section.part {
            h2 { "Runs" }
            ul.lines {
                @for run in runs.iter().rev() {
                    li {
                        span.id { (run.run) } " " strong { (run.stage.as_str()) } " "
                        span dir="auto" { (short(&run.goal)) }
                        @if let Some(note) = &run.note { p.note dir="auto" { (plain_line(note)) } }
                        @if let Some(nothing) = &run.nothing_executed { p.note { (plain_line(nothing)) } }
                    }
                }
            }
        }
    }
}

fn members(status: &TeamStatusDoc) -> Markup {
    let held = |row: &TeamMemberState| -> Vec<TaskId> {
        let holds = |task: &&TeamTaskState| {
            let lease = task.task.lease.as_ref();
            lease.is_some_and(|lease| lease.holder == row.member.name)
        };
        let held = status.tasks.iter().filter(holds);
        held.map(|row| row.task.id).collect()
    };
    html! {
        section.part {
            h2 { "Members" }
            div.scroller tabindex="0" role="region" aria-label="Members" {
                table {
                    thead { tr { @for name in ["Name", "Role", "Tool", "Session", "Holds", "Unread mail"] { th scope="col" { (name) } } } }
                    tbody {
                        @for row in &status.members {
                            @let session = row.session.as_ref();
                            tr {
                                th scope="row" { (row.member.name) }
                                td { (row.member.role) }
                                td { (plain_line(&row.member.host)) }
                                td {
                                    @match session {
                                        Some(session) => { (session.state) @if session.restarts > 0 { ", restarted " (session.restarts) " times" } },
                                        None => span.faint { "not started by Agon" },
                                    }
                                }
                                td { @for task in held(row) { a href={ "/team/tasks/" (task) } { (task) } " " } }
                                td { @if row.unread > 0 { strong { (row.unread) } } @else { span.faint { "0" } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the section of the locks, granted and waiting.
pub(super) fn locks(locks: &[PathLock]) -> Markup {
    html! {
        section.part {
            h2 { "Locks" }
            div.scroller tabindex="0" role="region" aria-label="Locks" {
                table {
                    thead { tr { @for name in ["Lock", "Holder", "State", "Paths", "Reason"] { th scope="col" { (name) } } } }
                    tbody {
                        @for lock in locks {
                            tr {
                                th scope="row" { (lock.id) }
                                td { (lock.holder) " for " a href={ "/team/tasks/" (lock.task) } { (lock.task) } }
                                td { @if lock.granted { "holds" } @else { span.caution { "waits" } } ", " (lock.mode.as_str()) }
                                td { @for glob in lock.globs.globs() { code { (plain_line(glob.as_str())) } " " } }
                                td dir="auto" { (plain_line(&lock.reason)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn gates(gates: &[TeamGateState]) -> Markup {
    html! {
        section.part {
            h2 { "Gates" }
            ul.lines {
                @for gate in gates {
                    li {
                        strong { (gate.name) } " "
                        @if let Some(definition) = &gate.definition { (describe_gate(definition)) }
                    }
                }
            }
            p.note { "A task's page has the results of its gates." }
        }
    }
}

fn describe_gate(gate: &GateDefinition) -> Markup {
    html! {
        @match gate {
            GateDefinition::Command(gate) => { "runs " code { (plain_line(&gate.argv.join(" "))) } },
            GateDefinition::Debate(gate) => { "debates " q dir="auto" { (plain_line(&gate.topic)) } },
            GateDefinition::Evidence(gate) => { "checks the citations in " code { (plain_line(&gate.file)) } },
            GateDefinition::Context(_) => "checks the member’s context",
            GateDefinition::Review {} => "needs the approval of another member",
        }
    }
}

fn mail(mail: &[MailHeader]) -> Markup {
    html! {
        section.part {
            h2 { "Mail" }
            div.scroller tabindex="0" role="region" aria-label="Mail" {
                table {
                    thead { tr { @for name in ["Message", "From", "To", "Sent", "Read by"] { th scope="col" { (name) } } } }
                    tbody {
                        @for header in mail.iter().rev() {
                            tr {
                                th scope="row" {
                                    a href={ "/team/mail/" (header.thread) } { (header.message) }
                                    @if header.urgent { " " span.caution { "urgent" } }
                                }
                                td { (header.from) }
                                td { (plain_line(&header.to)) }
                                td { (sent(header.sent_ms)) }
                                td { (readers(header)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns how long ago a message was sent, which the script keeps up to date.
pub(super) fn sent(sent_ms: i64) -> Markup {
    let sent_ms = u64::try_from(sent_ms).unwrap_or_default();
    html! { span.ago data-at=(sent_ms) { (describe_age(sent_ms, now_ms())) } }
}

/// Returns the readers of a message, and whether each has read it.
pub(super) fn readers(header: &MailHeader) -> Markup {
    html! {
        @for (nth, (reader, state)) in header.readers.iter().enumerate() {
            @if nth > 0 { ", " }
            (reader) " (" (state.as_str()) ")"
        }
    }
}

fn short(text: &str) -> String {
    truncate_to_width(&plain_line(text), MAX_COLUMNS)
}
