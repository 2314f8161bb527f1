//! The screen of a playback, and its keys.

use std::time::Duration;

use agon_debates::steer::observer::State;
use agon_report::screen::{Line, playback_header_lines};
use tokio::task::yield_now;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::{Screen, replay_screen};
use crate::keys::{Key, Keys};
use crate::surroundings::Surroundings;

/// The line shown while the playback is paused.
const PAUSED: &str = "  paused · space continues · enter or → next turn · q quits";

/// The next step of a playback after a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Shows the next turn.
    Turn,
    /// Ends, because the viewer quit.
    Quit,
    /// Ends, because the process was told to stop.
    Stop,
}

/// Returns the screen of a playback, with the keyboard of its terminal.
pub(crate) fn playback_screen(edge: &Surroundings, json: bool) -> Screen {
    let mut screen = replay_screen(edge, json);
    screen.keys = screen.status.is_some().then(Keys::open).flatten();
    screen
}

impl Screen {
    /// Prints the header of a playback, and the viewer's keys.
    pub(crate) fn print_playback_header(&mut self, state: &State, folder: &str) {
        self.update_width();
        let (has_keys, width) = (self.keys.is_some(), self.lines.width());
        let mut lines = playback_header_lines(state, folder, has_keys, width);
        lines.push(Line::default());
        self.print_lines(&lines);
    }

    /// Whether a person watches at a terminal.
    pub(crate) fn is_live(&self) -> bool {
        self.status.is_some()
    }

    /// Returns the number of words printed since the last call.
    pub(crate) fn take_word_count(&mut self) -> usize {
        std::mem::take(&mut self.word_count)
    }

    /// Waits before the next turn of a playback, unless the viewer skips, pauses or quits.
    pub(crate) async fn wait_for_turn(
        &mut self,
        wait: Duration,
        cancel: &CancellationToken,
    ) -> Next {
        let mut left = wait;
        loop {
            let since = Instant::now();
            let is_paused = self.is_paused;
            let key = tokio::select! {
                biased;
                () = cancel.cancelled() => return Next::Stop,
                key = next_key(&mut self.keys) => key,
                // A timer rounds up to a whole millisecond, which adds up over thousands of turns.
                () = yield_now(), if !is_paused && left.is_zero() => return Next::Turn,
                () = sleep_until(since + left), if !is_paused => return Next::Turn,
            };
            if !is_paused {
                left = left.saturating_sub(since.elapsed());
            }
            match key {
                Key::Char(' ') => self.pause(!is_paused),
                Key::Enter | Key::Right => return Next::Turn,
                Key::Char('q' | 'Q') => return Next::Quit,
                _ => {}
            }
        }
    }

    fn pause(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
        if let Some(status) = &mut self.status {
            status.show_typed_line(is_paused.then(|| PAUSED.to_owned()));
        }
    }
}

async fn next_key(keys: &mut Option<Keys>) -> Key {
    match keys {
        Some(keys) => keys.next_key().await,
        None => std::future::pending().await,
    }
}
