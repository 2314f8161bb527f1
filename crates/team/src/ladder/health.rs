//! Judges the state of a session from its signals.

use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// It is starting, and its deadline for that has not passed.
    Spawning,
    /// It gave a signal recently, or a tool call is running.
    Working,
    /// It declared that it is waiting.
    Waiting,
    /// It has no task, so it may be silent for any time.
    Idle,
    /// It gave no signal for a while.
    Quiet,
    /// It gave no signal for long, from at least two sources.
    Suspect,
    /// It repeats itself, has been suspect for too long, or never started.
    Stalled,
    /// Its process is gone without having ended properly.
    Dead,
    /// It ended with a result.
    Finished,
    /// It ended without a result.
    FailedEmpty,
}

impl SessionState {
    /// Returns the name of the state.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Spawning => "spawning",
            Self::Working => "working",
            Self::Waiting => "waiting",
            Self::Idle => "idle",
            Self::Quiet => "quiet",
            Self::Suspect => "suspect",
            Self::Stalled => "stalled",
            Self::Dead => "dead",
            Self::Finished => "finished",
            Self::FailedEmpty => "failed_empty",
        }
    }
}

impl fmt::Display for SessionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The limits of supervision. All of them are settings; times are in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LadderLimits {
    /// How long a start may take.
    pub spawn_ms: u64,
    /// The silence after which a session is quiet.
    pub quiet_ms: u64,
    /// The silence after which it is suspect.
    pub suspect_ms: u64,
    /// The silence after which it is stalled.
    pub stalled_ms: u64,
    /// How long one tool call counts as a signal.
    pub tool_ms: u64,
    /// The number of identical tool calls in a row that count as a loop.
    pub max_repeats: u32,
    /// The number of turns without an edit or a change to the board that count as a loop.
    pub max_idle_turns: u32,
    /// How long each step of the ladder is given to take effect.
    pub step_ms: u64,
    /// The most times a session is restarted.
    pub max_restarts: u32,
}

impl Default for LadderLimits {
    // Only the first limit is measured: AI tools took up to 40 s to start. The others are chosen.
    fn default() -> Self {
        const MINUTE: u64 = 60_000;
        Self {
            spawn_ms: 2 * MINUTE,
            quiet_ms: 3 * MINUTE,
            suspect_ms: 8 * MINUTE,
            stalled_ms: 12 * MINUTE,
            tool_ms: 30 * MINUTE,
            max_repeats: 5,
            max_idle_turns: 30,
            step_ms: 2 * MINUTE,
            max_restarts: 2,
        }
    }
}

/// The known state of a session's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProcessSignal {
    /// The process with the recorded id and start time is running.
    Alive,
    /// It is gone, or its id belongs to another process now.
    Gone,
    /// Its host does not report a process.
    Unknown,
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionEnd {
    /// Whether it submitted, sent or changed anything.
    pub has_evidence: bool,
}

/// The signals of a session, as times since each was last seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signals {
    /// Its process.
    pub process: ProcessSignal,
    /// The event stream of its host.
    pub host_event: Option<Duration>,
    /// Its calls to the team.
    pub team_call: Option<Duration>,
    /// Changes in its work tree.
    pub edit: Option<Duration>,
    /// Renewals of its lease.
    pub renewal: Option<Duration>,
    /// How long the current tool call has been running, if there is one.
    pub open_tool: Option<Duration>,
    /// The time since it was started.
    pub since_spawn: Duration,
    /// Whether it ever gave a sign of life.
    pub has_started: bool,
    /// Whether it has a task.
    pub has_task: bool,
    /// Whether it declared that it is waiting, and the deadline for that has not passed.
    pub declared_wait: bool,
    /// How many of its last calls were identical.
    pub repeats: u32,
    /// The number of turns since it last edited or changed the board.
    pub idle_turns: u32,
    /// How it ended.
    pub ending: Option<SessionEnd>,
}

/// The state of a session and the signals behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// The state.
    pub state: SessionState,
    /// The signals behind the state, in words.
    pub evidence: Vec<String>,
}

/// Judges the state of a session from its signals.
///
/// An ending counts first, so that a session that ended before it was ever checked is judged
/// correctly. A session whose process is gone is dead, whatever it reported before. A declared wait
/// or a running tool call is not silence. One silent source proves nothing: `Suspect` needs two.
pub fn assess(signals: &Signals, limits: &LadderLimits) -> Health {
    let health = |state, evidence: Vec<String>| Health { state, evidence };
    let one = |state, evidence: &str| health(state, vec![evidence.to_owned()]);
    if let Some(ending) = signals.ending {
        return if ending.has_evidence {
            one(SessionState::Finished, "it ended with a result")
        } else {
            one(SessionState::FailedEmpty, "it ended without a result")
        };
    }
    if signals.process == ProcessSignal::Gone {
        return one(SessionState::Dead, "its process is gone");
    }
    if !signals.has_started {
        let since = signals.since_spawn;
        return if is_under(since, limits.spawn_ms) {
            one(
                SessionState::Spawning,
                "it was started and has given no sign yet",
            )
        } else {
            let evidence = format!("no sign since it was started {} s ago", since.as_secs());
            health(SessionState::Stalled, vec![evidence])
        };
    }
    if signals.declared_wait {
        return one(SessionState::Waiting, "it declared that it is waiting");
    }
    if !signals.has_task {
        return one(SessionState::Idle, "it has no task");
    }
    if signals.repeats >= limits.max_repeats {
        let evidence = format!("the same call {} times in a row", signals.repeats);
        return health(SessionState::Stalled, vec![evidence]);
    }
    if signals.idle_turns >= limits.max_idle_turns {
        let evidence = format!("{} turns without an edit or a change", signals.idle_turns);
        return health(SessionState::Stalled, vec![evidence]);
    }
    if let Some(open) = signals.open_tool
        && signals.process == ProcessSignal::Alive
        && is_under(open, limits.tool_ms)
    {
        return one(
            SessionState::Working,
            "a tool call is running, and its process is alive",
        );
    }
    judge_silence(signals, limits)
}

