//! Family `verdict`: a ruling names a side, rests on points of the debate, and says what to do.

use agon_record::finding::{Finding, Severity};
use agon_record::id::NodeId;
use agon_record::mention::mentions;
use agon_record::moves::Ruling;

use crate::rule::phrases::{find_leading_phrase, find_phrase};
use crate::rule::scene::list_ids;
use crate::rule::texts::all_texts;
use crate::rule::{Rule, Scene};

const FAMILY: &str = "verdict";

pub(super) const WINNER: Rule = Rule {
    code: "verdict-winner",
    family: FAMILY,
    severity: Severity::Error,
    about: "the winner is a side that spoke",
    explain: include_str!("explain/verdict-winner.md"),
    check: check_winner_spoke,
};

pub(super) const DECISIVE: Rule = Rule {
    code: "verdict-decisive",
    family: FAMILY,
    severity: Severity::Error,
    about: "the verdict names existing points that it rests on",
    explain: include_str!("explain/verdict-decisive.md"),
    check: check_decisive_points,
};

pub(super) const AGREEMENTS: Rule = Rule {
    code: "verdict-agreements",
    family: FAMILY,
    severity: Severity::Error,
    about: "each agreement names points of the debate that show it",
    explain: include_str!("explain/verdict-agreements.md"),
    check: check_agreement_evidence,
};

pub(super) const RECOMMENDATION: Rule = Rule {
    code: "verdict-recommendation",
    family: FAMILY,
    severity: Severity::Error,
    about: "the verdict gives one clear recommendation that can be carried out",
    explain: include_str!("explain/verdict-recommendation.md"),
    check: check_recommendation,
};

pub(super) const IDS: Rule = Rule {
    code: "verdict-ids",
    family: FAMILY,
    severity: Severity::Error,
    about: "every point named in the verdict's texts exists",
    explain: include_str!("explain/verdict-ids.md"),
    check: check_named_points,
};

fn ruling<'a>(scene: &Scene<'a>) -> Option<&'a Ruling> {
    scene.moves.ruling()
}

fn check_winner_spoke(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if let Some(ruling) = ruling(scene)
        && !scene.has_spoken(ruling.winner.seat())
    {
        let seat = ruling.winner.seat();
        found.push(scene.breach(
            "winner",
            format!("the {seat} did not speak in this debate"),
            "name the side that argued the better case",
        ));
    }
}

fn check_decisive_points(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let Some(ruling) = ruling(scene) else { return };
    if ruling.decisive.is_empty() {
        found.push(scene.breach(
            "decisive",
            "the verdict names no point of the debate that it rests on",
            debate_points_hint(scene),
        ));
    }
    report_missing_points(scene, "decisive", &ruling.decisive, found);
}

fn check_agreement_evidence(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let Some(ruling) = ruling(scene) else { return };
    for (at, agreed) in ruling.agreements.iter().enumerate() {
        let at = format!("agreements[{at}].evidence");
        if agreed.evidence.is_empty() {
            found.push(scene.breach(
                at.as_str(),
                "this agreement names no points that show it",
                debate_points_hint(scene),
            ));
        }
        report_missing_points(scene, &at, &agreed.evidence, found);
    }
}

fn check_named_points(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if ruling(scene).is_some() {
        report_missing_mentions(scene, found);
    }
}

/// Reports each nonexistent point named in a text of the scene's moves, once per text.
pub(super) fn report_missing_mentions(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for text in all_texts(scene) {
        let mut ids: Vec<NodeId> = mentions(text.text).iter().map(|one| one.id).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids.into_iter().filter(|&id| scene.node(id).is_none()) {
            found.push(scene.breach(
                text.at.as_str(),
                format!("there is no point {id}"),
                debate_points_hint(scene),
            ));
        }
    }
}

fn report_missing_points(scene: &Scene<'_>, list: &str, ids: &[NodeId], found: &mut Vec<Finding>) {
    for (at, &id) in ids.iter().enumerate() {
        if scene.node(id).is_none() {
            found.push(scene.breach(
                format!("{list}[{at}]"),
                format!("there is no point {id}"),
                debate_points_hint(scene),
            ));
        }
    }
}

fn debate_points_hint(scene: &Scene<'_>) -> String {
    let ids = scene.earlier_nodes().map(|node| node.id);
    format!("points of this debate: {}", list_ids(ids))
}

fn check_recommendation(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let Some(ruling) = ruling(scene) else { return };
    for (at, text) in [("answer", &ruling.answer), ("do_next", &ruling.do_next)] {
        if let Some(hedge) = find_phrase(text, |table| table.undecided) {
            found.push(scene.breach(
                at,
                format!("\"{hedge}\" settles nothing"),
                "choose one answer; say in `unless` when it changes",
            ));
        }
    }
    if let Some(start) = find_leading_phrase(&ruling.do_next, |table| table.idle_starts) {
        found.push(scene.breach(
            "do_next",
            format!("a step that begins with \"{start}\" is not an action"),
            "name one action and its object, such as a change to a file",
        ));
    }
}
