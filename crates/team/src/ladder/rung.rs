//! Decides what to do about a session.

use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ladder::health::{LadderLimits, SessionState};

/// A step of the supervision ladder.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    /// Agon does nothing.
    None,
    /// The lead is notified.
    Notice,
    /// The member is asked once for a sign.
    Nudge,
    /// Its lease is revoked: the task is ready again; its work tree and its change stay.
    Revoke,
    /// Its process group is ended, if Agon started it.
    Terminate,
    /// It is restarted, with a note about its work so far.
    Restart,
    /// The task fails, with its history.
    Fail,
    /// The members choose another lead, or a person is asked.
    ReplaceLead,
}

impl Rung {
    /// Returns the name of the step.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Notice => "notice",
            Self::Nudge => "nudge",
            Self::Revoke => "revoke",
            Self::Terminate => "terminate",
            Self::Restart => "restart",
            Self::Fail => "fail",
            Self::ReplaceLead => "replace_lead",
        }
    }
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The steps taken for a session so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// The last step, and the time since.
    pub last: Option<(Rung, Duration)>,
    /// How often its task was restarted.
    pub restarts: u32,
    /// Whether Agon started its process.
    pub is_ours: bool,
    /// Whether its process may still be running.
    pub may_live: bool,
    /// Whether it leads the team.
    pub is_lead: bool,
}

/// Returns the next step for a session in this state. If a step had an effect, the ladder starts
/// over: the caller then passes a history without a last step.
///
/// Every step is given time before the next one. A process that Agon did not start is never ended:
/// the ladder of such a session stops once its lease is revoked.
pub fn next_rung(state: SessionState, history: &History, limits: &LadderLimits) -> Rung {
    let last = history.last.map_or(Rung::None, |(rung, _)| rung);
    let has_had_time = history
        .last
        .is_none_or(|(_, age)| age >= Duration::from_millis(limits.step_ms));
    match state {
        SessionState::Spawning
        | SessionState::Working
        | SessionState::Waiting
        | SessionState::Idle
        | SessionState::Quiet
        | SessionState::Finished => Rung::None,
        SessionState::Suspect if last == Rung::None => Rung::Notice,
        SessionState::Suspect => Rung::None,
        SessionState::Dead | SessionState::FailedEmpty if last < Rung::Revoke => Rung::Revoke,
        SessionState::Dead | SessionState::FailedEmpty => after_end(last, history, limits),
        SessionState::Stalled if !has_had_time => Rung::None,
        SessionState::Stalled => match last {
            Rung::None => Rung::Notice,
            Rung::Notice => Rung::Nudge,
            Rung::Nudge => Rung::Revoke,
            Rung::Revoke if history.is_ours && history.may_live => Rung::Terminate,
            Rung::Revoke | Rung::Terminate => after_end(last, history, limits),
            Rung::Restart | Rung::Fail | Rung::ReplaceLead => Rung::None,
        },
    }
}

/// Returns the step after the lease was revoked and no process of Agon's is left.
fn after_end(last: Rung, history: &History, limits: &LadderLimits) -> Rung {
    if last > Rung::Terminate {
        Rung::None
    } else if history.is_lead {
        Rung::ReplaceLead
    } else if !history.is_ours {
        Rung::None
    } else if history.restarts < limits.max_restarts {
        Rung::Restart
    } else {
        Rung::Fail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours() -> History {
        History {
            last: None,
            restarts: 0,
            is_ours: true,
            may_live: true,
            is_lead: false,
        }
    }

    /// Returns the steps until nothing more is done, each after its waiting time.
    fn ladder(state: SessionState, history: &History) -> Vec<Rung> {
        let limits = LadderLimits::default();
        let mut history = history.clone();
        let mut steps = Vec::new();
        while steps.len() < 10 {
            let rung = next_rung(state, &history, &limits);
            if rung == Rung::None {
                break;
            }
            steps.push(rung);
            history.last = Some((rung, Duration::from_millis(limits.step_ms)));
        }
        steps
    }

    use Rung::{Fail, Notice, Nudge, ReplaceLead, Restart, Revoke, Terminate};

    #[test]
    fn a_stalled_session_goes_down_the_ladder() {
        let steps = ladder(SessionState::Stalled, &ours());
        assert_eq!(steps, [Notice, Nudge, Revoke, Terminate, Restart]);
        let often = History {
            restarts: 2,
            ..ours()
        };
        let steps = ladder(SessionState::Stalled, &often);
        assert_eq!(steps, [Notice, Nudge, Revoke, Terminate, Fail]);
    }

    #[test]
    fn what_agon_did_not_start_is_never_ended() {
        let foreign = History {
            is_ours: false,
            ..ours()
        };
        assert_eq!(
            ladder(SessionState::Stalled, &foreign),
            [Notice, Nudge, Revoke]
        );
        assert_eq!(ladder(SessionState::Dead, &foreign), [Revoke]);
    }

    #[test]
    fn the_dead_are_not_asked_first() {
        assert_eq!(ladder(SessionState::Dead, &ours()), [Revoke, Restart]);
        assert_eq!(
            ladder(SessionState::FailedEmpty, &ours()),
            [Revoke, Restart]
        );
        let lead = History {
            is_lead: true,
            ..ours()
        };
        assert_eq!(ladder(SessionState::Dead, &lead), [Revoke, ReplaceLead]);
    }

    #[test]
    fn nothing_is_done_about_the_healthy() {
        use SessionState::{Finished, Idle, Quiet, Spawning, Suspect, Waiting, Working};
        for state in [Spawning, Working, Waiting, Idle, Quiet, Finished] {
            assert_eq!(ladder(state, &ours()), [], "{state:?}");
        }
        assert_eq!(ladder(Suspect, &ours()), [Notice]);
    }

    #[test]
    fn every_step_is_given_its_time() {
        let limits = LadderLimits::default();
        let early = Duration::from_millis(limits.step_ms - 1);
        let history = History {
            last: Some((Notice, early)),
            ..ours()
        };
        assert_eq!(
            next_rung(SessionState::Stalled, &history, &limits),
            Rung::None
        );
    }
}
