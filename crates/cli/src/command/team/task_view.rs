//! `agon team task list` and `show`: print tasks for a person.

use agon_report::text::plain_line;
use agon_teamwork::{
    Change, NeededTask, Task, TaskEvidence, TaskFilter, TaskId, TeamShownDoc, TeamTaskState,
    describe_standing, describe_wait,
};

use super::lock::lock_rows;
use super::print;
use super::record::event_line;
use crate::args::{Global, ListTasksArgs};
use crate::error::{Exit, Failure};
use crate::output::{Out, STRONG, align_columns, apply_style};
use crate::surroundings::Surroundings;

/// Lists tasks.
pub(super) fn list(
    edge: &Surroundings,
    global: &Global,
    args: &ListTasksArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let filter = TaskFilter {
        labels: args.label.clone(),
        assignee: args.assignee.clone(),
        state: args.state.clone(),
    };
    let document = agon_teamwork::tasks(edge, &filter)?;
    let rows: Vec<[String; 4]> = document.tasks.iter().map(task_row).collect();
    let said = match rows.as_slice() {
        [] => "no tasks".to_owned(),
        rows => align_columns(rows, edge.table_width),
    };
    print(global, &document, said.trim_end(), out)
}

fn list_labels(task: &Task) -> String {
    let labels = task.labels.iter();
    let labels: Vec<String> = labels.map(|it| plain_line(it.as_str())).collect();
    labels.join(", ")
}

fn task_row(row: &TeamTaskState) -> [String; 4] {
    let task = &row.task;
    let mut facts = vec![plain_line(&task.title)];
    let blockers: Vec<String> = row.blockers().iter().map(TaskId::to_string).collect();
    if !blockers.is_empty() {
        facts.push(format!("needs {}", blockers.join(", ")));
    }
    if !task.labels.is_empty() {
        facts.push(format!("[{}]", list_labels(task)));
    }
    if task.priority != 0 {
        facts.push(format!("priority {}", task.priority));
    }
    let who = match (&task.lease, &task.assignee) {
        (Some(lease), _) => lease.holder.to_string(),
        (None, Some(assignee)) => format!("for {assignee}"),
        (None, None) => String::new(),
    };
    [
        task.id.to_string(),
        row.word().to_owned(),
        who,
        facts.join("; "),
    ]
}

/// Shows a task in full.
pub(super) fn show(
    edge: &Surroundings,
    global: &Global,
    task: TaskId,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = agon_teamwork::show(edge, task)?;
    print(
        global,
        &document,
        &render_task(&document, edge.table_width),
        out,
    )
}

fn render_task(document: &TeamShownDoc, width: usize) -> String {
    let events: Vec<String> = document.events.iter().map(event_line).collect();
    let reviews: Vec<String> = document
        .reviews
        .iter()
        .map(|review| {
            let word = match review.approved {
                true => "approved",
                false => "sent back",
            };
            let tree: String = review.tree.as_str().chars().take(10).collect();
            let note = plain_line(&review.note);
            format!("{} {word} tree {tree}: {note}", review.reviewer)
        })
        .collect();
    let gates: Vec<String> = document
        .gates
        .iter()
        .map(|it| {
            let standing = plain_line(&describe_standing(it.standing.as_ref()));
            format!("{}: {standing}", it.gate)
        })
        .collect();
    let waits = document.state.waits_for.iter();
    let waits: Vec<String> = waits.map(|one| plain_line(&describe_wait(one))).collect();
    let mut parts = vec![describe_task_state(&document.state), document.text.clone()];
    for (heading, rows) in [
        ("Waits for", waits.join("\n")),
        ("Depends on", format_dependents(&document.needs)),
        ("Needed by", format_dependents(&document.needed_by)),
        ("Gates", gates.join("\n")),
        ("Locks", lock_rows(&document.locks, width)),
        ("Reviews", reviews.join("\n")),
        ("Log", events.join("\n")),
    ] {
        if !rows.is_empty() {
            let heading = apply_style(STRONG, heading);
            parts.push(format!("{heading}\n{}", rows.trim_end()));
        }
    }
    parts.join("\n")
}

/// Describes the state of a task, without any text of members.
fn describe_task_state(state: &TeamTaskState) -> String {
    let task = &state.task;
    let mut lines = vec![format!(
        "{} {}, claim {}",
        task.id,
        state.word(),
        task.epoch
    )];
    if let Some(lease) = &task.lease {
        lines.push(format!("claimed by {}", lease.holder));
    }
    if let Some(assignee) = &task.assignee {
        lines.push(format!("reserved for {assignee}"));
    }
    if task.needs_review {
        lines.push("needs the approval of a member who did not work on it".to_owned());
    }
    if let Some(evidence) = &task.evidence {
        lines.push(describe_submission(evidence));
        lines.extend(review_command(task));
    }
    if !task.labels.is_empty() {
        lines.push(format!("labels: {}", list_labels(task)));
    }
    if let Some(origin) = &task.origin {
        let (source, id) = (plain_line(&origin.source), plain_line(&origin.id));
        lines.push(format!("imported from {source}: {id}"));
    }
    lines.push(format!(
        "priority {}, attempt {} of {}",
        task.priority, task.attempt, task.max_attempts
    ));
    lines.join("\n")
}

fn describe_submission(evidence: &TaskEvidence) -> String {
    let author = &evidence.author;
    let mut line = match &evidence.change {
        Change::Commit { id } => format!("{author} submitted commit {id}"),
        Change::Diff { hash } => format!("{author} submitted the diff {hash}"),
        Change::Elsewhere { source, .. } => {
            format!(
                "was already done in {} when {author} imported it",
                plain_line(source)
            )
        }
    };
    if let Some(reason) = &evidence.no_change {
        line.push_str(&format!("; no change was needed: {}", plain_line(reason)));
    }
    line
}

/// Returns the git command that shows the submitted change.
fn review_command(task: &Task) -> Option<String> {
    let Some(Change::Commit { id }) = task.evidence.as_ref().map(|it| &it.change) else {
        return None;
    };
    let short = |id: &str| id.chars().take(10).collect::<String>();
    Some(match &task.base {
        Some(base) => format!("to see it: git diff {} {}", short(&base.commit), short(id)),
        None => format!("to see it: git show {}", short(id)),
    })
}

fn format_dependents(tasks: &[NeededTask]) -> String {
    let lines: Vec<String> = tasks
        .iter()
        .map(|it| {
            let state = match it.is_blocked {
                true => "blocked",
                false => it.state.as_str(),
            };
            format!("{} {}: {state}", it.task, plain_line(&it.title))
        })
        .collect();
    lines.join("\n")
}
