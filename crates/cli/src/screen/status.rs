//! The lines of running calls, which count the seconds.

mod output_meter;
mod resize;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use agon_debates::steer::observer::{AskKey, Event, Listener, State};
use agon_report::screen::{call_label, call_purpose, ended_call_key};
use agon_report::text::{display_width, format_duration, plain_line};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use self::output_meter::OutputMeter;
use self::resize::Redraw;

// The spinner `⠋ `, a time such as `12:34`, and two spaces.
/// The width of spinner and time in the line of a call, in columns.
const SPINNER_AND_TIME: usize = 9;

/// Shows the latest words of a tool in the line of its call.
#[derive(Debug)]
pub(super) struct StatusWords {
    bar: ProgressBar,
    heard: Arc<OutputMeter>,
    width: fn() -> usize,
}

impl Listener for StatusWords {
    fn show_words(&self, words: &str) {
        let taken = display_width(&self.bar.prefix()) + SPINNER_AND_TIME + output_meter::COLUMNS;
        let room = (self.width)().saturating_sub(taken);
        self.bar.set_message(text_end_within(words, room));
    }

    fn hear_bytes(&self, bytes: usize) {
        self.heard.add_bytes(bytes);
    }
}

/// Returns the end of `words` that fits into `room` columns.
fn text_end_within(words: &str, room: usize) -> String {
    let words = plain_line(words);
    if display_width(&words) <= room {
        return words;
    }
    let mut from = words.len();
    for (at, _) in words.char_indices().rev() {
        if display_width(&words[at..]) + 1 > room {
            break;
        }
        from = at;
    }
    format!("…{}", words[from..].trim_start())
}

pub(super) struct Status {
    all: MultiProgress,
    calls: BTreeMap<AskKey, Call>,
    /// The line being typed, below the others.
    typed: Option<ProgressBar>,
    /// Redraws the lines every tick and when the terminal is resized.
    redraw: Redraw,
}

/// The line of a call.
#[derive(Clone)]
struct Call {
    bar: ProgressBar,
    heard: Arc<OutputMeter>,
}

impl Status {
    pub(super) fn on_stderr() -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        Self {
            redraw: Redraw::start(all.clone()),
            all,
            calls: BTreeMap::new(),
            typed: None,
        }
    }

    /// Adds the line of a call that has been running for `since`.
    pub(super) fn add_call(&mut self, state: &State, key: AskKey, since: Duration) {
        let heard = Arc::new(OutputMeter::default());
        let bar = ProgressBar::new_spinner()
            .with_style(call_bar_style(&heard))
            .with_elapsed(since)
            .with_prefix(call_label(state, key))
            .with_message(call_purpose(state, key));
        let bar = match &self.typed {
            Some(typed) => self.all.insert_before(typed, bar),
            None => self.all.add(bar),
        };
        bar.tick();
        if let Some(before) = self.calls.insert(key, Call { bar, heard }) {
            before.bar.finish_and_clear();
        }
        self.update_redrawn_calls();
    }

    pub(super) fn remove_ended_call(&mut self, event: &Event) {
        let Some(key) = ended_call_key(event) else {
            return;
        };
        if let Some(call) = self.calls.remove(&key) {
            self.update_redrawn_calls();
            call.bar.finish_and_clear();
        }
    }

    /// Returns the listener that shows the words of the call `key`; `None` if that call is not
    /// running. `width` returns the current width of the terminal.
    pub(super) fn call_words_listener(
        &self,
        key: AskKey,
        width: fn() -> usize,
    ) -> Option<StatusWords> {
        let call = self.calls.get(&key)?;
        call.heard.start();
        Some(StatusWords {
            bar: call.bar.clone(),
            heard: Arc::clone(&call.heard),
            width,
        })
    }

    /// Makes the redraw thread draw exactly the current lines.
    fn update_redrawn_calls(&self) {
        self.redraw.watch(self.calls.values().cloned().collect());
    }

    /// Shows the line being typed; `None` removes it.
    pub(super) fn show_typed_line(&mut self, line: Option<String>) {
        let Some(line) = line else {
            if let Some(typed) = self.typed.take() {
                typed.finish_and_clear();
                self.all.remove(&typed);
            }
            return;
        };
        let all = &self.all;
        let typed = self.typed.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{msg}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
            all.add(ProgressBar::new_spinner().with_style(style))
        });
        typed.set_message(line);
        typed.tick();
    }

    /// Runs `write` while the progress lines are hidden, then draws them again.
    pub(super) fn suspend_while(&self, write: impl FnOnce()) {
        self.all.suspend(write);
    }

    /// Removes all remaining lines.
    pub(super) fn clear_lines(&mut self) {
        let left = std::mem::take(&mut self.calls);
        self.update_redrawn_calls();
        left.values().for_each(|call| call.bar.finish_and_clear());
        self.show_typed_line(None);
    }
}

impl Drop for Status {
    /// Removes the lines, so that an aborted run does not leave a partial line.
    fn drop(&mut self) {
        self.clear_lines();
    }
}

fn call_bar_style(heard: &Arc<OutputMeter>) -> ProgressStyle {
    let style = ProgressStyle::with_template("{spinner:.cyan} {prefix}{took}  {heard}{msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    let heard = Arc::clone(heard);
    style
        .with_key("took", |bar: &ProgressState, out: &mut dyn Write| {
            let ms = u64::try_from(bar.elapsed().as_millis()).unwrap_or(u64::MAX);
            // Ignore errors: the line is soon drawn again.
            write!(out, "{:>4}", format_duration(ms)).unwrap_or_default();
        })
        .with_key("heard", move |_: &ProgressState, out: &mut dyn Write| {
            out.write_str(&heard.describe()).unwrap_or_default();
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_long_words_is_shown_in_as_many_columns_as_there_are() {
        assert_eq!(text_end_within("two words", 9), "two words");
        assert_eq!(text_end_within("two words", 8), "…o words");
        assert_eq!(text_end_within("two words", 6), "…words");
        assert_eq!(text_end_within("日本語", 5), "…本語");
        assert_eq!(text_end_within("日本語", 4), "…語");
        assert_eq!(text_end_within("red \u{1b}[31mred", 20), "red red");
        assert_eq!(text_end_within("two words", 0), "…");
    }
}
