//! `agon acp`: serves the editor that started it until the editor closes the connection.

use crate::args::Global;
use crate::error::{Exit, Failure};
use crate::surroundings::Surroundings;

/// Serves on stdin and stdout, and writes nothing else there.
pub(crate) async fn run(edge: &Surroundings, global: &Global) -> Result<Exit, Failure> {
    global.refuse_json("a protocol server", "leave out --json")?;
    // Treat the call as unwatched until the person in the editor has confirmed the cost.
    let caller = agon_caller::Caller {
        is_watched: false,
        ..agon_caller::Caller::clone(edge)
    };
    agon_acp::serve_stdio(caller).await?;
    Ok(Exit::Done)
}
