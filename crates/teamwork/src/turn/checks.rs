//! Checks that Agon runs in a member's work tree after its tool ended and before the change is
//! submitted.

use std::fmt;
use std::time::Duration;

use agon_caller::{CallFront, Failure, FailureKind, Notes};
use agon_team::gate::{CommandGate, GateDefinition};
use agon_team::id::GateName;
use agon_team::ladder::SessionState;
use agon_team::store::HostReport;
use agon_team::task::Task;
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::check_list::describe;
use super::setup::TurnSetup;
use super::{MAX_REPAIRS, RunningTurn, TeamTurn};
use crate::gate::{self, GateOrder, run_with_output};
use crate::git::location_of;
use crate::open_team::failure;

/// Maximum number of characters of a check's output that its member gets: the last ones.
const MAX_OUTPUT_CHARS: usize = 8_000;

/// A check that Agon ran on a member's change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamCheck {
    /// The gate.
    pub gate: GateName,
    /// Whether it passed; null if it could not be run.
    pub passed: Option<bool>,
    /// How it ended, in one line.
    pub outcome: String,
    /// The number of the repair that followed it, from 1; 0 if none did.
    pub repairs: u32,
}

impl fmt::Display for TeamCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gate = &self.gate;
        match self.passed {
            Some(true) => write!(f, "check {gate} passed"),
            Some(false) => write!(f, "check {gate} failed: {}", self.outcome),
            None => write!(f, "check {gate} could not be run: {}", self.outcome),
        }?;
        match self.repairs {
            0 => Ok(()),
            repair => write!(f, "; repair {repair} of {MAX_REPAIRS}"),
        }
    }
}

/// A check that failed.
pub(super) struct FailedCheck {
    /// Its name and command.
    pub(super) check: String,
    /// How it ended.
    pub(super) outcome: String,
    /// The end of its output.
    pub(super) output: String,
}

/// Stops a check when its turn is stopped; its notes are discarded.
struct CheckFront(CancellationToken);

impl Notes for CheckFront {
    fn note(&mut self, _note: &str) {}
    fn warn(&mut self, _warning: &str) {}
}

impl CallFront for CheckFront {
    fn cancel_token(&mut self) -> CancellationToken {
        self.0.clone()
    }
}

impl RunningTurn<'_> {
    /// Returns the task's gates that run a command. Only gates defined in the gate file are run.
    pub(super) fn checks_of(&self, task: &Task) -> Result<Vec<(GateName, CommandGate)>, Failure> {
        if task.gates.is_empty() {
            return Ok(Vec::new());
        }
        let defined = gate::read(self.location)?.gates;
        let commands = task
            .gates
            .iter()
            .filter_map(|name| match defined.get(name) {
                Some(GateDefinition::Command(gate)) => Some((name.clone(), gate.clone())),
                Some(_) | None => None,
            });
        Ok(commands.collect())
    }

    /// Returns whether checks run on a turn's result: it left a change, and its member still holds
    /// the task.
    pub(super) fn is_checked(&self, turn: &TeamTurn) -> Result<bool, Failure> {
        let Some(task) = self.session.task else {
            return Ok(false);
        };
        let is_done = turn.state == SessionState::Finished && turn.commit.is_some();
        if !is_done || !self.order.submits || self.cancel.is_cancelled() {
            return Ok(false);
        }
        let task = self.team().task(task).map_err(failure)?;
        let holder = task.lease.as_ref().map(|lease| &lease.holder);
        Ok(holder == Some(&self.session.member))
    }

    /// Returns whether the turn's run has no tokens left for a repair.
    pub(super) fn is_token_limit_reached(&self, turn: &TeamTurn) -> Result<bool, Failure> {
        let Some(run) = self.order.run else {
            return Ok(false);
        };
        let run = self.team().run(run).map_err(failure)?;
        let spent = run.tokens.saturating_add(turn.tokens.unwrap_or_default());
        Ok(run.max_tokens.is_some_and(|most| spent >= most))
    }

    /// Runs the task's checks in the work tree until one fails. A check that cannot be run is noted
    /// but does not count as failed.
    ///
    /// # Errors
    ///
    /// Fails if the turn is stopped meanwhile.
    pub(super) async fn run_checks(
        &self,
        setup: &TurnSetup,
        ran: &mut Vec<TeamCheck>,
    ) -> Result<Option<FailedCheck>, Failure> {
        let Some(task) = &setup.task else {
            return Ok(None);
        };
        let location = location_of(self.caller, &setup.tree)?;
        for (name, gate) in self.checks_of(task)? {
            let order = GateOrder {
                location: &location,
                actor: &self.actor,
                name: &name,
                task: task.id,
            };
            let mut front = CheckFront(self.cancel.clone());
            let run = run_with_output(self.caller, &self.team, &order, &mut front);
            let (passed, outcome, output) = match self.run_with_heartbeat(run).await {
                Ok((document, output)) => (Some(document.run.passed), document.run.outcome, output),
                Err(error) if error.kind == FailureKind::Cancelled => return Err(error),
                Err(error) => (None, error.message, String::new()),
            };
            ran.push(TeamCheck {
                gate: name.clone(),
                passed,
                outcome: outcome.clone(),
                repairs: 0,
            });
            if passed == Some(false) {
                return Ok(Some(FailedCheck {
                    check: describe(&name, &gate),
                    outcome,
                    output: super::last_chars(&output, MAX_OUTPUT_CHARS),
                }));
            }
        }
        Ok(None)
    }

    /// Waits for work that Agon itself does for the session, renewing its lease and reporting signs
    /// of life.
    async fn run_with_heartbeat<T>(&self, work: impl Future<Output = T>) -> T {
        let limits = self.team().limits().clone();
        let session = self.session.session;
        let mut renew = tokio::time::interval(Duration::from_millis((limits.lease_ms / 3).max(1)));
        let quiet = Duration::from_millis((limits.ladder.quiet_ms / 4).max(1));
        let mut sign = tokio::time::interval(quiet);
        let report = HostReport {
            has_event: true,
            ..HostReport::default()
        };
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                biased;
                ended = &mut work => return ended,
                // Ignore errors: a lost lease is noticed when the change is submitted.
                _ = renew.tick() => drop(self.team().extend_session_lease(session)),
                // Ignore errors: more signs follow.
                _ = sign.tick() => drop(self.team().record_host_signs(session, &report)),
            }
        }
    }
}
