//! What a turn must answer, and what it should know of broken rules.

use agon_record::finding::{Finding, Severity};
use agon_record::id::{NodeId, Seat, Stage, TurnId};
use agon_record::moves::Response;
use agon_record::piece::{line, word};
use agon_record::point::{Node, Point, placed};
use agon_record::state::Admitted;
use agon_rules::format;

use crate::ask::PromptRequest;
use crate::broken::{Broken, rule_of};
use crate::contract::{each_of, list, one_of};
use crate::dispute::{Dispute, disputes};
use crate::kind::DuelKind;
use crate::wording::template::OPEN;
use crate::wording::{OwnWords, Values, Wording, values};

// Claims in the debate of `agon demo` have 113 to 146 characters: enough to know one again beside
// its id.
/// Characters of a point that are repeated beside its id.
const POINT_CHARS: usize = 110;
// The longest message in 53 debates recorded for the tests has 71 characters; what is cited may be
// quoted in one.
/// Characters of a finding.
const FINDING_CHARS: usize = 300;
// Chosen, not measured. Beyond it the prompt would be about form more than matter; the rest is
// counted.
/// Findings that are listed.
const MAX_FINDINGS: usize = 12;

/// What is open when a turn begins.
pub(super) struct Open<'a> {
    kind: DuelKind,
    nodes: Vec<Node<'a>>,
    disputes: Vec<Dispute<'a>>,
}

/// The challenge a turn answers.
pub(super) struct Challenge {
    pub(super) title: &'static str,
    pub(super) text: String,
}

impl<'a> Open<'a> {
    pub(super) fn at(ask: &PromptRequest<'a>, kind: DuelKind) -> Self {
        let mut nodes = ask.state.nodes();
        let format = format::of(ask.state.spec.format());
        nodes.retain(|node| format.hears(ask.key.turn, node.turn));
        let disputes = disputes(&nodes);
        Self {
            kind,
            nodes,
            disputes,
        }
    }

