//! Family `score`: a judge scores the new arguments, with a sum of zero, and changes old scores
//! only a little.

mod standing;

use std::collections::HashSet;

use crate::rule::scene::list_ids;
use crate::rule::verdict::report_missing_mentions;
use crate::rule::{Rule, Scene};
use agon_record::finding::{Finding, Severity};
use agon_record::id::NodeId;
use agon_record::moves::{Rescoring, Scoring};
use agon_record::score::Score;
use standing::ScoreBook;

const FAMILY: &str = "score";

pub(super) const MISSING: Rule = Rule {
    code: "score-missing",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "every new argument is scored",
    explain: include_str!("explain/score-missing.md"),
    check: check_all_scored,
};

pub(super) const STRANGER: Rule = Rule {
    code: "score-stranger",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "only new arguments are scored",
    explain: include_str!("explain/score-stranger.md"),
    check: check_only_pending_scored,
};

pub(super) const REPEAT: Rule = Rule {
    code: "score-repeat",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "an argument is scored once, and rescored once",
    explain: include_str!("explain/score-repeat.md"),
    check: check_no_repeats,
};

pub(super) const RANGE: Rule = Rule {
    code: "score-range",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "a score is between -1 and 1",
    explain: include_str!("explain/score-range.md"),
    check: check_score_range,
};

pub(super) const SUM: Rule = Rule {
    code: "score-sum",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "the scores of the new arguments sum to zero",
    explain: include_str!("explain/score-sum.md"),
    check: check_sum_is_zero,
};

pub(super) const RESCORE: Rule = Rule {
    code: "score-rescore",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "a rescore names an argument that was scored before this exchange",
    explain: include_str!("explain/score-rescore.md"),
    check: check_rescored_have_scores,
};

pub(super) const OLD: Rule = Rule {
    code: "score-old",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "the old score of a rescore, if given, matches the record",
    explain: include_str!("explain/score-old.md"),
    check: check_old_scores,
};

pub(super) const STEP: Rule = Rule {
    code: "score-step",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "a rescore moves an argument by at most 0.5",
    explain: include_str!("explain/score-step.md"),
    check: check_rescore_step,
};

pub(super) const IDS: Rule = Rule {
    code: "score-ids",
    family: FAMILY,
    // A wrong id in a reason does not change a score, so the reply is not sent back for it.
    severity: Severity::Warning,
    about: "every point named in the reasons exists",
    explain: include_str!("explain/score-ids.md"),
    check: check_named_points,
};

fn check_named_points(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if scene.scores().is_some() {
        report_missing_mentions(scene, found);
    }
}

fn scorings<'a>(scene: &Scene<'a>) -> &'a [Scoring] {
    scene.scores().map_or(&[], |scores| &scores.scores)
}

fn rescorings<'a>(scene: &Scene<'a>) -> &'a [Rescoring] {
    scene.scores().map_or(&[], |scores| &scores.rescores)
}

/// Returns the new arguments without a score.
fn unscored_arguments(scene: &Scene<'_>, standing: &ScoreBook) -> Vec<NodeId> {
    let scored: HashSet<_> = scorings(scene).iter().map(|one| one.argument_id).collect();
    let pending = standing.pending_ids().iter().copied();
    pending.filter(|id| !scored.contains(id)).collect()
}

fn check_all_scored(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if scene.scores().is_none() {
        return;
    }
    let left_out = unscored_arguments(scene, &ScoreBook::before_turn(scene));
    if !left_out.is_empty() {
        found.push(scene.breach(
            "scores",
            format!("not scored: {}", list_ids(left_out)),
            "score every new argument once; the scores must sum to zero",
        ));
    }
}

fn check_only_pending_scored(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if scorings(scene).is_empty() {
        return;
    }
    let standing = ScoreBook::before_turn(scene);
    let pending = format!(
        "arguments to score: {}",
        list_ids(standing.pending_ids().iter().copied())
    );
    for (nth, scoring) in scorings(scene).iter().enumerate() {
        let id = scoring.argument_id;
        let (message, hint) = match standing.score(id) {
            _ if standing.is_pending(id) => continue,
            Some(_) => (
                format!("{id} already has a score"),
                format!("use `rescores` to change it; {pending}"),
            ),
            None => (format!("there is no argument {id}"), pending.clone()),
        };
        found.push(scene.breach(format!("scores[{nth}].argument_id"), message, hint));
    }
}

