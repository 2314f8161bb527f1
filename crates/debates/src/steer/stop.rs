//! Stops a debate that another process runs.

use std::path::Path;
use std::time::{Duration, Instant};

use agon_caller::{Caller, Code, Failure, Notes, depth, find};
use agon_folder::{Writer, current_writer};
use agon_record::user::UserRequest;
use agon_store::inbox::{is_request_pending, submit_request, withdraw_request};
use agon_store::{Holder, RealDisk};
use agon_verdict::status::RunState;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::time::sleep;
use ulid::Ulid;

use super::{POLL_INTERVAL, disk_failure, new_item};
use crate::status::choose::LikelyDebate;
use crate::status::{choose, inspect_debate};

// A tool has 1.5 s after TERM unless its profile sets `grace_ms`. With test tools that ignore TERM,
// a run ended within 9.5 s.
/// How long to wait until the debate has stopped: longer than its tools get to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(60);

/// The result of stopping a debate: `agon.stopped/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StopDoc {
    schema: &'static str,
    /// The debate's name.
    pub debate: String,
    /// The name that its user types for it in commands.
    #[serde(skip)]
    pub command_name: String,
    /// Whether it was running.
    pub ran: bool,
    /// Whether this request stopped it; false if it had just ended.
    pub stopped: bool,
}

/// Stops a debate, and waits until it has stopped.
///
/// # Errors
///
/// If the process that runs it does not stop in time.
pub async fn stop(
    caller: &Caller,
    debate: Option<&str>,
    notes: &mut dyn Notes,
) -> Result<StopDoc, Failure> {
    depth::refuse_nested(caller)?;
    let path = choose::find_or_choose(caller, debate, LikelyDebate::Running, notes)?;
    let document = |ran, stopped, debate| StopDoc {
        schema: "agon.stopped/1",
        debate,
        command_name: find::typeable_debate_name(caller, &path),
        ran,
        stopped,
    };
    let slug = find::read(&path)?.state.spec.slug;
    let holder = match wait_for_writer(&path).await? {
        Writer::Nobody => return Ok(document(false, false, slug)),
        Writer::Process(holder) => holder,
    };
    let item = new_item(UserRequest::Stop);
    submit_request(&RealDisk, &path, &item).map_err(disk_failure)?;
    let seen = wait_until_stopped(&path, item.id, holder).await?;
    // Withdraw a request that no process has seen, because it must not stop the next run.
    withdraw_request(&RealDisk, &path, item.id).map_err(disk_failure)?;
    Ok(document(true, seen, slug))
}

/// Waits until the debate in `path` is not running, or a new process replaced `holder` after the
/// request `id` was seen. Returns whether it was seen.
async fn wait_until_stopped(
    path: &Path,
    id: Ulid,
    mut holder: Option<Holder>,
) -> Result<bool, Failure> {
    let since = Instant::now();
    loop {
        let seen = !is_request_pending(&RealDisk, path, id).map_err(disk_failure)?;
        let now = current_writer(&RealDisk, path).map_err(disk_failure)?;
        let live = now != Writer::Nobody || inspect_debate(path)?.run_state == RunState::Running;
        let now = match now {
            Writer::Process(now) => now,
            Writer::Nobody => None,
        };
        if !live || (seen && now != holder) {
            return Ok(seen);
        }
        if since.elapsed() > STOP_TIMEOUT {
            withdraw_request(&RealDisk, path, id).map_err(disk_failure)?;
            return Err(unanswered_failure(holder.as_ref()));
        }
        // While the debate is being passed to another process, remember the latest holder until the
        // request is seen.
        if !seen {
            holder = now;
        }
        sleep(POLL_INTERVAL).await;
    }
}

/// Returns who writes the debate in `path`. Waits for the new process while the debate is being
/// passed to it.
async fn wait_for_writer(path: &Path) -> Result<Writer, Failure> {
    let since = Instant::now();
    loop {
        let now = current_writer(&RealDisk, path).map_err(disk_failure)?;
        let begins = now == Writer::Nobody && inspect_debate(path)?.run_state == RunState::Running;
        if !begins || since.elapsed() > STOP_TIMEOUT {
            return Ok(now);
        }
        sleep(POLL_INTERVAL).await;
    }
}

fn unanswered_failure(holder: Option<&Holder>) -> Failure {
    let who = holder.map_or_else(String::new, |holder| format!(", process {},", holder.pid));
    let message = format!("the process that runs this debate{who} does not stop");
    let hint = holder.map_or_else(
        || "end the process yourself; nothing is lost".to_owned(),
        |holder| format!("run kill {} to end it; nothing is lost", holder.pid),
    );
    Failure::new(Code::Unanswered, message).hint(hint)
}
