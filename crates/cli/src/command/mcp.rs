//! `agon mcp`: serves the AI tool that started it, until it closes the connection.

use crate::args::Global;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::telemetry;

/// Serves on stdin and stdout; nothing else is written there. Requests of a team are traced.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    out: &mut Out,
) -> Result<Exit, Failure> {
    global.refuse_json("messages of a protocol", "leave --json out")?;
    // What is wrong with the configuration each call says, and the client is served.
    let traces = telemetry::start(edge, out).ok().flatten();
    // A program reads what it says, even where it was started from a terminal.
    let caller = agon_caller::Caller {
        is_watched: false,
        is_hosted: true,
        ..agon_caller::Caller::clone(edge)
    };
    let served = agon_mcp::serve_stdio(caller).await;
    if let Some(traces) = traces {
        traces.end(out);
    }
    served?;
    Ok(Exit::Done)
}
