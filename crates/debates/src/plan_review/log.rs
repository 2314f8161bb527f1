//! Which plans were reviewed, in a file of the user's state folder that all processes share.
//!
//! It bounds what hooks can start: one debate for each text, a few in a day, and never two refusals
//! in a row in a session.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agon_caller::Caller;
use agon_config::PlanReview;
use serde::{Deserialize, Serialize};

use crate::hook_state::StateFile;

// Chosen, not measured: more plans than a person reads in a day. Each costs a quick duel.
/// Maximum reviews within 24 hours, of all projects.
pub(super) const MAX_PER_DAY: usize = 10;
const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 24 * HOUR_MS;
// Chosen, not measured: a plan that comes back later is a new question.
/// How long a plan is remembered.
const KEPT_MS: u64 = 30 * DAY_MS;
/// Maximum plans and sessions that are remembered.
const MAX_ENTRIES: usize = 1_000;
const SCHEMA: &str = "agon.plan_reviews/1";

// The lock is held for a few milliseconds, and a thousand entries of each kind have about 300 kB.
/// The file of the log.
const FILE: StateFile = StateFile {
    folder: "plan-reviews",
    max_bytes: 4 * 1024 * 1024,
    lock_timeout: Duration::from_secs(5),
};

/// The reviewed plans and the refusals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReviewLog {
    schema: String,
    /// Plans by hash.
    plans: BTreeMap<String, KnownPlan>,
    /// The debate of the last refusal in each session, until the session presents a plan again.
    refused: BTreeMap<String, Refusal>,
}

/// A plan that a review was started for or suggested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KnownPlan {
    at_ms: u64,
    /// Whether a review was started; otherwise it was only suggested.
    is_started: bool,
    /// The debate, once it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    debate: Option<String>,
}

/// A plan that was returned with findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Refusal {
    at_ms: u64,
    debate: String,
}

/// What to do about a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Nothing, or a line that names the debate on it or on the version before it.
    Pass(Option<String>),
    /// Say that a review of the plan was started and has no debate yet: it runs, or it was
    /// interrupted.
    Unfinished,
    /// Offer a debate.
    Suggest,
    /// Start a debate. It is already counted.
    Start,
    /// Nothing, because of the limit of a day.
    TooMany,
}

impl Default for ReviewLog {
    fn default() -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            plans: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }
}

impl ReviewLog {
    /// Decides about a plan of a session, and remembers it.
    pub(super) fn decide(
        &mut self,
        mode: PlanReview,
        session: &str,
        hash: &str,
        now_ms: u64,
    ) -> Decision {
        let refused = self.refused.remove(session);
        let refused = refused.filter(|it| now_ms.saturating_sub(it.at_ms) < DAY_MS);
        if let Some(refusal) = refused.filter(|_| mode != PlanReview::Off) {
            // A second hook for the same call must not start a debate on it.
            let plan = KnownPlan {
                at_ms: refusal.at_ms,
                is_started: true,
                debate: Some(refusal.debate.clone()),
            };
            self.plans.entry(hash.to_owned()).or_insert(plan);
            return Decision::Pass(Some(refusal.debate));
        }
        let known = self.plans.get(hash);
        if let Some(known) = known.filter(|known| known.is_started) {
            let debate = known.debate.clone();
            return debate.map_or(Decision::Unfinished, |debate| Decision::Pass(Some(debate)));
        }
        let is_started = match mode {
            PlanReview::Off => return Decision::Pass(None),
            PlanReview::Suggest if known.is_some() => return Decision::Pass(None),
            PlanReview::Suggest => false,
            PlanReview::Auto
                if self.started_since(now_ms.saturating_sub(DAY_MS)) >= MAX_PER_DAY =>
            {
                return Decision::TooMany;
            }
            PlanReview::Auto => true,
        };
        let plan = KnownPlan {
            at_ms: now_ms,
            is_started,
            debate: None,
        };
        self.plans.insert(hash.to_owned(), plan);
        match is_started {
            true => Decision::Start,
            false => Decision::Suggest,
        }
    }

    /// Remembers the debate on a plan, and the session whose plan it returned.
    pub(super) fn debated(&mut self, hash: &str, debate: &str, refused: Option<&str>, now_ms: u64) {
        if let Some(plan) = self.plans.get_mut(hash) {
            plan.debate = Some(debate.to_owned());
        }
        if let Some(session) = refused {
            let refusal = Refusal {
                at_ms: now_ms,
                debate: debate.to_owned(),
            };
            self.refused.insert(session.to_owned(), refusal);
        }
    }

    /// Forgets a plan whose debate could not be opened.
    pub(super) fn forget(&mut self, hash: &str) {
        self.plans.remove(hash);
    }

    fn started_since(&self, since_ms: u64) -> usize {
        let started = self.plans.values().filter(|plan| plan.is_started);
        let recent = started.filter(|plan| plan.at_ms >= since_ms);
        // Two versions of a plan can have the same debate.
        let (debates, open): (Vec<_>, Vec<_>) =
            recent.map(|plan| &plan.debate).partition(|it| it.is_some());
        debates.into_iter().collect::<BTreeSet<_>>().len() + open.len()
    }

