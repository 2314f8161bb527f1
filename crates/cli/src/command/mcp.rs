//! `agon mcp`: serves the AI tool that started it, until it closes the connection.

use crate::args::Global;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};

/// Serves on stdin and stdout; nothing else is written there.
pub(crate) async fn run(edge: &Surroundings, global: &Global) -> Result<Exit, Failure> {
    global.refuse_json("messages of a protocol", "leave --json out")?;
    // A program reads what it says, even where it was started from a terminal.
    let caller = agon_app::Caller {
        is_watched: false,
        is_hosted: true,
        ..agon_app::Caller::clone(edge)
    };
    agon_mcp::serve_stdio(caller).await?;
    Ok(Exit::Done)
}
