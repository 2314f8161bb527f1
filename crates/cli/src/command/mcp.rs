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
    global.refuse_json("messages of a protocol", "leave out --json")?;
    // An invalid configuration does not stop the server, because each call reports it.
    let traces = telemetry::start(edge, out).ok().flatten();
    // A program reads the output, even if a person started the server from a terminal.
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
