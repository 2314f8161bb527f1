//! Whether the user agreed to what the model asked.

use super::super::line::{ExaminedLine, Speaker};
use super::super::words::{collapse, is_question, sentences, words};

/// Whether the model asked about something that `concerns` knows, and the user's next words agree.
pub(super) fn is_agreed(lines: &[ExaminedLine<'_>], concerns: impl Fn(&str) -> bool) -> bool {
    let mut asked = false;
    for line in lines {
        match line.speaker {
            Speaker::Model => {
                let all = sentences(line.message());
                // What the question is about can be in the sentence before it.
                asked = all.iter().any(|it| is_question(it)) && concerns(line.message());
            }
            Speaker::User if asked => {
                let all = sentences(line.message());
                let first = collapse(all.first().copied().unwrap_or_default());
                if words().consent.is_in(&first) && !words().negation.is_in(&first) {
                    return true;
                }
                asked = false;
            }
            Speaker::User | Speaker::Tool | Speaker::Summary | Speaker::Host => {}
        }
    }
    false
}