fn is_under(age: Duration, limit_ms: u64) -> bool {
    age < Duration::from_millis(limit_ms)
}

/// Judges the ages of the four kinds of signals; a signal that was never seen is not a source.
fn judge_silence(signals: &Signals, limits: &LadderLimits) -> Health {
    let sources = [
        ("its tool's output", signals.host_event),
        ("a call to the team", signals.team_call),
        ("an edit", signals.edit),
        ("a renewal", signals.renewal),
    ];
    let ages = || {
        sources
            .iter()
            .filter_map(|(name, age)| age.map(|age| (*name, age)))
    };
    let latest = ages()
        .map(|(_, age)| age)
        .min()
        .unwrap_or(signals.since_spawn);
    let evidence = ages()
        .map(|(name, age)| format!("{name}: {} s ago", age.as_secs()))
        .collect();
    // A process whose state is unknown counts as a silent source; with fewer than two silent
    // sources the session is at most `Quiet`.
    let silent = ages().count() + usize::from(signals.process == ProcessSignal::Unknown);
    let state = if is_under(latest, limits.quiet_ms) {
        SessionState::Working
    } else if is_under(latest, limits.suspect_ms) || silent < 2 {
        SessionState::Quiet
    } else if is_under(latest, limits.stalled_ms) {
        SessionState::Suspect
    } else {
        SessionState::Stalled
    };
    Health { state, evidence }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn limits() -> LadderLimits {
        LadderLimits {
            spawn_ms: 20_000,
            quiet_ms: 30_000,
            suspect_ms: 80_000,
            stalled_ms: 120_000,
            tool_ms: 300_000,
            ..LadderLimits::default()
        }
    }

    /// Returns signals that have been silent for this long from every source.
    fn silent(seconds: u64) -> Signals {
        let age = Some(s(seconds));
        Signals {
            process: ProcessSignal::Alive,
            host_event: age,
            team_call: age,
            edit: age,
            renewal: age,
            open_tool: None,
            since_spawn: s(1_000),
            has_started: true,
            has_task: true,
            declared_wait: false,
            repeats: 0,
            idle_turns: 0,
            ending: None,
        }
    }

    fn state(signals: &Signals) -> SessionState {
        assess(signals, &limits()).state
    }

    #[test]
    fn silence_goes_from_quiet_to_stalled() {
        for (seconds, expected) in [
            (29, SessionState::Working),
            (30, SessionState::Quiet),
            (79, SessionState::Quiet),
            (80, SessionState::Suspect),
            (119, SessionState::Suspect),
            (120, SessionState::Stalled),
        ] {
            assert_eq!(state(&silent(seconds)), expected, "{seconds}");
        }
        let edits = Signals {
            edit: Some(s(5)),
            ..silent(200)
        };
        assert_eq!(state(&edits), SessionState::Working);
    }

    #[test]
    fn one_silent_source_makes_no_suspect() {
        let one = Signals {
            host_event: None,
            edit: None,
            renewal: None,
            ..silent(200)
        };
        assert_eq!(state(&one), SessionState::Quiet);
        let unknown = Signals {
            process: ProcessSignal::Unknown,
            ..one
        };
        assert_eq!(state(&unknown), SessionState::Stalled);
    }

    #[test]
    fn the_healthy_are_not_suspect() {
        for (signals, expected) in [
            (
                Signals {
                    has_task: false,
                    ..silent(9_999)
                },
                SessionState::Idle,
            ),
            (
                Signals {
                    declared_wait: true,
                    ..silent(9_999)
                },
                SessionState::Waiting,
            ),
            (
                Signals {
                    open_tool: Some(s(299)),
                    ..silent(9_999)
                },
                SessionState::Working,
            ),
            (
                Signals {
                    has_started: false,
                    since_spawn: s(19),
                    ..silent(0)
                },
                SessionState::Spawning,
            ),
            (
                Signals {
                    ending: Some(SessionEnd { has_evidence: true }),
                    ..silent(0)
                },
                SessionState::Finished,
            ),
        ] {
            assert_eq!(state(&signals), expected);
        }
    }

    #[test]
    fn the_others_are_found() {
        for (signals, expected) in [
            (
                Signals {
                    process: ProcessSignal::Gone,
                    declared_wait: true,
                    ..silent(0)
                },
                SessionState::Dead,
            ),
            (
                Signals {
                    has_started: false,
                    since_spawn: s(20),
                    ..silent(0)
                },
                SessionState::Stalled,
            ),
            (
                Signals {
                    open_tool: Some(s(300)),
                    ..silent(9_999)
                },
                SessionState::Stalled,
            ),
            (
                Signals {
                    repeats: 5,
                    ..silent(0)
                },
                SessionState::Stalled,
            ),
            (
                Signals {
                    idle_turns: 30,
                    ..silent(0)
                },
                SessionState::Stalled,
            ),
            (
                Signals {
                    ending: Some(SessionEnd {
                        has_evidence: false,
                    }),
                    process: ProcessSignal::Gone,
                    ..silent(0)
                },
                SessionState::FailedEmpty,
            ),
        ] {
            assert_eq!(state(&signals), expected);
        }
    }
}
