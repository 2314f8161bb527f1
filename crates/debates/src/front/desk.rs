//! The form in a debate's folder in which a person writes an answer.

mod checked;
mod editor;

use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure, Notes};
use agon_prompt::human::{self, SCISSORS};
pub use agon_prompt::human::{AnswerKind, Form, Question, Section, mark_finished, mark_unfinished};
pub use agon_record::answer_file::MAX_BYTES;
use agon_record::id::{AskKey, Seat};
use agon_record::state::State;
use agon_report::text::plain_line;
use agon_store::{DiskError, RealDisk, answer_path, read_answer, write_answer, write_answer_copy};

pub use self::checked::{AnswerFault, CheckedAnswer, Lines};

/// A person's reaction to a request for an answer.
#[derive(Debug)]
pub enum SittingOutcome {
    /// They submit this answer, parsed from these bytes.
    HandedIn(CheckedAnswer, Vec<u8>),
    /// They stop here, and the debate waits.
    Left,
}

/// The place in which a person writes one answer.
#[derive(Clone, Copy, Debug)]
pub struct Desk<'a> {
    caller: &'a Caller,
    path: &'a Path,
    state: &'a State,
    key: AskKey,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(caller: &'a Caller, path: &'a Path, state: &'a State, key: AskKey) -> Self {
        Self {
            caller,
            path,
            state,
            key,
        }
    }

    /// Returns the caller.
    pub fn caller(&self) -> &'a Caller {
        self.caller
    }

    /// Returns the debate's name.
    pub fn command_name(&self) -> &'a str {
        self.state.command_name()
    }

    /// Returns the seat that the person answers for.
    pub fn seat(&self) -> Seat {
        self.key.turn.seat
    }

    /// Returns whose turn it is, such as `challenger, round 1`.
    pub fn describe_turn(&self) -> String {
        human::describe_turn(self.state, self.key.turn)
    }

    /// Returns why their previous answer was sent back and what to do; empty if none was.
    pub fn describe_sent_back(&self) -> Vec<String> {
        human::describe_sent_back(self.state, self.key)
    }

    /// Returns the path of the form.
    pub fn answer_file(&self) -> PathBuf {
        answer_path(self.path, self.key)
    }

    /// Returns `path` as printed.
    pub fn display_path(&self, path: &Path) -> String {
        self.caller.display_path(path)
    }

    /// Creates the form if it does not exist.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn ensure_form_file(&self) -> Result<PathBuf, Failure> {
        ensure_form_file(self.path, self.state, self.key)
    }

    /// Returns the debate so far, as shown in the form.
    pub fn debate_so_far(&self) -> String {
        let form = human::render_form(self.state, self.key);
        let shown = form.split_once(SCISSORS).map(|(_, shown)| shown.trim());
        shown.unwrap_or_default().to_owned()
    }

    /// Returns the blank form.
    pub fn first_form(&self) -> Form {
        human::first_form(self.state, self.key)
    }

    /// Reads the form from the file. Saves a copy of the file if parts of it cannot be parsed.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or the copy cannot be saved.
    pub fn read_form(&self, notes: &mut dyn Notes) -> Result<Form, Failure> {
        let bytes = self.read_written_answer()?.unwrap_or_default();
        let read =
            std::str::from_utf8(&bytes).map(|text| human::read_form(self.state, self.key, text));
        let form = match read {
            Ok((form, problems)) if problems.is_empty() => return Ok(form),
            Ok((form, _)) => form,
            Err(_) => self.first_form(),
        };
        let kept = self.save_beside_answer(&bytes)?;
        notes.note(&format!(
            "parts of the form could not be read; the original is saved in {}",
            plain_line(&self.display_path(&kept))
        ));
        Ok(form)
    }

    /// Saves `form` to the file, with all its headings.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn save_form(&self, form: &Form) -> Result<(), Failure> {
        let text = human::render_filled_form(self.state, self.key, form);
        self.save_answer(&text).map(drop)
    }

    /// Returns the contents of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is too long.
    pub fn read_written_answer(&self) -> Result<Option<Vec<u8>>, Failure> {
        read_answer(&RealDisk, self.path, self.key).map_err(|error| disk_failure(&error))
    }

    /// Returns whether `text` is the unchanged blank form.
    pub fn is_blank_form(&self, text: &str) -> bool {
        human::is_untouched(self.state, self.key, text)
    }

    /// Saves `text` to the file.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn save_answer(&self, text: &str) -> Result<PathBuf, Failure> {
        write_answer(&RealDisk, self.path, self.key, text.as_bytes())
            .map_err(|error| disk_failure(&error))
    }

    /// Saves `bytes` beside the file under an unused name.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn save_beside_answer(&self, bytes: &[u8]) -> Result<PathBuf, Failure> {
        write_answer_copy(&RealDisk, self.path, self.key, bytes)
            .map_err(|error| disk_failure(&error))
    }

    /// Checks `bytes`, the contents of the file `name`. Returns `None` if nothing was written.
    pub fn check(&self, name: &str, bytes: &[u8]) -> Option<CheckedAnswer> {
        CheckedAnswer::read_and_check(self.state, self.key, name, bytes)
    }
}

/// Creates the form of `key`. In an existing form, updates the part that shows the debate. Returns
/// its path.
pub(crate) fn ensure_form_file(
    path: &Path,
    state: &State,
    key: AskKey,
) -> Result<PathBuf, Failure> {
    let kept = read_answer(&RealDisk, path, key).map_err(|error| disk_failure(&error))?;
    let text = match &kept {
        Some(kept) if !kept.trim_ascii().is_empty() => std::str::from_utf8(kept)
            .ok()
            .and_then(|text| human::refresh_debate_so_far(state, key, text)),
        Some(_) | None => Some(human::render_form(state, key)),
    };
    let Some(text) = text else {
        return Ok(answer_path(path, key));
    };
    write_answer(&RealDisk, path, key, text.as_bytes()).map_err(|error| disk_failure(&error))
}

/// Returns the failure for a rejected answer.
pub(crate) fn answer_refusal(code: Code, message: impl Into<String>) -> Failure {
    Failure::new(code, message).parameter("answer")
}

pub(crate) fn disk_failure(error: &DiskError) -> Failure {
    Failure::from_error(Code::Store, error)
}
