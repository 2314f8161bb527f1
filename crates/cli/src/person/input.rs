//! Reads lines that a person types, and prints wrapped text.

use std::io::Write;

use agon_report::text::{mask_hidden_characters, wrap_whole};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::output::Out;

// Longer lines are hard to read.
/// The maximum width of a line.
const MAX_WIDTH: usize = 100;
/// The minimum width of a line, even on a narrow terminal.
const MIN_WIDTH: usize = 20;

/// The input of a person.
pub(super) enum Typed {
    /// A line, without its end.
    Line(String),
    /// The input has ended: Ctrl-D.
    Ended,
    /// Ctrl-C.
    Stopped,
}

/// Reads the next line.
pub(super) async fn read_line(cancel: &CancellationToken) -> Typed {
    let (sender, receiver) = oneshot::channel();
    // The thread is not joined, so that stopping does not wait for a line.
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = std::io::BufRead::read_until(&mut std::io::stdin().lock(), b'\n', &mut bytes);
        let line = matches!(read, Ok(1..)).then(|| String::from_utf8_lossy(&bytes).into_owned());
        sender.send(line).unwrap_or_default();
    });
    tokio::select! {
        line = receiver => match line.unwrap_or_default() {
            Some(line) => Typed::Line(line.trim_end_matches(['\r', '\n']).to_owned()),
            None => Typed::Ended,
        },
        () = cancel.cancelled() => Typed::Stopped,
    }
}

/// Prints a prompt; a failure of stderr cannot be reported.
pub(super) fn print_prompt(text: &str) {
    let mut stderr = anstream::stderr();
    drop(write!(stderr, "{text}").and_then(|()| stderr.flush()));
}

/// Prints `text` word-wrapped, with each line indented by `indent`, without control characters.
pub(super) fn print_wrapped(text: &str, indent: &str, out: &mut Out) {
    let width = textwrap::termwidth().clamp(MIN_WIDTH, MAX_WIDTH);
    for line in text.lines() {
        let line = mask_hidden_characters(line);
        for piece in wrap_whole(&line, width.saturating_sub(indent.len())) {
            out.eprint_line(format!("{indent}{piece}").trim_end());
        }
    }
}
