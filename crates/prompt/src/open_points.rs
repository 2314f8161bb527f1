//! The open points that a turn must answer, and the broken rules so far.

use agon_record::finding::{Finding, Severity};
use agon_record::id::{NodeId, Seat, Stage, TurnId};
use agon_record::moves::Response;
use agon_record::piece::{single_line, variant_name};
use agon_record::point::{Node, Point, points_with_paths};
use agon_record::state::Admitted;
use agon_record::support::unsupported_points;
use agon_rules::format;
use agon_wording::{OwnWords, Values, Wording, values};

use crate::broken_rules::{BrokenRules, rule_code_and_text};
use crate::contract::{comma_separated_ids, each_once_sentence, one_of_sentence};
use crate::dispute::{Dispute, collect_disputes};
use crate::kind::DuelKind;
use crate::request::PromptRequest;
use crate::template::OPEN;

// Claims in the debate of `agon demo` have 113 to 146 characters, so this is enough to recognize
// one beside its id.
/// Maximum characters of a point repeated beside its id.
const POINT_CHARS: usize = 90;
// The longest message in 53 debates recorded for the tests has 71 characters. The rest is for a
// quoted citation.
/// Maximum characters of a finding.
const FINDING_CHARS: usize = 300;
// Chosen, not measured: more findings would distract the seat from the content. The prompt gives
// only the number of the others.
/// Maximum number of findings in a prompt.
const MAX_FINDINGS: usize = 12;

/// The open points at the start of a turn.
pub(super) struct Open<'a> {
    kind: DuelKind,
    nodes: Vec<Node<'a>>,
    disputes: Vec<Dispute<'a>>,
}

/// The points that a turn answers.
pub(super) struct Challenge {
    pub(super) title: &'static str,
    pub(super) text: String,
}

impl<'a> Open<'a> {
    pub(super) fn from_request(ask: &PromptRequest<'a>, kind: DuelKind) -> Self {
        let mut nodes = ask.state.nodes();
        let format = format::format_of(ask.state);
        nodes.retain(|node| format.may_refer_to(ask.key.turn, node.turn));
        let disputes = collect_disputes(&nodes);
        Self {
            kind,
            nodes,
            disputes,
        }
    }

