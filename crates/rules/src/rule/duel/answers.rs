//! Rules on answers to earlier points.

use std::collections::HashSet;

use agon_record::finding::Finding;
use agon_record::id::NodeId;
use agon_record::moves::{Assessment, Citation, Ground, Objection, ReplyKind, RulingKind};
use agon_record::point::Point;
use agon_record::words;

use crate::rule::Scene;
use crate::rule::scene::list_ids;

pub(super) fn check_tradeoff_reasons(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for (at, response) in scene.responses().iter().enumerate() {
        if response.reply == ReplyKind::Tradeoff && response.still_favours_because.is_none() {
            found.push(scene.breach(
                format!("responses[{at}].still_favours_because"),
                "a trade-off must say why the position still holds",
                "say in `still_favours_because` what outweighs the objection, or concede it",
            ));
        }
    }
}

pub(super) fn check_objections_answered(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let (Some(defense), Some((last, _))) = (scene.defense(), scene.last_opponent_turn()) else {
        return;
    };
    let answered: HashSet<_> = defense.responses.iter().map(|r| r.objection).collect();
    let open: Vec<NodeId> = scene
        .opponent_nodes()
        .filter(|node| node.turn == last && !answered.contains(&node.id))
        .filter(|node| node.point.objection().is_some())
        .map(|node| node.id)
        .collect();
    if !open.is_empty() {
        found.push(scene.breach(
            "responses",
            format!("not answered: {}", list_ids(open)),
            "answer each with concede, rebut, tradeoff or unsupported; one line is enough for a minor one",
        ));
    }
}

pub(super) fn check_responses_ruled_on(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let (Some(follow_up), Some((last, _))) = (scene.follow_up(), scene.last_opponent_turn()) else {
        return;
    };
    let ruled: HashSet<_> = follow_up.assessments.iter().map(|a| a.response).collect();
    let open: Vec<NodeId> = scene
        .opponent_nodes()
        .filter(|node| matches!(node.point, Point::Response(_)))
        .filter(|node| node.turn == last && !ruled.contains(&node.id))
        .map(|node| node.id)
        .collect();
    if !open.is_empty() {
        found.push(scene.breach(
            "assessments",
            format!("not ruled on: {}", list_ids(open)),
            "rule on each: resolved, sustained, dodged, unsupported or reframed",
        ));
    }
}

pub(super) fn check_follow_up_progress(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let Some(follow_up) = scene.follow_up() else {
        return;
    };
    let raised: HashSet<_> = scene
        .own_nodes()
        .filter_map(|node| node.point.objection())
        .map(|objection| (objection.target, objection.kind))
        .collect();
    let new = |objection: &Objection| !raised.contains(&(objection.target, objection.kind));
    // Upholding an objection is progress even without a ground; only "resolved" needs one.
    let settles = |assessment: &Assessment| match assessment.ruling {
        RulingKind::Resolved => !assessment.grounds.is_empty(),
        RulingKind::Sustained
        | RulingKind::Dodged
        | RulingKind::Unsupported
        | RulingKind::Reframed => true,
    };
    let objects = follow_up.objections.iter().any(new);
    let certifies = follow_up.assessments.iter().any(settles);
    let clears = !scene.moves.cleared_categories().is_empty();
    if !(objects || certifies || clears) {
        found.push(scene.breach(
            "",
            "the turn names no new weakness and confirms no resolution",
            "rule on an answer (with a ground if it is resolved), object to something not yet \
             attacked in this way, or say in `none_found` where you looked",
        ));
    }
}

pub(super) fn check_concessions_kept(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let granted = points_granted_before(scene);
    if granted.is_empty() {
        return;
    }
    let responses = scene.responses().iter().enumerate();
    let responses = responses
        .filter(|(_, response)| response.reply != ReplyKind::Concede)
        .map(|(at, r)| (format!("responses[{at}].grounds"), r.objection, &r.grounds));
    let objections = scene.objections().iter().enumerate();
    let objections =
        objections.map(|(at, o)| (format!("objections[{at}].grounds"), o.target, &o.grounds));
    let used = UsedEvidence::from_earlier_points(scene);
    for (at, id, grounds) in responses.chain(objections) {
        if granted.contains(&id) && !grounds.iter().any(|ground| used.is_new_evidence(ground)) {
            found.push(scene.breach(
                at,
                format!(
                    "the {} conceded {id} before and cites no new evidence",
                    scene.turn.seat
                ),
                "cite evidence that was not used so far, or keep the concession",
            ));
        }
    }
}

/// Returns what this seat granted before: conceded objections, answers ruled resolved, and accepted
/// points.
fn points_granted_before(scene: &Scene<'_>) -> HashSet<NodeId> {
    let granted = scene.own_nodes().filter_map(|node| {
        let point = &node.point;
        let conceded = point
            .response()
            .filter(|response| response.reply == ReplyKind::Concede)
            .map(|response| response.objection);
        let resolved = point
            .assessment()
            .filter(|assessment| assessment.ruling == RulingKind::Resolved)
            .map(|assessment| assessment.response);
        let accepted = point.agreement().map(|agreement| agreement.target);
        conceded.or(resolved).or(accepted)
    });
    granted.collect()
}

/// The evidence that either side used before a turn.
struct UsedEvidence {
    words: HashSet<String>,
    places: HashSet<String>,
}

impl UsedEvidence {
    fn from_earlier_points(scene: &Scene<'_>) -> Self {
        let grounds = || scene.earlier_nodes().flat_map(|node| node.point.grounds());
        Self {
            words: grounds()
                .map(|ground| words::normalize_words(&ground.content))
                .collect(),
            places: grounds()
                .filter_map(|ground| citation_place_key(ground.citation.as_ref()?))
                .collect(),
        }
    }

    fn is_new_evidence(&self, ground: &Ground) -> bool {
        let place = ground.citation.as_ref().and_then(citation_place_key);
        let place_used = place.is_some_and(|place| self.places.contains(&place));
        !place_used
            && !self
                .words
                .contains(&words::normalize_words(&ground.content))
    }
}

/// Returns the place of a citation, without its text.
fn citation_place_key(citation: &Citation) -> Option<String> {
    let Citation {
        file,
        lines,
        commit,
        url,
        document,
        command,
        ..
    } = citation;
    let named = [file, url, document, command]
        .into_iter()
        .flatten()
        .next()?;
    Some(format!("{named} {lines:?} {commit:?}"))
}
