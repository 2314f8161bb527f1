//! What a narrator is told.

use minijinja::context;

use crate::fence::fence;
use crate::narrative::WORDS;
use crate::prompt::template::NARRATIVE;
use crate::state::State;

/// The prompt for a narrator: `facts` and `record` are documents of the debate.
///
/// `last` is a text of the narrator's that was not usable, with what is wrong with it.
pub fn narrator(
    state: &State,
    facts: &str,
    record: &str,
    last: Option<(&str, &[String])>,
) -> String {
    let salt = &state.spec.salt;
    let (text, wrong) = last.unwrap_or_default();
    let (least, most) = WORDS;
    NARRATIVE.fill(context! {
        least,
        most,
        facts => fence(salt, "narrative-facts", "facts", facts),
        record => fence(salt, "narrative-record", "record", record),
        wrong => wrong.to_vec(),
        last => fence(salt, "narrative-last", "draft", text),
    })
}
