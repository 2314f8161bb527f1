//! Handing a wish to a debate: to the process that writes it, or by ourselves.

use std::path::Path;
use std::time::{Duration, Instant};

use agon_engine::host::Host;
use agon_engine::steer::{grant, take_in};
use agon_record::state::State;
use agon_record::user::{Item, Wish};
use agon_redact::{Redactor, unescaped};
use agon_rules::steer::{Refused, accept};
use agon_store::{DiskError, RealDisk, Writer, put_wish, waits, writer};
use agon_verdict::status::Standing;
use tokio::time::sleep;

use crate::command::which;
use crate::edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::standing::look;
use crate::{opening, running};

/// How often it is looked whether a wish was answered.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// A wish that is granted.
#[derive(Debug)]
pub(crate) struct Handed {
    /// The debate with it.
    pub(crate) state: State,
    /// Whether the debate runs.
    pub(crate) runs: bool,
    /// The wish.
    pub(crate) item: Item,
}

/// A new note without its secrets.
pub(crate) fn note(text: &str) -> Wish {
    let (text, redacted) = clean(text);
    Wish::Note {
        text: text.trim().to_owned(),
        redacted,
    }
}

/// `text` without secrets and controls, and how many secrets were in it.
pub(crate) fn clean(text: &str) -> (String, u32) {
    let text = agon_record::text::clean(text);
    let text = unescaped(&text);
    let clean = Redactor::new().redact(&text);
    let secrets = u32::try_from(clean.hits.len()).unwrap_or(u32::MAX);
    (clean.text.into_owned(), secrets)
}

/// The name under which a wish is handed in.
pub(crate) fn named(wish: Wish) -> Item {
    let id = edge::new_ulid();
    Item { id, wish }
}

/// Has a wish granted in the debate in `path`, and waits until it is.
///
/// # Errors
///
/// If it makes no sense there, or nobody takes it in time; it then waits for the next writer.
pub(crate) async fn hand_in(path: &Path, wish: Wish, out: &mut Out) -> Result<Handed, Failure> {
    let view = which::read(path)?;
    let item = named(wish);
    accept(&view.state, item.id, &item.wish).map_err(refused)?;
    if !is_written(path)?
        && let Some(handed) = ourselves(path, &item, out)?
    {
        return Ok(handed);
    }
    put_wish(&RealDisk, path, &item).map_err(of_disk)?;
    let since = Instant::now();
    while since.elapsed() < PATIENCE {
        if !waits(&RealDisk, path, item.id).map_err(of_disk)? {
            return answered(path, item);
        }
        // Whoever wrote it ended before the wish was seen.
        if !is_written(path)?
            && let Some(handed) = ourselves(path, &item, out)?
        {
            return Ok(handed);
        }
        sleep(LOOK_EVERY).await;
    }
    Err(Failure::new(
        Exit::Store,
        "unanswered",
        "the process that writes this debate has not taken it in yet",
    )
    .hint("it is kept, and taken in as soon as that process or the next one looks"))
}

/// What became of a wish that the writer took.
fn answered(path: &Path, item: Item) -> Result<Handed, Failure> {
    let state = which::read(path)?.state;
    if state.took(item.id) {
        let runs = true;
        return Ok(Handed { state, runs, item });
    }
    accept(&state, item.id, &item.wish).map_err(refused)?;
    Err(Failure::new(
        Exit::Store,
        "unanswered",
        "the process that writes this debate did not take it",
    )
    .hint("say it again"))
}

/// Whether somebody writes the debate, or is about to.
fn is_written(path: &Path) -> Result<bool, Failure> {
    let writer = writer(&RealDisk, path).map_err(of_disk)?;
    Ok(writer != Writer::Nobody || look(path)?.standing == Standing::Running)
}

/// Records a wish ourselves, after those that wait; none when somebody else writes by now.
fn ourselves(path: &Path, item: &Item, out: &mut Out) -> Result<Option<Handed>, Failure> {
    let mut host = match opening::open(path, out) {
        Err(failure) if failure.code == "locked" => return Ok(None),
        opened => opened?,
    };
    let store = |error: agon_engine::host::FolderError| running::store_failure(&error);
    // What would be refused when a document is written is refused before anything is recorded.
    host.publish().map_err(store)?;
    take_in(&mut host).map_err(store)?;
    match grant(&mut host, item).map_err(store)? {
        agon_engine::steer::Answer::Refused(why) => return Err(refused(why)),
        agon_engine::steer::Answer::Granted(_)
        | agon_engine::steer::Answer::Known
        | agon_engine::steer::Answer::Stop => {}
    }
    host.publish().map_err(store)?;
    Ok(Some(Handed {
        state: host.state().clone(),
        runs: false,
        item: item.clone(),
    }))
}

/// The failure for a wish that makes no sense in a debate.
pub(crate) fn refused(why: Refused) -> Failure {
    let failure = Failure::new(Exit::Usage, why.code, why.message);
    if why.hint.is_empty() {
        failure
    } else {
        failure.hint(why.hint)
    }
}

pub(crate) fn of_disk(error: DiskError) -> Failure {
    Failure::from_error(Exit::Store, "store", &error)
}
