//! `agon stop`: stops a debate that runs in another process.

use std::path::Path;
use std::time::{Duration, Instant};

use agon_record::user::Wish;
use agon_store::{Holder, RealDisk, Writer, put_wish, take_back, waits, writer};
use agon_verdict::status::Standing;
use serde_json::json;
use tokio::time::sleep;
use ulid::Ulid;

use crate::args::{Global, StopArgs};
use crate::command::debate::refuse_depth;
use crate::command::{steer, which};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::standing::look;

/// Longer than the tools of a debate are given to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs `agon stop`.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &StopArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    refuse_depth(edge)?;
    let path = which::find(edge, global, args.debate.as_deref())?;
    let view = which::read(&path)?;
    let slug = &view.state.spec.slug;
    let of_disk = steer::of_disk;
    if at_work(&path).await? == Writer::Nobody {
        tell(global, slug, Came::DidNotRun, out)?;
        return Ok(Exit::Done);
    }
    let item = steer::named(Wish::Stop);
    put_wish(&RealDisk, &path, &item).map_err(of_disk)?;
    let seen = until_over(&path, item.id).await?;
    // One that ended by itself meanwhile has not seen it, and no other is meant.
    take_back(&RealDisk, &path, item.id).map_err(of_disk)?;
    let came = if seen { Came::Stopped } else { Came::Ended };
    tell(global, slug, came, out)?;
    Ok(Exit::Done)
}

/// Waits until nobody is at the debate in `path`, or only somebody who came after the wish `id`
/// was seen; whether it was.
async fn until_over(path: &Path, id: Ulid) -> Result<bool, Failure> {
    let since = Instant::now();
    let mut holder = None;
    loop {
        let seen = !waits(&RealDisk, path, id).map_err(steer::of_disk)?;
        let now = writer(&RealDisk, path).map_err(steer::of_disk)?;
        let live = now != Writer::Nobody || look(path)?.standing == Standing::Running;
        let now = match now {
            Writer::Process(now) => now,
            Writer::Nobody => None,
        };
        if !live || (seen && now != holder) {
            return Ok(seen);
        }
        if since.elapsed() > PATIENCE {
            take_back(&RealDisk, path, id).map_err(steer::of_disk)?;
            return Err(unanswered(holder.as_ref()));
        }
        // A debate that is handed over has another one by the time the wish is seen.
        if !seen {
            holder = now;
        }
        sleep(steer::LOOK_EVERY).await;
    }
}

/// Who writes the debate in `path`; one that it was handed to is waited for until it does.
async fn at_work(path: &Path) -> Result<Writer, Failure> {
    let since = Instant::now();
    loop {
        let now = writer(&RealDisk, path).map_err(steer::of_disk)?;
        let begins = now == Writer::Nobody && look(path)?.standing == Standing::Running;
        if !begins || since.elapsed() > PATIENCE {
            return Ok(now);
        }
        sleep(steer::LOOK_EVERY).await;
    }
}

fn unanswered(holder: Option<&Holder>) -> Failure {
    let who = holder.map_or_else(String::new, |holder| format!(", process {},", holder.pid));
    let message = format!("the process that writes this debate{who} does not stop");
    let hint = holder.map_or_else(
        || "end it yourself; what was said is kept".to_owned(),
        |holder| format!("kill {} ends it; what was said is kept", holder.pid),
    );
    Failure::new(Exit::Store, "unanswered", message).hint(hint)
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    DidNotRun,
    /// It ended before it was told to stop.
    Ended,
    Stopped,
}

fn tell(global: &Global, slug: &str, came: Came, out: &mut Out) -> Result<(), Failure> {
    if global.json {
        let (ran, stopped) = (came != Came::DidNotRun, came == Came::Stopped);
        return out.json(&json!({
            "schema": "agon.stopped/1", "debate": slug, "ran": ran, "stopped": stopped,
        }));
    }
    match came {
        Came::Stopped => out.line(&format!("{slug} has stopped; agon resume {slug} goes on")),
        Came::Ended => out.line(&format!(
            "{slug} ended by itself meanwhile: agon show {slug}"
        )),
        Came::DidNotRun => out.line(&format!("{slug} does not run")),
    }
}
