//! `agon wait`: waits until nobody is at a debate any more.

use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use agon_record::spec::FormatName;
use agon_report::text::{clock, counted, plain, rounded};
use agon_rules::plan;
use agon_store::{RealDisk, Writer, journal_bytes, writer};
use agon_verdict::status::Standing;

use crate::args::{Global, WaitArgs};
use crate::command::which;
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::exit;
use crate::output::Out;
use crate::standing::{Seen, look};

/// From one look at the folder to the next.
const STEP: Duration = Duration::from_millis(150);

/// Waits, and says how the debate stands.
pub(crate) fn run(
    edge: &Edge,
    global: &Global,
    args: &WaitArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = which::find(edge, global, args.debate.as_deref())?;
    let until = Instant::now() + Duration::from_secs(args.timeout);
    let mut line = Progress::new(edge.terminal && !global.json);
    let seen = wait(&path, until, |seen| line.show(seen))?;
    line.clear();
    if global.json {
        out.json(&seen.document())?;
    } else {
        out.line(&told(&seen))?;
        if let Some(next) = next(&seen) {
            out.note(&next);
        }
    }
    if args.exit_code && !seen.standing.is_live() {
        return Ok(exit::of(&seen.glance.state).unwrap_or_else(|failure| failure.exit));
    }
    Ok(Exit::Done)
}

/// The debate in `path` once nobody is at it, or a person is waited for, or at `until`.
///
/// What is new is shown to `watch`. The record is read when it has grown, and not otherwise.
///
/// # Errors
///
/// If nothing of it can be read.
pub(crate) fn wait(
    path: &Path,
    until: Instant,
    mut watch: impl FnMut(&Seen),
) -> Result<Seen, Failure> {
    let mut seen = look(path)?;
    let mut asked = 0;
    loop {
        watch(&seen);
        match seen.standing {
            Standing::Running => asked = 0,
            // A program answers for itself at once.
            Standing::WaitingForPerson if asked == 0 => asked = 1,
            Standing::WaitingForPerson | Standing::Stopped | Standing::Done | Standing::Failed => {
                return Ok(seen);
            }
        }
        if !sleep(path, until)? {
            return Ok(seen);
        }
        seen = look(path)?;
    }
}

/// Waits until the folder shows something new, or a second went by; false at `until`.
fn sleep(path: &Path, until: Instant) -> Result<bool, Failure> {
    let mark = || -> Result<(u64, Writer), Failure> {
        let failed = |error| Failure::from_error(Exit::Store, "store", &error);
        let bytes = journal_bytes(&RealDisk, path).map_err(failed)?;
        Ok((bytes, writer(&RealDisk, path).map_err(failed)?))
    };
    let before = mark()?;
    let look_again = Instant::now() + Duration::from_secs(1);
    loop {
        let now = Instant::now();
        if now >= until {
            return Ok(false);
        }
        if now >= look_again || mark()? != before {
            return Ok(true);
        }
        thread::sleep(STEP.min(until - now));
    }
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

    fn show(&mut self, seen: &Seen) {
        let text = told(seen);
        if self.shows && self.last != text {
            self.write(&text);
            self.last = text;
        }
    }

    fn clear(&mut self) {
        if self.shows {
            self.write("");
        }
    }

    /// Nobody could be told that stderr is gone.
    fn write(&self, text: &str) {
        let mut stderr = anstream::stderr();
        drop(write!(stderr, "\r\u{1b}[2K{text}").and_then(|()| stderr.flush()));
    }
}

/// How the debate stands, in one line.
fn told(seen: &Seen) -> String {
    let status = seen.document();
    let state = &seen.glance.state;
    let mut parts = vec![plain(&state.spec.slug), status.state.to_string()];
    match state.spec.format {
        FormatName::Duel if status.round == 0 => {}
        FormatName::Duel => parts.push(format!("round {}", status.round)),
        FormatName::Formal => parts.push(format!("exchange {}", status.round)),
    }
    if !status.speaking.is_empty() {
        let seats: Vec<_> = status.speaking.iter().map(ToString::to_string).collect();
        parts.push(format!("{} speaking", seats.join(", ")));
    }
    parts.push(counted(status.spent.calls, "call"));
    parts.push(clock(state.spent.clock_ms));
    parts.push(format!("{} tokens", rounded(status.spent.tokens)));
    if let Some(reason) = &status.error {
        parts.push(plain(&reason.message));
    }
    parts.join(" · ")
}

/// What to do next.
fn next(seen: &Seen) -> Option<String> {
    let slug = plain(&seen.glance.state.spec.slug);
    match seen.standing {
        Standing::Running => None,
        Standing::WaitingForPerson if !plan::rests_on(&seen.glance.state).is_empty() => Some(
            format!("agon show {slug} says who answers where; agon resume {slug} hands it in"),
        ),
        Standing::WaitingForPerson => Some("answer it on the terminal it runs on".to_owned()),
        Standing::Done => Some(format!("agon show {slug}")),
        Standing::Stopped | Standing::Failed => Some(format!("agon resume {slug} goes on")),
    }
}
