//! `agon context`: the health of a session's context.

mod examined;
mod examiner;
mod found;
mod picture;
mod state;
mod status;

use agon_health::{ContextDoc, ReasonDoc, SessionHealthDoc};
use agon_report::text::{abbreviate_count, count_with_noun, plain_line, truncate_to_width};

pub(crate) use self::examiner::examine;
use self::state::styled_state;
use crate::args::{ContextArgs, Global};
use crate::error::{Exit, Failure};
use crate::output::{DIM, ODD, Out, STRONG, align_columns, apply_style};
use crate::surroundings::Surroundings;

/// The number of characters of an id in a list, enough to identify the session.
const SHORT_ID: usize = 12;
/// The width of a title in a list, in columns.
const TITLE_WIDTH: usize = 30;
/// The maximum number of to-do items shown.
const SHOWN_PLAN: usize = 8;
/// The maximum width of a finding's lines, in columns.
const TEXT_WIDTH: usize = 80;

/// Shows one session or lists them.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ContextArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if args.statusline {
        global.refuse_json("the status line", "leave out --json")?;
        return status::run(edge, out);
    }
    let request = args.request();
    if args.watch {
        agon_health::follow(edge, &request, &mut |document| {
            if global.json {
                out.write_json(document)?;
            } else if let Some(session) = document.sessions.first() {
                out.write_line(&session_state_line(session))?;
            }
            Ok(true)
        })?;
        return Ok(Exit::Done);
    }
    let document = match args.handover {
        true => agon_health::prepare_handover(edge, &request)?,
        false => agon_health::inspect(edge, &request)?,
    };
    if global.json {
        out.write_json(&document)?;
    } else if args.handover {
        let handovers = document
            .sessions
            .iter()
            .filter_map(|it| it.handover.as_deref());
        for handover in handovers {
            out.write_stdout(handover)?;
        }
    } else if args.all {
        print_list(edge, &document, out)?;
    } else {
        for (number, session) in document.sessions.iter().enumerate() {
            if number > 0 {
                out.write_line("")?;
            }
            print_session(edge, session, args.session.as_deref(), out)?;
        }
    }
    Ok(Exit::Done)
}

fn describe_fill(session: &SessionHealthDoc) -> String {
    session
        .fill
        .map_or_else(|| "-".to_owned(), abbreviate_count)
}

fn print_list(edge: &Surroundings, document: &ContextDoc, out: &mut Out) -> Result<(), Failure> {
    let head = [
        "session",
        "tool",
        "state",
        "tokens",
        "onset",
        "turns",
        "written (UTC)",
        "title",
    ];
    let mut rows = vec![head.map(str::to_owned)];
    for session in &document.sessions {
        let last = session.last.as_deref().unwrap_or_default();
        let unread = session.problems.iter().find(|it| it.kind == "unreadable");
        let title = match unread {
            Some(problem) => problem.detail.clone().unwrap_or_default(),
            None => session.title.clone().unwrap_or_default(),
        };
        rows.push([
            abbreviate_id(session),
            session.host.to_owned(),
            session.state.as_str().to_owned(),
            describe_fill(session),
            abbreviate_count(session.limits.onset),
            session.turns.to_string(),
            last.get(..16).unwrap_or(last).replace('T', " "),
            truncate_to_width(&plain_line(&title), TITLE_WIDTH),
        ]);
    }
    let table = align_columns(&rows, edge.table_width);
    let (head, rest) = table.split_once('\n').unwrap_or((&table, ""));
    out.write_line(&apply_style(DIM, head))?;
    for (line, session) in rest.lines().zip(&document.sessions) {
        let word = session.state.as_str();
        out.write_line(&line.replacen(word, &styled_state(session.state), 1))?;
    }
    if document.passed_over > 0 {
        let more = count_with_noun(document.passed_over as u64, "older session");
        out.eprint_line(&format!("{more} not listed; name one by its id"));
    }
    Ok(())
}

/// Returns the part of an id that identifies the session.
fn abbreviate_id(session: &SessionHealthDoc) -> String {
    match session.host {
        // Keep the whole id of a debate's session, because the seat is at its end.
        "agon" => plain_line(&session.id),
        _ => plain_line(&session.id).chars().take(SHORT_ID).collect(),
    }
}

fn print_session(
    edge: &Surroundings,
    session: &SessionHealthDoc,
    named: Option<&str>,
    out: &mut Out,
) -> Result<(), Failure> {
    let models = session.models.join(", ");
    out.write_line(&format!(
        "{}  {} {}{}",
        styled_state(session.state),
        session.host,
        apply_style(STRONG, &plain_line(&session.id)),
        match models.is_empty() {
            true => String::new(),
            false => format!("  {}", plain_line(&models)),
        }
    ))?;
    for reason in &session.reasons {
        out.write_line(&format!("  {}", describe_red_reason(reason)))?;
    }
    print_counts(session, out)?;
    let width = edge.width.min(100);
    for line in picture::draw(session, width) {
        out.write_line(&line)?;
    }
    let width = width.min(TEXT_WIDTH);
    if let Some(found) = &session.findings {
        for line in found::finding_lines(found, width) {
            out.write_line(&line)?;
        }
    }
    if let Some(examined) = &session.examined {
        for line in examined::format_examination(examined, width) {
            out.write_line(&line)?;
        }
    }
    for line in found::step_lines(session, named, width) {
        out.write_line(&line)?;
    }
    let plan = session.plan.iter().filter(|it| it.state != "done");
    for item in plan.take(SHOWN_PLAN) {
        let state = item.state.replace('_', " ");
        out.write_line(&format!("To do      {} ({state})", plain_line(&item.text)))?;
    }
    for problem in &session.problems {
        let detail = problem.detail.as_deref().map(plain_line);
        let place = problem.place.as_deref().map(plain_line);
        let parts = [Some(problem.kind.replace('_', " ")), detail, place];
        let words: Vec<String> = parts.into_iter().flatten().collect();
        let words = apply_style(ODD, &words.join(", "));
        out.write_line(&format!("Not read   {words} (found {}×)", problem.count))?;
    }
    if session.unfinished > 0 {
        out.write_line(&format!(
            "Not read   an incomplete last line of {} bytes",
            session.unfinished
        ))?;
    }
    out.write_line(&apply_style(DIM, &plain_line(&session.file)))
}

