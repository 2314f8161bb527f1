//! The defects of a change that a debate reported, with what was tried against each.
//!
//! A seat marks a point as a defect in its title: `[blocker]`, `[major]` or `[minor]`. A defect is
//! reported only if code found the words that it cites, and its own side did not give it up.

mod document;
mod mark;

use std::collections::BTreeSet;

use agon_record::evidence::stamps_of_point;
use agon_record::id::{NodeId, Seat};
use agon_record::moves::{ObjectionSeverity, ReplyKind, RulingKind};
use agon_record::point::{Node, Point};
use agon_record::spec::Seating;
use agon_record::stamp::{Location, Stamp, StampKind};
use agon_record::state::State;

pub use self::document::{
    Attempt, AttemptKind, CodeLines, Confirmation, Defect, DefectStanding, LeftOut, LeftOutReason,
    OpenPoint, REVIEW_SCHEMA, ReviewDoc,
};
pub use self::mark::DefectSeverity;
use self::mark::split_title;
use crate::verdict::Verdict;

/// Returns the defects that the debate reported on a change from `since` to `commit`, the most
/// severe first. `verdict` is `None` if the debate ended without one.
pub fn review(state: &State, verdict: Option<&Verdict>, change: &ReviewedChange) -> ReviewDoc {
    let mut doc = ReviewDoc::new(state, verdict, change);
    for node in state.nodes() {
        match split_title(node.point.title()) {
            Some((severity, title)) => match judge_defect(state, &node, severity, &title, change) {
                Ok(defect) => doc.defects.push(defect),
                Err(left_out) => doc.left_out.push(left_out),
            },
            None => doc.open_points.extend(open_point(state, &node)),
        }
    }
    // A stable sort: those of the same severity stay in the order of the debate.
    doc.defects.sort_by_key(|defect| {
        let is_confirmed = defect.standing == DefectStanding::Confirmed;
        (std::cmp::Reverse(defect.severity), !is_confirmed)
    });
    doc
}

