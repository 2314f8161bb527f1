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

use agon_debate::finding::Finding;
use agon_debate::human;
use agon_debate::id::AskKey;
use agon_debate::state::State;
use agon_engine::host::{FolderError, FolderHost, Host};
use agon_engine::human::{AnswerError, answered};
use agon_redact::Redactor;
use agon_report::text::plain;
use agon_store::{DiskError, RealDisk, answer_path, drop_answer, keep_answer, kept_answer};

use crate::edge;
use crate::error::{Exit, Failure};
use crate::opening;
use crate::output::Out;
use crate::running::{Place, shown, store_failure};
use sitting::{Came, Sitting};
pub(crate) use taken::take;

/// What a person insisted on, although it breaks rules.
#[derive(Debug, Default)]
pub(crate) struct Insisted(Option<(AskKey, String, Vec<Finding>)>);

/// Lets the person who is awaited answer; none when they do not now, and the debate waits.
///
/// # Errors
///
/// If what they wrote cannot be kept or handed in, or they stop it.
pub(crate) async fn answer(
    place: Place<'_>,
    mut host: FolderHost,
    insisted: &mut Insisted,
    out: &mut Out,
) -> Result<Option<FolderHost>, Failure> {
    let state = host.state().clone();
    let path = host.folder().path().to_owned();
    let keys = human::rests_on(&state);
    let Some(&key) = keys.first() else {
        return Ok(Some(host));
    };
    if let Some((said, text, known)) = insisted.0.take()
        && said.turn == key.turn
        && human::sent_back(&state, key)
            .iter()
            .all(|one| known.iter().any(|other| other.code == one.code))
    {
        // They were told, and meant it.
        hand_in(&mut host, key, &text)?;
        return Ok(Some(host));
    }
    drop(host);
    let path = place.edge.cwd.join(path);
    if !place.edge.terminal || place.global.json {
        for key in keys {
            laid(&path, &state, key)?;
        }
        return Ok(None);
    }
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
    hand_in(&mut host, key, &came.reply)?;
    if !came.findings.is_empty() {
        insisted.0 = Some((key, came.reply, came.findings));
    }
    Ok(Some(host))
}

/// Records an answer, and takes its form away.
fn hand_in(host: &mut FolderHost, key: AskKey, reply: &str) -> Result<(), Failure> {
    let took = edge::now_ms().saturating_sub(since_ms(host.state()).unwrap_or_else(edge::now_ms));
    let took = Duration::from_millis(took);
    answered(host, &Redactor::new(), key, (reply, took)).map_err(|error| of_answer(&error))?;
    drop_answer(&RealDisk, host.folder().path(), key).map_err(|error| unkept(&error))
}

/// When the last reply came: since then a person has had the question.
fn since_ms(state: &State) -> Option<u64> {
    let asks = state.turns.values().flat_map(|turn| &turn.asks);
    asks.filter_map(|ask| ask.given.as_ref()?.at_ms).max()
}

/// The form of `key`, written down unless it is there.
fn laid(path: &Path, state: &State, key: AskKey) -> Result<PathBuf, Failure> {
    match kept_answer(&RealDisk, path, key).map_err(|error| unkept(&error))? {
        Some(_) => Ok(answer_path(path, key)),
        None => keep_answer(&RealDisk, path, key, &human::form(state, key))
            .map_err(|error| unkept(&error)),
    }
}

/// Says who is awaited, and what they do.
pub(crate) fn waits(state: &State, folder: &str) -> Vec<String> {
    let slug = plain(&state.spec.slug);
    let awaits = agon_debate::result::awaits(state, folder).into_iter();
    awaits
        .map(|one| {
            format!(
                "{} {}: fill in '{}', then agon resume {slug}",
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
