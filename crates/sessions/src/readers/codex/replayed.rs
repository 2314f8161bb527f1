//! The part of a fork's record that was copied from its parent.

use jiff::{SignedDuration, Timestamp};

// The lines of the copy are written in one go, with the time of writing; the first line of an answer
// of the fork's own comes as much later as a model takes.
/// The longest time between two lines of the copy.
const MAX_GAP: SignedDuration = SignedDuration::from_millis(400);

/// Up to Codex 0.131 a fork, and a sub-agent that begins as one, starts with the lines of its parent:
/// the parent's description behind its own, then calls and counts that the parent made.
#[derive(Debug, Default)]
pub(super) struct ReplayedPart {
    state: State,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    None,
    /// The copy goes on; the time of its last line.
    Within(Option<Timestamp>),
    Over,
}

impl ReplayedPart {
    /// The description of another session was met: what follows it is that session's.
    pub(super) fn begin(&mut self, time: Option<Timestamp>) {
        if matches!(self.state, State::None) {
            self.state = State::Within(time);
        }
    }

    /// Whether a line of this time is part of the copy, in a fork that began at `began`.
    pub(super) fn covers(&mut self, time: Option<Timestamp>, began: Option<Timestamp>) -> bool {
        let State::Within(last) = &mut self.state else {
            return false;
        };
        // Some copies keep the times of the parent.
        if time.zip(began).is_some_and(|(time, began)| time < began) {
            *last = began;
            return true;
        }
        let is_later = last
            .zip(time)
            .is_some_and(|(last, time)| time.duration_since(last) > MAX_GAP);
        if is_later {
            self.state = State::Over;
            return false;
        }
        *last = time.or(*last);
        true
    }
}
