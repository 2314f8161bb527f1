//! The number of simultaneous calls that an account can take: rises while calls succeed, falls when
//! the provider refuses one. Pure: knows no clock.

// Large enough that one refused call in each search for more room is below 1 % of all calls.
/// The number of answers between two attempts to exceed the last known limit.
const ANSWERS_BEFORE_PROBE: u32 = 128;
// An account with one call at a time whose calls take 10 s then tries a second one after 80 s.
/// The number of answers before an attempt if refusals followed each other at once. They say little
/// about the limit, because the provider refused everything for a time.
const ANSWERS_AFTER_BURST: u32 = 8;

/// The adaptive limit of one account.
///
/// Before the first refusal it grows by one call for each answer. After that, it grows by one call
/// or more for each full window of answers, and stays just below the number at which the last call was
/// refused until [`ANSWERS_BEFORE_PROBE`] answers have come ([`ANSWERS_AFTER_BURST`] after many
/// refusals at once). It then tries one call more, and twice as many more each time, until a call is
/// refused again.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Window {
    size: f64,
    most: f64,
    /// The number of simultaneous calls at which the provider last refused one.
    ceiling: Option<f64>,
    /// Answers since the last refusal or attempt to exceed it.
    answers: u32,
    /// How far the next attempt exceeds the ceiling. A limit that no longer applies is left after a
    /// few attempts.
    probe: f64,
    /// The number of answers before the next attempt.
    patience: u32,
    /// Whether an attempt was made since the last fall.
    has_probed: bool,
    /// Increases with every fall. A refusal counts once for all calls that began before it.
    era: u64,
    /// Answers since the last fall, to tell a refusal that follows at once.
    since_fall: u32,
}

impl Window {
    /// Returns a window that begins with `first` calls and never exceeds `most`.
    pub(super) fn new(first: usize, most: usize) -> Self {
        let most = as_float(most.max(1));
        Self {
            size: as_float(first.max(1)).min(most),
            most,
            ceiling: None,
            answers: 0,
            probe: 1.0,
            patience: ANSWERS_BEFORE_PROBE,
            has_probed: false,
            era: 0,
            since_fall: 0,
        }
    }

    /// Returns the number of simultaneous calls, at least 1.
    pub(super) fn size(&self) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 1 and `most`, which was an integer"
        )]
        let size = self.size as usize;
        size.max(1)
    }

    /// Returns the era, which a call keeps from its start to its end.
    pub(super) fn era(&self) -> u64 {
        self.era
    }

    /// Records an answer. `was_full` says whether all slots were in use, because an idle window must
    /// not grow.
    pub(super) fn on_answer(&mut self, was_full: bool) {
        self.answers = self.answers.saturating_add(1);
        self.since_fall = self.since_fall.saturating_add(1);
        if !was_full {
            return;
        }
        let Some(ceiling) = self.ceiling else {
            self.size = (self.size + 1.0).min(self.most);
            return;
        };
        // The limit grows faster the more room it has: from 180 to a ceiling of 200 in 11 windows.
        let step = ((ceiling - self.size) / 4.0).max(1.0);
        let grown = self.size + step / self.size;
        if grown < ceiling {
            self.size = grown.min(self.most);
        } else if self.answers >= self.patience {
            self.answers = 0;
            self.has_probed = true;
            self.size = (self.size.floor() + self.probe).min(self.most);
            self.ceiling = Some(self.size + 1.0);
            self.probe = (self.probe * 2.0).min(self.most);
        }
    }

    /// Records that the provider refused a call that began in `era` because there were too many,
    /// with `running` calls under way.
    pub(super) fn on_refusal(&mut self, era: u64, running: usize) {
        if era < self.era {
            return;
        }
        let at = as_float(running.max(1)).min(self.size);
        // A refusal soon after a fall means that the limit is still far too high.
        let is_burst = self.since_fall < u32::try_from(self.size()).unwrap_or(u32::MAX)
            && self.era > 0
            && !self.has_probed;
        let factor = if is_burst { 0.7 } else { 0.9 };
        // A refused attempt shows that the limit still applies, so try less often.
        self.patience = match (is_burst, self.has_probed) {
            (true, _) => ANSWERS_AFTER_BURST,
            (false, true) => (self.patience * 4).min(ANSWERS_BEFORE_PROBE),
            (false, false) => self.patience,
        };
        self.ceiling = Some(at);
        self.size = (at * factor).floor().max(1.0);
        self.answers = 0;
        self.probe = 1.0;
        self.has_probed = false;
        self.since_fall = 0;
        self.era += 1;
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "far fewer simultaneous calls than 2^52"
)]
fn as_float(calls: usize) -> f64 {
    calls as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_with_every_answer_until_a_call_is_refused() {
        let mut window = Window::new(4, 64);
        for _ in 0..10 {
            window.on_answer(true);
        }
        assert_eq!(window.size(), 14);
        window.on_refusal(window.era(), 14);
        assert_eq!(window.size(), 12);
        for _ in 0..1_000 {
            window.on_answer(true);
        }
        assert!(window.size() > 14, "it never looks for more room");
    }

    #[test]
    fn it_never_leaves_its_bounds() {
        let mut window = Window::new(4, 6);
        for _ in 0..100 {
            window.on_answer(true);
        }
        assert_eq!(window.size(), 6);
        for _ in 0..100 {
            window.on_refusal(window.era(), 1);
        }
        assert_eq!(window.size(), 1);
        assert_eq!(Window::new(0, 0).size(), 1);
    }

    #[test]
    fn an_idle_window_does_not_grow() {
        let mut window = Window::new(4, 64);
        for _ in 0..100 {
            window.on_answer(false);
        }
        assert_eq!(window.size(), 4);
    }

    fn answers_until(window: &mut Window, size: usize) -> u32 {
        let mut answers = 0;
        while window.size() < size {
            window.on_answer(true);
            answers += 1;
        }
        answers
    }

    #[test]
    fn it_leaves_a_limit_that_no_longer_applies_after_a_few_attempts() {
        let mut window = Window::new(1, 64);
        window.on_refusal(window.era(), 1);
        // Six attempts, from one call to 64; with one more call each, there were 63.
        assert_eq!(answers_until(&mut window, 64), 6 * ANSWERS_BEFORE_PROBE);
    }

    #[test]
    fn it_comes_back_soon_after_refusals_that_followed_each_other_at_once() {
        let mut window = Window::new(64, 64);
        for _ in 0..100 {
            window.on_refusal(window.era(), 1);
        }
        assert_eq!(window.size(), 1);
        let mut again = window.clone();
        // Six attempts, the last ones after a full window of answers.
        assert_eq!(answers_until(&mut window, 64), 83);
        // Where one call is the limit, the attempts become rare.
        let mut answers = 0;
        for _ in 0..3 {
            answers += answers_until(&mut again, 2);
            again.on_refusal(again.era(), 1);
        }
        assert_eq!(answers, ANSWERS_AFTER_BURST * (1 + 4 + 16));
    }

    #[test]
    fn refusals_of_calls_that_ran_together_count_once() {
        let mut window = Window::new(40, 64);
        let era = window.era();
        for _ in 0..40 {
            window.on_refusal(era, 40);
        }
        assert_eq!(window.size(), 36);
    }
}
