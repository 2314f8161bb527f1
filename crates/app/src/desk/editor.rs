//! The form in the user's own editor.

use super::Desk;
use crate::editor;

impl Desk<'_> {
    /// The editor that the user has set.
    pub fn editor(&self) -> Option<&str> {
        editor::set_editor(self.caller)
    }

    /// Opens the form in `editor`, which is given this process's terminal, and waits until it is
    /// closed.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or ends with an error: what a person is told of that.
    pub async fn edit(&self, editor: &str) -> Result<(), String> {
        editor::open_file_with(self.caller, editor, &self.answer_file()).await
    }
}