/// The change that a review is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewedChange {
    /// The full id of the commit before the change.
    pub since: String,
    /// The full id of the last commit of the change.
    pub commit: String,
    /// The paths of the changed files that the seats were given.
    pub files: BTreeSet<String>,
    /// The paths of the changed files that did not fit into the context.
    pub not_read: Vec<String>,
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
    let places = found_places(state, node.id);
    if places.is_empty() {
        return Err(left_out(reason_without_place(state, node.id)));
    }
    let answers = answers_to(state, node);
    if answers.is_given_up {
        return Err(left_out(LeftOutReason::Withdrawn));
    }
    let standing = match (&answers.confirmed, answers.attempts.is_empty()) {
        (Some(_), _) => DefectStanding::Confirmed,
        (None, false) => DefectStanding::Disputed,
        (None, true) => DefectStanding::Unanswered,
    };
    Ok(Defect {
        id: node.id,
        severity,
        title: title.to_owned(),
        text: node.point.main_text().to_owned(),
        reported_by: tool_name(state, node.seat()),
        is_in_change: places
            .iter()
            .any(|place| change.files.contains(&place.file)),
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

fn answers_to(state: &State, defect: &Node<'_>) -> Answers {
    let mut answers = Answers::default();
    for answer in state.nodes_referring_to(defect.id) {
        match answer.point {
            Point::Agreement(agreement) => {
                answers.confirm(state, &answer, &agreement.remaining_risk);
            }
            Point::Response(response) if response.reply == ReplyKind::Concede => {
                answers.confirm(state, &answer, &response.content);
            }
            Point::Response(_) | Point::Objection(_) => {
                let (reply, is_given_up) = reply_to_attempt(state, &answer);
                answers.is_given_up |= is_given_up;
                answers.attempts.push(Attempt {
                    id: answer.id,
                    by: tool_name(state, answer.seat()),
                    kind: kind_of(&answer.point),
                    text: answer.point.main_text().to_owned(),
                    citation_fault: agon_record::evidence::citation_fault(state, answer.id)
                        .map(str::to_owned),
                    reply,
                });
            }
            Point::Argument(_)
            | Point::Alternative(_)
            | Point::Assessment(_)
            | Point::Contention(_) => {}
        }
    }
    answers
}

impl Answers {
    /// Records that the other side accepts the defect.
    fn confirm(&mut self, state: &State, answer: &Node<'_>, text: &str) {
        let seating = state.seats.get(&answer.seat());
        let [first, second] = state.spec.format().sides();
        let other = match answer.seat() == first {
            true => second,
            false => first,
        };
        let vendor = |seating: Option<&Seating>| seating.map(|one| one.vendor.clone());
        let (own, others) = (vendor(seating), vendor(state.seats.get(&other)));
        self.confirmed.get_or_insert_with(|| Confirmation {
            id: answer.id,
            by: tool_name(state, answer.seat()),
            is_other_vendor: own.is_some() && own != others,
            // Words of its own that code found, not only a yes.
            has_evidence: !found_places(state, answer.id).is_empty(),
            text: text.to_owned(),
        });
    }
}

/// Returns what the reporting side replied to an attempt, and whether it gave the defect up.
fn reply_to_attempt(state: &State, attempt: &Node<'_>) -> (Option<String>, bool) {
    let mut said = None;
    let mut is_given_up = false;
    // To concede a small flaw of a report, such as a wrong line, is not to give it up.
    let is_minor = attempt
        .point
        .objection()
        .is_some_and(|one| one.severity == ObjectionSeverity::Minor);
    for reply in state.nodes_referring_to(attempt.id) {
        match reply.point {
            Point::Response(response) => {
                is_given_up |= response.reply == ReplyKind::Concede && !is_minor;
                said = Some(response.content.clone());
            }
            Point::Assessment(assessment) => {
                is_given_up |= assessment.ruling == RulingKind::Resolved;
                said = Some(assessment.content.clone());
            }
            _ => {}
        }
    }
    (said, is_given_up)
}

fn kind_of(point: &Point<'_>) -> AttemptKind {
    match point {
        Point::Response(response) if response.reply == ReplyKind::Tradeoff => {
            AttemptKind::Outweighed
        }
        _ => AttemptKind::Denied,
    }
}

/// Returns the places whose cited words code found, each once.
fn found_places(state: &State, id: NodeId) -> Vec<CodeLines> {
    let mut places: Vec<CodeLines> = Vec::new();
    for stamp in stamps_of_point(state, id) {
        let (Stamp::Found { there, .. } | Stamp::Moved { there, .. }) = &stamp.stamped.stamp else {
            continue;
        };
        let place = CodeLines::from(&there.place);
        if place.start_line > 0 && !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

impl From<&Location> for CodeLines {
    fn from(location: &Location) -> Self {
        let [start_line, end_line] = location.lines;
        Self {
            file: location.file.clone(),
            start_line,
            end_line: end_line.max(start_line),
        }
    }
}

fn reason_without_place(state: &State, id: NodeId) -> LeftOutReason {
    let stamps = stamps_of_point(state, id);
    let has = |kind: StampKind| stamps.iter().any(|one| one.stamped.stamp.kind() == kind);
    match () {
        () if has(StampKind::Wrong) => LeftOutReason::WrongCitation,
        () if has(StampKind::Missing) => LeftOutReason::MissingPlace,
        () if has(StampKind::Place) => LeftOutReason::NoQuotation,
        () => LeftOutReason::NoPlace,
    }
}

/// Returns an objection that still stands and is not marked as a defect, so that a serious point of a
/// seat that forgot the mark is not lost.
fn open_point(state: &State, node: &Node<'_>) -> Option<OpenPoint> {
    let objection = node.point.objection()?;
    let is_against_defect = state
        .node(objection.target)
        .is_some_and(|target| split_title(target.point.title()).is_some());
    if is_against_defect {
        return None;
    }
    let is_settled = state.nodes_referring_to(node.id).iter().any(|answer| {
        let (_, is_given_up) = reply_to_attempt(state, answer);
        is_given_up
    });
    (!is_settled).then(|| OpenPoint {
        id: node.id,
        by: tool_name(state, node.seat()),
        text: objection.content.clone(),
        places: found_places(state, node.id),
    })
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