fn check_no_repeats(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let scored = scorings(scene).iter().map(|one| one.argument_id);
    let rescored = rescorings(scene).iter().map(|one| one.argument_id);
    report_repeated_ids(scene, "scores", "scored", scored, found);
    report_repeated_ids(scene, "rescores", "rescored", rescored, found);
}

fn report_repeated_ids(
    scene: &Scene<'_>,
    list: &str,
    done: &str,
    ids: impl Iterator<Item = NodeId>,
    found: &mut Vec<Finding>,
) {
    let mut seen = HashSet::new();
    for (nth, id) in ids.enumerate() {
        if !seen.insert(id) {
            found.push(scene.breach(
                format!("{list}[{nth}].argument_id"),
                format!("{id} is {done} twice"),
                "give it one score",
            ));
        }
    }
}

fn check_score_range(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let scores = scorings(scene).iter().enumerate();
    let scores = scores.map(|(nth, one)| (format!("scores[{nth}].score"), one.score));
    let rescores = rescorings(scene).iter().enumerate();
    let rescores = rescores.map(|(nth, one)| (format!("rescores[{nth}].new_score"), one.new_score));
    for (at, score) in scores.chain(rescores) {
        if !score.is_in_range() {
            found.push(scene.breach(
                at,
                format!("{score} is out of range"),
                "give a number from -1 to 1",
            ));
        }
    }
}

/// Checks that the scores sum to zero. It runs only if exactly the pending arguments are scored;
/// otherwise the sum is meaningless.
fn check_sum_is_zero(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let scorings = scorings(scene);
    if scorings.is_empty() {
        return;
    }
    let standing = ScoreBook::before_turn(scene);
    let mut seen = HashSet::new();
    let once = |one: &Scoring| standing.is_pending(one.argument_id) && seen.insert(one.argument_id);
    if !scorings.iter().all(once) || !unscored_arguments(scene, &standing).is_empty() {
        return;
    }
    let sum: Score = scorings.iter().map(|one| one.score).sum();
    if !sum.is_zero_within_tolerance() {
        found.push(scene.breach(
            "scores",
            format!("the scores sum to {sum} instead of zero"),
            "one side's gain is the other's loss: change the scores until they sum to zero",
        ));
    }
}

fn check_rescored_have_scores(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if rescorings(scene).is_empty() {
        return;
    }
    let standing = ScoreBook::before_turn(scene);
    for (nth, rescoring) in rescorings(scene).iter().enumerate() {
        let id = rescoring.argument_id;
        if standing.score(id).is_some() {
            continue;
        }
        let (message, hint) = if standing.is_pending(id) {
            let message = format!("{id} is new and has no score to change");
            (message, "score it only under `scores`".to_owned())
        } else {
            let scored = format!("scored before: {}", list_ids(standing.scored_ids()));
            (format!("there is no argument {id}"), scored)
        };
        found.push(scene.breach(format!("rescores[{nth}].argument_id"), message, hint));
    }
}

/// Returns the rescores of scored arguments, with their index and current score.
fn scored_rescorings<'a>(scene: &Scene<'a>) -> Vec<(usize, &'a Rescoring, Score)> {
    if rescorings(scene).is_empty() {
        return Vec::new();
    }
    let standing = ScoreBook::before_turn(scene);
    let all = rescorings(scene).iter().enumerate();
    all.filter_map(|(nth, one)| Some((nth, one, standing.score(one.argument_id)?)))
        .collect()
}

fn check_old_scores(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for (nth, rescoring, score) in scored_rescorings(scene) {
        let id = rescoring.argument_id;
        if let Some(old) = rescoring.old_score.filter(|old| *old != score) {
            found.push(scene.breach(
                format!("rescores[{nth}].old_score"),
                format!("the score of {id} is {score}, not {old}"),
                format!("give {score}, or leave out `old_score`"),
            ));
        }
    }
}

fn check_rescore_step(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for (nth, rescoring, score) in scored_rescorings(scene) {
        let step = rescoring.new_score - score;
        if rescoring.new_score.is_in_range() && step.abs() > Score::MAX_STEP {
            let lowest = (score - Score::MAX_STEP).max(-Score::ONE);
            let highest = (score + Score::MAX_STEP).min(Score::ONE);
            found.push(scene.breach(
                format!("rescores[{nth}].new_score"),
                format!(
                    "{} changes by {step}, but at most 0.5 is allowed",
                    rescoring.argument_id
                ),
                format!("from {score} the new score may be {lowest} to {highest}"),
            ));
        }
    }
}
