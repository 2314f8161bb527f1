//! Whether the user agreed to what the model asked.

use super::super::line::{ExaminedLine, Speaker};
use super::super::words::{collapse, is_question, sentences, words};
use super::subject::has_subject;

/// Whether what the user permits here holds for one time alone.
pub(super) fn is_once(words_of_user: &str) -> bool {
    words().once.is_in(words_of_user)
}

/// Whether a later call before the act is already of what was permitted once.
pub(super) fn is_used_up(later: &[ExaminedLine<'_>], subject: &str) -> bool {
    let mut calls = later.iter().filter(|it| it.speaker == Speaker::Tool);
    calls.any(|it| has_subject(&it.render_said(), subject))
}

/// Whether the model asked about something that `concerns` knows, and the user's next words agree.
pub(super) fn is_agreed(
    lines: &[ExaminedLine<'_>],
    subject: &str,
    concerns: impl Fn(&str) -> bool,
) -> bool {
    let mut asked = false;
    for (at, line) in lines.iter().enumerate() {
        match line.speaker {
            Speaker::Model => {
                let all = sentences(line.message());
                // What the question is about can be in the sentence before it.
                asked = all.iter().any(|it| is_question(it)) && concerns(line.message());
            }
            Speaker::User if asked => {
                let all = sentences(line.message());
                let first = collapse(all.first().copied().unwrap_or_default());
                let later = lines.get(at + 1..).unwrap_or_default();
                let is_over = is_once(&first) && is_used_up(later, subject);
                if words().consent.is_in(&first) && !words().negation.is_in(&first) && !is_over {
                    return true;
                }
                asked = false;
            }
            Speaker::User | Speaker::Tool | Speaker::Summary | Speaker::Host => {}
        }
    }
    false
}
