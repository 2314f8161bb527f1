//! `agon watch`: shows a debate that another process runs, then its verdict.

use std::time::Duration;

use agon_debates::status::choose::LikelyDebate;
use agon_debates::status::watch::{EventDoc, Recorded, Watcher};
use agon_debates::status::{choose, watch};
use agon_debates::steer::observer::{AskKey, Event, Observer, State};
use agon_report::screen::{next_step_line, status_line};
use serde::Serialize;

use crate::args::{Global, WatchArgs};
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::screen::{self, Screen};
use crate::surroundings::Surroundings;
use crate::{outcome, stop};

/// Watches a debate until its process ends.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &WatchArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = choose::find_or_choose(edge, args.debate.as_deref(), LikelyDebate::Running, out)?;
    let cancel = stop::signal_cancellation_token();
    let seen = if global.json {
        let mut lines = EventLines { out, failed: None };
        let seen = watch::follow(&path, true, &mut lines, &cancel).await?;
        lines.failed.map_or(Ok(seen), Err)?
    } else {
        let mut shown = ShownLines {
            screen: screen::replay_screen(edge, false),
            folder: edge.display_path(&path),
        };
        let seen = watch::follow(&path, false, &mut shown, &cancel).await?;
        shown.screen.close();
        seen
    };
    let Some(seen) = seen else {
        let message = "stopped watching; the debate continues";
        return Err(Failure::new(Code::Cancelled, message)
            .hint("watch again with `agon watch`, or stop the debate with `agon stop`"));
    };
    let ended = watch::ended(edge, &path, &seen);
    let exit = match args.exit.required().is_met_by(ended.authority) {
        true => Exit::Done,
        false => Exit::Lesser,
    };
    if global.json {
        out.write_json_line(&seen.document())?;
        return Ok(exit);
    }
    if ended.state.closed.is_none() {
        out.write_line(&status_line(&ended.state, &seen.document()))?;
    }
    outcome::print_ended(edge, global, &ended, out)?;
    if ended.state.closed.is_none()
        && let Some(next) = next_step_line(&ended.state, seen.run_state)
    {
        out.eprint_line(&next);
    }
    Ok(exit)
}

/// Shows the debate on the screen, as if it ran here.
struct ShownLines {
    screen: Screen,
    folder: String,
}

impl Watcher for ShownLines {
    fn on_opened(&mut self, state: &State, under_way: &[(AskKey, Duration)]) {
        self.screen.print_watched_header(state, &self.folder);
        for (key, since) in under_way {
            self.screen.show_call(state, *key, *since);
        }
    }

    fn on_line(&mut self, state: &State, line: &[Recorded]) {
        let events: Vec<_> = line.iter().map(|recorded| recorded.event.clone()).collect();
        for event in &events {
            if let Event::Asked(asked) = event {
                self.screen.on_call_started(state, asked.key);
            }
        }
        self.screen.on_events_recorded(state, &events);
    }
}

/// Prints each event as a line of JSON on stdout.
struct EventLines<'a> {
    out: &'a mut Out,
    /// The first line that could not be written.
    failed: Option<Failure>,
}

impl EventLines<'_> {
    fn write(&mut self, document: &impl Serialize) {
        if self.failed.is_none() {
            self.failed = self.out.write_json_line(document).err();
        }
    }
}

impl Watcher for EventLines<'_> {
    fn on_opened(&mut self, _state: &State, _under_way: &[(AskKey, Duration)]) {}

    fn on_line(&mut self, state: &State, line: &[Recorded]) {
        for recorded in line {
            self.write(&EventDoc::new(state, recorded));
        }
    }
}
