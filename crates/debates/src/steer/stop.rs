//! Stops a debate that runs in another process.

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
use crate::standing::choose::Likely;
use crate::standing::{choose, inspect_debate};

// A tool has 1.5 s after TERM unless its profile says otherwise (`grace_ms`); in the scenarios a
// run with tools that ignore TERM ended within 9.5 s.
/// Longer than the tools of a debate are given to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(60);

/// What came of stopping a debate: `agon.stopped/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StopDoc {
    schema: &'static str,
    /// The debate's name.
    pub debate: String,
    /// What its user types for it.
    #[serde(skip)]
    pub command_name: String,
    /// Whether it ran.
    pub ran: bool,
    /// Whether it stopped for this; else it ended by itself meanwhile.
    pub stopped: bool,
}

/// Stops a debate, and waits until it has stopped.
///
/// # Errors
///
/// If the process that writes it does not stop in time.
pub async fn stop(
    caller: &Caller,
    debate: Option<&str>,
    notes: &mut dyn Notes,
) -> Result<StopDoc, Failure> {
    depth::refuse_nested(caller)?;
    let path = choose::find_or_choose(caller, debate, Likely::Running, notes)?;
    let came = |ran, stopped, debate| StopDoc {
        schema: "agon.stopped/1",
        debate,
        command_name: find::name_to_type(caller, &path),
        ran,
        stopped,
    };
    let slug = find::read(&path)?.state.spec.slug;
    let holder = match wait_for_writer(&path).await? {
        Writer::Nobody => return Ok(came(false, false, slug)),
        Writer::Process(holder) => holder,
    };
    let item = new_item(UserRequest::Stop);
    submit_request(&RealDisk, &path, &item).map_err(disk_failure)?;
    let seen = wait_until_stopped(&path, item.id, holder).await?;
    // One that ended by itself meanwhile has not seen it, and no other is meant.
    withdraw_request(&RealDisk, &path, item.id).map_err(disk_failure)?;
    Ok(came(true, seen, slug))
}

/// Waits until no process is at the debate in `path`, or only another than `holder`, which came after
/// the wish `id` was seen; whether it was.
async fn wait_until_stopped(
    path: &Path,
    id: Ulid,
    mut holder: Option<Holder>,
) -> Result<bool, Failure> {
    let since = Instant::now();
    loop {
        let seen = !is_request_pending(&RealDisk, path, id).map_err(disk_failure)?;
        let now = current_writer(&RealDisk, path).map_err(disk_failure)?;
        let live = now != Writer::Nobody || inspect_debate(path)?.standing == RunState::Running;
        let now = match now {
            Writer::Process(now) => now,
            Writer::Nobody => None,
        };
        if !live || (seen && now != holder) {
            return Ok(seen);
        }
        if since.elapsed() > STOP_TIMEOUT {
            withdraw_request(&RealDisk, path, id).map_err(disk_failure)?;
            return Err(unanswered(holder.as_ref()));
        }
        // A debate that is handed over has another one by the time the wish is seen.
        if !seen {
            holder = now;
        }
        sleep(POLL_INTERVAL).await;
    }
}

/// Who writes the debate in `path`; one that it was handed to is waited for until it does.
async fn wait_for_writer(path: &Path) -> Result<Writer, Failure> {
    let since = Instant::now();
    loop {
        let now = current_writer(&RealDisk, path).map_err(disk_failure)?;
        let begins = now == Writer::Nobody && inspect_debate(path)?.standing == RunState::Running;
        if !begins || since.elapsed() > STOP_TIMEOUT {
            return Ok(now);
        }
        sleep(POLL_INTERVAL).await;
    }
}

fn unanswered(holder: Option<&Holder>) -> Failure {
    let who = holder.map_or_else(String::new, |holder| format!(", process {},", holder.pid));
    let message = format!("the process that writes this debate{who} does not stop");
    let hint = holder.map_or_else(
        || "end it yourself; what was said is kept".to_owned(),
        |holder| format!("kill {} ends it; what was said is kept", holder.pid),
    );
    Failure::new(Code::Unanswered, message).hint(hint)
}
