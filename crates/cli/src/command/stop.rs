//! `agon stop`: stops a running debate.

use agon_debates::steer;
use agon_debates::steer::StopDoc;

use crate::args::{Global, StopArgs};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Runs `agon stop`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &StopArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let stopped = steer::stop(edge, args.debate.as_deref(), out).await?;
    if global.json {
        out.write_json(&stopped)?;
        return Ok(Exit::Done);
    }
    let StopDoc {
        debate,
        command_name,
        ..
    } = &stopped;
    out.write_line(&match (stopped.ran, stopped.stopped) {
        (true, true) => format!("{debate} has stopped; continue it: agon resume {command_name}"),
        (true, false) => {
            format!("{debate} ended before it could be stopped: agon show {command_name}")
        }
        (false, _) => format!("{debate} is not running"),
    })?;
    Ok(Exit::Done)
}