    /// Returns the objections that must be answered.
    fn due_objections(&self) -> impl Iterator<Item = &Dispute<'a>> {
        self.disputes.iter().filter(|d| d.must_be_answered())
    }

    /// Returns the unsettled objections that may be answered again.
    fn optional_objections(&self) -> impl Iterator<Item = &Dispute<'a>> {
        let may = |d: &&Dispute<'_>| !d.must_be_answered() && !d.is_settled();
        self.disputes.iter().filter(may)
    }

    /// Returns the answers without a ruling, each with its objection.
    fn unruled_answers(&self) -> impl Iterator<Item = (NodeId, &'a Response, &Dispute<'a>)> {
        self.disputes.iter().flat_map(|dispute| {
            let answers = dispute.answers.iter().filter(|a| a.rulings.is_empty());
            answers.map(move |answer| (answer.id, answer.response, dispute))
        })
    }

    /// Returns the ids of the points of `seat`.
    fn point_ids_of(&self, seat: Option<Seat>) -> Vec<NodeId> {
        let of = |node: &&Node<'_>| Some(node.seat()) == seat;
        self.nodes.iter().filter(of).map(|node| node.id).collect()
    }

    /// Returns the part near the beginning: ids and findings.
    pub(super) fn open_part(&self, ask: &PromptRequest<'_>) -> Wording {
        if self.kind == DuelKind::Blind {
            return Wording::default();
        }
        let lists = self.open_point_lists();
        let findings = error_values(ask);
        let judge = ask.key.turn.seat.is_judge();
        let missing = if judge {
            self.lost_turn_notices(ask)
        } else {
            Vec::new()
        };
        let early = judge.then(|| early_end_values(ask)).flatten();
        let reasoning = self.points_without_citation(ask);
        let nothing = lists.is_empty() && missing.is_empty() && reasoning.is_none();
        if nothing && findings.is_none() && early.is_none() {
            return Wording::default();
        }
        OPEN.fill(values! { lists, findings, missing, early, reasoning })
    }

    /// Returns the points of either side without a valid citation; `None` if there are none.
    fn points_without_citation(&self, ask: &PromptRequest<'_>) -> Option<Wording> {
        let is_visible = |id: &NodeId| self.nodes.iter().any(|node| node.id == *id);
        let mut bare = unsupported_points(ask.state);
        bare.retain(is_visible);
        bare.sort_by_key(|id| ask.turn_sort_key(TurnId::round(id.round, id.seat)));
        (!bare.is_empty()).then(|| comma_separated_ids(bare))
    }

    fn open_point_lists(&self) -> Vec<Values> {
        let objection = |dispute: &Dispute<'_>| {
            let Dispute { id, objection, .. } = dispute;
            let standing = dispute.status();
            let filled: [&dyn OwnWords; 4] =
                [id, &objection.target, &objection.severity, &standing];
            Wording::from_format("{} on {}, {} ({})", &filled)
        };
        let answer = |(id, response, dispute): (NodeId, &Response, &Dispute<'_>)| {
            Wording::from_format("{} on {}: {}", &[&id, &dispute.id, &response.reply])
        };
        let due: Vec<_> = self.due_objections().map(objection).collect();
        let may: Vec<_> = self.optional_objections().map(objection).collect();
        let unruled: Vec<_> = self.unruled_answers().map(answer).collect();
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
                ("Answers without a ruling:", unruled),
            ],
        };
        lists
            .into_iter()
            .filter(|(_, points)| !points.is_empty())
            .map(|(title, points)| values! { title, points })
            .collect()
    }

    /// Returns the notices about lost turns for a judge.
    fn lost_turn_notices(&self, ask: &PromptRequest<'_>) -> Vec<Wording> {
        let lost = ask.state.lost_turns().filter_map(|(turn, _)| {
            let seat = turn.seat;
            match turn.stage {
                Stage::Round(0) => Some(Wording::from_format(
                    "The {} gave no first answer.",
                    &[&seat],
                )),
                Stage::Round(round) => Some(self.lost_turn_notice(seat, round)),
                Stage::Theses | Stage::Verdict | Stage::Swap => None,
            }
        });
        lost.collect()
    }

    fn lost_turn_notice(&self, seat: Seat, round: u16) -> Wording {
        let unheard = match seat {
            Seat::Proposer | Seat::Proposition => ids_with_verb(
                self.due_objections().map(|dispute| dispute.id),
                "got no answer",
                "got no answer",
            ),
            Seat::Challenger | Seat::Opposition | Seat::Judge(_) => ids_with_verb(
                self.unruled_answers().map(|(id, ..)| id),
                "got no ruling",
                "got no ruling",
            ),
        };
        let unheard = unheard.map(|unheard| Wording::from_format(" {}.", &[&unheard]));
        Wording::from_format(
            "The {} did not answer in round {}: its turn was lost for technical reasons.{} This is not a concession.",
            &[&seat, &round, &unheard.unwrap_or_default()],
        )
    }

    /// Returns the points that the turn answers, shortened; the record has the complete texts.
    pub(super) fn challenge_summary(&self, ask: &PromptRequest<'_>) -> Option<Challenge> {
        let objection = |dispute: &Dispute<'_>| {
            let Dispute { id, objection, .. } = dispute;
            let (severity, target) = (variant_name(&objection.severity), objection.target);
            let content = single_line(&objection.content, POINT_CHARS);
            format!("- {id} objects to {target}, {severity}: {content}")
        };
        let mut lines: Vec<String> = Vec::new();
        let title = match self.kind {
            DuelKind::Blind | DuelKind::Opening => return None,
            DuelKind::Challenge => {
                lines.extend(latest_stance(ask).map(|at| format!("- Stance: {at}")));
                lines.extend(self.nodes.iter().filter_map(|node| {
                    let claim = single_line(&node.point.argument()?.claim, POINT_CHARS);
                    Some(format!("- {}: {claim}", node.id))
                }));
                "The position to test"
            }
            DuelKind::Defense => {
                lines.extend(
                    self.due_objections()
                        .chain(self.optional_objections())
                        .map(objection),
                );
                "The objections to answer"
            }
            DuelKind::FollowUp => {
                lines.extend(self.unruled_answers().map(|(id, response, dispute)| {
                    let reply = variant_name(&response.reply);
                    let content = single_line(&response.content, POINT_CHARS);
                    format!("- {id} on {}, {reply}: {content}", dispute.id)
                }));
                "The answers to rule on"
            }
            DuelKind::Verdict => {
                let stand = latest_stance(ask).map(|at| format!("- The proposer's position: {at}"));
                let first = (!ask.has_swapped_sides()).then(|| stand.clone()).flatten();
                lines.extend(first);
                lines.extend(self.nodes.iter().filter_map(|node| {
                    let claim = single_line(&node.point.alternative()?.claim, POINT_CHARS);
                    Some(format!(
                        "- The challenger's alternative {}: {claim}",
                        node.id
                    ))
                }));
                lines.extend(stand.filter(|_| ask.has_swapped_sides()));
                let standing = self.disputes.iter().filter(|dispute| !dispute.is_settled());
                lines.extend(standing.map(objection));
                "The sides' positions at the end"
            }
        };
        (!lines.is_empty()).then(|| Challenge {
            title,
            text: lines.join("\n"),
        })
    }

    /// Returns the sentences of the contract that list the allowed ids of each key.
    pub(super) fn contract_id_lines(&self, ask: &PromptRequest<'_>) -> Vec<Wording> {
        let theirs = self.point_ids_of(ask.key.turn.seat.opponent());
        match self.kind {
            DuelKind::Blind | DuelKind::Opening => Vec::new(),
            DuelKind::Challenge => vec![one_of_sentence("target", theirs)],
            DuelKind::Defense => {
                let due: Vec<_> = self.due_objections().map(|dispute| dispute.id).collect();
                let may: Vec<_> = self
                    .optional_objections()
                    .map(|dispute| dispute.id)
                    .collect();
                match (due.is_empty(), may.is_empty()) {
                    (true, true) => {
                        let none = "No objection is open: leave `responses` empty.";
                        vec![Wording::from_literal(none)]
                    }
                    (true, false) => vec![one_of_sentence("objection", may)],
                    (false, true) => vec![each_once_sentence("objection", due)],
                    (false, false) => {
                        let (due, may) = (
                            each_once_sentence("objection", due),
                            comma_separated_ids(may),
                        );
                        vec![Wording::from_format("{} It may also be {}.", &[&due, &may])]
                    }
                }
            }
            DuelKind::FollowUp => {
                let unruled: Vec<_> = self.unruled_answers().map(|(id, ..)| id).collect();
                let rulings = match unruled.is_empty() {
                    true => Wording::from_literal("No answer is open: leave `assessments` empty."),
                    false => each_once_sentence("response", unruled),
                };
                vec![rulings, one_of_sentence("target", theirs)]
            }
            DuelKind::Verdict => {
                let mut all: Vec<_> = self.nodes.iter().collect();
                all.sort_by_key(|node| ask.turn_sort_key(node.turn));
                let all = all.into_iter().map(|node| node.id).collect();
                vec![Wording::from_format(
                    "An `ID` is one of: {}.",
                    &[&comma_separated_ids(all)],
                )]
            }
        }
    }
}