    /// Objections that must be answered.
    fn due(&self) -> impl Iterator<Item = &Dispute<'a>> {
        self.disputes.iter().filter(|d| d.must_be_answered())
    }

    /// Objections that may be answered: minor ones, and those that still stand.
    fn may_answer(&self) -> impl Iterator<Item = &Dispute<'a>> {
        let may = |d: &&Dispute<'_>| !d.must_be_answered() && !d.is_settled();
        self.disputes.iter().filter(may)
    }

    /// Answers without a ruling, each with its objection.
    fn unruled(&self) -> impl Iterator<Item = (NodeId, &'a Response, &Dispute<'a>)> {
        self.disputes.iter().flat_map(|dispute| {
            let answers = dispute.answers.iter().filter(|a| a.rulings.is_empty());
            answers.map(move |answer| (answer.id, answer.response, dispute))
        })
    }

    /// The ids of the points of `seat`.
    fn points_of(&self, seat: Option<Seat>) -> Vec<NodeId> {
        let of = |node: &&Node<'_>| Some(node.seat()) == seat;
        self.nodes.iter().filter(of).map(|node| node.id).collect()
    }

    /// The part near the beginning: ids and findings.
    pub(super) fn part(&self, ask: &PromptRequest<'_>) -> Wording {
        if self.kind == DuelKind::Blind {
            return Wording::default();
        }
        let lists = self.lists();
        let findings = findings(ask);
        let judge = ask.key.turn.seat.judges();
        let missing = if judge { self.missing(ask) } else { Vec::new() };
        let early = judge.then(|| early(ask)).flatten();
        if lists.is_empty() && findings.is_none() && missing.is_empty() && early.is_none() {
            return Wording::default();
        }
        OPEN.fill(values! { lists, findings, missing, early })
    }

    fn lists(&self) -> Vec<Values> {
        let objection = |dispute: &Dispute<'_>| {
            let Dispute { id, objection, .. } = dispute;
            let standing = dispute.status();
            let filled: [&dyn OwnWords; 4] =
                [id, &objection.target, &objection.severity, &standing];
            Wording::with("{} on {}, {} ({})", &filled)
        };
        let answer = |(id, response, dispute): (NodeId, &Response, &Dispute<'_>)| {
            Wording::with("{} on {}: {}", &[&id, &dispute.id, &response.reply])
        };
        let due: Vec<_> = self.due().map(objection).collect();
        let may: Vec<_> = self.may_answer().map(objection).collect();
        let unruled: Vec<_> = self.unruled().map(answer).collect();
        let standing: Vec<_> = due.iter().chain(&may).cloned().collect();
        let lists = match self.kind {
            DuelKind::Blind | DuelKind::Opening | DuelKind::Challenge => Vec::new(),
            DuelKind::Defense => vec![
                ("Objections you must answer:", due),
                ("Objections you may answer:", may),
            ],
            DuelKind::FollowUp => vec![("Answers you must rule on:", unruled)],
            DuelKind::Verdict => vec![
                ("Objections neither conceded nor resolved:", standing),
                ("Answers never ruled on:", unruled),
            ],
        };
        lists
            .into_iter()
            .filter(|(_, points)| !points.is_empty())
            .map(|(title, points)| values! { title, points })
            .collect()
    }

    /// What a judge must know of turns that were lost.
    fn missing(&self, ask: &PromptRequest<'_>) -> Vec<Wording> {
        let lost = ask.state.lost_turns().filter_map(|(turn, _)| {
            let seat = turn.seat;
            match turn.stage {
                Stage::Round(0) => Some(Wording::with("The {} gave no first answer.", &[&seat])),
                Stage::Round(round) => Some(self.lost(seat, round)),
                Stage::Theses | Stage::Verdict | Stage::Swap => None,
            }
        });
        lost.collect()
    }

    fn lost(&self, seat: Seat, round: u16) -> Wording {
        let unheard = match seat {
            Seat::Proposer | Seat::Proposition => ids(
                self.due().map(|dispute| dispute.id),
                "was never answered",
                "were never answered",
            ),
            Seat::Challenger | Seat::Opposition | Seat::Judge(_) => ids(
                self.unruled().map(|(id, ..)| id),
                "was never ruled on",
                "were never ruled on",
            ),
        };
        let unheard = unheard.map(|unheard| Wording::with(" {}.", &[&unheard]));
        Wording::with(
            "The {} did not answer in round {}: its turn was lost for technical reasons.{} That concedes nothing.",
            &[&seat, &round, &unheard.unwrap_or_default()],
        )
    }

    /// What the turn answers, in words cut short; the whole stands in the record.
    pub(super) fn challenge(&self, ask: &PromptRequest<'_>) -> Option<Challenge> {
        let objection = |dispute: &Dispute<'_>| {
            let Dispute { id, objection, .. } = dispute;
            let (severity, target) = (word(&objection.severity), objection.target);
            let content = line(&objection.content, POINT_CHARS);
            format!("- {id} objects to {target}, {severity}: {content}")
        };
        let mut lines: Vec<String> = Vec::new();
        let title = match self.kind {
            DuelKind::Blind | DuelKind::Opening => return None,
            DuelKind::Challenge => {
                lines.extend(position(ask).map(|at| format!("- Stance: {at}")));
                lines.extend(self.nodes.iter().filter_map(|node| {
                    let claim = line(&node.point.argument()?.claim, POINT_CHARS);
                    Some(format!("- {}: {claim}", node.id))
                }));
                "The position to test"
            }
            DuelKind::Defense => {
                lines.extend(self.due().chain(self.may_answer()).map(objection));
                "The objections to answer"
            }
            DuelKind::FollowUp => {
                lines.extend(self.unruled().map(|(id, response, dispute)| {
                    let reply = word(&response.reply);
                    let content = line(&response.content, POINT_CHARS);
                    format!("- {id} on {}, {reply}: {content}", dispute.id)
                }));
                "The answers to rule on"
            }
            DuelKind::Verdict => {
                let stand = position(ask).map(|at| format!("- The proposer's position: {at}"));
                let first = (!ask.swapped()).then(|| stand.clone()).flatten();
                lines.extend(first);
                lines.extend(self.nodes.iter().filter_map(|node| {
                    let claim = line(&node.point.alternative()?.claim, POINT_CHARS);
                    Some(format!(
                        "- The challenger's alternative {}: {claim}",
                        node.id
                    ))
                }));
                lines.extend(stand.filter(|_| ask.swapped()));
                let standing = self.disputes.iter().filter(|dispute| !dispute.is_settled());
                lines.extend(standing.map(objection));
                "Where the sides stand at the end"
            }
        };
        (!lines.is_empty()).then(|| Challenge {
            title,
            text: lines.join("\n"),
        })
    }

    /// Which ids may be named where.
    pub(super) fn ids(&self, ask: &PromptRequest<'_>) -> Vec<Wording> {
        let theirs = self.points_of(ask.key.turn.seat.opponent());
        match self.kind {
            DuelKind::Blind | DuelKind::Opening => Vec::new(),
            DuelKind::Challenge => vec![one_of("target", theirs)],
            DuelKind::Defense => {
                let due: Vec<_> = self.due().map(|dispute| dispute.id).collect();
                let may: Vec<_> = self.may_answer().map(|dispute| dispute.id).collect();
                match (due.is_empty(), may.is_empty()) {
                    (true, true) => {
                        let none = "No objection is open: `responses` stays empty.";
                        vec![Wording::ours(none)]
                    }
                    (true, false) => vec![one_of("objection", may)],
                    (false, true) => vec![each_of("objection", due)],
                    (false, false) => {
                        let (due, may) = (each_of("objection", due), list(may));
                        vec![Wording::with("{} It may also be {}.", &[&due, &may])]
                    }
                }
            }
            DuelKind::FollowUp => {
                let unruled: Vec<_> = self.unruled().map(|(id, ..)| id).collect();
                let rulings = match unruled.is_empty() {
                    true => Wording::ours("No answer is open: `assessments` stays empty."),
                    false => each_of("response", unruled),
                };
                vec![rulings, one_of("target", theirs)]
            }
            DuelKind::Verdict => {
                let mut all: Vec<_> = self.nodes.iter().collect();
                all.sort_by_key(|node| ask.rank(node.turn));
                let all = all.into_iter().map(|node| node.id).collect();
                vec![Wording::with("An `ID` is one of: {}.", &[&list(all)])]
            }
        }
    }
}

