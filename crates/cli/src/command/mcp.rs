//! `agon mcp`: serves the AI tool that started it until the tool closes the connection.

use crate::args::Global;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;
use crate::telemetry;

/// Serves on stdin and stdout, writes nothing else there, and traces requests of a team.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    out: &mut Out,
) -> Result<Exit, Failure> {
    global.refuse_json("a protocol server", "leave out --json")?;
    // Start even with an invalid configuration, because each call reports it.
    let traces = telemetry::start(edge, out).ok().flatten();
    // No person sees the cost of a call, even if one started the server from a terminal.
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
