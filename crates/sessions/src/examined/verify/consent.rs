//! Determines whether the user agreed to a question of the model.

use super::super::line::{ExaminedLine, Speaker};
use super::super::words::{collapse, is_question, sentences, words};
use super::subject::has_subject;

/// Returns whether the user permits something only once.
pub(super) fn is_one_time_permission(words_of_user: &str) -> bool {
    words().once.is_in(words_of_user)
}

/// Returns whether an earlier call already used the one-time permission.
pub(super) fn is_permission_used(later: &[ExaminedLine<'_>], subject: &str) -> bool {
    let mut calls = later.iter().filter(|it| it.speaker == Speaker::Tool);
    calls.any(|it| has_subject(&it.text_without_output(), subject))
}

/// Returns whether the model asked about a matter that `concerns` accepts and the user agreed.
pub(super) fn is_agreed_by_user(
    lines: &[ExaminedLine<'_>],
    subject: &str,
    concerns: impl Fn(&str) -> bool,
) -> bool {
    let mut asked = false;
    for (at, line) in lines.iter().enumerate() {
        match line.speaker {
            Speaker::Model => {
                let all = sentences(line.message());
                // The sentence before the question can name its subject, so check the whole
                // message.
                asked = all.iter().any(|it| is_question(it)) && concerns(line.message());
            }
            Speaker::User if asked => {
                let all = sentences(line.message());
                let first = collapse(all.first().copied().unwrap_or_default());
                let later = lines.get(at + 1..).unwrap_or_default();
                let is_over = is_one_time_permission(&first) && is_permission_used(later, subject);
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
