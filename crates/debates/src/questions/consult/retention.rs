//! Saves the conversations of a consult so that `--continue` can resume them.

use std::path::PathBuf;

use agon_caller::{Caller, Notes, error_chain, system};
use agon_store::{Consult, Consults};
use ulid::Ulid;

use super::answer::ConsultAnswer;
use super::restored::{RETENTION_MS, Restored};

/// Returns the folder in which the tools of a consult run, so that they find their conversations
/// again later. Returns `None` without `consults`, or with a note if the folder cannot be created.
pub(super) fn consult_folder(
    consults: Option<&Consults>,
    id: Ulid,
    notes: &mut dyn Notes,
) -> Option<PathBuf> {
    match consults?.make_empty_folder(id) {
        Ok(folder) => Some(folder),
        Err(error) => {
            notes.note(&format!(
                "note: this consult cannot be continued later: {}",
                error_chain(&error)
            ));
            None
        }
    }
}

/// Saves the conversations of this consult for `--continue`. Returns `false` if nothing was saved.
pub(super) fn save_conversations(
    caller: &Caller,
    consults: &Consults,
    id: Ulid,
    restored: &Restored,
    answers: &[ConsultAnswer],
    notes: &mut dyn Notes,
) -> bool {
    let now = system::now_ms();
    // Keep the conversation of a tool that could not start, so that it can be resumed later.
    let asked = |tool| {
        let of_it = |answer: &&ConsultAnswer| answer.tool == tool;
        answers
            .iter()
            .find(of_it)
            .is_some_and(|answer| answer.transport.is_some())
    };
    let left = restored.conversations.iter();
    let left = left.filter(|before| !asked(before.tool.clone())).cloned();
    let conversations: Vec<_> = answers
        .iter()
        .filter_map(ConsultAnswer::conversation_to_keep)
        .chain(left)
        .collect();
    if conversations.is_empty() {
        consults.remove_folder_if_empty(id);
        return false;
    }
    consults.remove_older_than(now.saturating_sub(RETENTION_MS));
    let project = restored.project.clone().unwrap_or_else(|| caller.project());
    match consults.save(&Consult::new(id, now, project, conversations)) {
        Ok(()) => true,
        Err(error) => {
            notes.note(&format!(
                "note: this consult cannot be continued later: {}",
                error_chain(&error)
            ));
            false
        }
    }
}
