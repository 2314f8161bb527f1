//! A debate as it is watched: on a terminal, or as plain lines.

mod played;
mod pressed;
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
pub(crate) use played::{Next, playback_screen};
use status::Status;
use tokio::sync::oneshot;

use crate::edge::{Surroundings, terminal_width};
use crate::keys::{Keys, Typed};
use crate::output::line_to_ansi;

/// Watches a debate and tells it on stderr.
///
/// On a terminal, calls under way have a line each that counts the seconds and
/// goes away; everything else is a line that stays.
pub(crate) struct Screen {
    lines: LiveLines,
    /// The calls under way; none without a terminal.
    status: Option<Status>,
    /// The keyboard of that terminal; none once it is given back.
    keys: Option<Keys>,
    /// The note that is being typed.
    note: Option<Typed>,
    /// Whether another process runs it.
    is_watched: bool,
    /// Whether the playback is paused.
    is_paused: bool,
    /// The words printed since the last [`Screen::take_word_count`].
    word_count: usize,
    /// Whether its lines are as wide as the terminal, whatever becomes of that.
    follows_terminal: bool,
    stderr: Box<dyn Write>,
}

/// The screen of a person on a terminal, or of a program that reads stderr.
pub(crate) fn live_screen(edge: &Surroundings, json: bool) -> Box<Screen> {
    let is_live = edge.terminal && !json;
    Box::new(Screen {
        keys: is_live.then(Keys::open).flatten(),
        ..replay_screen(edge, json)
    })
}

/// The screen of a debate that runs elsewhere or is over: nothing can be typed into it.
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
    /// Tells what is about to happen: the plan, the seats, the bounds, and what
    /// a debate that goes on has come to so far. `expected` is what it will take, in words.
    pub(crate) fn print_header(&mut self, state: &State, folder: &str, expected: Option<&str>) {
        self.take_width();
        let width = self.lines.width();
        let mut lines = screen::header_lines(state, folder, expected, width);
        if self.is_watched {
            lines.push(Line::default().with(Style::Dim, "  watched: ^C leaves it running"));
        } else if self.keys.is_some() {
            lines.extend(screen::keys_lines(state, width));
        } else if self.status.is_some() {
            lines.extend(screen::stop_lines(state, width));
        }
        lines.push(Line::default());
        lines.extend(self.lines.lines_for_ended_turns(state));
        self.print_lines(&lines);
    }

    /// As [`Screen::print_header`], of a debate that another process runs.
    pub(crate) fn print_watched_header(&mut self, state: &State, folder: &str) {
        self.is_watched = true;
        self.print_header(state, folder, None);
    }

    /// Shows a call that has been under way for `since`.
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

    /// Ends: the keyboard is given back, no line that counts is left, and what follows stands
    /// apart.
    pub(crate) fn close(&mut self) {
        self.note = None;
        self.keys = None;
        if let Some(status) = &mut self.status {
            status.clear_lines();
        }
        self.print_lines(&[Line::default()]);
    }

    /// Takes the width that the terminal has now, unless another was asked for.
    fn take_width(&mut self) {
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
        // That stderr is gone cannot be reported.
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

#[async_trait(?Send)]
impl Observer for Screen {
    fn on_call_started(&mut self, state: &State, key: AskKey) {
        self.show_call(state, key, Duration::ZERO);
    }

    fn listener(&self, key: AskKey) -> Option<Arc<dyn Listener>> {
        let words = self
            .status
            .as_ref()?
            .call_words_display(key, terminal_width)?;
        Some(Arc::new(words))
    }

    fn on_events_recorded(&mut self, state: &State, events: &[Event]) {
        if let Some(status) = &mut self.status {
            events
                .iter()
                .for_each(|event| status.remove_ended_call(event));
        }
        self.take_width();
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
            "Both first answers come to \"{answer}\". Stop here? [y/N] "
        )
        .and_then(|()| self.stderr.flush());
        asked.is_ok() && self.ask_yes().await
    }
}

/// Whether the next line on stdin says yes.
///
/// Read on a thread of its own, which is not joined: a debate that is told
/// to stop does not hang on the line.
async fn read_yes_from_stdin() -> bool {
    let (tell, told) = oneshot::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line);
        let yes = matches!(line.trim().to_lowercase().as_str(), "y" | "yes");
        // The receiver is gone when the debate was told to stop.
        tell.send(read.is_ok() && yes).unwrap_or_default();
    });
    told.await.unwrap_or(false)
}
