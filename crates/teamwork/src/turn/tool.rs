//! Runs the tool of a turn: records its process and its signs of life, renews its lease, and ends
//! it if it makes no progress.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_agents::{HostSigns, WorkOrder, WorkOutcome};
use agon_caller::guard::with_guard;
use agon_caller::{Caller, Code, Failure};
use agon_proc::{Group, Watch};
use agon_record::event::Usage;
use agon_team::id::SessionId;
use agon_team::ladder::{ProcessSignal, Rung};
use agon_team::store::{HostReport, Observation, SessionProcess, TeamLimits};

use super::budget;
use super::setup::TurnSetup;
use super::{RunningTurn, SharedTeam, lock};
use crate::member::TOKEN_VAR;
use crate::trees;

/// Records the process group of a session.
struct SessionWatch {
    team: SharedTeam,
    session: SessionId,
}

impl Watch for SessionWatch {
    fn on_group_started(&self, group: &Group) -> io::Result<()> {
        let process = SessionProcess {
            pgid: group.pgid,
            leader_start: group.leader_start,
            boot: group.boot.clone(),
            mark: group.mark.clone(),
        };
        lock(&self.team)
            .record_process(self.session, &process)
            .map_err(io::Error::other)
    }

    fn on_group_ended(&self, _group: &Group) {}
}

impl RunningTurn<'_> {
    /// Runs the tool until it ends. `before` is the number of tokens that the turn has already
    /// used.
    pub(super) async fn work(
        &self,
        setup: &TurnSetup,
        before: u64,
    ) -> Result<WorkOutcome, Failure> {
        let (team, session) = (&self.team, self.session.session);
        let limits = self.team().limits().clone();
        let vars: BTreeMap<_, _> = [(TOKEN_VAR.into(), self.order.token.reveal().into())].into();
        let work_order = WorkOrder {
            prompt: &setup.prompt,
            tree: &setup.tree,
            access: setup.access,
            model: self.session.model.as_deref(),
            effort: effort_of(setup.effort),
            timeout: Duration::from_millis(limits.turn_ms),
            agon: agon_caller::environments::background_program(self.caller)?,
            policy: setup.policy.as_ref(),
            vars: &vars,
        };
        let watch = SessionWatch {
            team: Arc::clone(team),
            session,
        };
        let watch = with_guard(self.caller, Arc::new(watch));
        let signs = SignWriter::new(team, session, &limits);
        let ended_here = self.cancel.child_token();
        let spent = AtomicU64::new(0);
        let on_signs = |seen: &HostSigns| {
            spent.store(seen.tokens, Ordering::Relaxed);
            if before.saturating_add(seen.tokens) > setup.budget {
                ended_here.cancel();
            }
            signs.write(seen);
        };
        let run = setup
            .worker
            .run(&work_order, &watch, &on_signs, &ended_here);
        let mut run = std::pin::pin!(run);
        // The lease shows that the process exists; its signs show whether it makes progress.
        let mut renew = tokio::time::interval(Duration::from_millis((limits.lease_ms / 3).max(1)));
        let mut check = tokio::time::interval(Duration::from_millis(limits.watch_ms.max(1)));
        let mut why_ended = None;
        let mut outcome = loop {
            tokio::select! {
                biased;
                ended = &mut run => {
                    break ended.map_err(|error| {
                        Failure::from_error(/*KIND Tool*/Code::NotStarted, &error)
                    })?;
                }
                // Ignore errors: a lost lease is noticed at the end of the turn.
                _ = renew.tick() => drop(self.team().extend_session_lease(session)),
                _ = check.tick(), if self.order.is_watched && why_ended.is_none() => {
                    why_ended = judge(self.caller, team, session, &setup.tree).await;
                    if why_ended.is_some() {
                        ended_here.cancel();
                    }
                }
            }
        };
        let spent = spent.load(Ordering::Relaxed);
        let in_all = before.saturating_add(spent);
        if in_all > setup.budget && why_ended.is_none() {
            why_ended = Some(budget::ended(&setup.role, in_all, setup.budget));
        }
        if let (Some(said), Err(failure)) = (why_ended, &mut outcome.reply) {
            failure.said = said;
        }
        // A tool that Agon ended does not report a total, so use the tokens counted so far.
        if outcome.usage.is_none() && spent > 0 {
            outcome.usage = Some(Usage {
                input: spent,
                estimated: true,
                ..Usage::default()
            });
        }
        Ok(outcome)
    }
}

/// Judges a session whose tool runs here; returns why it must be ended, or `None`.
async fn judge(
    caller: &Caller,
    team: &SharedTeam,
    session: SessionId,
    tree: &Path,
) -> Option<String> {
    let seen = Observation {
        process: ProcessSignal::Alive,
        tree: trees::fingerprint(caller, tree).await,
    };
    // If the judgement fails, the session runs on until the next one.
    let judged = lock(team).judge_session(session, &seen).ok()?;
    let ends = matches!(
        judged.rung,
        Rung::Terminate | Rung::Restart | Rung::Fail | Rung::ReplaceLead
    );
    ends.then(|| format!("ended: {}", judged.session.evidence.join("; ")))
}

/// Records the signs of a tool; unchanged signs are recorded only at intervals.
struct SignWriter<'a> {
    team: &'a SharedTeam,
    session: SessionId,
    every: Duration,
    last: Mutex<Option<(Instant, HostSigns)>>,
}

impl<'a> SignWriter<'a> {
    fn new(team: &'a SharedTeam, session: SessionId, limits: &TeamLimits) -> Self {
        Self {
            team,
            session,
            every: Duration::from_millis(limits.ladder.quiet_ms / 20),
            last: Mutex::new(None),
        }
    }

    fn write(&self, signs: &HostSigns) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, before)) = *last
            && before == *signs
            && at.elapsed() < self.every
        {
            return;
        }
        let report = HostReport {
            has_event: true,
            has_open_tool: signs.has_open_tool,
            repeats: signs.repeats,
            idle_turns: signs.idle_turns,
        };
        // A lost sign is followed by others.
        lock(self.team)
            .record_host_signs(self.session, &report)
            .ok();
        *last = Some((Instant::now(), *signs));
    }
}

const fn effort_of(effort: agon_hosts::content::agent::Effort) -> agon_record::spec::Effort {
    use agon_hosts::content::agent::Effort as Of;
    use agon_record::spec::Effort;
    match effort {
        Of::Low => Effort::Low,
        Of::Medium => Effort::Medium,
        Of::High => Effort::High,
        Of::Max => Effort::Max,
    }
}
