//! `agon team log`, `export`, `import`, `doctor` and `review`.

use std::time::Duration;

use agon_report::text::{count_with_noun, plain_line};
use agon_teamwork::{
    EventDoc, Imported, LogRequest, ReviewRequest, TaskState, TeamAdoptedDoc, TeamDoctorDoc,
    TeamEventDoc,
};

use super::print;
use crate::args::{
    Global, ReviewArgs, TeamDoctorArgs, TeamExportArgs, TeamImportArgs, TeamLogArgs,
};
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::stop;
use crate::surroundings::Surroundings;

/// The maximum number of characters of a value in a line of the log.
const MAX_VALUE: usize = 200;
/// The time between two checks for new events.
const FOLLOW_EVERY: Duration = Duration::from_millis(500);

/// Runs `agon team log`.
pub(super) async fn log(
    edge: &Surroundings,
    global: &Global,
    args: &TeamLogArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let mut request = LogRequest {
        after: args.after,
        since: args.since.clone(),
    };
    let document = agon_teamwork::log(edge, &request)?;
    if !args.follow {
        let mut lines: Vec<String> = document.events.iter().map(event_line).collect();
        if lines.is_empty() {
            lines.push("no events".to_owned());
        }
        return print(global, &document, &lines.join("\n"), out);
    }
    let cancel = stop::signal_cancellation_token();
    let mut page = document;
    loop {
        for event in page.events {
            match global.json {
                true => out.write_json_line(&TeamEventDoc::from(event))?,
                false => out.write_prose(&event_line(&event))?,
            }
        }
        request.after = page.last;
        tokio::select! {
            () = tokio::time::sleep(FOLLOW_EVERY) => {}
            () = cancel.cancelled() => return Ok(Exit::Done),
        }
        page = agon_teamwork::log(edge, &request)?;
    }
}

/// Formats an event on one line.
pub(super) fn event_line(event: &EventDoc) -> String {
    let at = agon_teamwork::format_event_time(event);
    let mut line = format!(
        "{}  {at}  {}  {}  {}",
        event.seq, event.actor, event.kind, event.subject
    );
    if let Some(fields) = event.detail.as_object() {
        let worth = fields.iter().filter(|(_, value)| !value.is_null());
        for (name, value) in worth {
            let value = match value.as_str() {
                Some(text) => text.to_owned(),
                None => value.to_string(),
            };
            let value = shorten(&value);
            line.push_str(&format!("  {name}={value}"));
        }
    }
    plain_line(&line)
}

/// Shortens a value, because a line of the log has no room for a whole text.
fn shorten(value: &str) -> String {
    match value.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}[…]", value.get(..end).unwrap_or_default()),
        None => value.to_owned(),
    }
}

/// Runs `agon team export`.
pub(super) fn export(
    edge: &Surroundings,
    global: &Global,
    args: &TeamExportArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let Some(file) = &args.file else {
        global.refuse_json("an export", "leave out --json, or name a file")?;
        let mut bytes = Vec::new();
        agon_teamwork::export(edge, &mut bytes)?;
        out.write_stdout(&String::from_utf8_lossy(&bytes))?;
        return Ok(Exit::Done);
    };
    let document = agon_teamwork::export_to(edge, file)?;
    let said = format!("written: {}", plain_line(&file.display().to_string()));
    print(global, &document, &said, out)
}

/// Runs `agon team import`.
pub(super) async fn import(
    edge: &Surroundings,
    global: &Global,
    args: &TeamImportArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match agon_teamwork::import(edge, &args.file, args.dry_run).await? {
        Imported::Team(document) => {
            let said = format!(
                "imported {} and {}; members must join again",
                count_with_noun(document.tasks, "task"),
                count_with_noun(document.members, "member")
            );
            print(global, &document, &said, out)
        }
        Imported::Tasks(document) => print(global, &document, &describe_import(&document), out),
    }
}

