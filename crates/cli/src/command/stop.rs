//! `agon stop`: stops a debate that runs in another process.

use std::time::{Duration, Instant};

use agon_debate::user::Wish;
use agon_store::{Holder, RealDisk, Writer, put_wish, take_back, writer};
use serde_json::json;
use tokio::time::sleep;

use crate::args::{Global, StopArgs};
use crate::command::debate::refuse_depth;
use crate::command::{steer, which};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;

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
    let Writer::Process(holder) = writer(&RealDisk, &path).map_err(of_disk)? else {
        tell(global, slug, false, out)?;
        return Ok(Exit::Done);
    };
    let item = steer::named(Wish::Stop);
    put_wish(&RealDisk, &path, &item).map_err(of_disk)?;
    let since = Instant::now();
    while still(&writer(&RealDisk, &path).map_err(of_disk)?, holder.as_ref()) {
        if since.elapsed() > PATIENCE {
            take_back(&RealDisk, &path, item.id).map_err(of_disk)?;
            return Err(unanswered(holder.as_ref()));
        }
        sleep(steer::LOOK_EVERY).await;
    }
    // One that ended by itself meanwhile has not seen it, and no other is meant.
    take_back(&RealDisk, &path, item.id).map_err(of_disk)?;
    tell(global, slug, true, out)?;
    Ok(Exit::Done)
}

/// Whether the process that was to stop still writes.
fn still(now: &Writer, before: Option<&Holder>) -> bool {
    match now {
        Writer::Nobody => false,
        Writer::Process(now) => now.as_ref() == before,
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

fn tell(global: &Global, slug: &str, ran: bool, out: &mut Out) -> Result<(), Failure> {
    if global.json {
        return out.json(&json!({ "schema": "agon.stopped/1", "debate": slug, "ran": ran }));
    }
    match ran {
        true => out.line(&format!("{slug} has stopped; agon resume {slug} goes on")),
        false => out.line(&format!("{slug} does not run")),
    }
}
