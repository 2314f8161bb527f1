//! Where a person writes: the form in the debate's folder, kept as it grows.

mod checked;
mod editor;

use std::path::{Path, PathBuf};

use agon_prompt::human;
pub use agon_prompt::human::{MAX_BYTES, SCISSORS, mark_finished, mark_unfinished};
use agon_record::id::{AskKey, Seat};
use agon_record::state::State;
use agon_store::{
    Disk, DiskError, RealDisk, answer_path, read_answer, write_answer, write_answer_copy,
};

pub use self::checked::{AnswerFault, CheckedAnswer};
use crate::caller::Caller;
use crate::failure::{Failure, FailureKind};

/// What came of a person who was asked.
#[derive(Debug)]
pub enum SittingOutcome {
    /// They hand in this, read from these bytes.
    HandedIn(CheckedAnswer, Vec<u8>),
    /// They stop here, and the debate waits.
    Left,
}

/// Where a person writes one answer.
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

    /// Who asks for it.
    pub fn caller(&self) -> &'a Caller {
        self.caller
    }

    /// The debate's name.
    pub fn slug(&self) -> &'a str {
        &self.state.spec.slug
    }

    /// The seat that they answer for.
    pub fn seat(&self) -> Seat {
        self.key.turn.seat
    }

    /// What is asked of that seat, in the words of the record.
    pub fn ask_key(&self) -> String {
        self.key.to_string()
    }

    /// The file that the answer is kept in.
    pub fn answer_file(&self) -> PathBuf {
        answer_path(self.path, self.key)
    }

    /// `path` as it is shown.
    pub fn display_path(&self, path: &Path) -> String {
        self.caller.display_path(path)
    }

    /// Writes the form down, unless it is there.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn ensure_form_file(&self) -> Result<PathBuf, Failure> {
        ensure_form_file(self.path, self.state, self.key)
    }

    /// The form as it is before anything is written into it.
    pub fn blank_form(&self) -> String {
        human::render_form(self.state, self.key)
    }

    /// What stands in the file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is too long.
    pub fn read_written_answer(&self) -> Result<Option<Vec<u8>>, Failure> {
        read_answer(&RealDisk, self.path, self.key).map_err(|error| disk_failure(&error))
    }

    /// Whether `text` is the form, with nothing written into it.
    pub fn is_blank_form(&self, text: &str) -> bool {
        human::is_untouched(self.state, self.key, text)
    }

    /// Keeps `text` in the file.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn save_answer(&self, text: &str) -> Result<PathBuf, Failure> {
        write_answer(&RealDisk, self.path, self.key, text.as_bytes())
            .map_err(|error| disk_failure(&error))
    }

    /// Keeps `bytes` beside the file: in `place` where they were kept before, else in a new one.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn save_beside_answer(
        &self,
        place: Option<PathBuf>,
        bytes: &[u8],
    ) -> Result<PathBuf, Failure> {
        write_answer_copy(&RealDisk, self.path, self.key, place, bytes)
            .map_err(|error| disk_failure(&error))
    }

    /// Removes what was kept beside the file, which has it now.
    pub fn remove_beside_answer(&self, place: &Path) {
        // One that stays is only left over.
        RealDisk.remove_file(place).unwrap_or_default();
    }

    /// What is wrong with `bytes`, which stand in the file `name`; none where nothing is written.
    pub fn check(&self, name: &str, bytes: &[u8]) -> Option<CheckedAnswer> {
        CheckedAnswer::read_and_check(self.state, self.key, name, bytes)
    }
}

/// Writes the form of `key` unless something is written there already; in an existing one, updates
/// the part that shows the debate. Returns its path.
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
    match text {
        Some(text) => write_answer(&RealDisk, path, key, text.as_bytes())
            .map_err(|error| disk_failure(&error)),
        None => Ok(answer_path(path, key)),
    }
}

/// The failure for an answer that is not taken.
pub(crate) fn answer_refusal(code: &'static str, message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Usage, code, message).parameter("answer")
}

pub(crate) fn disk_failure(error: &DiskError) -> Failure {
    Failure::from_error(FailureKind::Store, "store", error)
}