    /// Removes what is too old, and the oldest plans if there are too many.
    fn prune(&mut self, now_ms: u64) {
        let is_young = |at_ms: u64, kept: u64| now_ms.saturating_sub(at_ms) < kept;
        self.plans.retain(|_, plan| is_young(plan.at_ms, KEPT_MS));
        self.refused.retain(|_, it| is_young(it.at_ms, DAY_MS));
        if self.plans.len() > MAX_ENTRIES {
            let mut times: Vec<_> = self.plans.values().map(|plan| plan.at_ms).collect();
            times.sort_unstable();
            let first_kept = times.get(times.len() - MAX_ENTRIES).copied();
            let first_kept = first_kept.unwrap_or_default();
            self.plans.retain(|_, plan| plan.at_ms >= first_kept);
        }
    }

    /// Changes the log under a lock.
    ///
    /// # Errors
    ///
    /// If there is no state folder, or the file cannot be read or written: then nothing may be
    /// started, because nothing would bound it.
    pub(super) fn change<T>(
        caller: &Caller,
        now_ms: u64,
        change: impl FnOnce(&mut Self) -> T,
    ) -> Result<T, String> {
        FILE.change(caller, |log: &mut Self| {
            log.prune(now_ms);
            change(log)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AUTO: PlanReview = PlanReview::Auto;

    #[test]
    fn a_text_is_debated_once() {
        let mut log = ReviewLog::default();
        assert_eq!(log.decide(AUTO, "s", "a", 0), Decision::Start);
        // It still runs, perhaps in another session.
        assert_eq!(log.decide(AUTO, "t", "a", 1), Decision::Unfinished);
        log.debated("a", "plan-review-a", None, 2);
        let known = Decision::Pass(Some("plan-review-a".to_owned()));
        assert_eq!(log.decide(AUTO, "s", "a", 3), known);
        assert_eq!(log.decide(PlanReview::Suggest, "s", "a", 4), known);
    }

    #[test]
    fn a_session_is_never_refused_twice_in_a_row() {
        let mut log = ReviewLog::default();
        assert_eq!(log.decide(AUTO, "s", "a", 0), Decision::Start);
        log.debated("a", "one", Some("s"), 0);
        // Another session is not concerned.
        assert_eq!(log.decide(AUTO, "t", "x", 0), Decision::Start);
        let passes = Decision::Pass(Some("one".to_owned()));
        assert_eq!(log.decide(AUTO, "s", "changed", HOUR_MS), passes);
        // A second hook for the same call starts nothing either.
        assert_eq!(log.decide(AUTO, "s", "changed", HOUR_MS), passes);
        assert_eq!(log.decide(AUTO, "s", "next", HOUR_MS), Decision::Start);
        log.debated("next", "two", Some("s"), HOUR_MS);
        assert_eq!(log.started_since(0), 3);
        let later = log.decide(AUTO, "s", "later", HOUR_MS + DAY_MS);
        assert_eq!(later, Decision::Start);
    }

    #[test]
    fn fifty_ends_of_plan_mode_start_no_more_than_a_day_allows() {
        let mut log = ReviewLog::default();
        let start = |log: &mut ReviewLog, from_ms: u64| {
            let plans = (0..50).map(|at| format!("{from_ms}-{at}"));
            let decided = plans.map(|plan| log.decide(AUTO, "s", &plan, from_ms));
            decided.filter(|it| *it == Decision::Start).count()
        };
        assert_eq!(start(&mut log, 0), MAX_PER_DAY);
        assert_eq!(log.decide(AUTO, "s", "more", 1), Decision::TooMany);
        assert_eq!(start(&mut log, DAY_MS), 0);
        assert_eq!(start(&mut log, DAY_MS + 1), MAX_PER_DAY);
    }

    #[test]
    fn a_debate_is_suggested_once_for_a_text() {
        let mut log = ReviewLog::default();
        let suggest = PlanReview::Suggest;
        assert_eq!(log.decide(suggest, "s", "a", 0), Decision::Suggest);
        assert_eq!(log.decide(suggest, "s", "a", 0), Decision::Pass(None));
        assert_eq!(log.decide(suggest, "s", "b", 0), Decision::Suggest);
        // The user has raised the key since then.
        assert_eq!(log.decide(AUTO, "s", "a", 0), Decision::Start);
        log.forget("a");
        assert_eq!(log.decide(AUTO, "s", "a", 0), Decision::Start);
    }

    #[test]
    fn what_is_old_or_too_much_is_forgotten() {
        let mut log = ReviewLog::default();
        for at in 0..MAX_ENTRIES as u64 + 5 {
            log.decide(PlanReview::Suggest, "s", &at.to_string(), at);
        }
        log.prune(MAX_ENTRIES as u64 + 5);
        assert_eq!(log.plans.len(), MAX_ENTRIES);
        assert!(!log.plans.contains_key("4") && log.plans.contains_key("5"));
        log.debated("5", "d", Some("s"), 0);
        log.prune(KEPT_MS + 10_000);
        assert_eq!((log.plans.len(), log.refused.len()), (0, 0));
    }
}
