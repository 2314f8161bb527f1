//! `agon wait`: waits until no process is at a debate any more.

use std::io::Write;
use std::time::{Duration, Instant};

use agon_app::choose::{self, Likely};
use agon_app::standing::DebateSight;
use agon_app::{ending, wait};
use agon_report::screen::{answer_lines, next_step_line, status_line};

use crate::args::{Global, WaitArgs};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{Out, line_to_ansi};

/// Waits, and says how the debate stands.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &WaitArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = choose::find_or_choose(edge, args.debate.as_deref(), Likely::Running, out)?;
    let until = Instant::now() + Duration::from_secs(args.timeout);
    let mut line = Progress::new(edge.terminal && !global.json);
    let seen = wait::wait_until_idle(&path, until, |seen| line.show(seen))?;
    line.clear();
    if global.json {
        out.write_json(&seen.document())?;
    } else {
        let state = &seen.glance.state;
        out.write_line(&status_line(state, &seen.document()))?;
        for line in answer_lines(state, edge.width) {
            out.write_line(&line_to_ansi(&line))?;
        }
        if let Some(next) = next_step_line(state, seen.standing) {
            out.eprint_line(&next);
        }
    }
    if args.exit_code && !seen.standing.is_live() {
        return Ok(match ending::has_lesser_verdict(&seen.glance.state) {
            Ok(false) => Exit::Done,
            Ok(true) => Exit::Lesser,
            Err(failure) => failure.kind.into(),
        });
    }
    Ok(Exit::Done)
}

/// One line on a terminal that is written over.
struct Progress {
    shows: bool,
    last: String,
}

impl Progress {
    fn new(shows: bool) -> Self {
        let last = String::new();
        Self { shows, last }
    }

    fn show(&mut self, seen: &DebateSight) {
        let text = status_line(&seen.glance.state, &seen.document());
        if self.shows && self.last != text {
            self.overwrite_line(&text);
            self.last = text;
        }
    }

    fn clear(&mut self) {
        if self.shows {
            self.overwrite_line("");
        }
    }

    /// That stderr is gone cannot be reported.
    fn overwrite_line(&self, text: &str) {
        let mut stderr = anstream::stderr();
        drop(write!(stderr, "\r\u{1b}[2K{text}").and_then(|()| stderr.flush()));
    }
}