/// The proposer's position as last stated.
fn position(ask: &PromptRequest<'_>) -> Option<String> {
    let stated = ask.state.spoken().filter(|(turn, _)| *turn < ask.key.turn);
    let stated = stated.filter_map(|(_, admitted)| admitted.moves.stance());
    Some(line(stated.last()?, 2 * POINT_CHARS))
}

/// `ids` as a sentence without its full stop; none when there are none.
fn ids(
    ids: impl Iterator<Item = NodeId>,
    one: &'static str,
    many: &'static str,
) -> Option<Wording> {
    let ids: Vec<_> = ids.collect();
    let verb = if ids.len() == 1 { one } else { many };
    (!ids.is_empty()).then(|| Wording::with("{} {}", &[&list(ids), &verb]))
}

/// How far a debate came that a limit cut short.
fn early(ask: &PromptRequest<'_>) -> Option<Values> {
    let (after, planned) = (ask.state.rounds_completed(), ask.state.rounds());
    let why = match (ask.state.capped, ask.state.is_sent_to_judge()) {
        (_, true) if after < planned => "who asked for it wants the verdict now",
        (Some(_), _) => "a limit was reached",
        (None, _) => return None,
    };
    Some(values! { after, planned, why })
}

/// The errors with which earlier turns were admitted, worst first.
fn findings(ask: &PromptRequest<'_>) -> Option<Values> {
    let mut all: Vec<(TurnId, &Admitted, &Finding)> = Vec::new();
    for (turn, admitted) in ask.state.spoken().filter(|(turn, _)| *turn < ask.key.turn) {
        // Other rulings are no part of what is judged.
        let Stage::Round(1..) = turn.stage else {
            continue;
        };
        let errors = admitted.findings.iter();
        let errors = errors.filter(|finding| finding.severity > Severity::Warning);
        all.extend(errors.map(|finding| (turn, admitted, finding)));
    }
    all.sort_by_key(|(_, _, finding)| std::cmp::Reverse(finding.severity));
    let more = all.len().saturating_sub(MAX_FINDINGS);
    let mut broken = Broken::default();
    for (turn, admitted, finding) in all.into_iter().take(MAX_FINDINGS) {
        let id = point_at(admitted, &finding.at);
        let place: &dyn OwnWords = match &id {
            Some(id) => id,
            None => &turn,
        };
        broken.add(finding, Some(place), note(id, turn, finding));
    }
    broken.leave_out(more);
    broken.values(ask, &format!("{}-findings", ask.key.first()))
}

/// What was found, and at which point or turn.
fn note(id: Option<NodeId>, turn: TurnId, finding: &Finding) -> String {
    let place = match id {
        Some(id) => id.to_string(),
        None if finding.at.is_empty() => format!("the turn {turn}"),
        None => format!("{turn}, {}", line(&finding.at, 80)),
    };
    let message = line(&finding.message, FINDING_CHARS);
    format!("{place}: {message} ({})", rule_of(finding).0)
}

/// The point that a place such as `objections[1].target` is in.
fn point_at(admitted: &Admitted, at: &str) -> Option<NodeId> {
    let (place, _) = at.split_once(']')?;
    let is_there = |(placed, _): &(String, Point<'_>)| placed.strip_suffix(']') == Some(place);
    let nth = placed(&admitted.moves).iter().position(is_there)?;
    admitted.ids.get(nth).copied()
}
