//! Finds values printed by a command whose last word names them: `$ printenv API_TOKEN`.

use std::ops::Range;

use super::{NameScan, Tie};
use crate::name::Name;

impl NameScan<'_> {
    /// Returns the only word on the next line, if the name ends a command line.
    pub(super) fn answered_value(&self) -> Option<Range<usize>> {
        let start = self.line_start;
        let line = &self.text[start..self.name.start];
        let command = line.trim_start();
        let is_prompted = ["$ ", "# ", "% "]
            .iter()
            .any(|prompt| command.starts_with(prompt));
        if !is_prompted && !line.contains("> ") {
            return None;
        }
        let near = self.text_near(self.name.end);
        let (behind, below) = near.split_once('\n')?;
        let answer = below.split('\n').next()?.trim();
        let value = answer.trim_matches(['"', '\'']);
        let tie = match self.kind {
            Name::Password => Tie::Tight,
            Name::Known | Name::Token | Name::Key | Name::Auth | Name::Signature => Tie::Field,
        };
        let fits = !behind.trim_end().contains([' ', '=', ':'])
            && !value.contains([' ', '\t'])
            && self.is_secret_value(tie, true, value);
        let at = value.as_ptr() as usize - self.text.as_ptr() as usize;
        fits.then_some(at..at + value.len())
    }
}
