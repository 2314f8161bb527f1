//! What the challenger's turns bring.

use agon_record::finding::Finding;
use agon_record::moves::{Category, Choose};

use crate::rule::Scene;

pub(super) fn check_objections_first(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let speaks = !(scene.objections().is_empty() && scene.assessments().is_empty());
    let looked = !scene.moves.cleared_categories().is_empty();
    if !(scene.agreements().is_empty() || speaks || looked) {
        found.push(scene.breach(
            "agreements",
            "the turn agrees without having looked for what is wrong",
            "object first, or say in none_found where you looked",
        ));
    }
}

pub(super) fn check_objection_count(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let count = scene.objections().len();
    if count > 3 {
        found.push(scene.breach(
            "objections",
            format!("{count} objections, where at most 3 are allowed"),
            "keep the three that matter most",
        ));
    }
}

pub(super) fn check_categories_covered(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let Some(challenge) = scene.challenge() else {
        return;
    };
    let covered = |category: Category| {
        let objected = challenge.objections.iter().any(|o| o.category == category);
        let mut cleared = scene.moves.cleared_categories().iter();
        objected || cleared.any(|n| n.category == category)
    };
    let open = Category::COVERED.into_iter();
    let open = open.filter(|&category| !covered(category));
    let open: Vec<_> = open.map(Category::word).collect();
    if !open.is_empty() {
        found.push(scene.breach(
            "none_found",
            format!("nothing is said about {}", open.join(" and ")),
            "object, or add to none_found the category and where you looked; do not invent",
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
            "no other answer to the topic is offered",
            "add one alternative: title, claim, grounds, warrant",
        ));
    }
}
