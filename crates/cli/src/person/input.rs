//! Lines that a person types, and what is shown to them.

use std::io::Write;

use agon_report::text::{mask_hidden_characters, wrap_whole};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::output::Out;

// Longer lines are hard to read.
/// The most columns of a line that is shown.
const MAX_WIDTH: usize = 100;
/// The fewest, on whatever terminal.
const MIN_WIDTH: usize = 20;

/// What a person typed.
pub(super) enum Typed {
    /// A line, without its end.
    Line(String),
    /// The input has ended: Ctrl-D.
    Ended,
    /// They stopped it: Ctrl-C.
    Stopped,
}

/// The next line that is typed.
pub(super) async fn read_line(cancel: &CancellationToken) -> Typed {
    let (tell, told) = oneshot::channel();
    // The thread is not joined: stopping does not wait for a line.
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = std::io::BufRead::read_until(&mut std::io::stdin().lock(), b'\n', &mut bytes);
        let line = matches!(read, Ok(1..)).then(|| String::from_utf8_lossy(&bytes).into_owned());
        tell.send(line).unwrap_or_default();
    });
    tokio::select! {
        line = told => match line.unwrap_or_default() {
            Some(line) => Typed::Line(line.trim_end_matches(['\r', '\n']).to_owned()),
            None => Typed::Ended,
        },
        () = cancel.cancelled() => Typed::Stopped,
    }
}

/// Shows what is asked for before a line. That stderr is gone cannot be reported.
pub(super) fn print_prompt(text: &str) {
    let mut stderr = anstream::stderr();
    drop(write!(stderr, "{text}").and_then(|()| stderr.flush()));
}

/// Shows `text`, each line after `indent` and broken at the borders of words, without what a
/// terminal would obey.
pub(super) fn print_wrapped(text: &str, indent: &str, out: &mut Out) {
    let width = textwrap::termwidth().clamp(MIN_WIDTH, MAX_WIDTH);
    for line in text.lines() {
        let line = mask_hidden_characters(line);
        for piece in wrap_whole(&line, width.saturating_sub(indent.len())) {
            out.eprint_line(format!("{indent}{piece}").trim_end());
        }
    }
}
