//! Renders the complete text of a form: the header, the sections and the debate so far.

use agon_record::id::{AskKey, Stage, TurnId};
use agon_record::state::State;
use agon_record::text::strip_invisible_characters;

use super::explain::reword_findings_for_form;
use super::form::Form;
use super::render::{Hints, escape_comment_text, render_sections, wrap_comment};
use super::{SCISSORS, UNFINISHED, previous_findings};

/// Renders `form` for `key`, marked as unfinished, with the debate so far below it.
///
/// Above the scissors line, text of other seats appears only in comments.
pub(super) fn render_form_text(state: &State, key: AskKey, form: &Form) -> String {
    format!(
        "{UNFINISHED}\n{}\n{}\n{}",
        form_header(state, key),
        render_sections(form, Hints::Shown),
        debate_so_far(state, key)
    )
}

/// Returns the part of a form from the scissors line on: the debate so far.
pub(super) fn debate_so_far(state: &State, key: AskKey) -> String {
    let told = crate::render_for_person(state, key);
    format!(
        "{SCISSORS}\n\n{}\n",
        strip_invisible_characters(told.trim())
    )
}

/// Returns the name of a turn, such as `challenger, round 1`.
pub fn describe_turn(state: &State, turn: TurnId) -> String {
    let part = match turn.stage {
        Stage::Theses => "the theses of both sides".to_owned(),
        Stage::Round(round) => state.format_rules().round_with_article("the", round),
        Stage::Verdict | Stage::Swap => "the verdict".to_owned(),
    };
    format!("{}, {part}", turn.seat)
}

/// Returns the header: the turn, how to fill in the form, and why it was sent back.
fn form_header(state: &State, key: AskKey) -> String {
    let mut out = wrap_comment(&format!(
        "Your turn ({}) in the debate {}. Write below the headings. Fields that are optional or have \
         a default may stay empty. Text between these marks is ignored. Put a backslash before a line \
         of your own that starts with #. The debate so far is at the end.",
        describe_turn(state, key.turn),
        state.spec.slug,
    ));
    let why = describe_sent_back(state, key);
    if !why.is_empty() {
        out.push_str("<!-- Your answer was sent back once:\n");
        for said in why {
            let said = escape_comment_text(&said);
            out.push_str(&format!("     - {said}\n"));
        }
        out.push_str("-->\n");
    }
    out
}

/// Returns why the answer before `key` was sent back and how to fix it, in terms of the form; empty
/// if none was.
pub fn describe_sent_back(state: &State, key: AskKey) -> Vec<String> {
    let findings = previous_findings(state, key);
    let findings = reword_findings_for_form(state, key, findings);
    let said = findings.iter();
    said.map(|finding| format!("{}; {}", finding.message, finding.hint))
        .collect()
}
