//! `agon context --statusline`: one line for the foot of a host's screen.

use super::state::state_style;
use crate::error::{Exit, Failure};
use crate::output::{Out, apply_style};
use crate::surroundings::{Surroundings, read_stdin};

/// The maximum size of the host's JSON, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Reads the host's JSON about its session and prints the status line.
pub(super) fn run(edge: &Surroundings, out: &mut Out) -> Result<Exit, Failure> {
    // Read errors are not checked here: incomplete input fails to parse, and that is reported.
    let said = read_stdin(MAX_BYTES);
    let line = agon_health::status_line(edge, &said)?;
    if edge.vars.get("NO_COLOR").is_none_or(String::is_empty) {
        out.force_colors();
    }
    let dot = apply_style(state_style(line.state), "●");
    out.write_line(&format!("{dot} {}", line.words))?;
    Ok(Exit::Done)
}
