//! A task in full: what it asks for, what it waits for, and its evidence.

use agon_record::text::strip_invisible_characters;
use agon_report::text::plain_line;
use agon_teamwork::{
    Change, GateStanding, NeededTask, Review, TaskEvidence, TeamShownDoc, WaitsFor,
    describe_standing, describe_wait, format_event_time,
};
use maud::{Markup, html};

use super::board;

/// Maximum number of characters of a value in the log.
const MAX_VALUE: usize = 80;

/// Returns the page of a task.
pub(super) fn task(shown: &TeamShownDoc) -> Markup {
    let (state, task) = (&shown.state, &shown.state.task);
    // The line with the state already names the holder.
    let waits = state.waits_for.iter();
    let waits = waits.filter(|one| !matches!(one, WaitsFor::Holder { .. }));
    let waits: Vec<String> = waits.map(|one| plain_line(&describe_wait(one))).collect();
    html! {
        p.kicker.back { a href="/team" { "Team" } }
        h1 dir="auto" { (plain_line(&task.title)) }
        (board::lost())
        div data-refresh="task" {
            p.found.task-state data-state=(board::dot(task.state)) {
                span.dot aria-hidden="true" {}
                (task.id) " · " strong { (state.word()) }
                @if let Some(lease) = &task.lease { " · held by " (lease.holder) " · " (board::lease_left(state)) }
                @if let Some(assignee) = &task.assignee { " · reserved for " (assignee) }
                " · attempt " (task.attempt) " of " (task.max_attempts)
                @if task.priority != 0 { " · priority " (task.priority) }
            }
            @for wait in &waits { p.note { "Waits for " (wait) "." } }
            @if task.needs_review { p.note { "Needs the approval of a member who did not work on it." } }
            @if let Some(note) = &task.note { p.problem dir="auto" { (plain_line(note)) } }
            @if !task.spec.is_empty() {
                section.part { h2 { "Description" } pre.so-far dir="auto" { (strip_invisible_characters(&task.spec)) } }
            }
            @if let Some(evidence) = &task.evidence { section.part { h2 { "Submitted" } p { (submission(evidence)) } } }
            @if !shown.gates.is_empty() {
                section.part {
                    h2 { "Gates" }
                    ul.lines {
                        @for gate in &shown.gates {
                            li { strong { (gate.gate) } " " span.(tone(gate.standing.as_ref())) { (plain_line(&describe_standing(gate.standing.as_ref()))) } }
                        }
                    }
                }
            }
            (tasks("Depends on", &shown.needs))
            (tasks("Needed by", &shown.needed_by))
            @if !shown.locks.is_empty() { (board::locks(&shown.locks)) }
            @if !shown.reviews.is_empty() { (reviews(&shown.reviews)) }
            @if !shown.events.is_empty() {
                section.part {
                    h2 { "Latest events" }
                    ol.lines {
                        @for event in shown.events.iter().rev() {
                            li.note {
                                span.number { (format_event_time(event)) } " " strong { (plain_line(&event.kind)) } " by " (plain_line(&event.actor))
                                @for (name, value) in details(&event.detail) { " · " (name) " " span dir="auto" { (value) } }
                            }
                        }
                    }
                }
            }
            p.note.twins { "The same as " a href={ "/team/tasks/" (task.id) ".md" } { "Markdown" } " or " a href={ "/team/tasks/" (task.id) ".json" } { "JSON" } "." }
        }
    }
}

/// Returns the fields of an event that say something, in a line each.
fn details(detail: &serde_json::Value) -> impl Iterator<Item = (String, String)> {
    let fields = detail.as_object().into_iter().flatten();
    let fields = fields.filter(|(_, value)| !value.is_null());
    fields.map(|(name, value)| {
        let text = match value.as_str() {
            Some(text) => plain_line(text),
            None => plain_line(&value.to_string()),
        };
        let short = match text.char_indices().nth(MAX_VALUE) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text,
        };
        (plain_line(name), short)
    })
}

/// Says who submitted what.
pub(super) fn submission(evidence: &TaskEvidence) -> String {
    let author = &evidence.author;
    let line = match &evidence.change {
        Change::Commit { id } => format!("{author} submitted commit {id}"),
        Change::Diff { hash } => format!("{author} submitted the diff {hash}"),
        Change::Elsewhere { source, .. } => {
            let source = plain_line(source);
            format!("was already done in {source} when {author} imported it")
        }
    };
    match &evidence.no_change {
        Some(reason) => format!("{line}; no change was needed: {}", plain_line(reason)),
        None => line,
    }
}

/// Returns the colour of the result of a gate.
fn tone(standing: Option<&GateStanding>) -> &'static str {
    match standing {
        Some(GateStanding::Passed) => "good",
        Some(GateStanding::Failed { .. }) => "warn",
        Some(GateStanding::Stale { .. }) => "caution",
        Some(GateStanding::NotRun) | None => "faint",
    }
}

fn tasks(title: &str, tasks: &[NeededTask]) -> Markup {
    html! {
        @if !tasks.is_empty() {
            section.part {
                h2 { (title) }
                ul.lines {
                    @for one in tasks {
                        li {
                            a href={ "/team/tasks/" (one.task) } { (one.task) } " "
                            span dir="auto" { (plain_line(&one.title)) } " "
                            span.faint { @if one.is_blocked { "blocked" } @else { (one.state.as_str()) } }
                        }
                    }
                }
            }
        }
    }
}

fn reviews(reviews: &[Review]) -> Markup {
    html! {
        section.part {
            h2 { "Reviews" }
            ul.lines {
                @for review in reviews {
                    li {
                        strong { (review.reviewer) } " "
                        @if review.approved { span.good { "approved" } } @else { span.warn { "sent back" } }
                        " tree " code { (review.tree.as_str().get(..10).unwrap_or_default()) }
                        p dir="auto" { (plain_line(&review.note)) }
                    }
                }
            }
        }
    }
}
