//! The results of citation checks in a prompt.
//!
//! One part lists the stamps, another has the real text. Both are fenced, since paths and lines of
//! a source are untrusted text.

use agon_record::evidence::{stamps_of_ask, stamps_of_turn};
use agon_record::ground::GroundStamp;
use agon_record::id::{AskKey, Stage, TurnId};
use agon_record::piece;
use agon_record::stamp::{SourceText, Stamp, StampKind};
use agon_rules::format;
use agon_wording::{OwnWords, Wording, values};

use crate::request::PromptRequest;
use crate::template::{FOUND, SHOWN};

// The debate of `agon demo` has 24 citations in two rounds, so five rounds have about 60.
/// Maximum number of citations in the list.
const MAX_LISTED: usize = 80;
// About 6,000 tokens, less than the longest prompt of the debate of `agon demo` (8,241 tokens).
// Tested by `much_real_text_is_cut_and_the_newest_is_kept`.
/// Maximum bytes of real text shown.
const MAX_SHOWN: usize = 24 * 1024;
// Twice the longest place and anchor in the debate of `agon demo`, which have 33 and 74 characters.
/// Maximum characters of a line in the list.
const LINE_CHARS: usize = 220;

/// A stamp with the name of its point.
struct NamedStamp<'a> {
    turn: TurnId,
    point: Wording,
    stamp: &'a GroundStamp,
}

/// Returns the stamps that a seat may act on: the stamps of every visible turn, or of its own reply
/// that was sent back.
fn visible_stamps<'a>(ask: &PromptRequest<'a>) -> Vec<NamedStamp<'a>> {
    let format = format::format_of(ask.state);
    let visible = ask
        .state
        .admitted_turns()
        .filter(|(turn, _)| is_round_turn(*turn) && format.may_refer_to(ask.key.turn, *turn));
    let told = visible.flat_map(|(turn, admitted)| {
        let stamps = stamps_of_turn(ask.state, turn).iter();
        stamps.filter_map(move |stamp| {
            let point = admitted.ids.get(stamp.point)?.wording();
            Some(NamedStamp { turn, point, stamp })
        })
    });
    told.filter(|told| told.stamp.stamped.stamp.kind() != StampKind::Unchecked)
        .collect()
}

fn is_round_turn(turn: TurnId) -> bool {
    match turn.stage {
        Stage::Round(_) => true,
        Stage::Theses | Stage::Verdict | Stage::Swap => false,
    }
}

/// Returns the list of stamps for the beginning of a prompt; empty if nothing was checked.
pub(super) fn stamp_list_part(ask: &PromptRequest<'_>) -> Wording {
    let told = visible_stamps(ask);
    if told.is_empty() {
        return Wording::default();
    }
    let newest = |told: &NamedStamp<'_>| std::cmp::Reverse(told.turn.stage);
    let mut order: Vec<_> = told.iter().collect();
    // Doubtful citations first, then the newest, so that a cut drops old valid ones first.
    let stands = |told: &NamedStamp<'_>| told.stamp.is_found_or_moved();
    order.sort_by_key(|told| (stands(told), newest(told)));
    let more = order.len().saturating_sub(MAX_LISTED);
    let lines = order.iter().take(MAX_LISTED);
    let mut lines: Vec<_> = lines
        .map(|told| stamp_line(&told.point, told.stamp))
        .collect();
    if more > 0 {
        lines.push(format!("- and {more} more"));
    }
    let text = ask.fence_veiled(
        "found",
        &"stamps",
        &lines.join(
            "
",
        ),
    );
    let bare = told
        .iter()
        .any(|told| matches!(told.stamp.stamped.stamp, Stamp::Place { .. }));
    FOUND.fill(values! { text, bare })
}

fn stamp_line(point: &str, stamp: &GroundStamp) -> String {
    let cited = piece::format_citation_place(&stamp.stamped.citation).unwrap_or_default();
    let nth = stamp.ground + 1;
    let found = piece::single_line(&stamp.stamped.stamp.to_string(), LINE_CHARS);
    // Replace curly quotation marks, so that the author's words cannot end the quotation early.
    let cited = piece::single_line(&cited, LINE_CHARS).replace(['“', '”'], "'");
    format!("- {point}, ground {nth}: {found}; cited as “{cited}”")
}

/// Returns the real text at the cited places in the order of the debate; the newest turns are kept
/// if there is not enough room. Empty if there is none.
pub(super) fn source_texts_part(ask: &PromptRequest<'_>) -> Wording {
    let mut told = visible_stamps(ask);
    told.reverse();
    render_source_texts(ask, "shown", told)
}

/// Returns the real text at the places cited in a reply that was sent back.
pub(super) fn sent_back_sources_part(ask: &PromptRequest<'_>, before: AskKey) -> Wording {
    let stamps = stamps_of_ask(ask.state, before).iter();
    let doubtful = stamps.filter(|stamp| {
        matches!(
            stamp.stamped.stamp.kind(),
            StampKind::Wrong | StampKind::Moved
        )
    });
    let told = doubtful.map(|stamp| NamedStamp {
        turn: before.turn,
        point: Wording::from_format("point {}", &[&(stamp.point + 1)]),
        stamp,
    });
    render_source_texts(ask, "shown-again", told.collect())
}

fn render_source_texts(ask: &PromptRequest<'_>, name: &str, told: Vec<NamedStamp<'_>>) -> Wording {
    let mut kept: Vec<String> = Vec::new();
    let mut seen: Vec<&SourceText> = Vec::new();
    let mut left = MAX_SHOWN;
    let mut out = 0_usize;
    for told in &told {
        let nearest = match &told.stamp.stamped.stamp {
            Stamp::Wrong { nearest, .. } => nearest.as_ref(),
            _ => None,
        };
        for there in told
            .stamp
            .stamped
            .stamp
            .source_text()
            .into_iter()
            .chain(nearest)
        {
            if seen.contains(&there) {
                continue;
            }
            seen.push(there);
            let point = match &ask.veil {
                Some(veil) => veil.swap_side_names(told.point.clone()),
                None => told.point.clone(),
            };
            let text = numbered_excerpt(&point, there);
            match left.checked_sub(text.len()) {
                Some(rest) => {
                    left = rest;
                    kept.push(text);
                }
                None => out += 1,
            }
        }
    }
    if kept.is_empty() {
        return Wording::default();
    }
    kept.reverse();
    // Not veiled: a file that names a tool does not reveal which seat spoke.
    let text = ask.fence_unveiled(name, &"source", &kept.join("\n\n"));
    SHOWN.fill(values! { text, left_out => out })
}

/// Returns a place with its numbered lines.
fn numbered_excerpt(point: &str, shown: &SourceText) -> String {
    let place = piece::single_line(&shown.place.to_string(), LINE_CHARS);
    let numbered = (shown.from..).zip(&shown.text);
    let lines = numbered.map(|(number, line)| format!("{number:>5} | {line}"));
    let lines: Vec<_> = lines.collect();
    let cut = if shown.cut { "\n      | …" } else { "" };
    format!("{place} (cited in {point})\n{}{cut}", lines.join("\n"))
}

#[cfg(test)]
mod tests;