fn print_counts(session: &SessionHealthDoc, out: &mut Out) -> Result<(), Failure> {
    let limits = &session.limits;
    let window = match limits.is_window_known {
        true => format!("window {}", abbreviate_count(limits.window)),
        false => format!(
            "window unknown, {} assumed",
            abbreviate_count(limits.window)
        ),
    };
    let last = session.compactions.last();
    let is_left = last.is_some_and(|it| it.after_call == session.calls);
    let fill = match session.fill.filter(|_| is_left) {
        Some(fill) => format!("{} tokens after the compaction", group_thousands(fill)),
        None => format!("{} tokens", describe_fill(session)),
    };
    out.write_line(&format!(
        "Context    {fill}; onset {}, severe {}, {window}",
        abbreviate_count(limits.onset),
        abbreviate_count(limits.severe)
    ))?;
    let source = match limits.as_of.is_empty() {
        true => limits.source.clone(),
        false => format!("{}, {}", limits.source, limits.as_of),
    };
    out.write_line(&apply_style(
        DIM,
        &format!("           {}", plain_line(&source)),
    ))?;
    let tokens = &session.tokens;
    out.write_line(&format!(
        "Usage      {} in {}; {} input and {} output tokens",
        count_with_noun(session.calls, "model call"),
        count_with_noun(session.turns, "turn"),
        abbreviate_count(tokens.input),
        abbreviate_count(tokens.output)
    ))?;
    let beside = [
        (session.copied_tokens, "copied from the parent session"),
        (session.compaction_tokens, "for summaries"),
        (session.sub_agent_tokens, "by sub-agents"),
    ];
    let beside: Vec<String> = beside
        .iter()
        .filter(|(tokens, _)| *tokens > 0)
        .map(|(tokens, what)| format!("{} tokens {what}", abbreviate_count(*tokens)))
        .collect();
    if !beside.is_empty() {
        out.write_line(&format!("Also       {}", beside.join(", ")))?;
    }
    let hidden = match session.hidden_failures {
        0 => String::new(),
        hidden => format!(", {hidden} of them recorded as a success"),
    };
    let calls = [session.tool_calls, session.failures];
    out.write_line(&match session.host {
        "agon" => describe_citations(calls),
        _ => format!(
            "Tools      {}, {} failed{hidden}; {}",
            count_with_noun(session.tool_calls, "call"),
            session.failures,
            count_with_noun(session.sub_agents as u64, "sub-agent")
        ),
    })?;
    let places: Vec<String> = session
        .compactions
        .iter()
        .rev()
        .take(5)
        .map(|it| format!("{} after call {}", plain_line(&it.place), it.after_call))
        .collect();
    if !places.is_empty() {
        let count = session.compactions.len();
        out.write_line(&format!("Compacted  {count}×: {}", places.join("; ")))?;
    }
    if session.renewals > 0 {
        let count = session.renewals;
        out.write_line(&format!(
            "Renewed    {count}×: Agon sent everything again each time"
        ))?;
    }
    if session.origin != "new" {
        let what = session.origin.replace('_', "-");
        // Without a known parent, lines that a hook wrote first look like copied ones.
        if let Some(parent) = &session.parent {
            out.write_line(&format!("Origin     {what} of {}", plain_line(parent)))?;
        }
    }
    Ok(())
}

/// Describes the calls of a debate's seat: Agon looks up each place that it cites.
fn describe_citations([calls, failures]: [u64; 2]) -> String {
    format!("Citations  {calls} looked up, {failures} wrong or missing")
}

/// Formats a number with commas: 9000 becomes "9,000".
fn group_thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

fn describe_red_reason(reason: &ReasonDoc) -> String {
    let place = reason.place.as_deref().map(plain_line);
    let place = place.map_or_else(String::new, |it| format!(" ({it})"));
    format!("{}{place}", plain_line(&reason.words))
}

/// Returns the state of a session on one line.
fn session_state_line(session: &SessionHealthDoc) -> String {
    let time = session.last.as_deref().and_then(|it| it.get(11..19));
    format!(
        "{}Z {}  {} tokens (onset {})  turn {}, call {}{}",
        time.unwrap_or("--:--:--"),
        styled_state(session.state),
        describe_fill(session),
        abbreviate_count(session.limits.onset),
        session.turns,
        session.calls,
        match session.compactions.len() {
            0 => String::new(),
            count => format!(", compacted {count}×"),
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calls_of_a_debates_seat_are_citations() {
        assert_eq!(
            describe_citations([12, 3]),
            "Citations  12 looked up, 3 wrong or missing"
        );
    }
}
