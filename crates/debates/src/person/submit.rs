//! Submits answers that come with a request or are in a finished form.

use agon_caller::{Caller, Code, Failure, Hint, Notes};
use agon_engine::host::{FolderHost, Host};
use agon_record::id::{AskKey, Seat};
use agon_record::state::State;
use agon_report::text::plain_line;
use agon_rules::plan;
use agon_store::{RealDisk, answer_path, read_answer};

use super::{Submission, record_answer};
use crate::front::FrontEnd;
use crate::front::desk::{CheckedAnswer, Desk, answer_refusal, disk_failure, mark_unfinished};
use crate::request::{ResumeRequest, WrittenAnswer};

/// Submits the answer of a request, or the finished forms if no person is at the terminal.
///
/// # Errors
///
/// If it cannot be read, breaks rules, or the debate does not wait for it.
pub(crate) fn submit_answers(
    caller: &Caller,
    request: &ResumeRequest,
    host: &mut FolderHost,
    front: &mut dyn FrontEnd,
) -> Result<(), Failure> {
    let keys = awaited_asks(host.state(), request.seat)?;
    let submitter = Submitter {
        caller,
        as_is: request.as_is,
    };
    match &request.answer {
        Some(answer) => submitter.submit_answer(answer, host, &keys, front),
        // Submit no forms if a person at the terminal is asked later, or in a background process.
        None if request.is_handed || front.has_person() => Ok(()),
        None => submitter.submit_forms(host, &keys, front),
    }
}

/// Returns the failure for an answer or seat that the debate does not wait for.
pub(crate) fn not_awaited_failure(state: &State) -> Failure {
    answer_refusal(
        Code::NotAwaited,
        "the debate is not waiting for this person's answer",
    )
    .hint(format!(
        "run `agon show {}` to see its state",
        state.command_name()
    ))
}

/// Returns the turns that wait for a person, of one seat if it is named.
fn awaited_asks(state: &State, seat: Option<Seat>) -> Result<Vec<AskKey>, Failure> {
    let mut keys = plan::asks_awaiting_person(state);
    if let Some(seat) = seat {
        keys.retain(|key| key.turn.seat == seat);
        if keys.is_empty() {
            return Err(not_awaited_failure(state).parameter("seat"));
        }
    }
    Ok(keys)
}

/// Returns the only turn that an answer can be for.
fn only_ask(state: &State, keys: &[AskKey]) -> Result<AskKey, Failure> {
    match keys {
        [] => Err(not_awaited_failure(state)),
        [key] => Ok(*key),
        [one, other, ..] => Err(answer_refusal(
            Code::MissingParameter,
            "the debate is waiting for several people",
        )
        .parameter("seat")
        .hint(
            Hint::new("name the seat: ")
                .flag_with("seat", one.turn.seat)
                .text(" or ")
                .flag_with("seat", other.turn.seat),
        )),
    }
}

struct Submitter<'a> {
    caller: &'a Caller,
    /// Whether to submit an answer that breaks rules.
    as_is: bool,
}

impl Submitter<'_> {
    /// Submits the finished forms.
    fn submit_forms(
        &self,
        host: &mut FolderHost,
        keys: &[AskKey],
        notes: &mut dyn Notes,
    ) -> Result<(), Failure> {
        let path = self.caller.cwd.join(host.folder().path());
        for &key in keys {
            let state = host.state().clone();
            let Some(bytes) =
                read_answer(&RealDisk, &path, key).map_err(|error| disk_failure(&error))?
            else {
                continue;
            };
            let name = self.caller.display_path(&answer_path(&path, key));
            let Some(checked) = CheckedAnswer::read_and_check(&state, key, &name, &bytes) else {
                continue;
            };
            if let Some(line) = checked.unfinished {
                let name = plain_line(&name);
                let advice = Hint::new(format!(
                    "note: {name} is not submitted: when it is finished, delete its line {line}"
                ));
                let advice = advice.or(Hint::new("use ").flag_with("answer", "FILE"));
                self.caller.advise(&advice, notes);
                continue;
            }
            checked.require_acceptable(self.as_is, notes)?;
            if plan::asks_awaiting_person(&state).contains(&key) {
                let submission = Submission {
                    key,
                    heard: state.words.len(),
                    reply: &checked.reply,
                    bytes: &bytes,
                };
                record_answer(self.caller, host, &submission, notes)?;
            }
        }
        Ok(())
    }

    /// Submits the answer that came with the request.
    fn submit_answer(
        &self,
        answer: &WrittenAnswer,
        host: &mut FolderHost,
        keys: &[AskKey],
        notes: &mut dyn Notes,
    ) -> Result<(), Failure> {
        let state = host.state().clone();
        let key = only_ask(&state, keys)?;
        let WrittenAnswer { name, bytes, .. } = answer;
        let Some(checked) = CheckedAnswer::read_and_check(&state, key, name, bytes) else {
            let message = format!("{} contains no answer", plain_line(name));
            return Err(answer_refusal(Code::BlankAnswer, message)
                .hint("write your answer below its headings"));
        };
        let mut handed = checked.require_acceptable(self.as_is, notes);
        if handed.is_ok() {
            let submission = Submission {
                key,
                heard: state.words.len(),
                reply: &checked.reply,
                bytes,
            };
            handed = record_answer(self.caller, host, &submission, notes);
        }
        if handed.is_err() && answer.is_only_copy {
            self.save_only_copy(host, key, bytes, notes)?;
        }
        handed
    }

    /// Saves the only copy of a rejected answer: in the form if that is blank, otherwise in a file
    /// beside it.
    fn save_only_copy(
        &self,
        host: &FolderHost,
        key: AskKey,
        bytes: &[u8],
        notes: &mut dyn Notes,
    ) -> Result<(), Failure> {
        let path = self.caller.cwd.join(host.folder().path());
        let desk = Desk::new(self.caller, &path, host.state(), key);
        let before = desk
            .read_written_answer()
            .ok()
            .flatten()
            .unwrap_or_default();
        let is_free = std::str::from_utf8(&before).is_ok_and(|text| desk.is_blank_form(text));
        let kept = match std::str::from_utf8(bytes) {
            Ok(text) if is_free => desk.save_answer(&mark_unfinished(text))?,
            Ok(_) | Err(_) => desk.save_beside_answer(bytes)?,
        };
        let kept = self.caller.display_path(&kept);
        notes.note(&format!(
            "note: your answer is saved in {}",
            plain_line(&kept)
        ));
        Ok(())
    }
}
