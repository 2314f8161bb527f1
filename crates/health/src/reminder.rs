//! The line that a hook says to the model of a session whose context gets worse.
//!
//! It is made of our own words and of numbers: a hook's words reach the model with more authority
//! than a message has.

use std::path::Path;

use agon_caller::{Caller, settings};
use agon_report::text::abbreviate_count;
use agon_sessions::SessionHost;

use super::glance::{Glance, GlanceFile, session_at};
use super::limits::Limits;
use super::state::ContextState;

/// The user's prompts from one such line to the next.
const MIN_TURNS: u32 = 10;

/// The line for the session with this record, where its context is amber or red and the last line is
/// at least ten of the user's prompts ago; goes by the tokens alone.
///
/// What cannot be read gets none: nothing hangs on it, and a hook is called after every tool.
pub fn reminder(caller: &Caller, host: &str, record: &Path) -> Option<String> {
    let known = SessionHost::ALL.into_iter();
    let host = known.into_iter().find(|it| it.as_str() == host)?;
    // Another call of the hook is at it: that one says it.
    let mut file = GlanceFile::open(caller, record).ok().flatten()?;
    let mut glance = file.read();
    glance.look(&session_at(host, record)).ok()?;
    let line = next_line(caller, &mut glance);
    // Said without being noted, it would be said again after the next tool.
    file.write(&glance).ok()?;
    line
}

fn next_line(caller: &Caller, glance: &mut Glance) -> Option<String> {
    let fill = glance.fill?;
    let is_soon = |said: u32| glance.turn < said.saturating_add(MIN_TURNS);
    if glance.said_in.is_some_and(is_soon) {
        return None;
    }
    let settings = settings::read_settings(caller).ok()?;
    let limits =
        Limits::new(&settings.limits).find(glance.model.as_deref(), glance.window, glance.max_fill);
    let state = limits.judge(fill);
    let (bound, step) = match state {
        ContextState::Unknown | ContextState::Green => return None,
        ContextState::Amber => (
            limits.onset,
            "write down what must last, then have the context compacted",
        ),
        ContextState::Red => (
            limits.severe,
            "go on in a new session, and give it what `agon context --handover` prints",
        ),
    };
    glance.said_in = Some(glance.turn);
    Some(format!(
        "agon: the context of this session is {}: {} tokens, past {}. Next: {step}. `agon context` shows why.",
        state.as_str(),
        abbreviate_count(fill),
        abbreviate_count(bound)
    ))
}
