//! Shows long output through a pager.

use std::io::IsTerminal;

use agon_debates::read::pager;

use crate::args::Global;
use crate::error::Failure;
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Starts to collect output if a pager is configured and a person reads stdout.
pub(crate) fn begin(edge: &Surroundings, global: &Global, out: &mut Out) {
    let is_read = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    let wanted = is_read && !global.json && !global.no_pager;
    if wanted && pager::find_pager(edge).is_some() {
        out.start_buffering_stdout();
    }
}

/// Shows the collected output, through the pager if it is longer than the terminal.
///
/// # Errors
///
/// Returns an error if it cannot be written.
pub(crate) fn end(edge: &Surroundings, out: &mut Out) -> Result<(), Failure> {
    let Some(text) = out.take_buffered_stdout() else {
        return Ok(());
    };
    let shown = match pager::find_pager(edge) {
        Some(pager) if is_longer_than_screen(&text) => show(edge, &pager, &text),
        Some(_) | None => return out.write_stdout(&text),
    };
    // If the pager fails, print the output directly, so that it is not lost.
    shown.or_else(|why| {
        out.eprint_warning(&format!("{why}; use --no-pager to avoid this"));
        out.write_stdout(&text)
    })
}

fn show(edge: &Surroundings, pager: &str, text: &str) -> Result<(), String> {
    let text = match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => anstream::adapter::strip_str(text).to_string(),
        _ => text.to_owned(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    runtime.block_on(pager::page_text(edge, pager, &text))
}

/// Whether a text has more lines than the terminal. Shorter texts skip the pager, because some
/// pagers do not exit on their own.
fn is_longer_than_screen(text: &str) -> bool {
    let rows = rustix::termios::tcgetwinsize(std::io::stdout()).map(|size| size.ws_row);
    let rows = rows.ok().filter(|rows| *rows > 0).map_or(24, usize::from);
    text.lines().count() >= rows
}
