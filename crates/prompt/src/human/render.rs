//! Renders the sections of a form.

use agon_record::text::sanitise_line;

use super::SCISSORS;
use super::form::{Form, Section};
use super::questions::AskedField;

// Two less than the usual width of a terminal, 80.
/// Maximum characters of a line in a comment.
const WIDTH: usize = 78;

/// Whether a form includes help.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hints {
    /// With help and empty fields.
    Shown,
    /// Only the answers.
    Hidden,
}

/// Renders the sections of `form`.
pub(super) fn render_sections(form: &Form, hints: Hints) -> String {
    let mut out = String::new();
    let mut before: Option<&Section> = None;
    for section in &form.sections {
        if hints == Hints::Hidden && !section.is_begun() {
            continue;
        }
        let is_first = before.is_none_or(|before| !std::ptr::eq(before.group, section.group));
        let hints = SectionHints {
            places: hints == Hints::Shown,
            help: hints == Hints::Shown && is_first,
        };
        write_section(&mut out, section, hints);
        before = Some(section);
    }
    out
}

/// Text that a section shows in addition to its answers.
#[derive(Clone, Copy)]
struct SectionHints {
    /// Its empty fields and the point it answers.
    places: bool,
    /// Its help text, in the first of several similar sections.
    help: bool,
}

fn write_section(out: &mut String, section: &Section, hints: SectionHints) {
    out.push_str(&format!("# {}\n", section.heading()));
    if hints.places && !section.about.is_empty() {
        out.push_str(&wrap_comment(&section.about));
    }
    let said = || section.fields_with_answers();
    for (ask, answer) in said().filter(|(ask, _)| is_on_label_line(ask)) {
        if hints.help {
            out.push_str(&wrap_comment(&format!("{}: {}", ask.label, ask.help)));
        }
        let text = match &*answer.text {
            "" => ask.default,
            text => text,
        };
        if hints.places || !text.is_empty() {
            out.push_str(format!("{}: {text}", ask.label).trim_end());
            out.push('\n');
        }
    }
    if hints.help {
        out.push_str(&wrap_comment(section.group.help));
    }
    for (ask, answer) in said().filter(|(ask, _)| !is_on_label_line(ask)) {
        if !ask.label.is_empty() {
            if !hints.places && answer.text.is_empty() {
                continue;
            }
            out.push_str(&format!("## {}\n", ask.label));
            if hints.help {
                out.push_str(&wrap_comment(ask.help));
            }
        }
        out.push_str(&escape_answer(section, &answer.text));
        out.push('\n');
    }
    out.push('\n');
}

/// Returns whether the answer is on the line of its label.
pub(super) fn is_on_label_line(ask: &AskedField) -> bool {
    ask.kind.is_one_line() && !ask.label.is_empty()
}

/// Escapes `text` so that each line is parsed as words.
fn escape_answer(section: &Section, text: &str) -> String {
    let beside = |line: &str| {
        let label = line.split(':').next().unwrap_or_default().trim();
        let mut asks = section.group.asks.iter();
        asks.any(|ask| is_on_label_line(ask) && ask.label.eq_ignore_ascii_case(label))
    };
    let mut out = String::new();
    for line in text.lines() {
        let trimmed = line.trim();
        let is_taken = trimmed.starts_with(['#', '\\'])
            || trimmed.starts_with("<!--")
            || trimmed == SCISSORS
            || beside(trimmed);
        if is_taken {
            out.push('\\');
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Returns `text` as a comment, wrapped to lines.
pub(super) fn wrap_comment(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut lines = vec![String::new()];
    for word in escape_comment_text(text).split(' ') {
        let Some(line) = lines.last_mut() else { break };
        let length = line.chars().count() + word.chars().count();
        // 10 = `<!-- ` (5) + ` -->` (4) + the space between two words.
        if !line.is_empty() && length + 10 > WIDTH {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    format!("<!-- {} -->\n", lines.join("\n     "))
}

/// Returns `text` on one line that cannot close a comment.
pub(super) fn escape_comment_text(text: &str) -> String {
    let mut out = String::new();
    for c in sanitise_line(text, usize::MAX).chars() {
        if c == '-' && out.ends_with('-') {
            out.push(' ');
        }
        out.push(c);
    }
    out
}
