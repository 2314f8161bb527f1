//! The reminder that a hook gives the model when its context gets worse.
//!
//! It has only Agon's own words and numbers, because a hook's text has more authority with the
//! model than a message.

use std::path::Path;

use agon_caller::{Caller, settings};
use agon_report::text::abbreviate_count;
use agon_sessions::SessionHost;

use super::glance::{Glance, GlanceFile, session_at};
use super::limits::Limits;
use super::state::ContextState;

/// Fewest prompts of the user between two reminders.
const MIN_TURNS: u32 = 10;

/// Returns the reminder for the session with this record, if its token count is amber or red and
/// the last reminder was at least ten prompts ago.
///
/// Returns `None` if the record cannot be read, since the hook runs after every tool call.
pub fn reminder(caller: &Caller, host: &str, record: &Path) -> Option<String> {
    let known = SessionHost::ALL.into_iter();
    let host = known.into_iter().find(|it| it.as_str() == host)?;
    // If the file is locked, another call of the hook is giving the reminder.
    let mut file = GlanceFile::open(caller, record).ok().flatten()?;
    let mut glance = file.read();
    glance.look(&session_at(host, record)).ok()?;
    let line = next_line(caller, &mut glance);
    // If the reminder cannot be recorded, skip it: it would repeat after every tool call.
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
            "write down the rules and decisions that must last, then compact the context",
        ),
        ContextState::Red => (
            limits.severe,
            "continue in a new session, and give it the output of `agon context --handover`",
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
