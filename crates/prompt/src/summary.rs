//! Summarizes earlier rounds from the record, without a model.
//!
//! From the third round on, a debater reads a summary of all rounds except the last. It is neutral
//! and exact: every line is copied from a move or counted from the record.

use agon_record::id::{NodeId, Seat, Stage, TurnId};
use agon_record::moves::{ObjectionSeverity, ReplyKind};
use agon_record::piece::{
    clean_list_item, format_citation_place, single_line, truncate_at_word, variant_name,
};
use agon_record::point::{Node, Point};
use agon_record::state::State;
use agon_tokens::count_tokens;

use crate::dispute::{Dispute, collect_disputes};

mod contradiction;

// The two rounds in the debate of `agon demo` have 2,800 and 1,950 tokens. The complete last round
// follows the summary, so earlier rounds get about a third of the space. Tested by
// `all_but_the_concessions_keeps_the_cap`.
/// Maximum o200k tokens of a summary without its concessions.
pub const MAX_TOKENS: usize = 800;

// Two positions take 240 of the 700 tokens that remain without the frame. Six more lines fit into
// the rest.
const POSITION_TOKENS: usize = 120;
// Twice the longest allowed claim, which has 25 words.
const LINE_TOKENS: usize = 70;
// The same rank as disputed major objections, so that a short summary drops earlier arguments and
// minor points before this evidence.
/// The rank of the evidence behind agreements and concessions.
const EVIDENCE_RANK: u8 = 2;
// Five headings and a line with a count; `all_but_the_concessions_keeps_the_cap` tests the total.
/// The tokens reserved for headings and the number of lines left out.
const FRAME_TOKENS: usize = 100;

/// The sections, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SummarySection {
    Positions,
    Conceded,
    Disputed,
    Contradictions,
    Evidence,
}

impl SummarySection {
    const ALL: [Self; 5] = [
        Self::Positions,
        Self::Conceded,
        Self::Disputed,
        Self::Contradictions,
        Self::Evidence,
    ];

    fn title(self) -> &'static str {
        match self {
            Self::Positions => "Positions",
            Self::Conceded => "Conceded, word for word",
            Self::Disputed => "Still disputed",
            Self::Contradictions => "Contradictions between rounds",
            Self::Evidence => "Evidence behind agreements and concessions",
        }
    }
}

/// A line of the summary.
struct SummaryLine {
    section: SummarySection,
    /// The priority if not everything fits; `None` for lines that are always kept.
    rank: Option<u8>,
    text: String,
}

impl SummaryLine {
    fn required(section: SummarySection, text: String) -> Self {
        Self {
            section,
            rank: None,
            text,
        }
    }

    fn ranked(section: SummarySection, rank: u8, text: String) -> Self {
        Self {
            section,
            rank: Some(rank),
            text,
        }
    }
}

/// Summarizes rounds 1 to `through`: each side's position, every concession word for word, open
/// disputes, contradictions between rounds, and the evidence behind agreements.
///
/// It is for the current `turn`: later settlements and contradictions up to that turn count. Apart
/// from the concessions, which are always complete, it has at most [`MAX_TOKENS`] tokens. Lines
/// that do not fit are left out and counted, minor points and earlier arguments first.
pub fn summarize_rounds(state: &State, through: u16, turn: TurnId) -> String {
    let mut nodes = state.nodes();
    nodes.retain(|node| node.turn < turn);
    let disputes = collect_disputes(&nodes);
    let mut lines = position_lines(state, &nodes, through);
    lines.extend(concession_lines(&disputes, through));
    lines.extend(disputed_lines(&disputes, through));
    for text in contradiction::contradiction_lines(&nodes, &disputes, through) {
        lines.push(SummaryLine::ranked(SummarySection::Contradictions, 3, text));
    }
    lines.extend(evidence_lines(&nodes, &disputes, through));
    write_sections(fit_lines_to_budget(lines))
}

