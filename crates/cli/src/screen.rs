//! Shows a running debate, on a terminal or as plain lines.

mod key_commands;
mod playback;
mod status;

#[cfg(test)]
mod tests;

use agon_caller::Hint;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use agon_debates::steer::observer::{
    AskKey, CommandRefusal, Event, Item, Listener, Observer, PersonQuestion, State,
};
use agon_report::screen::{self, Line, LiveLines, Style};
use agon_report::text::{plain_line, truncate_to_width};
use async_trait::async_trait;
pub(crate) use playback::{Next, playback_screen};
use status::Status;
use tokio::sync::oneshot;

use crate::keys::{Keys, Typed};
use crate::output::line_to_ansi;
use crate::surroundings::{Surroundings, terminal_width};

/// Shows a debate on stderr.
///
/// On a terminal, each running call has a temporary line that counts the seconds; all other lines
/// stay.
pub(crate) struct Screen {
    lines: LiveLines,
    /// The lines of running calls; `None` without a terminal.
    status: Option<Status>,
    /// The keyboard of the terminal; `None` after it is released.
    keys: Option<Keys>,
    /// The note that the person is typing.
    note: Option<Typed>,
    /// Whether another process runs the debate.
    is_watched: bool,
    /// Whether the playback is paused.
    is_paused: bool,
    /// The number of words printed since the last [`Screen::take_word_count`].
    word_count: usize,
    /// Whether the width of lines follows the terminal when its size changes.
    follows_terminal: bool,
    stderr: Box<dyn Write + Send>,
}

/// Returns the screen of a person at a terminal, or of a program that reads stderr.
pub(crate) fn live_screen(edge: &Surroundings, json: bool) -> Box<Screen> {
    let is_live = edge.terminal && !json;
    Box::new(Screen {
        keys: is_live.then(Keys::open).flatten(),
        ..replay_screen(edge, json)
    })
}

/// Returns a screen without a keyboard, for a debate that runs elsewhere or has ended.
pub(crate) fn replay_screen(edge: &Surroundings, json: bool) -> Screen {
    let live = edge.terminal && !json;
    Screen {
        lines: LiveLines::new(edge.live_width, edge.live_detail),
        status: live.then(Status::on_stderr),
        keys: None,
        note: None,
        is_watched: false,
        is_paused: false,
        word_count: 0,
        follows_terminal: edge.follows_terminal,
        stderr: Box::new(anstream::stderr()),
    }
}

impl Screen {
    /// Prints the header: the plan, the seats, the limits, and the turns so far of a resumed
    /// debate. `expected` describes the expected cost.
    pub(crate) fn print_header(&mut self, state: &State, folder: &str, expected: Option<&str>) {
        self.update_width();
        let width = self.lines.width();
        let mut lines = screen::header_lines(state, folder, expected, width);
        if self.is_watched {
            lines.push(
                Line::default().with(Style::Dim, "  watching; ^C stops watching, not the debate"),
            );
        } else if self.keys.is_some() {
            lines.extend(screen::key_help_lines(state, width));
        } else if self.status.is_some() {
            lines.extend(screen::stop_help_lines(state, width));
        }
        lines.push(Line::default());
        lines.extend(self.lines.lines_for_ended_turns(state));
        self.print_lines(&lines);
    }

    /// Like [`Screen::print_header`], for a debate that another process runs.
    pub(crate) fn print_watched_header(&mut self, state: &State, folder: &str) {
        self.is_watched = true;
        self.print_header(state, folder, None);
    }

    /// Shows a call that has been running for `since`.
    pub(crate) fn show_call(&mut self, state: &State, key: AskKey, since: Duration) {
        if let Some(status) = &mut self.status {
            status.add_call(state, key, since);
        }
    }

    /// Marks everything in `state` as already printed, so that a resumed debate does not print it
    /// twice.
    pub(crate) fn mark_state_printed(&mut self, state: &State) {
        drop(self.lines.lines_for_ended_turns(state));
    }

    /// Closes the screen: releases the keyboard, clears the lines of calls, and prints an empty
    /// line.
    pub(crate) fn close(&mut self) {
        self.note = None;
        self.keys = None;
        if let Some(status) = &mut self.status {
            status.clear_lines();
        }
        self.print_lines(&[Line::default()]);
    }

    /// Updates the width of lines to the terminal's, unless the user chose a width.
    fn update_width(&mut self) {
        if self.follows_terminal && self.status.is_some() {
            self.lines.set_width(terminal_width().min(screen::WIDEST));
        }
    }

    fn print_lines(&mut self, lines: &[Line]) {
        let text: String = lines
            .iter()
            .map(|line| format!("{}\n", line_to_ansi(line)))
            .collect();
        let words = lines.iter().flat_map(|line| &line.spans);
        self.word_count += words
            .map(|span| span.text.split_whitespace().count())
            .sum::<usize>();
        let stderr = &mut self.stderr;
        // Ignore errors: Agon would have to report them on stderr too.
        let mut write = || {
            drop(
                stderr
                    .write_all(text.as_bytes())
                    .and_then(|()| stderr.flush()),
            )
        };
        match &self.status {
            Some(status) => status.suspend_while(write),
            None => write(),
        }
    }
}

#[async_trait]
impl Observer for Screen {
    fn on_call_started(&mut self, state: &State, key: AskKey) {
        self.show_call(state, key, Duration::ZERO);
    }

    fn listener(&self, key: AskKey) -> Option<Arc<dyn Listener>> {
        let words = self
            .status
            .as_ref()?
            .call_words_listener(key, terminal_width)?;
        Some(Arc::new(words))
    }

    fn on_events_recorded(&mut self, state: &State, events: &[Event]) {
        if let Some(status) = &mut self.status {
            events
                .iter()
                .for_each(|event| status.remove_ended_call(event));
        }
        self.update_width();
        let lines = self.lines.lines_for_events(state, events);
        if !lines.is_empty() {
            self.print_lines(&lines);
        }
    }

    async fn next_request(&mut self) -> Item {
        loop {
            let Some(keys) = &mut self.keys else {
                return std::future::pending().await;
            };
            let key = keys.next_key().await;
            if let Some(command) = self.handle_key(key) {
                return command.into_item();
            }
        }
    }

    fn on_request_refused(&mut self, _state: &State, why: &CommandRefusal) {
        let text = Hint::new(&why.message).then(why.hint.clone()).typed();
        let line = Line::default().with(Style::Warn, format!("  {}", plain_line(&text)));
        self.print_lines(&line.wrap_to_width(4, self.lines.width()));
    }

    async fn answer_yes_or_no(&mut self, wanted: &PersonQuestion) -> bool {
        if self.status.is_none() {
            return false;
        }
        let PersonQuestion::StopOnAgreement { answer } = wanted;
        let answer = truncate_to_width(&plain_line(answer), 60);
        let asked = write!(
            self.stderr,
            "Both first answers agree: \"{answer}\". Stop here? [y/N] "
        )
        .and_then(|()| self.stderr.flush());
        asked.is_ok() && self.ask_yes().await
    }
}

/// Reads a line from stdin, and returns whether it says yes.
///
/// Reads on a separate thread that is not joined, so that a debate can stop without waiting for
/// the line.
async fn read_yes_from_stdin() -> bool {
    let (sender, receiver) = oneshot::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line);
        let yes = matches!(line.trim().to_lowercase().as_str(), "y" | "yes");
        // Ignore the error: it means that the debate was stopped and no longer needs the answer.
        sender.send(read.is_ok() && yes).unwrap_or_default();
    });
    receiver.await.unwrap_or(false)
}
