//! The form in the user's own editor.

use super::Desk;
use crate::user_program;

impl Desk<'_> {
    /// The editor that the user has set.
    pub fn editor(&self) -> Option<&str> {
        user_program::set_editor(self.caller)
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
