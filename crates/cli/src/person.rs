//! A person at the table: what they are asked, and their answer on its way into the record.
//!
//! While they think nothing is open: the folder's lock is free, and what they wrote so far is kept
//! in the folder. The debate is opened again when they hand it in.

mod checked;
mod editor;
mod sitting;
mod taken;
mod typed;

use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_engine::host::{FolderError, FolderHost, Host};
use agon_engine::human::{AnswerError, answered};
use agon_prompt::human;
use agon_record::finding::Finding;
use agon_record::id::{AskKey, Seat};
use agon_record::state::State;
use agon_redact::Redactor;
use agon_report::text::plain;
use agon_rules::plan;
use agon_store::{DiskError, RealDisk, answer_path, drop_answer, keep_answer, kept_answer};

use crate::edge;
use crate::error::{Exit, Failure};
use crate::opening;
use crate::output::Out;
use crate::running::{Place, shown, store_failure};
use sitting::{Came, Sitting};
pub(crate) use taken::{not_awaited, take};

/// A person who answers while a debate goes on.
#[derive(Debug, Default)]
pub(crate) struct Person {
    /// The only seat that they answer for, where they said so.
    pub(crate) seat: Option<Seat>,
    /// What they insisted on, although it breaks rules.
    insisted: Option<(AskKey, String, Vec<Finding>)>,
}

impl Person {
    /// Who answers for `seat` alone, or for whoever is awaited.
    pub(crate) fn of(seat: Option<Seat>) -> Self {
        Self {
            seat,
            insisted: None,
        }
    }
}

/// Lets the person who is awaited answer; none when they do not now, and the debate waits.
///
/// # Errors
///
/// If what they wrote cannot be kept or handed in, or they stop it.
pub(crate) async fn answer(
    place: Place<'_>,
    mut host: FolderHost,
    person: &mut Person,
    out: &mut Out,
) -> Result<Option<FolderHost>, Failure> {
    let state = host.state().clone();
    let path = host.folder().path().to_owned();
    let keys = plan::rests_on(&state);
    if keys.is_empty() {
        return Ok(Some(host));
    }
    let theirs = |key: &&AskKey| person.seat.is_none_or(|seat| key.turn.seat == seat);
    let Some(&key) = keys.iter().find(theirs) else {
        return wait(place, (&path, &state), &keys);
    };
    if let Some((said, text, known)) = person.insisted.take()
        && said.turn == key.turn
        && human::sent_back(&state, key)
            .iter()
            .all(|one| known.iter().any(|other| other.code == one.code))
    {
        // They were told, and meant it.
        hand_in(
            place,
            &mut host,
            ((key, state.words.len()), &text, &[]),
            out,
        )?;
        return Ok(Some(host));
    }
    drop(host);
    if !place.edge.terminal || place.global.json {
        return wait(place, (&path, &state), &keys);
    }
    let path = place.edge.cwd.join(path);
    let desk = Sitting {
        place,
        path: &path,
        state: &state,
        key,
    };
    let came = match desk.sit(out).await? {
        Came::Left => return Ok(None),
        Came::HandedIn(came) => came,
    };
    let mut host = opening::open(&path, out).map_err(|failure| Failure {
        hint: Some(format!(
            "what you wrote is kept in {}; when the other is done: agon resume {}",
            shown(place.edge, &answer_path(&path, key)),
            plain(&state.spec.slug),
        )),
        ..failure
    })?;
    let (checked, bytes) = came;
    hand_in(
        place,
        &mut host,
        ((key, state.words.len()), &checked.reply, &bytes),
        out,
    )?;
    if !checked.findings.is_empty() {
        person.insisted = Some((key, checked.reply, checked.findings));
    }
    Ok(Some(host))
}

/// Lays the forms of `keys`, and leaves the debate waiting.
fn wait(
    place: Place<'_>,
    (path, state): (&Path, &State),
    keys: &[AskKey],
) -> Result<Option<FolderHost>, Failure> {
    for &key in keys {
        laid(&place.edge.cwd.join(path), state, key)?;
    }
    Ok(None)
}

/// Records an answer that was read from `bytes`, of who had heard this many of the user's words,
/// and takes the form away if that is all it holds.
fn hand_in(
    place: Place<'_>,
    host: &mut FolderHost,
    ((key, heard), reply, bytes): ((AskKey, usize), &str, &[u8]),
    out: &mut Out,
) -> Result<(), Failure> {
    let took = edge::now_ms().saturating_sub(since_ms(host.state()).unwrap_or_else(edge::now_ms));
    let took = Duration::from_millis(took);
    let path = place.edge.cwd.join(host.folder().path());
    let there = kept_answer(&RealDisk, &path, key);
    let there = there.unwrap_or_default().unwrap_or_default();
    let text = std::str::from_utf8(&there);
    let said = there == bytes || text.is_ok_and(|text| human::untouched(host.state(), key, text));
    answered(host, &Redactor::new(), key, (reply, took, heard))
        .map_err(|error| of_answer(&error))?;
    // It is in the record, so nothing here stops it any more.
    let file = shown(place.edge, &answer_path(&path, key));
    let file = plain(&file);
    if !said {
        out.note(&format!("note: {file} holds something else, and is kept"));
    } else if let Err(error) = drop_answer(&RealDisk, &path, key, &there) {
        out.note(&format!("note: {file} is still there: {error}"));
    }
    Ok(())
}

/// When the last reply came: since then a person has had the question.
fn since_ms(state: &State) -> Option<u64> {
    let asks = state.turns.values().flat_map(|turn| &turn.asks);
    asks.filter_map(|ask| ask.given.as_ref()?.at_ms).max()
}

/// The form of `key`, written down unless it is there; what it shows is the debate as it stands.
fn laid(path: &Path, state: &State, key: AskKey) -> Result<PathBuf, Failure> {
    let kept = kept_answer(&RealDisk, path, key).map_err(|error| unkept(&error))?;
    let text = match &kept {
        Some(kept) if !kept.trim_ascii().is_empty() => std::str::from_utf8(kept)
            .ok()
            .and_then(|text| human::shown_anew(state, key, text)),
        Some(_) | None => Some(human::form(state, key)),
    };
    match text {
        Some(text) => {
            keep_answer(&RealDisk, path, key, text.as_bytes()).map_err(|error| unkept(&error))
        }
        None => Ok(answer_path(path, key)),
    }
}

/// Says who is awaited, and what they do.
pub(crate) fn waits(state: &State, folder: &str) -> Vec<String> {
    let slug = plain(&state.spec.slug);
    let awaits = agon_verdict::result::awaits(state, folder).into_iter();
    awaits
        .map(|one| {
            format!(
                "{} {}: fill in '{}', take its first line out, then agon resume {slug}",
                one.seat,
                one.key,
                plain(&one.file)
            )
        })
        .collect()
}

fn refused(code: &'static str, message: impl Into<String>) -> Failure {
    Failure::new(Exit::Usage, code, message).parameter("answer")
}

fn of_answer(error: &AnswerError<FolderError>) -> Failure {
    match error {
        AnswerError::Host(cause) => store_failure(cause),
        AnswerError::NotAwaited { .. } => {
            let failure = Failure::from_error(Exit::Usage, "not_awaited", error);
            failure.hint("somebody else answered, or it went another way; what you wrote is kept")
        }
    }
}

fn unkept(error: &DiskError) -> Failure {
    Failure::from_error(Exit::Store, "store", error)
}
