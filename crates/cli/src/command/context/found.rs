//! What went wrong in a session and what to do next, in lines of a screen.

use agon_app::session_health::{
    NextStepDoc, QuotedLineDoc, SessionFindingDoc, SessionFindingsDoc, SessionHealthDoc,
    SessionPlaceDoc,
};
use agon_report::text::{abbreviate_count, count_with_noun, plain_line, truncate_to_width};

use super::state::state_style;
use crate::output::{DIM, STRONG, apply_style};

/// Columns of what stands before a line's words.
const LABEL: usize = 11;
/// Findings that are shown.
const SHOWN_FINDINGS: usize = 6;
/// Rows that are shown of what the next step needs.
const SHOWN_ROWS: usize = 6;

/// The findings, each in two lines, and what was not looked at.
pub(super) fn finding_lines(found: &SessionFindingsDoc, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if found.count > 0 {
        let earlier = match found.count - found.current {
            0 => String::new(),
            earlier => format!(", {earlier} of them before the last compaction"),
        };
        let count = count_with_noun(found.count as u64, "finding");
        lines.push(format!("Found      {count}{earlier}"));
    }
    for finding in found.shown.iter().take(SHOWN_FINDINGS) {
        lines.extend(two_lines(finding, width));
    }
    let rest = found.count.saturating_sub(SHOWN_FINDINGS);
    if rest > 0 && found.count > 0 {
        lines.push(indent(&format!("and {rest} more: --json has them"), width));
    }
    if found.dropped > 0 {
        let dropped = count_with_noun(found.dropped, "entry");
        let words = format!("findings of the last 50 MB; not of {dropped} before");
        lines.push(format!("Not read   {words}"));
    }
    lines
}

fn two_lines(finding: &SessionFindingDoc, width: usize) -> [String; 2] {
    let state = finding.severity.as_str();
    let turn = finding.turn.map(|it| format!("turn {it}"));
    let place = finding.place.as_deref().map(plain_line);
    let at = match (turn, place) {
        (Some(turn), Some(place)) => format!(", {turn} ({place})"),
        (Some(it), None) | (None, Some(it)) => format!(", {it}"),
        (None, None) => String::new(),
    };
    let past = match finding.is_current {
        true => "",
        false => ", compacted since",
    };
    let head = format!(
        "{}{at}{past}, confidence {:.2}",
        spoken(finding.pattern),
        finding.confidence
    );
    let head = truncate_to_width(&head, width.saturating_sub(LABEL));
    let state = apply_style(
        state_style(finding.severity),
        &format!("{state:<width$}", width = LABEL - 2),
    );
    let room = width.saturating_sub(LABEL);
    let effect = plain_line(&finding.words);
    let words = match &finding.cause {
        Some(cause) => {
            // Each has its share, so that a long beginning does not hide what came of it.
            let half = room.saturating_sub(7) / 2;
            let cause = truncate_to_width(&plain_line(&cause.words), half);
            format!("“{cause}” → “{}”", truncate_to_width(&effect, half))
        }
        None => format!("“{}”", truncate_to_width(&effect, room.saturating_sub(2))),
    };
    [
        format!("  {state}{head}"),
        apply_style(DIM, &indent(&words, width)),
    ]
}

/// The next step, in words and with what it needs.
pub(super) fn step_lines(session: &SessionHealthDoc, width: usize) -> Vec<String> {
    let Some(step) = &session.next_step else {
        return Vec::new();
    };
    let patterns: Vec<&str> = step.patterns.iter().map(|it| spoken(it)).collect();
    let head = format!("{}, against {}", step.step, patterns.join(", "));
    let mut lines = vec![format!(
        "Next       {}",
        apply_style(
            STRONG,
            &truncate_to_width(&head, width.saturating_sub(LABEL))
        )
    )];
    let mut rows = Rows::new(width);
    match step.step {
        "write" => {
            rows.say("Write these lines into a file that is read at the start:");
            rows.list(&step.lines, quoted);
        }
        "select" => {
            rows.say("Start anew, or compact, and load only these:");
            rows.list(&step.load, place_words);
            if !step.leave.is_empty() {
                rows.say("Leave these, to which nothing refers:");
                rows.list(&step.leave, |it| plain_line(it));
            }
        }
        "compress" => {
            for span in &step.spans {
                let bytes = abbreviate_count(span.bytes);
                rows.say(&format!(
                    "A summary is enough of turns {} to {} ({bytes} bytes).",
                    span.first, span.last
                ));
            }
            if !step.lines.is_empty() {
                rows.say("What must stay word for word:");
                rows.list(&step.lines, quoted);
            }
        }
        _ => isolate_rows(step, session, &mut rows),
    }
    lines.extend(rows.lines);
    lines
}

fn isolate_rows(step: &NextStepDoc, session: &SessionHealthDoc, rows: &mut Rows) {
    rows.say("Go on in a new session, and give it what this prints:");
    rows.say(&handover_command(session));
    let counts = [
        (step.tasks.len(), "open task"),
        (step.lines.len(), "line of what was said"),
        (step.load.len(), "file"),
    ];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| match *noun {
            "line of what was said" if *count != 1 => format!("{count} lines of what was said"),
            noun => count_with_noun(*count as u64, noun),
        })
        .collect();
    if !counts.is_empty() {
        rows.say(&format!("It has {}.", counts.join(", ")));
    }
}

fn handover_command(session: &SessionHealthDoc) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    // An id that a shell would take apart is not named: the latest is meant then.
    match session.id.starts_with('-') || !session.id.chars().all(is_plain) {
        true => "agon context --handover".to_owned(),
        false => format!("agon context {} --handover", session.id),
    }
}

struct Rows {
    width: usize,
    lines: Vec<String>,
}

impl Rows {
    fn new(width: usize) -> Self {
        Self {
            width,
            lines: Vec::new(),
        }
    }

    fn say(&mut self, words: &str) {
        self.lines.push(indent(words, self.width));
    }

    fn list<T>(&mut self, all: &[T], words: impl Fn(&T) -> String) {
        for it in all.iter().take(SHOWN_ROWS) {
            self.lines
                .push(indent(&format!("- {}", words(it)), self.width));
        }
        let rest = all.len().saturating_sub(SHOWN_ROWS);
        if rest > 0 {
            self.say(&format!("and {rest} more: --json has them"));
        }
    }
}

fn quoted(line: &QuotedLineDoc) -> String {
    format!("turn {}: “{}”", line.turn, plain_line(&line.words))
}

fn place_words(place: &SessionPlaceDoc) -> String {
    let lines: Vec<String> = place.lines.iter().map(u64::to_string).collect();
    let path = plain_line(&place.path);
    match lines.is_empty() {
        true => path,
        false => format!("{path}:{}", lines.join(",")),
    }
}

fn spoken(pattern: &str) -> &str {
    match pattern {
        "lost_in_the_middle" => "lost in the middle",
        other => other,
    }
}

fn indent(words: &str, width: usize) -> String {
    let words = truncate_to_width(words, width.saturating_sub(LABEL));
    format!("{:LABEL$}{words}", "")
}
