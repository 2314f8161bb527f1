//! Notes on what a form did, for the page that the browser shows next.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The notes by the name of the debate, until its page shows them.
#[derive(Debug, Default)]
pub(crate) struct Notices(Mutex<BTreeMap<String, Vec<String>>>);

impl Notices {
    /// Keeps the notes for the next page of `debate`.
    pub(crate) fn keep(&self, debate: &str, notes: Vec<String>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match notes.is_empty() {
            true => kept.remove(debate),
            false => kept.insert(debate.to_owned(), notes),
        };
    }

    /// Returns the notes for `debate` once.
    pub(crate) fn take(&self, debate: &str) -> Vec<String> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.remove(debate).unwrap_or_default()
    }
}
