//! Steers a debate: passes a user's request to the process that writes it, or applies it here.

mod decide;
pub mod observer;
pub mod ops;
mod order;
mod output_ends;
mod say;
mod stop;

use std::path::Path;
use std::time::{Duration, Instant};

use agon_caller::{Code, Failure, Notes, find, system};
use agon_engine::host::Host;
use agon_engine::steer::{grant_request, grant_submitted_requests};
use agon_folder::{Writer, current_writer};
use agon_record::state::State;
use agon_record::user::{Item, UserRequest};
use agon_redact::{Redactor, unescape_printable};
use agon_rules::steer::accept_request;
use agon_store::inbox::{is_request_pending, submit_request};
use agon_store::{DiskError, RealDisk};
use agon_verdict::status::RunState;
use tokio::time::sleep;

pub use self::decide::{DecideDoc, Decider, decide};
pub use self::order::{OrderDoc, order_judgment};
pub use self::say::{RunCommand, RunSaid, SaidDoc, SayInput, run_command, say};
pub use self::stop::{StopDoc, stop};
use crate::failure::{request_refusal, store_failure};
use crate::status::{inspect_debate, open};

// A quarter of the writer's own interval of 200 ms (`LOOK_EVERY` in `engine/src/run.rs`), so that
// this adds little delay.
/// How often to check whether a request was answered.
pub const POLL_INTERVAL: Duration = Duration::from_millis(50);
// The writer checks a hundred times in this time (`LOOK_EVERY` in `engine/src/run.rs`). If it has
// not answered by then, it is suspended or its disk hangs.
/// How long to wait for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// A request that was granted.
#[derive(Debug)]
pub struct Submitted {
    /// The debate, including the request.
    pub state: State,
    /// Whether the debate is running.
    pub runs: bool,
    /// The request.
    pub item: Item,
}

/// Returns a new note without its secrets.
pub fn note(text: &str) -> UserRequest {
    let (text, redacted) = clean_note(text);
    UserRequest::Note { text, redacted }
}

/// Returns the text of a new note without secrets, and the number of secrets.
pub(crate) fn clean_note(text: &str) -> (String, u32) {
    let (text, redacted) = clean_and_redact(text);
    (text.trim().to_owned(), redacted)
}

/// Returns `text` without secrets and control characters, and the number of secrets.
pub fn clean_and_redact(text: &str) -> (String, u32) {
    let text = agon_record::text::strip_control_characters(text);
    let text = unescape_printable(&text);
    let clean = Redactor::new().redact(&text);
    let secrets = u32::try_from(clean.hits.len()).unwrap_or(u32::MAX);
    (clean.text.into_owned(), secrets)
}

/// Returns a request with a new id.
pub fn new_item(wish: UserRequest) -> Item {
    let id = system::new_ulid();
    Item { id, wish }
}

/// Submits a request to the debate in `path`, and waits until it is granted.
///
/// # Errors
///
/// If it does not apply there, or the writer does not take it in time; it then waits for the next
/// writer.
pub async fn submit(
    path: &Path,
    wish: UserRequest,
    notes: &mut dyn Notes,
) -> Result<Submitted, Failure> {
    let view = find::read(path)?;
    let item = new_item(wish);
    accept_request(&view.state, item.id, &item.wish).map_err(request_refusal)?;
    if !is_being_written(path)?
        && let Some(submitted) = grant_directly(path, &item, notes)?
    {
        return Ok(submitted);
    }
    submit_request(&RealDisk, path, &item).map_err(disk_failure)?;
    let since = Instant::now();
    while since.elapsed() < ANSWER_TIMEOUT {
        if !is_request_pending(&RealDisk, path, item.id).map_err(disk_failure)? {
            return confirm_submitted(path, item);
        }
        // If the writing process ended before it saw the request, apply the request here.
        if !is_being_written(path)?
            && let Some(submitted) = grant_directly(path, &item, notes)?
        {
            return Ok(submitted);
        }
        sleep(POLL_INTERVAL).await;
    }
    Err(Failure::new(
        Code::Unanswered,
        "the running debate has not picked up the request yet",
    )
    .hint("the request is saved; this process or the next one will pick it up"))
}

/// Checks what the writer did with a request.
fn confirm_submitted(path: &Path, item: Item) -> Result<Submitted, Failure> {
    let state = find::read(path)?.state;
    if state.has_processed_item(item.id) {
        let runs = true;
        return Ok(Submitted { state, runs, item });
    }
    accept_request(&state, item.id, &item.wish).map_err(request_refusal)?;
    Err(
        Failure::new(Code::Unanswered, "the running debate ignored the request")
            .hint("send it again"),
    )
}

/// Returns whether a process writes the debate, or is about to.
pub(crate) fn is_being_written(path: &Path) -> Result<bool, Failure> {
    let writer = current_writer(&RealDisk, path).map_err(disk_failure)?;
    Ok(writer != Writer::Nobody || inspect_debate(path)?.run_state == RunState::Running)
}

/// Records a request in this process, after those that are waiting. Returns `None` if another
/// process holds the lock.
fn grant_directly(
    path: &Path,
    item: &Item,
    notes: &mut dyn Notes,
) -> Result<Option<Submitted>, Failure> {
    let mut host = match open::open_for_writing(path, notes) {
        Err(failure) if failure.code == Code::Locked => return Ok(None),
        opened => opened?,
    };
    let store = |error: agon_engine::host::FolderError| store_failure(&error);
    // Write the documents first, so that a failure leaves nothing recorded.
    host.publish_documents().map_err(store)?;
    grant_submitted_requests(&mut host).map_err(store)?;
    let answer = grant_request(&mut host, item).map_err(store)?;
    if let agon_engine::steer::RequestAnswer::Refused(why) = answer {
        return Err(request_refusal(why));
    }
    host.publish_documents().map_err(store)?;
    Ok(Some(Submitted {
        state: host.state().clone(),
        runs: false,
        item: item.clone(),
    }))
}

pub(crate) fn disk_failure(error: DiskError) -> Failure {
    Failure::from_error(Code::Store, &error)
}
