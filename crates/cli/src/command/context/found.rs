//! Prints the findings of a session and the next step.

use agon_health::{
    NextStepDoc, QuotedLineDoc, SessionFindingDoc, SessionFindingsDoc, SessionHealthDoc,
    SessionPlaceDoc,
};
use agon_report::text::{
    abbreviate_count, count_with_noun, display_width, plain_line, truncate_to_width,
};

use super::state::state_style;
use crate::output::{DIM, STRONG, apply_style};

/// The width of a line's label, in columns.
const LABEL: usize = 11;
/// The maximum number of findings shown.
const SHOWN_FINDINGS: usize = 6;
/// The minimum number of loaded bytes for which usage is shown.
const MIN_LOADED: u64 = 12 << 10;
/// The maximum number of rows per list of the next step.
const SHOWN_ROWS: usize = 6;

/// Formats each finding on two lines, followed by notes on unchecked parts.
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
        lines.extend(format_finding_lines(finding, width));
    }
    let rest = found.count.saturating_sub(SHOWN_FINDINGS);
    if rest > 0 && found.count > 0 {
        lines.push(indent(&format!("and {rest} more, see --json"), width));
    }
    if found.loaded >= MIN_LOADED {
        let loaded = abbreviate_count(found.loaded);
        let share = found.unused.saturating_mul(100) / found.loaded;
        lines.push(format!(
            "Loaded     {loaded} bytes of text, {share} % of it never referred to again"
        ));
    }
    if found.dropped > 0 {
        let dropped = count_with_noun(found.dropped, "entry");
        let words = format!("{dropped} before the last 50 MB");
        lines.push(format!("Not read   {words}"));
    }
    lines
}

fn format_finding_lines(finding: &SessionFindingDoc, width: usize) -> [String; 2] {
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
        false => ", no longer in the context",
    };
    let head = format!(
        "{}{at}{past}, confidence {:.2}",
        pattern_name(finding.pattern),
        finding.confidence
    );
    let head = truncate_to_width(&head, width.saturating_sub(LABEL));
    let state = apply_style(
        state_style(finding.severity),
        &format!("{state:<width$}", width = LABEL - 2),
    );
    [
        format!("  {state}{head}"),
        apply_style(
            DIM,
            &indent(&format_cause_and_effect(finding, width), width),
        ),
    ]
}

/// Formats the cause and the effect on one line of `width` columns.
fn format_cause_and_effect(finding: &SessionFindingDoc, width: usize) -> String {
    let room = width.saturating_sub(LABEL);
    let effect = plain_line(&finding.words);
    let Some(cause) = &finding.cause else {
        return format!("“{}”", truncate_to_width(&effect, room.saturating_sub(2)));
    };
    let cause = plain_line(&cause.words);
    let room = room.saturating_sub("“” → “”".chars().count());
    let half = room / 2;
    // Give each text half of the room, plus the room that the other text leaves free.
    let for_cause = half.max(room.saturating_sub(display_width(&effect)));
    let for_effect = room.saturating_sub(display_width(&cause).min(for_cause));
    let cause = cut_middle(&cause, for_cause);
    format!("“{cause}” → “{}”", cut_middle(&effect, for_effect))
}

/// Cuts the middle of `text` to fit `width` columns, since values are often at the end.
fn cut_middle(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let tail_width = width / 2;
    let start = text
        .char_indices()
        .map(|(at, _)| at)
        .find(|at| display_width(&text[*at..]) <= tail_width);
    let tail = text[start.unwrap_or(text.len())..].trim_start();
    format!(
        "{}{tail}",
        truncate_to_width(text, width.saturating_sub(tail_width))
    )
}

/// Returns the next step with its content; `named` is the session argument.
pub(super) fn step_lines(
    session: &SessionHealthDoc,
    named: Option<&str>,
    width: usize,
) -> Vec<String> {
    let Some(step) = &session.next_step else {
        return Vec::new();
    };
    let patterns: Vec<&str> = step.patterns.iter().map(|it| pattern_name(it)).collect();
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
            rows.say("Write these lines into a file that your tool reads at the start:");
            rows.list(&step.lines, format_quoted_line);
        }
        "select" => {
            if step.patterns.contains(&"clash") {
                rows.say("Tell the model which of the two statements is right.");
            }
            rows.say("Start a new session or compact this one, and load only these files:");
            rows.list(&step.load, format_session_place);
            if !step.leave.is_empty() {
                rows.say("Do not load these again; nothing refers to them:");
                rows.list(&step.leave, |it| plain_line(it));
            }
        }
        "compress" => {
            for span in &step.spans {
                let bytes = abbreviate_count(span.bytes);
                let turns = match span.first == span.last {
                    true => format!("turn {}", span.first),
                    false => format!("turns {} to {}", span.first, span.last),
                };
                rows.say(&format!("A summary can replace {turns} ({bytes} bytes)."));
            }
            if !step.lines.is_empty() {
                rows.say("Keep these lines word for word:");
                rows.list(&step.lines, format_quoted_line);
            }
        }
        _ => push_isolation_rows(step, named.unwrap_or(&session.id), &mut rows),
    }
    lines.extend(rows.lines);
    lines
}

fn push_isolation_rows(step: &NextStepDoc, named: &str, rows: &mut Rows) {
    rows.say("Continue in a new session, and give it the output of:");
    // Do not truncate the command, because the user copies it.
    let command = handover_command(named);
    rows.lines.push(format!("{:LABEL$}{command}", ""));
    let said = match step.lines.len() {
        1 => "1 quotation".to_owned(),
        count => format!("{count} quotations"),
    };
    let tasks = count_with_noun(step.tasks.len() as u64, "open task");
    let files = count_with_noun(step.load.len() as u64, "file");
    rows.say(&format!("The output contains {said}, {tasks}, {files}."));
    if step.patterns.contains(&"poisoning") {
        rows.say("Also tell the new session that these claims are false.");
    }
}

fn handover_command(session: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    // Leave out an id that needs shell quoting; the command then uses the latest session.
    match session.is_empty() || session.starts_with('-') || !session.chars().all(is_plain) {
        true => "agon context --handover".to_owned(),
        false => format!("agon context {session} --handover"),
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
            self.say(&format!("and {rest} more, see --json"));
        }
    }
}

fn format_quoted_line(line: &QuotedLineDoc) -> String {
    format!("turn {}: “{}”", line.turn, plain_line(&line.words))
}

fn format_session_place(place: &SessionPlaceDoc) -> String {
    let lines: Vec<String> = place.lines.iter().map(u64::to_string).collect();
    let path = plain_line(&place.path);
    match lines.is_empty() {
        true => path,
        false => format!("{path}:{}", lines.join(",")),
    }
}

fn pattern_name(pattern: &str) -> &str {
    match pattern {
        "lost_in_the_middle" => "lost in the middle",
        other => other,
    }
}

fn indent(words: &str, width: usize) -> String {
    let words = truncate_to_width(words, width.saturating_sub(LABEL));
    format!("{:LABEL$}{words}", "")
}
