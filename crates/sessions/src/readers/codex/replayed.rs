//! Recognizes the part of a fork's record that was copied from its parent.

use jiff::{SignedDuration, Timestamp};

// The copied lines are written at once. The fork's own first line comes later, because a model
// takes longer to answer.
/// Longest time between two lines of the copy.
const MAX_GAP: SignedDuration = SignedDuration::from_millis(400);

/// The parent's lines at the start of a fork or a forked sub-agent, up to Codex 0.131.
///
/// The parent's description follows the fork's own, then the parent's calls and counts.
#[derive(Debug, Default)]
pub(super) struct ReplayedPart {
    state: State,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    None,
    /// Within the copy, with the time of its last line.
    Within(Option<Timestamp>),
    Over,
}

impl ReplayedPart {
    /// Starts the copy, at the description of another session.
    pub(super) fn begin(&mut self, time: Option<Timestamp>) {
        if matches!(self.state, State::None) {
            self.state = State::Within(time);
        }
    }

    /// Returns whether a line with this time is part of the copy in a fork that began at `began`.
    pub(super) fn covers(&mut self, time: Option<Timestamp>, began: Option<Timestamp>) -> bool {
        let State::Within(last) = &mut self.state else {
            return false;
        };
        // Some copied lines keep the parent's times, which are earlier than the fork.
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
