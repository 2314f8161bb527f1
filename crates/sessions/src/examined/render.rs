//! Renders a line for the examiner.

use agon_record::text::strip_invisible_characters;
use agon_redact::Redactor;

use super::line::{ExaminedLine, Speaker};
use super::outcome::{CallOutcome, exit_code, outcome};
use crate::ToolKind;

// Prompts are seldom longer. The beginning of a pasted text shows what it is.
/// Most characters shown of a prompt or summary.
const MESSAGE_CHARS: usize = 3_000;
/// Most characters shown of the model's message.
const WORDS_CHARS: usize = 1_600;
/// Most characters shown of a call's arguments.
const CALL_CHARS: usize = 500;
// The end of a failed run shows what failed.
/// Most characters shown of a failed call's output.
const FAILED_CHARS: usize = 900;
/// Most characters shown of another call's output.
const OUTPUT_CHARS: usize = 500;
/// Further characters that are redacted together, so that no secret is split.
const MARGIN_CHARS: usize = 2_000;

/// Renders the line with its number, without secrets.
///
/// The text is indented, so that it cannot look like the head of another line.
pub(super) fn render(line: &ExaminedLine<'_>) -> String {
    let head = match line.speaker {
        Speaker::User => "user".to_owned(),
        Speaker::Model => "model".to_owned(),
        Speaker::Summary => {
            "summary: the context was compacted, and what came before is gone".to_owned()
        }
        Speaker::Host => "loaded by the host".to_owned(),
        Speaker::Tool => return render_call(line),
    };
    let most = match line.speaker {
        Speaker::Model => WORDS_CHARS,
        _ => MESSAGE_CHARS,
    };
    let said = shorten(line.message(), most);
    format!(
        "{} {head}{}\n{}\n",
        line.number,
        size_of(line.message()),
        indent(&said)
    )
}

fn render_call(line: &ExaminedLine<'_>) -> String {
    let verb = match line.kind() {
        Some(ToolKind::Read) => "read",
        Some(ToolKind::Search) => "search",
        Some(ToolKind::Edit) => "edit",
        Some(ToolKind::Run) => "run",
        Some(ToolKind::Fetch) => "fetch",
        Some(ToolKind::Plan) => "plan",
        Some(ToolKind::Agent) => "sub-agent",
        Some(ToolKind::Ask) => "question",
        Some(ToolKind::Other) | None => "tool",
    };
    let result = match (outcome(line), exit_code(line)) {
        (CallOutcome::Failed, Some(code)) => format!("failed, exit code {code}"),
        (CallOutcome::Failed, None) => "failed".to_owned(),
        (CallOutcome::Passed, _) => "ok".to_owned(),
        (CallOutcome::Unknown, _) => "no outcome".to_owned(),
    };
    let output_chars = match outcome(line) {
        CallOutcome::Failed => FAILED_CHARS,
        CallOutcome::Passed | CallOutcome::Unknown => OUTPUT_CHARS,
    };
    let arguments = indent(&shorten(&line.arguments(), CALL_CHARS));
    let output = shorten(line.output(), output_chars);
    let gave = match output.is_empty() {
        true => String::new(),
        false => format!("  ->{}\n{}\n", size_of(line.output()), indent(&output)),
    };
    format!("{} {verb} ({result})\n{arguments}\n{gave}", line.number)
}

/// Returns a note on the size of a long text.
fn size_of(text: &str) -> String {
    match text.chars().count() {
        0..=2_000 => String::new(),
        chars => format!(" ({chars} characters)"),
    }
}

fn indent(text: &str) -> String {
    let lines = text.lines().map(|it| format!("  {it}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the beginning and the end of a text, without secrets.
fn shorten(text: &str, most: usize) -> String {
    let redact = |text: &str| {
        let visible = strip_invisible_characters(text);
        Redactor::new().redact(&visible).text.into_owned()
    };
    let count = text.chars().count();
    if count <= most {
        return redact(text).trim().to_owned();
    }
    let head = most * 2 / 3;
    let tail = most - head;
    let from = |skipped: usize| {
        text.char_indices()
            .nth(skipped)
            .map_or(text.len(), |(at, _)| at)
    };
    let beginning = redact(text.get(..from(head + MARGIN_CHARS)).unwrap_or(text));
    let end = redact(
        text.get(from(count.saturating_sub(tail + MARGIN_CHARS))..)
            .unwrap_or_default(),
    );
    let beginning: String = beginning.chars().take(head).collect();
    let skipped = end.chars().count().saturating_sub(tail);
    let end: String = end.chars().skip(skipped).collect();
    format!("{}\n[… left out …]\n{}", beginning.trim(), end.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_at_the_cut_is_not_shown_in_part() {
        let secret = format!("ghp_{}", "A1b2C3d4E5".repeat(4).get(..36).unwrap());
        for before in 300..345 {
            let text = format!("{}{secret} {}", "x ".repeat(before / 2), "y ".repeat(4_000));
            let shown = shorten(&text, 500);
            assert!(!shown.contains("ghp_A1b2"), "{before}: {shown}");
        }
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        let text = format!("first {} last", "middle ".repeat(1_000));
        let shown = shorten(&text, 300);
        assert!(
            shown.starts_with("first") && shown.ends_with("last"),
            "{shown}"
        );
        assert!(shown.contains("left out"), "{shown}");
    }
}