/// Describes what an import of tasks did, or would do.
fn describe_import(document: &TeamAdoptedDoc) -> String {
    let report = &document.report;
    let mut lines = Vec::new();
    for row in &report.added {
        lines.push(format!("added {} {}", row.task, plain_line(&row.title)));
    }
    for row in &report.changed {
        let fields = match row.fields.is_empty() {
            true => "only fields that Agon does not show".to_owned(),
            false => row.fields.join(", "),
        };
        let title = plain_line(&row.title);
        lines.push(format!("changed {} {title}: {fields}", row.task));
    }
    lines.extend(
        report
            .kept
            .iter()
            .map(|it| format!("note: {}", plain_line(it))),
    );
    let (added, changed) = (report.added.len() as u64, report.changed.len() as u64);
    let all = format!(
        "{} added, {changed} changed, {} unchanged",
        count_with_noun(added, "task"),
        report.unchanged
    );
    lines.push(match document.dry_run {
        true => format!("{all}; dry run, nothing was written"),
        false if added > 0 => format!("{all}\nnext: agon team task list"),
        false => all,
    });
    lines.join("\n")
}

/// Runs `agon team review`.
pub(super) fn review(
    edge: &Surroundings,
    global: &Global,
    args: &ReviewArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = ReviewRequest {
        task: args.task,
        epoch: args.epoch,
        approve: args.approve,
        note: args.note.clone(),
    };
    let document = agon_teamwork::review(edge, &request)?;
    let task = &document.task;
    let said = match (args.approve, task.state) {
        (true, _) => format!("{0} is approved\nnext: agon team task done {0}", args.task),
        (false, TaskState::Failed) => format!(
            "{0} failed: that was attempt {1} of {2}\nnext: agon team task reopen {0} --note WHY (lead or human only)",
            args.task, task.attempt, task.max_attempts
        ),
        (false, _) => format!("{} was sent back", args.task),
    };
    print(global, &document, &said, out)
}

/// Runs `agon team doctor`.
pub(super) async fn doctor(
    edge: &Surroundings,
    global: &Global,
    args: &TeamDoctorArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = agon_teamwork::doctor(edge, args.repair).await?;
    print(global, &document, &format_problems(&document), out)?;
    Ok(
        match document.remaining.is_empty() && document.permissions.is_empty() {
            true => Exit::Done,
            false => Exit::Findings,
        },
    )
}

/// Lists each problem with its rule and its repair.
fn format_problems(document: &TeamDoctorDoc) -> String {
    if document.breaches.is_empty() && document.permissions.is_empty() {
        let checked = document.invariants.len() as u64;
        return format!("no problems found: {}", count_with_noun(checked, "check"));
    }
    let mut lines = Vec::new();
    for breach in &document.breaches {
        let says = document.invariants.iter();
        let says = says.clone().find(|one| one.name == breach.invariant);
        let is_left = document.remaining.contains(breach);
        lines.push(format!(
            "{}: {}",
            breach.invariant,
            plain_line(&breach.found)
        ));
        if let Some(says) = says {
            lines.push(format!("  rule: {}", says.says));
        }
        lines.push(match (&breach.repair, is_left) {
            (Some(repair), false) => format!("  done: {}", plain_line(repair)),
            (Some(repair), true) => format!("  repair: {}", plain_line(repair)),
            (None, _) => "  repair: by hand".to_owned(),
        });
    }
    let came = |one: &&agon_teamwork::Breach| !document.breaches.contains(one);
    for breach in document.remaining.iter().filter(came) {
        lines.push(format!(
            "{}: {}",
            breach.invariant,
            plain_line(&breach.found)
        ));
    }
    for drift in &document.permissions {
        let (host, path) = (&drift.host, plain_line(&drift.path));
        lines.push(format!(
            "permissions of {host} ({path}): {}",
            plain_line(&drift.found)
        ));
        lines.push(format!("  by hand: {}", drift.next));
    }
    lines.extend(document.next.iter().map(|next| format!("\n{next}")));
    lines.join("\n")
}

/// Returns the failure for a name that is neither a task nor a member.
pub(super) fn unknown_name_failure(name: &str) -> Failure {
    let message = format!("unknown task or member {}", plain_line(name));
    Failure::new(Code::Unknown, message)
        .parameter("why")
        .hint("list tasks and members with `agon team status`")
}
