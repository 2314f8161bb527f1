//! How far the limits in a record apply when its debate is resumed.
//!
//! Users choose the limits of the debates that they open. In another person's record, limits are
//! just text in a file: the user's own settings cap them.

use std::time::Duration;

use agon_caller::settings::MAX_CALLS;
use agon_caller::{Caller, Failure, Notes, settings};
use agon_config::default;
use agon_record::id::Stage;
use agon_record::spec::Caps;
use agon_record::state::State;
use agon_rules::format::remaining_calls;

use crate::limits::bounds::{caps_from_settings, limit_recorded_caps};
use crate::limits::grants::Grant;

/// The limits of a record, capped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordLimits {
    /// The limits that apply.
    pub(crate) caps: Caps,
    /// The last round to play, if the record plans more.
    pub(crate) rounds: Option<u16>,
    /// The time for a turn, if the record allows more.
    pub(crate) timeout: Option<Duration>,
}

impl RecordLimits {
    /// Returns the limits of the debate `state` for the caller's user, who allowed it `grant`.
    ///
    /// # Errors
    ///
    /// If the user's configuration is not valid.
    pub(crate) fn for_user(
        caller: &Caller,
        state: &State,
        grant: Option<&Grant>,
    ) -> Result<Self, Failure> {
        let settings = settings::read_user_settings(caller)?;
        let is_foreign = grant.is_none();
        // Allow at least one more round, like `agon continue`.
        let last = last_begun_round(state)
            .saturating_add(default::MORE_ROUNDS)
            .max(settings.rounds);
        let is_longer = is_foreign && state.planned_rounds() > last;
        let calls = remaining_calls(state).saturating_add(default::SPARE_CALLS);
        let own = caps_from_settings(&settings, calls.min(MAX_CALLS));
        let turn = Duration::from_secs(settings.timeout);
        let recorded = Duration::from_millis(state.spec.ask_timeout_ms);
        Ok(Self {
            caps: limit_recorded_caps(state, own, grant.map(|grant| grant.caps)),
            rounds: is_longer.then_some(last),
            timeout: (is_foreign && recorded > turn).then_some(turn),
        })
    }

    /// Returns the limits of the record unchanged.
    pub(crate) fn as_recorded(state: &State) -> Self {
        Self {
            caps: state.caps,
            rounds: None,
            timeout: None,
        }
    }

    /// Notes which limits of the record do not apply; `caps` are the limits that apply.
    pub(crate) fn note(&self, state: &State, caps: Caps, notes: &mut dyn Notes) {
        if self.caps == state.caps && self.rounds.is_none() {
            return;
        }
        let rounds = self.rounds.map_or_else(String::new, |last| {
            format!(", and it ends after round {last}")
        });
        notes.note(&format!(
            "note: you did not set this debate's limits; yours apply: {} calls and {} tokens in \
             all{rounds}",
            caps.calls, caps.tokens
        ));
    }
}

/// Returns the last round in which a side spoke.
fn last_begun_round(state: &State) -> u16 {
    let rounds = state
        .admitted_turns()
        .filter_map(|(turn, _)| match turn.stage {
            Stage::Round(round) => Some(round),
            Stage::Theses | Stage::Verdict | Stage::Swap => None,
        });
    rounds.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use agon_record::spec::{DuelSpec, Kind, Spec};

    use super::*;

    /// Returns a caller without its own configuration, in an empty folder.
    fn caller(folder: &std::path::Path) -> Caller {
        let vars = [("AGON_CONFIG_DIR", folder.as_os_str())];
        let vars = vars.map(|(name, value)| (name.into(), value.to_owned()));
        Caller::new(vars.into(), folder)
    }

    fn recorded(rounds: u16, caps: Caps) -> State {
        State::open(Spec {
            caps,
            ask_timeout_ms: u64::MAX,
            kind: Kind::duel(DuelSpec {
                rounds,
                ..DuelSpec::default()
            }),
            ..Spec::duel("planted", "SQLite or plain files?")
        })
    }

    const GREEDY: Caps = Caps {
        calls: u32::MAX,
        tokens: u64::MAX,
        time_ms: u64::MAX,
        cost_micros: None,
        reasks: u32::MAX,
    };

    #[test]
    fn a_record_holds_up_to_the_settings_of_its_user_unless_they_granted_more() {
        let folder = tempfile::tempdir().unwrap();
        let caller = caller(folder.path());
        let state = recorded(300, GREEDY);
        let limits = RecordLimits::for_user(&caller, &state, None).unwrap();
        assert_eq!(limits.rounds, Some(default::ROUNDS));
        assert_eq!(limits.caps.tokens, default::MAX_TOKENS);
        assert_eq!(limits.caps.time_ms, default::MAX_TIME_S * 1_000);
        assert!(limits.caps.calls <= MAX_CALLS && limits.caps.reasks <= 4);
        assert_eq!(
            limits.timeout,
            Some(Duration::from_secs(default::TIMEOUT_S))
        );

        let modest = Caps {
            calls: 3,
            tokens: 9_000,
            time_ms: 60_000,
            cost_micros: Some(5),
            reasks: 1,
        };
        let limits = RecordLimits::for_user(&caller, &recorded(2, modest), None).unwrap();
        assert_eq!((limits.caps, limits.rounds), (modest, None));

        std::fs::write(
            folder.path().join("config.toml"),
            "max_cost = 2.0\nrounds = 1\n",
        )
        .unwrap();
        let limits = RecordLimits::for_user(&caller, &state, None).unwrap();
        assert_eq!(limits.caps.cost_micros, Some(2_000_000));
        assert_eq!(limits.rounds, Some(1));
        // A project's configuration does not affect what its own record may spend.
        std::fs::write(folder.path().join("agon.toml"), "rounds = 5\n").unwrap();
        let limits = RecordLimits::for_user(&caller, &state, None).unwrap();
        assert_eq!(limits.rounds, Some(1));
    }
}
