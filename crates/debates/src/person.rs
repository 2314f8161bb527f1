//! People in a debate: what they are asked, and how their answers are recorded.
//!
//! While a person thinks, nothing is open: the debate's lock is free, and their text so far is
//! saved in the debate's folder. Agon reopens the debate when they submit it.

mod submit;

use std::path::Path;
use std::time::Duration;

use agon_caller::{Caller, Code, Failure, Notes, system};
use agon_engine::host::{FolderError, FolderHost, Host};
use agon_engine::human::{AnswerError, record_human_answer};
use agon_prompt::human;
use agon_record::finding::Finding;
use agon_record::id::{AskKey, Seat};
use agon_record::state::State;
use agon_redact::Redactor;
use agon_report::text::plain_line;
use agon_rules::plan;
use agon_store::{RealDisk, answer_path, read_answer, remove_answer_if_equal};
pub(crate) use submit::{not_awaited_failure, submit_answers};

use crate::failure::store_failure;
use crate::front::FrontEnd;
use crate::front::desk::{Desk, SittingOutcome, ensure_form_file};
use crate::status::open;

/// A person who takes a seat in a debate.
#[derive(Debug, Default)]
pub(crate) struct Person {
    /// The only seat that they answer for, if they named one.
    pub seat: Option<Seat>,
    /// Answers that they submitted although they break rules.
    insisted: Option<(AskKey, String, Vec<Finding>)>,
}

impl Person {
    /// Returns a person who answers for `seat` alone, or for any seat if `None`.
    pub(crate) fn for_seat(seat: Option<Seat>) -> Self {
        Self {
            seat,
            insisted: None,
        }
    }
}

/// A submitted answer.
struct Submission<'a> {
    /// The turn that it answers.
    key: AskKey,
    /// How many of the user's notes its writer had seen.
    heard: usize,
    /// The parsed reply.
    reply: &'a str,
    /// The text it was parsed from.
    bytes: &'a [u8],
}

/// Asks the person whose turn it is. Returns `None` if they do not answer now; the debate then
/// waits.
///
/// # Errors
///
/// If their text cannot be saved or submitted, or they stop the debate.
pub(crate) async fn ask_awaited_person(
    caller: &Caller,
    mut host: FolderHost,
    person: &mut Person,
    front: &mut dyn FrontEnd,
) -> Result<Option<FolderHost>, Failure> {
    let state = host.state().clone();
    let path = host.folder().path().to_owned();
    let keys = plan::asks_awaiting_only_person(&state);
    if keys.is_empty() {
        return Ok(Some(host));
    }
    let heard = state.words.len();
    let theirs = |key: &&AskKey| person.seat.is_none_or(|seat| key.turn.seat == seat);
    let Some(&key) = keys.iter().find(theirs) else {
        ensure_form_files(&caller.cwd.join(path), &state, &keys)?;
        return Ok(None);
    };
    if let Some((insisted, text, known)) = person.insisted.take()
        && insisted.turn == key.turn
        && human::previous_findings(&state, key)
            .iter()
            .all(|one| known.iter().any(|other| other.code == one.code))
    {
        // The person was warned of these findings and submitted the answer anyway.
        let submission = Submission {
            key,
            heard,
            reply: &text,
            bytes: &[],
        };
        record_answer(caller, &mut host, &submission, front)?;
        return Ok(Some(host));
    }
    drop(host);
    let path = caller.cwd.join(path);
    if !front.has_person() {
        ensure_form_files(&path, &state, &keys)?;
        return Ok(None);
    }
    let desk = Desk::new(caller, &path, &state, key);
    let (checked, bytes) = match front.ask_person(&desk).await? {
        SittingOutcome::Left => return Ok(None),
        SittingOutcome::HandedIn(checked, bytes) => (checked, bytes),
    };
    let mut host = open::open_for_writing(&path, front).map_err(|failure| Failure {
        hint: Some(
            format!(
                "your text is saved in {}; when the other process is done, run `agon resume {}`",
                caller.display_path(&answer_path(&path, key)),
                state.command_name(),
            )
            .into(),
        ),
        ..failure
    })?;
    let submission = Submission {
        key,
        heard,
        reply: &checked.reply,
        bytes: &bytes,
    };
    record_answer(caller, &mut host, &submission, front)?;
    if !checked.findings.is_empty() {
        person.insisted = Some((key, checked.reply, checked.findings));
    }
    Ok(Some(host))
}

/// Creates the forms of `keys` for the person to fill in.
fn ensure_form_files(path: &Path, state: &State, keys: &[AskKey]) -> Result<(), Failure> {
    keys.iter()
        .try_for_each(|&key| ensure_form_file(path, state, key).map(drop))
}

/// Records an answer, and removes the form if it holds nothing else.
fn record_answer(
    caller: &Caller,
    host: &mut FolderHost,
    submission: &Submission<'_>,
    notes: &mut dyn Notes,
) -> Result<(), Failure> {
    let &Submission {
        key,
        heard,
        reply,
        bytes,
    } = submission;
    let now = system::now_ms();
    let took = now.saturating_sub(last_reply_ms(host.state()).unwrap_or(now));
    let took = Duration::from_millis(took);
    let path = caller.cwd.join(host.folder().path());
    let there = read_answer(&RealDisk, &path, key);
    let there = there.unwrap_or_default().unwrap_or_default();
    let text = std::str::from_utf8(&there);
    let is_said =
        there == bytes || text.is_ok_and(|text| human::is_untouched(host.state(), key, text));
    record_human_answer(host, &Redactor::new(), key, reply, took, heard)
        .map_err(|error| answer_failure(&error))?;
    // The answer is recorded, so failures from here on are only noted.
    let file = caller.display_path(&answer_path(&path, key));
    let file = plain_line(&file);
    if !is_said {
        notes.note(&format!(
            "note: {file} contains other text, so it was not removed"
        ));
    } else if let Err(error) = remove_answer_if_equal(&RealDisk, &path, key, &there) {
        notes.note(&format!("note: cannot remove {file}: {error}"));
    }
    Ok(())
}

/// Returns when the last reply arrived: since then, the person has had the question.
fn last_reply_ms(state: &State) -> Option<u64> {
    let asks = state.turns.values().flat_map(|turn| &turn.asks);
    asks.filter_map(|ask| ask.given.as_ref()?.at_ms).max()
}

/// Returns lines that say whose turn it is and what that person has to do.
pub(crate) fn describe_awaited(state: &State, folder: &str) -> Vec<String> {
    let name = state.command_name();
    let awaits = agon_verdict::result::people_to_answer(state, folder).into_iter();
    awaits
        .map(|one| {
            format!(
                "({}): fill in '{}', delete its first line, then run: agon resume {name}",
                human::describe_turn(state, one.key.turn),
                plain_line(&one.file)
            )
        })
        .collect()
}

fn answer_failure(error: &AnswerError<FolderError>) -> Failure {
    match error {
        AnswerError::Host(cause) => store_failure(cause),
        AnswerError::NotAwaited { .. } => {
            let message = "the debate no longer waits for this answer";
            Failure::new(Code::NotAwaited, message)
                .hint("another answer was submitted, or the debate moved on; your text is saved")
        }
    }
}
