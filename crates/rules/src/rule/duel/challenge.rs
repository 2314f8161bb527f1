//! Rules on the challenger's turns.

use std::collections::HashSet;

use agon_record::finding::Finding;
use agon_record::moves::{Category, Challenge, Choose, NoneFound};

use crate::rule::Scene;
use crate::topic::is_about_software;

// With one, a challenger would use only the most obvious category; a third might be invented.
/// The fewest categories of a challenge if the topic is not about software.
const MIN_CATEGORIES: usize = 2;

pub(super) fn check_objections_first(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let speaks = !(scene.objections().is_empty() && scene.assessments().is_empty());
    let looked = !scene.moves.cleared_categories().is_empty();
    if !(scene.agreements().is_empty() || speaks || looked) {
        found.push(scene.breach(
            "agreements",
            "the turn agrees before it has looked for faults",
            "object first, or say in `none_found` where you looked",
        ));
    }
}

pub(super) fn check_objection_count(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let count = scene.objections().len();
    if count > 3 {
        found.push(scene.breach(
            "objections",
            format!("{count} objections, but at most 3 are allowed"),
            "keep the three most important ones; raise any other in your next turn",
        ));
    }
}

/// Checks that a first challenge names a flaw, or says for everything it checked why there is none.
pub(super) fn check_flaw_named(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let Some(challenge) = scene.challenge() else {
        return;
    };
    let certified = |none: &NoneFound| none.why.is_some();
    let certificate =
        !challenge.none_found.is_empty() && challenge.none_found.iter().all(certified);
    if challenge.objections.is_empty() && !certificate {
        found.push(scene.breach(
            "objections",
            "the turn names no flaw or oversight",
            "object to at least one; if there is truly none, say in each entry of `none_found` \
             what you tried and `why` it held",
        ));
    }
}

pub(super) fn check_categories_covered(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let Some(challenge) = scene.challenge() else {
        return;
    };
    if !is_about_software(&scene.state.spec) {
        return check_two_categories(scene, challenge, found);
    }
    let covered = |category: Category| {
        let objected = challenge.objections.iter().any(|o| o.category == category);
        let mut cleared = scene.moves.cleared_categories().iter();
        objected || cleared.any(|n| n.category == category)
    };
    let open = Category::COVERED.into_iter();
    let open = open.filter(|&category| !covered(category));
    let open: Vec<_> = open.collect();
    if !open.is_empty() {
        let labels: Vec<_> = open.iter().map(|category| category.label()).collect();
        let words: Vec<_> = open.iter().map(|one| format!("`{}`", one.word())).collect();
        found.push(scene.breach(
            "none_found",
            format!("the turn does not cover {}", labels.join(" and ")),
            format!(
                "object to it, or say in `none_found` where you looked, with the category {}; do \
                 not invent an objection",
                words.join(" and ")
            ),
        ));
    }
}

/// Checks that a challenge covers two categories, if the topic is not about software.
fn check_two_categories(scene: &Scene<'_>, challenge: &Challenge, found: &mut Vec<Finding>) {
    let objected = challenge.objections.iter().map(|one| one.category);
    let cleared = challenge.none_found.iter().map(|none| none.category);
    let looked_at: HashSet<_> = objected.chain(cleared).collect();
    if looked_at.len() < MIN_CATEGORIES {
        let only: Vec<_> = looked_at.into_iter().map(Category::label).collect();
        let message = match only.as_slice() {
            [] => "the turn covers no category".to_owned(),
            [only, ..] => format!("the turn covers only {only}"),
        };
        found.push(scene.breach(
            "none_found",
            message,
            "object in a second category, such as cost, practicality or fairness, or say in \
             `none_found` where you looked; do not invent an objection",
        ));
    }
}

pub(super) fn check_alternative_offered(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if scene
        .challenge()
        .is_some_and(|challenge| challenge.alternatives.is_empty())
    {
        found.push(scene.breach(
            "alternatives",
            "the turn offers no alternative answer to the topic",
            "add one alternative: title, claim, grounds, warrant",
        ));
    }
}
