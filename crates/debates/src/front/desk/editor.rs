//! Opens the form in the user's own editor.

use agon_caller::user_program;

use super::Desk;

/// The setting of `EDITOR` for people who want to be asked question by question.
const NO_EDITOR: &str = "none";

impl Desk<'_> {
    /// Returns the user's editor, or one that most systems have. Returns `None` if there is none or
    /// the user set `none`.
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

    /// Opens the form in `editor`, which gets this process's terminal, and waits until it closes.
    ///
    /// # Errors
    ///
    /// If the editor cannot be started or fails; the message is for the user.
    pub async fn edit(&self, editor: &str) -> Result<(), String> {
        user_program::open_file_with(self.caller, editor, &self.answer_file()).await
    }
}
