//! Shows the progress of a batch: one line that changes on a terminal, plain lines elsewhere.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use agon_batch::document::BatchDoc;
use agon_batch::results::{BatchResult, ResultStatus};
use agon_batch::run::{Progress, Watcher};
use agon_caller::Notes;
use agon_report::text::{abbreviate_count, format_dollars};
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::Global;
use crate::output::Out;
use crate::surroundings::Surroundings;

/// How often a plain line is printed.
const PLAIN_EVERY: Duration = Duration::from_secs(30);
/// Maximum number of different notes of debates that are printed.
const MAX_NOTES: usize = 10;

/// Prints the progress.
pub(crate) struct Progression<'a> {
    out: &'a mut Out,
    bar: Option<ProgressBar>,
    printed: Option<Instant>,
    notes: BTreeSet<String>,
}

impl<'a> Progression<'a> {
    /// Returns a watcher that prints to stderr.
    pub(crate) fn new(edge: &Surroundings, global: &Global, out: &'a mut Out) -> Self {
        let bar = (edge.terminal && !global.json).then(|| {
            let bar = ProgressBar::new(0);
            if let Ok(style) = ProgressStyle::with_template("{bar:20} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        Self {
            out,
            bar,
            printed: None,
            notes: BTreeSet::new(),
        }
    }

    /// Removes the changing line.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn print(&mut self, print: impl FnOnce(&mut Out)) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print(self.out)),
            None => print(self.out),
        }
    }

    /// Returns whether a note of a debate is new. Most debates of a batch have the same notes.
    fn is_new(&mut self, note: &str) -> bool {
        self.notes.len() < MAX_NOTES && self.notes.insert(note.to_owned())
    }
}

impl Notes for Progression<'_> {
    fn note(&mut self, note: &str) {
        if self.is_new(note) {
            self.print(|out| out.note(note));
        }
    }

    fn warn(&mut self, warning: &str) {
        if self.is_new(warning) {
            self.print(|out| out.warn(warning));
        }
    }
}

impl Watcher for Progression<'_> {
    fn on_progress(&mut self, progress: &Progress) {
        let line = describe(progress);
        if let Some(bar) = &self.bar {
            bar.set_length(progress.requests as u64);
            bar.set_position((progress.done + progress.failed) as u64);
            bar.set_message(line);
            return;
        }
        if self.printed.is_none_or(|at| at.elapsed() >= PLAIN_EVERY) {
            self.printed = Some(Instant::now());
            self.out.eprint_line(&line);
        }
    }

    fn on_result(&mut self, result: &BatchResult) {
        if result.status == ResultStatus::Failed {
            let code = result.error.as_deref().unwrap_or_default();
            let message = result.message.as_deref().unwrap_or_default();
            let line = format!("line {}: {code}: {message}", result.line);
            if self.is_new(&format!("{code}: {message}")) {
                self.print(|out| out.eprint_line(&line));
            }
        }
    }
}

/// Returns a line such as `12 of 100 done · 1 failed · 8 running · 310k tokens · 14 min left`.
fn describe(progress: &Progress) -> String {
    let mut parts = vec![format!("{} of {} done", progress.done, progress.requests)];
    if progress.failed > 0 {
        parts.push(format!("{} failed", progress.failed));
    }
    parts.push(format!("{} running", progress.running));
    parts.push(format!("{} tokens", abbreviate_count(progress.tokens)));
    if progress.cost_usd > 0.0 {
        parts.push(format_dollars(progress.cost_usd));
    }
    if let Some(left) = progress.left_s {
        parts.push(format!("{} left", duration(left)));
    }
    parts.join(" · ")
}

/// Returns a duration such as `45 s`, `12 min` or `3 h 20 min`.
pub(crate) fn duration(seconds: u64) -> String {
    match (seconds / 3_600, seconds % 3_600 / 60) {
        (0, 0) => format!("{seconds} s"),
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

/// Returns a line such as `98 of 100 done · 2 failed · 1.2M tokens · $3.10`.
pub(crate) fn describe_batch(batch: &BatchDoc) -> String {
    let mut parts = vec![format!("{} of {} done", batch.done, batch.requests)];
    if batch.failed > 0 {
        parts.push(format!("{} failed", batch.failed));
    }
    if batch.running {
        parts.push("running".to_owned());
    }
    parts.push(format!("{} tokens", abbreviate_count(batch.tokens)));
    if batch.cost_usd > 0.0 {
        parts.push(format_dollars(batch.cost_usd));
    }
    if let Some(left) = batch.left_s {
        parts.push(format!("{} left", duration(left)));
    }
    parts.join(" · ")
}