fn position_lines(state: &State, nodes: &[Node<'_>], through: u16) -> Vec<SummaryLine> {
    let mut lines = Vec::new();
    let stated = state.admitted_turns().filter_map(|(turn, admitted)| {
        let Stage::Round(round) = turn.stage else {
            return None;
        };
        let position = admitted.moves.stance()?;
        (round <= through).then_some((round, turn.seat, position))
    });
    if let Some((round, seat, position)) = stated.last() {
        let position = cut_tokens(position, POSITION_TOKENS);
        let text = format!("{seat}, round {round}: {position}");
        lines.push(SummaryLine::required(SummarySection::Positions, text));
    }
    let made = |told: fn(&Node<'_>) -> Option<String>, rank| {
        let before = nodes.iter().filter(|node| node.id.round <= through);
        let texts = before.filter_map(told);
        let lines = texts.map(|text| SummaryLine::ranked(SummarySection::Positions, rank, text));
        lines.collect::<Vec<_>>()
    };
    let alternatives = made(alternative_line, 1);
    if alternatives.is_empty() {
        let text = format!("{}: has offered no alternative answer", Seat::Challenger);
        lines.push(SummaryLine::required(SummarySection::Positions, text));
    }
    lines.extend(made(argument_line, 3));
    lines.extend(alternatives);
    lines
}

fn argument_line(node: &Node<'_>) -> Option<String> {
    let claim = cut_tokens(&node.point.argument()?.claim, LINE_TOKENS);
    Some(format!("{} argues, {}: {claim}", node.seat(), node.id))
}

fn alternative_line(node: &Node<'_>) -> Option<String> {
    let claim = cut_tokens(&node.point.alternative()?.claim, LINE_TOKENS);
    let (seat, id) = (node.seat(), node.id);
    Some(format!("{seat} offers an alternative, {id}: {claim}"))
}

/// Returns every conceding answer and every ruling that confirmed a resolution.
fn concession_lines(disputes: &[Dispute<'_>], through: u16) -> Vec<SummaryLine> {
    let mut said: Vec<(NodeId, String)> = Vec::new();
    for dispute in disputes {
        for answer in &dispute.answers {
            if answer.response.reply == ReplyKind::Concede {
                let text = clean_list_item(&answer.response.content);
                let seat = answer.id.seat;
                let text = format!("{seat}, {} concedes {}: {text}", answer.id, dispute.id);
                said.push((answer.id, text));
            }
            for (id, ruling) in &answer.rulings {
                if ruling.ruling == agon_record::moves::RulingKind::Resolved {
                    let (seat, text) = (id.seat, clean_list_item(&ruling.content));
                    said.push((
                        *id,
                        format!("{seat}, {id} rules {} resolved: {text}", answer.id),
                    ));
                }
            }
        }
    }
    said.retain(|(id, _)| id.round <= through);
    said.sort_by_key(|(id, _)| (id.round, id.seat, id.place));
    let kept = |(_, text)| SummaryLine::required(SummarySection::Conceded, text);
    said.into_iter().map(kept).collect()
}

fn disputed_lines(disputes: &[Dispute<'_>], through: u16) -> Vec<SummaryLine> {
    let open = disputes
        .iter()
        .filter(|dispute| dispute.id.round <= through && !dispute.is_settled());
    let mut lines: Vec<_> = open
        .map(|dispute| {
            let Dispute { id, objection, .. } = dispute;
            let rank = match objection.severity {
                ObjectionSeverity::Blocker => 0,
                ObjectionSeverity::Major => 2,
                ObjectionSeverity::Minor => 4,
            };
            let severity = variant_name(&objection.severity);
            let content = cut_tokens(&objection.content, LINE_TOKENS);
            let (target, standing) = (objection.target, dispute.status());
            let text = format!("{id} on {target}, {severity} ({standing}): {content}");
            SummaryLine::ranked(SummarySection::Disputed, rank, text)
        })
        .collect();
    lines.sort_by_key(|line| line.rank);
    lines
}

fn evidence_lines(nodes: &[Node<'_>], disputes: &[Dispute<'_>], through: u16) -> Vec<SummaryLine> {
    let mut lines = Vec::new();
    let mut tell = |what: String, grounds: &[agon_record::moves::Ground]| {
        for ground in grounds {
            let place = ground.citation.as_ref().and_then(format_citation_place);
            let source = place.unwrap_or_else(|| ground.source.clone());
            let source = cut_tokens(&source, LINE_TOKENS);
            let content = cut_tokens(&ground.content, LINE_TOKENS);
            let text = format!("{what}: {content} ({source})");
            lines.push(SummaryLine::ranked(
                SummarySection::Evidence,
                EVIDENCE_RANK,
                text,
            ));
        }
    };
    for node in nodes.iter().filter(|node| node.id.round <= through) {
        if let Point::Agreement(agreement) = node.point {
            let what = format!("{} agrees with {}", node.id, agreement.target);
            tell(what, &agreement.grounds);
        }
    }
    for (dispute, answer) in disputes
        .iter()
        .filter_map(|dispute| Some((dispute, dispute.concession()?)))
    {
        if answer.id.round <= through {
            let what = format!("{} concedes {}", answer.id, dispute.id);
            tell(what, &answer.response.grounds);
        }
    }
    for (id, ruling) in disputes.iter().filter_map(Dispute::resolving_ruling) {
        if id.round <= through {
            tell(
                format!("{id} rules {} resolved", ruling.response),
                &ruling.grounds,
            );
        }
    }
    lines
}

/// Returns the lines that fit, in order, with the number of lines left out.
fn fit_lines_to_budget(lines: Vec<SummaryLine>) -> Vec<(SummarySection, Vec<String>, usize)> {
    let cost = |line: &SummaryLine| count_tokens(&format!("- {}\n", line.text));
    let mut left = MAX_TOKENS - FRAME_TOKENS;
    for line in &lines {
        if line.rank.is_none() && line.section != SummarySection::Conceded {
            left = left.saturating_sub(cost(line));
        }
    }
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|&at| lines.get(at).and_then(|line| line.rank));
    let mut keep = vec![false; lines.len()];
    let mut full = false;
    for at in order {
        let Some(line) = lines.get(at) else { continue };
        if line.rank.is_some() {
            let cost = cost(line);
            // Once a line does not fit, drop all later ones: they are no more important.
            full |= cost > left;
            if full {
                continue;
            }
            left -= cost;
        }
        keep[at] = true;
    }
    let sections = SummarySection::ALL.map(|section| {
        let here = || {
            lines
                .iter()
                .zip(&keep)
                .filter(|(l, _)| l.section == section)
        };
        let kept = here().filter(|(_, keep)| **keep);
        let kept: Vec<_> = kept.map(|(line, _)| line.text.clone()).collect();
        let left_out = here().count() - kept.len();
        (section, kept, left_out)
    });
    sections.into()
}

fn write_sections(sections: Vec<(SummarySection, Vec<String>, usize)>) -> String {
    let mut out = String::new();
    for (section, lines, left_out) in sections {
        if lines.is_empty() && left_out == 0 {
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&format!("### {}\n", section.title()));
        for line in lines {
            out.push_str(&format!("- {line}\n"));
        }
        if left_out > 0 {
            out.push_str(&format!("- {left_out} more left out for length\n"));
        }
    }
    out.trim_end().to_owned()
}

/// Returns `text` on one line, cut to at most `max` tokens.
fn cut_tokens(text: &str, max: usize) -> String {
    let mut chars = max * 8;
    let mut text = single_line(text, chars);
    loop {
        let count = count_tokens(&text);
        if count <= max || chars <= 1 {
            return text;
        }
        // At least one character shorter than before, so that the loop ends.
        chars = (text.chars().count() * max / count).clamp(1, chars - 1);
        text = truncate_at_word(&text, chars);
    }
}

#[cfg(test)]
mod tests;
