//! `agon wait`: waits until a background debate ends.

use std::io::Write;
use std::time::{Duration, Instant};

use agon_debates::status::choose::LikelyDebate;
use agon_debates::status::ending::RequiredAuthority;
use agon_debates::status::{DebateSight, choose, ending, wait};
use agon_report::screen::{answer_lines, next_step_line, status_line};
use agon_report::text::{format_duration, truncate_to_width};

use crate::args::{Global, WaitArgs};
use crate::error::{Exit, Failure};
use crate::output::{Out, line_to_ansi};
use crate::surroundings::Surroundings;

/// Waits for the debate, and prints its state.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &WaitArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = choose::find_or_choose(edge, args.debate.as_deref(), LikelyDebate::Running, out)?;
    let until = Instant::now() + Duration::from_secs(args.timeout);
    let mut line = Progress::new(edge.terminal && !global.json, edge.live_width);
    let seen = wait::wait_until_idle(&path, until, |seen| line.show(seen))?;
    let seen = seen.with_name_for(edge, &path);
    line.clear();
    if global.json {
        out.write_json(&seen.document())?;
    } else {
        let state = &seen.glance.state;
        out.write_line(&status_line(state, &seen.document()))?;
        for line in answer_lines(state, edge.width) {
            out.write_line(&line_to_ansi(&line))?;
        }
        if let Some(next) = next_step_line(state, seen.run_state) {
            out.eprint_line(&next);
        }
    }
    let required = args.exit.required();
    if required == RequiredAuthority::Judged || seen.run_state.is_live() {
        return Ok(Exit::Done);
    }
    Ok(match ending::verdict_authority(&seen.glance.state) {
        Ok(authority) if required.is_met_by(authority) => Exit::Done,
        Ok(_) => Exit::Lesser,
        Err(failure) => failure.kind.into(),
    })
}

/// A progress line on a terminal, overwritten once a second.
struct Progress {
    shows: bool,
    width: usize,
    since: Instant,
    looks: usize,
}

/// The frames of the spinner.
const SPINNER: [char; 4] = ['⠋', '⠙', '⠸', '⠴'];

impl Progress {
    fn new(shows: bool, width: usize) -> Self {
        Self {
            shows,
            width,
            since: Instant::now(),
            looks: 0,
        }
    }

    fn show(&mut self, seen: &DebateSight) {
        if !self.shows {
            return;
        }
        let status = status_line(&seen.glance.state, &seen.document());
        let waited = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let sign = SPINNER[self.looks % SPINNER.len()];
        self.looks += 1;
        let text = format!("{sign} {} {status}", format_duration(waited));
        // Truncate the line, because a wrapped line could not be overwritten.
        self.overwrite_line(&truncate_to_width(&text, self.width.saturating_sub(1)));
    }

    fn clear(&mut self) {
        if self.shows {
            self.overwrite_line("");
        }
    }

    /// Overwrites the line; a failure of stderr cannot be reported.
    fn overwrite_line(&self, text: &str) {
        // Not through anstream, which strips cursor movements if colors are off.
        let mut stderr = std::io::stderr();
        drop(write!(stderr, "\r\u{1b}[2K{text}").and_then(|()| stderr.flush()));
    }
}
