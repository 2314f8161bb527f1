//! The form in the user's own editor.

use agon_caller::user_program;

use super::Desk;

/// The editor of a person who wants none: they are asked question by question.
const NO_EDITOR: &str = "none";

impl Desk<'_> {
    /// The editor that the user has set, else one that most systems have; none where there is none,
    /// or the user has set `none`.
    pub fn editor(&self) -> Option<String> {
        let is_dumb = self
            .caller
            .vars
            .get("TERM")
            .is_some_and(|term| term == "dumb");
        match user_program::set_editor(self.caller) {
            Some(NO_EDITOR) => None,
            None if is_dumb => None,
            _ => user_program::find_editor(self.caller),
        }
    }

    /// Opens the form in `editor`, which is given this process's terminal, and waits until it is
    /// closed.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or ends with an error: what a person is told of that.
    pub async fn edit(&self, editor: &str) -> Result<(), String> {
        user_program::open_file_with(self.caller, editor, &self.answer_file()).await
    }
}
