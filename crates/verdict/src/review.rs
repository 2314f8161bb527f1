//! The defects of a change that a debate reported, with what was tried against each.
//!
//! A seat marks a point as a defect in its title: `[blocker]`, `[major]` or `[minor]`. A defect is
//! reported only if code found the words that it cites, and its own side did not give it up.

mod change;
mod document;
mod mark;

use agon_record::evidence::{citation_fault, stamps_of_point};
use agon_record::ground::GroundStamp;
use agon_record::id::{NodeId, Seat};
use agon_record::moves::{ObjectionKind, ObjectionSeverity, ReplyKind, RulingKind};
use agon_record::point::{Node, Point};
use agon_record::stamp::{Stamp, StampKind};
use agon_record::state::State;

pub use self::change::{RemovedLines, ReviewedChange};
pub use self::document::{
    Attempt, AttemptKind, CodeLines, Confirmation, Defect, DefectStanding, LeftOut, LeftOutReason,
    OpenPoint, REVIEW_SCHEMA, ReviewDoc,
};
pub use self::mark::DefectSeverity;
use self::mark::split_title;
use crate::verdict::Verdict;

/// Returns the defects that the debate reported on `change`, the most severe first. `verdict` is `None` if the debate ended without one.
pub fn review(state: &State, verdict: Option<&Verdict>, change: &ReviewedChange) -> ReviewDoc {
    let mut doc = ReviewDoc::new(state, verdict, change);
    for node in state.nodes() {
        match split_title(node.point.title()) {
            Some((severity, title)) => match judge_defect(state, &node, severity, &title, change) {
                Ok(defect) => doc.defects.push(defect),
                Err(left_out) => doc.left_out.push(left_out),
            },
            None => doc.open_points.extend(open_point(state, &node, change)),
        }
    }
    // A stable sort: those of the same severity stay in the order of the debate.
    doc.defects.sort_by_key(|defect| {
        let is_confirmed = defect.standing == DefectStanding::Confirmed;
        (std::cmp::Reverse(defect.severity), !is_confirmed)
    });
    doc
}

/// Returns the defect, or why it is not reported.
fn judge_defect(
    state: &State,
    node: &Node<'_>,
    severity: DefectSeverity,
    title: &str,
    change: &ReviewedChange,
) -> Result<Defect, LeftOut> {
    let left_out = |reason| LeftOut {
        id: node.id,
        title: title.to_owned(),
        reason,
    };
    let places = found_places(state, node.id, change);
    if places.is_empty() {
        return Err(left_out(reason_without_place(state, node.id, change)));
    }
    let answers = answers_to(state, node, &places, change);
    if answers.is_given_up {
        return Err(left_out(LeftOutReason::Withdrawn));
    }
    let is_open = answers.attempts.iter().any(|attempt| !attempt.is_withdrawn);
    let standing = match (&answers.confirmed, answers.attempts.is_empty()) {
        (Some(_), _) => DefectStanding::Confirmed,
        (None, true) => DefectStanding::Unanswered,
        (None, false) if is_open => DefectStanding::Disputed,
        (None, false) => DefectStanding::Upheld,
    };
    Ok(Defect {
        id: node.id,
        severity,
        title: title.to_owned(),
        text: node.point.main_text().to_owned(),
        reported_by: tool_name(state, node.seat()),
        is_in_change: places.iter().any(|place| is_changed(place, change)),
        places,
        standing,
        confirmed: answers.confirmed,
        tried: answers.attempts,
        is_decisive: is_decisive(state, node.id),
    })
}

/// The answers of the other side to a reported defect.
#[derive(Default)]
struct Answers {
    attempts: Vec<Attempt>,
    confirmed: Option<Confirmation>,
    /// Whether the side that reported the defect gave it up.
    is_given_up: bool,
}

