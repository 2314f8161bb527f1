//! What a tool is told that answers a question about a debate.

use minijinja::context;

use crate::fence::fence;
use crate::inquiry::{Checked, Shown};
use crate::prompt::template::QUESTION;
use crate::state::State;
use crate::text::clean;

/// The most words an answer should have.
const WORDS: usize = 250;

/// The prompt for `question`: `shown` is the record, and `verdict` what it came to, as documents.
///
/// `last` is an answer that named what nobody said.
pub fn question(
    state: &State,
    (question, verdict): (&str, &str),
    shown: &Shown,
    last: Option<(&str, &Checked)>,
) -> String {
    let salt = &state.spec.salt;
    let nodes = state.nodes();
    let example = nodes.first().map(|node| node.id.to_string());
    let (text, wrong) = match last {
        Some((text, checked)) => (text, checked.unknown.clone()),
        None => ("", Vec::new()),
    };
    let verdict = match verdict {
        "" => "Nothing yet: it has no verdict.".to_owned(),
        verdict => fence(salt, "question-verdict", "verdict", verdict),
    };
    QUESTION.fill(context! {
        question => clean(question),
        verdict,
        whole => shown.whole,
        record => fence(salt, "question-record", "record", &shown.text),
        wrong,
        last => fence(salt, "question-last", "answer", text),
        words => WORDS,
        example => example.unwrap_or_else(|| "pro_001a".to_owned()),
    })
}
