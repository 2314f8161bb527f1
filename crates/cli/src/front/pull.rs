//! How far a pull is: a bar on a terminal, else a line now and then.

use std::cell::Cell;
use std::time::{Duration, Instant};

use agon_app::model::{PullFront, PullProgress, PullStep, PullWatch, megabytes};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio_util::sync::CancellationToken;

use super::Terminal;
use crate::stop;

// A file of 1.1 GB came in 41 s over a fast line: four lines there, six a minute over a slow one.
/// Between two lines where there is no bar.
const PAUSE: Duration = Duration::from_secs(10);

/// Shows how far a pull is, on stderr.
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

    fn say(&self, text: &str) {
        self.last.set(Instant::now());
        if self.terminal {
            self.bar.println(text);
        } else {
            anstream::eprintln!("{text}");
        }
    }
}

impl PullFront for Terminal<'_> {
    fn pull(&mut self) -> (Box<dyn PullProgress>, CancellationToken) {
        let cancel = stop::token();
        (Box::new(Progress::new(self.edge.terminal)), cancel)
    }
}

impl PullProgress for Progress {
    fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl PullWatch for Progress {
    fn step(&self, step: PullStep<'_>) {
        match step {
            PullStep::Waiting => self.say("  another pull of it is under way; waiting for that"),
            PullStep::SetAside { path } => self.say(&format!(
                "  what lay there has another checksum; it is kept as {}",
                path.display()
            )),
            PullStep::From { source, had, whole } => {
                self.bar.set_length(whole);
                self.bar.set_position(had);
                self.bar.reset_eta();
                if had > 0 {
                    self.say(&format!(
                        "  from {source}, going on after {}",
                        megabytes(had)
                    ));
                } else {
                    self.say(&format!("  from {source}"));
                }
            }
            PullStep::Came { done, whole } => {
                self.bar.set_position(done);
                if !self.terminal && self.last.get().elapsed() >= PAUSE {
                    self.say(&format!("  {} of {}", megabytes(done), megabytes(whole)));
                }
            }
            PullStep::Checking => self.say("  comparing its checksum"),
            PullStep::Failed { source, why } => self.say(&format!("  not from {source}: {why}")),
        }
    }
}
