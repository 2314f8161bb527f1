//! `agon wait`: waits until nobody is at a debate any more.

use std::io::Write;
use std::time::{Duration, Instant};

use agon_app::standing::{Seen, Standing};
use agon_app::{ending, find, wait};
use agon_record::spec::FormatName;
use agon_report::text::{clock, counted, plain, rounded};
use agon_rules::plan;

use crate::args::{Global, WaitArgs};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;

/// Waits, and says how the debate stands.
pub(crate) fn run(
    edge: &Edge,
    global: &Global,
    args: &WaitArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = find::find(edge, args.debate.as_deref())?;
    let until = Instant::now() + Duration::from_secs(args.timeout);
    let mut line = Progress::new(edge.terminal && !global.json);
    let seen = wait::wait(&path, until, |seen| line.show(seen))?;
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
        return Ok(match ending::is_lesser(&seen.glance.state) {
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