fn answers_to(
    state: &State,
    defect: &Node<'_>,
    places: &[CodeLines],
    change: &ReviewedChange,
) -> Answers {
    let mut answers = Answers::default();
    for answer in state.nodes_referring_to(defect.id) {
        let text = match answer.point {
            Point::Agreement(agreement) => Some(&agreement.remaining_risk),
            Point::Response(response) => {
                (response.reply == ReplyKind::Concede).then_some(&response.content)
            }
            // A defect of its own, which needs a target like every objection.
            Point::Objection(_) if split_title(answer.point.title()).is_some() => continue,
            Point::Objection(_) => None,
            Point::Argument(_)
            | Point::Alternative(_)
            | Point::Assessment(_)
            | Point::Contention(_) => continue,
        };
        if let Some(text) = text {
            let evidence = found_places(state, answer.id, change);
            let is_own = |place: &CodeLines| !places.contains(place);
            answers.confirmed.get_or_insert_with(|| Confirmation {
                id: answer.id,
                by: tool_name(state, answer.seat()),
                is_other_vendor: is_of_other_vendor(state, answer.seat(), defect.seat()),
                has_own_evidence: evidence.iter().any(is_own),
                text: text.clone(),
            });
            continue;
        }
        let reply = reply_to_attempt(state, &answer);
        answers.is_given_up |= reply.gives_up_defect;
        answers.attempts.push(Attempt {
            id: answer.id,
            by: tool_name(state, answer.seat()),
            kind: kind_of(&answer.point),
            text: answer.point.main_text().to_owned(),
            citation_fault: citation_fault(state, answer.id).map(str::to_owned),
            is_withdrawn: reply.withdraws_attempt,
            reply: reply.text,
        });
    }
    answers
}

/// Returns whether two seats are tools of different vendors. A person has no vendor.
fn is_of_other_vendor(state: &State, seat: Seat, other: Seat) -> bool {
    let vendor = |seat| {
        let vendor = state
            .seats
            .get(&seat)
            .map(|seating| seating.vendor.as_str());
        vendor.filter(|vendor| !vendor.is_empty())
    };
    match (vendor(seat), vendor(other)) {
        (Some(own), Some(other)) => own != other,
        _ => false,
    }
}

/// The reply to an attempt against a defect.
#[derive(Default)]
struct AttemptReply {
    text: Option<String>,
    /// Whether the side that reported the defect gave it up.
    gives_up_defect: bool,
    /// Whether the side that tried it gave the attempt up.
    withdraws_attempt: bool,
}

fn reply_to_attempt(state: &State, attempt: &Node<'_>) -> AttemptReply {
    let mut reply = AttemptReply::default();
    // Conceding a wrong severity, or that the backing is thin, does not give the defect up.
    let denies = match attempt.point {
        Point::Objection(objection) => {
            objection.severity != ObjectionSeverity::Minor
                && matches!(
                    objection.kind,
                    ObjectionKind::Claim | ObjectionKind::Unsupported
                )
        }
        // A trade-off accepts the defect as a fact.
        Point::Response(response) => response.reply != ReplyKind::Tradeoff,
        _ => false,
    };
    for node in state.nodes_referring_to(attempt.id) {
        match node.point {
            // The proposer answers an objection to its own report.
            Point::Response(response) => {
                reply.gives_up_defect |= response.reply == ReplyKind::Concede && denies;
                reply.text = Some(response.content.clone());
                reply.withdraws_attempt |= is_resolved(state, &node);
            }
            // The challenger rules on the answer to its own report.
            Point::Assessment(assessment) => {
                reply.gives_up_defect |= assessment.ruling == RulingKind::Resolved && denies;
                reply.text = Some(assessment.content.clone());
            }
            _ => {}
        }
    }
    reply
}

/// Returns whether the challenger accepted an answer that rebuts its objection.
fn is_resolved(state: &State, response: &Node<'_>) -> bool {
    let is_rebuttal = response
        .point
        .response()
        .is_some_and(|one| one.reply == ReplyKind::Rebut);
    let rulings = state.nodes_referring_to(response.id);
    let mut rulings = rulings.iter().filter_map(|node| node.point.assessment());
    is_rebuttal && rulings.any(|one| one.ruling == RulingKind::Resolved)
}

fn kind_of(point: &Point<'_>) -> AttemptKind {
    match point {
        Point::Response(response) if response.reply == ReplyKind::Tradeoff => {
            AttemptKind::Outweighed
        }
        _ => AttemptKind::Denied,
    }
}

