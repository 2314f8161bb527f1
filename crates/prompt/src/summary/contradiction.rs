//! Finds contradictions between a side's rounds.

use agon_record::answer::same_answer;
use agon_record::id::NodeId;
use agon_record::moves::{Argument, ReplyKind};
use agon_record::point::{Node, Point};

use crate::dispute::Dispute;

/// Returns the contradictions whose first half is from a round up to `through`, one line each, in
/// the order of the first half.
pub(super) fn contradiction_lines(
    nodes: &[Node<'_>],
    disputes: &[Dispute<'_>],
    through: u16,
) -> Vec<String> {
    let mut found = Vec::new();
    for dispute in disputes {
        find_conceded_then_argued(nodes, disputes, dispute, &mut found);
        find_resolved_then_raised(disputes, dispute, &mut found);
    }
    find_agreed_then_attacked(nodes, disputes, &mut found);
    found.retain(|(id, _): &(NodeId, String)| id.round <= through);
    found.sort_by_key(|(id, _)| (id.round, id.seat, id.place));
    found.into_iter().map(|(_, line)| line).collect()
}

type Contradictions = Vec<(NodeId, String)>;

fn find_conceded_then_argued(
    nodes: &[Node<'_>],
    disputes: &[Dispute<'_>],
    dispute: &Dispute<'_>,
    found: &mut Contradictions,
) {
    let Some(concession) = dispute.concession() else {
        return;
    };
    let first = concession.id;
    let (seat, id) = (first.seat, dispute.id);
    let alike = disputes
        .iter()
        .filter(|other| is_on_same_part(dispute, other));
    for answer in alike.flat_map(|other| &other.answers) {
        if answer.id.round > first.round && answer.response.reply != ReplyKind::Concede {
            let (round, reply) = (answer.id.round, super::variant_name(&answer.response.reply));
            let line = format!(
                "{seat} conceded {id} in round {} ({first}) and argued the point again in round {round} ({}: {reply})",
                first.round, answer.id
            );
            found.push((first, line));
        }
    }
    let Some(target) = find_argument(nodes, dispute.objection.target) else {
        return;
    };
    for node in nodes.iter().filter(|node| node.id.round > first.round) {
        if let Point::Argument(again) = node.point
            && node.seat() == seat
            && same_answer(&again.claim, &target.claim)
        {
            let line = format!(
                "{seat} conceded {id} in round {} ({first}) and claimed {} again in round {} ({})",
                first.round, dispute.objection.target, node.id.round, node.id
            );
            found.push((first, line));
        }
    }
}

fn find_resolved_then_raised(
    disputes: &[Dispute<'_>],
    dispute: &Dispute<'_>,
    found: &mut Contradictions,
) {
    let Some((first, _)) = dispute.resolving_ruling() else {
        return;
    };
    let raised = disputes
        .iter()
        .filter(|other| other.id.round >= first.round && is_on_same_part(dispute, other));
    for other in raised {
        let line = format!(
            "{} ruled {} resolved in round {} ({first}) and raised it again in round {} ({}, on the same part of {})",
            first.seat, dispute.id, first.round, other.id.round, other.id, other.objection.target
        );
        found.push((first, line));
    }
}

fn find_agreed_then_attacked(
    nodes: &[Node<'_>],
    disputes: &[Dispute<'_>],
    found: &mut Contradictions,
) {
    for node in nodes {
        let Point::Agreement(agreement) = node.point else {
            continue;
        };
        let attacked = disputes.iter().filter(|dispute| {
            dispute.objection.target == agreement.target && dispute.id.round > node.id.round
        });
        for dispute in attacked {
            let line = format!(
                "{} agreed with {} in round {} ({}) and objected to it in round {} ({})",
                node.seat(),
                agreement.target,
                node.id.round,
                node.id,
                dispute.id.round,
                dispute.id
            );
            found.push((node.id, line));
        }
    }
}

/// Returns whether two objections target the same part of the same point.
fn is_on_same_part(one: &Dispute<'_>, other: &Dispute<'_>) -> bool {
    one.objection.target == other.objection.target && one.objection.kind == other.objection.kind
}

fn find_argument<'a>(nodes: &[Node<'a>], id: NodeId) -> Option<&'a Argument> {
    let mut arguments = nodes.iter().filter(|node| node.id == id);
    arguments.find_map(|node| node.point.argument())
}
