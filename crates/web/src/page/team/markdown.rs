//! The team's pages in Markdown, for programs and for other tools.

use agon_record::text::strip_invisible_characters;
use agon_report::markdown::escape_inline;
use agon_report::text::plain_line;
use agon_teamwork::{
    MessageId, NeededTask, TeamMailDoc, TeamShownDoc, TeamTaskState, describe_standing,
    describe_wait, format_event_time, format_mail_time,
};

use super::{Board, board, task as task_page};

/// Returns the board.
pub(super) fn board(board: &Board) -> String {
    let status = &board.status;
    let mut text = format!("# Team\n\n{}\n", board::summary(board));
    let unmerged = |row: &TeamTaskState| status.unmerged.contains(&row.task.id);
    let tasks = status.tasks.iter().map(|row| task_line(row, unmerged(row)));
    section(&mut text, "Tasks", tasks);
    let runs = status.runs.iter().map(|run| {
        let facts = [
            Some(&run.goal),
            run.note.as_ref(),
            run.nothing_executed.as_ref(),
        ];
        let facts: Vec<String> = facts.into_iter().flatten().map(|it| line(it)).collect();
        format!("{} {}: {}", run.run, run.stage.as_str(), facts.join("; "))
    });
    section(&mut text, "Runs", runs);
    let members = status.members.iter().map(|row| {
        let session = row.session.as_ref().map(|it| format!(", {}", it.state));
        let member = &row.member;
        format!(
            "{}: {} in {}{}, {} unread messages",
            member.name,
            member.role,
            line(&member.host),
            session.unwrap_or_default(),
            row.unread
        )
    });
    section(&mut text, "Members", members);
    let locks = status.locks.iter().map(|lock| {
        let held = if lock.granted { "holds" } else { "waits for" };
        let globs = lock.globs.globs().iter();
        let globs: Vec<String> = globs.map(|glob| line(glob.as_str())).collect();
        format!(
            "{}: {} {held} {} ({})",
            lock.id,
            lock.holder,
            globs.join(" "),
            lock.task
        )
    });
    section(&mut text, "Locks", locks);
    section(
        &mut text,
        "Gates",
        board.gates.iter().map(|gate| gate.name.to_string()),
    );
    let mail = board.mail.iter().map(|header| {
        let readers = header.readers.iter();
        let readers: Vec<String> = readers
            .map(|(name, state)| format!("{name} {}", state.as_str()))
            .collect();
        let (at, to) = (format_mail_time(header), line(&header.to));
        format!(
            "{} {at}: {} to {to} ({})",
            header.message,
            line(&header.from),
            readers.join(", ")
        )
    });
    section(&mut text, "Mail", mail);
    text
}

fn task_line(row: &TeamTaskState, is_unmerged: bool) -> String {
    let task = &row.task;
    let mut facts = vec![line(&task.title)];
    if let Some(lease) = &task.lease {
        facts.push(format!("held by {}", lease.holder));
    }
    facts.extend(board::waits(row).map(|wait| format!("waits for {}", line(&wait))));
    if row.unchecked {
        facts.push("unchecked".to_owned());
    }
    if is_unmerged {
        facts.push("not merged".to_owned());
    }
    format!("{} {}: {}", task.id, row.word(), facts.join("; "))
}

/// Returns a task in full.
pub(super) fn task(shown: &TeamShownDoc) -> String {
    let (state, task) = (&shown.state, &shown.state.task);
    let mut text = format!("# {} {}\n\n{}\n", task.id, line(&task.title), state.word());
    if let Some(lease) = &task.lease {
        text.push_str(&format!("\nheld by {}\n", lease.holder));
    }
    let waits = state.waits_for.iter().map(|one| line(&describe_wait(one)));
    section(&mut text, "Waits for", waits);
    if let Some(evidence) = &task.evidence {
        section(
            &mut text,
            "Submitted",
            [line(&task_page::submission(evidence))],
        );
    }
    // The text of members is in the fence of the document, which they cannot leave.
    text.push_str(&format!(
        "\n## Text\n\n{}\n",
        strip_invisible_characters(&shown.text)
    ));
    let gates = shown.gates.iter().map(|gate| {
        let standing = line(&describe_standing(gate.standing.as_ref()));
        format!("{}: {standing}", gate.gate)
    });
    section(&mut text, "Gates", gates);
    let other =
        |one: &NeededTask| format!("{} {}: {}", one.task, one.state.as_str(), line(&one.title));
    section(&mut text, "Depends on", shown.needs.iter().map(other));
    section(&mut text, "Needed by", shown.needed_by.iter().map(other));
    let reviews = shown.reviews.iter().map(|review| {
        let word = if review.approved {
            "approved"
        } else {
            "sent back"
        };
        format!("{} {word}: {}", review.reviewer, line(&review.note))
    });
    section(&mut text, "Reviews", reviews);
    let events = shown.events.iter().map(|event| {
        format!(
            "{} {} by {}",
            format_event_time(event),
            line(&event.kind),
            line(&event.actor)
        )
    });
    section(&mut text, "Latest events", events);
    text
}

/// Returns the thread `id`. Each message is in a fence that it cannot leave.
pub(super) fn thread(id: MessageId, thread: &TeamMailDoc) -> String {
    let letters = thread.letters.iter();
    let letters: Vec<String> = letters
        .map(|letter| {
            format!(
                "## {}\n\n{}\n",
                letter.message,
                strip_invisible_characters(&letter.text)
            )
        })
        .collect();
    format!("# Mail {id}\n\n{}", letters.join("\n"))
}

/// Adds a list with its heading, unless it is empty.
fn section(text: &mut String, title: &str, rows: impl IntoIterator<Item = String>) {
    let rows: Vec<String> = rows.into_iter().map(|row| format!("- {row}\n")).collect();
    if !rows.is_empty() {
        text.push_str(&format!("\n## {title}\n\n{}", rows.concat()));
    }
}

fn line(text: &str) -> String {
    escape_inline(&plain_line(text))
}
