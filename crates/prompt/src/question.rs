//! The prompt for a tool that answers a question about a debate.

use agon_record::id::NodeId;
use agon_record::state::State;
use agon_wording::{OwnWords, Wording, fence, values};

use crate::inquiry::RecordExcerpt;
use crate::template::QUESTION;

// About 1,600 characters, or 15 lines of 110 columns, so that question and answer fit on a screen
// of 24 lines.
/// Maximum words of an answer.
const WORDS: usize = 250;

/// Returns the prompt for `question`; `shown` is the record and `verdict` the result, as documents.
///
/// `last` is the previous answer with the ids in it that do not exist.
pub fn question_prompt(
    state: &State,
    question: &str,
    verdict: &str,
    shown: &RecordExcerpt,
    last: Option<(&str, &[String])>,
) -> Wording {
    let salt = &state.spec.salt;
    let nodes = state.nodes();
    let example = nodes.first().map(|node| node.id.wording());
    let wrong = last.map(|(text, unknown)| {
        let ids = unknown.iter().filter_map(|id| id.parse().ok());
        let ids = Wording::join(ids.map(|id: NodeId| id.wording()), ", ");
        values! { ids, text => fence(salt, "question-last", &"answer", text) }
    });
    let verdict = match verdict {
        "" => Wording::from_literal("There is no verdict yet."),
        verdict => fence(salt, "question-verdict", &"verdict", verdict),
    };
    QUESTION.fill(values! {
        question => fence(salt, "question", &"question", question.trim()),
        verdict,
        whole => shown.whole,
        record => fence(salt, "question-record", &"record", &shown.text),
        wrong,
        words => WORDS,
        example => example.unwrap_or_else(|| Wording::from_literal("pro_001a")),
    })
}
