//! `agon acp`: serves the editor that started it, until it closes the connection.

use crate::args::Global;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};

/// Serves on stdin and stdout; nothing else is written there.
pub(crate) async fn run(edge: &Surroundings, global: &Global) -> Result<Exit, Failure> {
    global.refuse_json("messages of a protocol", "leave --json out")?;
    // The person in the editor is asked before money is spent; until then none watches.
    let caller = agon_caller::Caller {
        is_watched: false,
        ..agon_caller::Caller::clone(edge)
    };
    agon_acp::serve_stdio(caller).await?;
    Ok(Exit::Done)
}