/// Returns the places whose cited words code found, each once: in the reviewed commit, or in lines
/// that the change removed.
fn found_places(state: &State, id: NodeId, change: &ReviewedChange) -> Vec<CodeLines> {
    let mut places: Vec<CodeLines> = Vec::new();
    for stamp in stamps_of_point(state, id) {
        let (Stamp::Found { there, .. } | Stamp::Moved { there, .. }) = &stamp.stamped.stamp else {
            continue;
        };
        let commit = there.place.commit.as_deref();
        let is_removed = match commit {
            None => false,
            Some(commit) if commit == change.commit => false,
            Some(commit) if commit == change.since => true,
            // An older version proves nothing about this change.
            Some(_) => continue,
        };
        // Words of the version before count only where the new version does not have them.
        if is_removed
            && !change
                .removed
                .has_lines(&there.place.file, there.place.lines)
        {
            continue;
        }
        let [start_line, end_line] = there.place.lines;
        let place = CodeLines {
            file: format!("{}{}", change.prefix, there.place.file),
            start_line,
            end_line: end_line.max(start_line),
            is_removed,
        };
        if place.start_line > 0 && !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

fn is_changed(place: &CodeLines, change: &ReviewedChange) -> bool {
    let file = place.file.strip_prefix(&change.prefix);
    file.is_some_and(|file| change.files.contains(file))
}

fn reason_without_place(state: &State, id: NodeId, change: &ReviewedChange) -> LeftOutReason {
    let stamps = stamps_of_point(state, id);
    let has = |kind: StampKind| stamps.iter().any(|one| one.stamped.stamp.kind() == kind);
    let is_elsewhere = |one: &&GroundStamp| {
        let file = one.stamped.citation.file.as_deref();
        file.is_some_and(|file| !change.files.contains(file))
    };
    match () {
        () if has(StampKind::Unchecked) && stamps.iter().any(is_elsewhere) => {
            LeftOutReason::NotLookedUp
        }
        () if has(StampKind::Wrong) => LeftOutReason::WrongCitation,
        () if has(StampKind::Missing) => LeftOutReason::MissingPlace,
        () if has(StampKind::Place) => LeftOutReason::NoQuotation,
        () => LeftOutReason::NoPlace,
    }
}

/// Returns a point that still stands and is not marked as a defect, so that a report of a seat that
/// forgot the mark is not lost: an objection, or an argument of a seat that marked nothing.
fn open_point(state: &State, node: &Node<'_>, change: &ReviewedChange) -> Option<OpenPoint> {
    let severity = match node.point {
        Point::Objection(objection) => {
            let target = state.node(objection.target);
            let is_against_defect =
                target.is_some_and(|target| split_title(target.point.title()).is_some());
            let answers = state.nodes_referring_to(node.id);
            let is_settled = answers.iter().any(|answer| is_resolved(state, answer));
            if is_against_defect || is_settled {
                return None;
            }
            Some(match objection.severity {
                ObjectionSeverity::Minor => DefectSeverity::Minor,
                ObjectionSeverity::Major => DefectSeverity::Major,
                ObjectionSeverity::Blocker => DefectSeverity::Blocker,
            })
        }
        Point::Argument(_) | Point::Alternative(_) if !marks_defects(state, node.seat()) => None,
        _ => return None,
    };
    Some(OpenPoint {
        id: node.id,
        by: tool_name(state, node.seat()),
        severity,
        text: node.point.main_text().to_owned(),
        places: found_places(state, node.id, change),
    })
}

/// Returns whether a seat marked any point as a defect.
fn marks_defects(state: &State, seat: Seat) -> bool {
    let nodes = state.nodes();
    let mut own = nodes.iter().filter(|node| node.seat() == seat);
    own.any(|node| split_title(node.point.title()).is_some())
}

fn is_decisive(state: &State, id: NodeId) -> bool {
    let ruling = state.prevailing_ruling();
    ruling.is_some_and(|(_, ruling)| ruling.decisive.contains(&id))
}

fn tool_name(state: &State, seat: Seat) -> String {
    let tool = state
        .seats
        .get(&seat)
        .map(|seating| seating.tool.to_string());
    tool.unwrap_or_else(|| seat.to_string())
}
