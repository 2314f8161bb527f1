//! The prompt for a narrator.

use agon_record::state::State;
use agon_rules::narrative::WORDS;
use agon_wording::{Wording, fence, values};

use crate::template::NARRATIVE;

/// Returns the prompt for a narrator; `facts` and `record` are documents of the debate.
///
/// `last` is the narrator's previous, unusable text with its faults.
pub fn narrator_prompt(
    state: &State,
    facts: &str,
    record: &str,
    last: Option<(&str, &[String])>,
) -> Wording {
    let salt = &state.spec.salt;
    let wrong = last.map(|(text, wrong)| {
        let list = fence(salt, "narrative-wrong", &"findings", &wrong.join("\n"));
        let text = fence(salt, "narrative-last", &"draft", text);
        values! { list, text }
    });
    let (least, most) = WORDS;
    NARRATIVE.fill(values! {
        least,
        most,
        facts => fence(salt, "narrative-facts", &"facts", facts),
        record => fence(salt, "narrative-record", &"record", record),
        wrong,
    })
}
