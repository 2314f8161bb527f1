//! Decisions of debates since a session began, and of team reviews.

use std::path::Path;
use std::sync::Arc;

use agon_caller::{Caller, find};
use agon_rules::format::Phase;
use agon_sessions::RecordedDecision;
use agon_team::store::{SystemClock, Team, TeamLimits, TeamLocation};
use jiff::Timestamp;

use super::describe::clean;

/// Most debates and most reviews listed.
const MAX_OF_KIND: usize = 8;

/// Returns the decisions in the caller's project: debates since `began`, earliest first, and the
/// latest reviews.
///
/// Reviews can be older, since they have no time. The list is empty for a session of another
/// project. Unreadable records are skipped.
pub(super) fn recorded_decisions(
    caller: &Caller,
    project: Option<&Path>,
    began: Option<Timestamp>,
) -> Vec<RecordedDecision> {
    let without_links = |path: &Path| std::fs::canonicalize(path).ok();
    let own = without_links(&caller.project());
    let is_own = project
        .and_then(without_links)
        .zip(own)
        .is_some_and(|(it, own)| it.starts_with(own));
    if !is_own {
        return Vec::new();
    }
    let began = began.map_or(0, |it| {
        u64::try_from(it.as_millisecond()).unwrap_or_default()
    });
    let mut all = debate_decisions(caller, began);
    all.extend(project.map(review_decisions).unwrap_or_default());
    all
}

fn debate_decisions(caller: &Caller, began: u64) -> Vec<RecordedDecision> {
    let dir = find::debates_dir(caller).ok();
    let listing = dir.and_then(|dir| find::listing(&dir).ok());
    let mut closed: Vec<_> = listing
        .into_iter()
        .flat_map(|it| it.debates)
        .filter(|it| it.record.phase == Phase::Closed && it.record.at_last >= began)
        .collect();
    closed.sort_by_key(|it| it.record.at_last);
    let first = closed.len().saturating_sub(MAX_OF_KIND);
    let decided = closed.drain(first..).filter_map(|found| {
        let verdict = found.record.verdict?;
        Some(RecordedDecision {
            words: clean(&verdict.answer?),
            place: clean(&format!(
                "debate {}, {}{}",
                found.slug,
                verdict.authority.name(),
                verdict
                    .taken
                    .map_or_else(String::new, |taken| format!(", {taken}"))
            )),
        })
    });
    decided.collect()
}

/// Returns the comments of approving reviewers, in order.
fn review_decisions(project: &Path) -> Vec<RecordedDecision> {
    let clock = Arc::new(SystemClock::new());
    let team = TeamLocation::find(project)
        .ok()
        .and_then(|it| Team::open(&it, clock, TeamLimits::default()).ok());
    let Some(mut team) = team else {
        return Vec::new();
    };
    let mut decided = Vec::new();
    for task in team.tasks().unwrap_or_default() {
        let reviews = team.reviews(task.id).unwrap_or_default();
        let approved = reviews.into_iter().filter(|it| it.approved);
        decided.extend(approved.map(|review| RecordedDecision {
            words: clean(&review.note),
            place: format!("{} approved {}", review.reviewer, task.id),
        }));
    }
    decided.retain(|it| !it.words.is_empty());
    let first = decided.len().saturating_sub(MAX_OF_KIND);
    decided.split_off(first)
}