/// Returns the proposer's latest position.
fn latest_stance(ask: &PromptRequest<'_>) -> Option<String> {
    let stated = ask
        .state
        .admitted_turns()
        .filter(|(turn, _)| *turn < ask.key.turn);
    let stated = stated.filter_map(|(_, admitted)| admitted.moves.stance());
    Some(single_line(stated.last()?, 2 * POINT_CHARS))
}

/// Returns a sentence about `ids` without a full stop; `None` if there are none.
fn ids_with_verb(
    ids: impl Iterator<Item = NodeId>,
    one: &'static str,
    many: &'static str,
) -> Option<Wording> {
    let ids: Vec<_> = ids.collect();
    let verb = if ids.len() == 1 { one } else { many };
    (!ids.is_empty()).then(|| Wording::from_format("{} {}", &[&comma_separated_ids(ids), &verb]))
}

/// Returns the completed and planned rounds and the reason, if the debate ended early.
fn early_end_values(ask: &PromptRequest<'_>) -> Option<Values> {
    let (after, planned) = (ask.state.rounds_completed(), ask.state.planned_rounds());
    let why = match (ask.state.capped, ask.state.is_judge_order_in_effect()) {
        (_, true) if after < planned => "the user wants the verdict now",
        (Some(_), _) => "a limit was reached",
        (None, _) => return None,
    };
    Some(values! { after, planned, why })
}

/// Returns the errors of earlier admitted turns, the most severe first.
fn error_values(ask: &PromptRequest<'_>) -> Option<Values> {
    let mut all: Vec<(TurnId, &Admitted, &Finding)> = Vec::new();
    for (turn, admitted) in ask
        .state
        .admitted_turns()
        .filter(|(turn, _)| *turn < ask.key.turn)
    {
        // Errors count only in turns of the rounds, not in rulings.
        let Stage::Round(1..) = turn.stage else {
            continue;
        };
        let errors = admitted.findings.iter();
        let errors = errors.filter(|finding| finding.severity > Severity::Warning);
        all.extend(errors.map(|finding| (turn, admitted, finding)));
    }
    all.sort_by_key(|(_, _, finding)| std::cmp::Reverse(finding.severity));
    let more = all.len().saturating_sub(MAX_FINDINGS);
    let mut broken = BrokenRules::default();
    for (turn, admitted, finding) in all.into_iter().take(MAX_FINDINGS) {
        let id = point_at_path(admitted, &finding.at);
        let place: &dyn OwnWords = match &id {
            Some(id) => id,
            None => &turn,
        };
        broken.add_finding(finding, Some(place), describe_finding(id, turn, finding));
    }
    broken.add_omitted_count(more);
    broken.template_values(ask, &format!("{}-findings", ask.key.first_ask()))
}

/// Describes a finding with its point or turn.
fn describe_finding(id: Option<NodeId>, turn: TurnId, finding: &Finding) -> String {
    let place = match id {
        Some(id) => id.to_string(),
        None if finding.at.is_empty() => format!("the turn {turn}"),
        None => format!("{turn}, {}", single_line(&finding.at, 80)),
    };
    let message = single_line(&finding.message, FINDING_CHARS);
    format!("{place}: {message} ({})", rule_code_and_text(finding).0)
}

/// Returns the point of a place such as `objections[1].target`.
fn point_at_path(admitted: &Admitted, at: &str) -> Option<NodeId> {
    let (place, _) = at.split_once(']')?;
    let is_there = |(placed, _): &(String, Point<'_>)| placed.strip_suffix(']') == Some(place);
    let nth = points_with_paths(&admitted.moves)
        .iter()
        .position(is_there)?;
    admitted.ids.get(nth).copied()
}
