//! A debate as it is watched: on a terminal, or as plain lines.

mod pressed;
mod status;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::sync::Arc;

use agon_app::observer::{AskKey, CommandRefusal, Event, Item, Listener, Observer, State, Wanted};
use agon_report::screen::{self, Line, LiveLines, Style, WIDEST};
use agon_report::text::{cut, plain};
use async_trait::async_trait;
use status::Status;
use tokio::sync::oneshot;

use crate::edge::Surroundings;
use crate::keys::{Keys, Typed};
use crate::output::ansi;

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
    /// Whether the debate is only played again.
    recorded: bool,
    stderr: Box<dyn Write>,
}

/// The screen of a person on a terminal, or of a program that reads stderr.
pub(crate) fn open(edge: &Surroundings, json: bool) -> Box<Screen> {
    let live = edge.terminal && !json;
    Box::new(Screen {
        lines: LiveLines::new(if live { edge.width } else { WIDEST }),
        status: live.then(Status::on_stderr),
        keys: live.then(Keys::open).flatten(),
        note: None,
        recorded: false,
        stderr: Box::new(anstream::stderr()),
    })
}

/// The screen of a debate that is only played again: nothing can be typed into it.
pub(crate) fn replaying(edge: &Surroundings, json: bool) -> Screen {
    let live = edge.terminal && !json;
    Screen {
        lines: LiveLines::new(if live { edge.width } else { WIDEST }),
        status: live.then(Status::on_stderr),
        keys: None,
        note: None,
        recorded: true,
        stderr: Box::new(anstream::stderr()),
    }
}

impl Screen {
    /// Tells what is about to happen: the plan, the seats, the bounds, and what
    /// a debate that goes on has come to so far. `expected` is what it will take, in words.
    pub(crate) fn header(&mut self, state: &State, folder: &str, expected: Option<&str>) {
        let width = self.lines.width();
        let mut lines = screen::header(state, folder, expected, width);
        if self.recorded {
            lines.push(screen::recorded_line(width));
        } else if self.keys.is_some() {
            lines.push(screen::keys_line(state, width));
        } else if self.status.is_some() {
            lines.push(screen::stop_line(state, width));
        }
        lines.push(Line::default());
        lines.extend(self.lines.so_far(state));
        self.print(&lines);
    }

    /// Goes on after a person answered: what was told before is not told again.
    pub(crate) fn goes_on(&mut self, state: &State) {
        drop(self.lines.so_far(state));
    }

    /// Whether a lost turn is tried again, as a person says; without one it is not.
    pub(crate) async fn retry(&mut self) -> bool {
        if self.status.is_none() {
            return false;
        }
        let asked = write!(self.stderr, "Try again? What was said is kept. [y/N] ")
            .and_then(|()| self.stderr.flush());
        asked.is_ok() && self.yes().await
    }

    /// Ends: the keyboard is given back, no line that counts is left, and what follows stands
    /// apart.
    pub(crate) fn end(&mut self) {
        self.note = None;
        self.keys = None;
        if let Some(status) = &mut self.status {
            status.clear();
        }
        self.print(&[Line::default()]);
    }

    fn print(&mut self, lines: &[Line]) {
        let text: String = lines
            .iter()
            .map(|line| format!("{}\n", ansi(line)))
            .collect();
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
            Some(status) => status.beside(write),
            None => write(),
        }
    }
}

#[async_trait(?Send)]
impl Observer for Screen {
    fn calling(&mut self, state: &State, key: AskKey) {
        if let Some(status) = &mut self.status {
            status.calling(state, key);
        }
    }

    fn listener(&self, key: AskKey) -> Option<Arc<dyn Listener>> {
        let words = self.status.as_ref()?.words(key, self.lines.width())?;
        Some(Arc::new(words))
    }

    fn recorded(&mut self, state: &State, events: &[Event]) {
        if let Some(status) = &mut self.status {
            events.iter().for_each(|event| status.recorded(event));
        }
        let lines = self.lines.lines(state, events);
        if !lines.is_empty() {
            self.print(&lines);
        }
    }

    async fn wish(&mut self) -> Item {
        loop {
            let Some(keys) = &mut self.keys else {
                return std::future::pending().await;
            };
            let key = keys.next().await;
            if let Some(command) = self.pressed(key) {
                return command.into_item();
            }
        }
    }

    fn note_refusal(&mut self, _state: &State, why: &CommandRefusal) {
        let text = match why.hint.as_str() {
            "" => why.message.clone(),
            hint => format!("{}; {hint}", why.message),
        };
        let line = Line::default().with(Style::Warn, format!("  {}", plain(&text)));
        let line = line.fitted(self.lines.width());
        self.print(&[line]);
    }

    async fn answer(&mut self, wanted: &Wanted) -> bool {
        if self.status.is_none() {
            return false;
        }
        let Wanted::StopOnAgreement { answer } = wanted;
        let answer = cut(&plain(answer), 60);
        let asked = write!(
            self.stderr,
            "Both sides answer \"{answer}\". Stop here? [y/N] "
        )
        .and_then(|()| self.stderr.flush());
        asked.is_ok() && self.yes().await
    }
}

/// Whether the next line on stdin says yes.
///
/// Read on a thread of its own, which is not joined: a debate that is told
/// to stop does not hang on the line.
async fn yes() -> bool {
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
