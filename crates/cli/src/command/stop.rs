//! `agon stop`: stops a debate that runs in another process.

use agon_debates::steer;
use agon_debates::steer::StopDoc;

use crate::args::{Global, StopArgs};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::Out;

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
        (true, true) => format!("{debate} has stopped; agon resume {command_name} goes on"),
        (true, false) => format!("{debate} ended by itself meanwhile: agon show {command_name}"),
        (false, _) => format!("{debate} is not running"),
    })?;
    Ok(Exit::Done)
}
