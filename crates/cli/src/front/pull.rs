//! The progress of a download: a bar on a terminal, otherwise a line every 10 seconds.

use std::cell::Cell;
use std::time::{Duration, Instant};

use agon_seats::model::{PullFront, PullProgress, PullStep, PullWatch, format_bytes};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio_util::sync::CancellationToken;

use super::Terminal;
use crate::stop;

// A file of 1.1 GB took 41 s over a fast connection, so its download prints four lines.
/// The time between two lines of progress without a bar.
const PAUSE: Duration = Duration::from_secs(10);

/// Shows the progress of a download on stderr.
struct Progress {
    bar: ProgressBar,
    terminal: bool,
    /// When the last line was written.
    last: Cell<Instant>,
}

impl Progress {
    fn new(terminal: bool) -> Self {
        let target = if terminal {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template(
            "  {bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta}",
        );
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Self {
            bar,
            terminal,
            last: Cell::new(Instant::now()),
        }
    }

    fn print_above_bar(&self, text: &str) {
        self.last.set(Instant::now());
        if self.terminal {
            self.bar.println(text);
        } else {
            anstream::eprintln!("{text}");
        }
    }
}

impl PullFront for Terminal<'_> {
    fn begin_pull(&mut self) -> (Box<dyn PullProgress>, CancellationToken) {
        let cancel = stop::signal_cancellation_token();
        (Box::new(Progress::new(self.edge.terminal)), cancel)
    }
}

impl PullProgress for Progress {
    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl PullWatch for Progress {
    fn on_step(&self, step: PullStep<'_>) {
        match step {
            PullStep::Waiting => {
                self.print_above_bar("  waiting for another download of this model")
            }
            PullStep::SetAside { path } => self.print_above_bar(&format!(
                "  the file there has another checksum; moved to {}",
                path.display()
            )),
            PullStep::From { source, had, whole } => {
                self.bar.set_length(whole);
                self.bar.set_position(had);
                self.bar.reset_eta();
                if had > 0 {
                    self.print_above_bar(&format!(
                        "  from {source}, continuing after {}",
                        format_bytes(had)
                    ));
                } else {
                    self.print_above_bar(&format!("  from {source}"));
                }
            }
            PullStep::Came { done, whole } => {
                self.bar.set_position(done);
                if !self.terminal && self.last.get().elapsed() >= PAUSE {
                    self.print_above_bar(&format!(
                        "  {} of {}",
                        format_bytes(done),
                        format_bytes(whole)
                    ));
                }
            }
            PullStep::Checking => self.print_above_bar("  verifying the checksum"),
            PullStep::Failed { source, why } => {
                self.print_above_bar(&format!("  {source} failed: {why}"))
            }
        }
    }
}
