//! The form for one turn: what to fill in, and below it what the debate came to so far.

use agon_record::grammar::{NOTHING_FOUND, root_part};
use agon_record::id::{AskKey, NodeId, Stage, TurnId};
use agon_record::moves::{Category, Choose, Moves, MovesKind, ObjectionSeverity};
use agon_record::point::Node;
use agon_record::state::{Ask, State};
use agon_record::text::sanitise_line;
use agon_record::text::strip_invisible_characters;
use agon_rules::floor::HeardArguments;
use agon_rules::parse::parse;
use serde_json::{Map, Value, json};

use super::write::write_form;
use super::{SCISSORS, UNFINISHED, mark_finished, previous_findings, requested_moves_kind};
use crate::dispute::collect_disputes;

// As much as a tool is told of one (`FINDING_CHARS` in `open.rs`).
/// Characters of a finding.
const MAX_FINDING_CHARS: usize = 300;

/// The form for `key`.
///
/// What was sent back stands in it as it was understood; otherwise its places are empty. The same
/// state gives the same form. No text of another seat stands above the scissors. It says that it
/// is unfinished.
pub fn render_form(state: &State, key: AskKey) -> String {
    format!(
        "{}{}",
        render_form_above_scissors(state, key),
        debate_so_far(state, key)
    )
}

/// `text` with the part below the scissors line replaced by the current debate; none when it has no
/// such line or is already current.
pub fn refresh_debate_so_far(state: &State, key: AskKey, text: &str) -> Option<String> {
    let above = text
        .split_inclusive('\n')
        .take_while(|line| line.trim() != SCISSORS);
    let above: usize = above.map(str::len).sum();
    let (above, below) = text.split_at_checked(above)?;
    let shown = debate_so_far(state, key);
    (!below.is_empty() && below != shown).then(|| format!("{above}{shown}"))
}

/// What a form shows from the line with the scissors on: the debate so far.
fn debate_so_far(state: &State, key: AskKey) -> String {
    let told = crate::render_for_person(state, key);
    format!(
        "{SCISSORS}\n\n{}\n",
        strip_invisible_characters(told.trim())
    )
}

/// Whether `text` has what the form of `key` has above the scissors and nothing else, or nothing.
pub fn is_untouched(state: &State, key: AskKey, text: &str) -> bool {
    let above = |text: &str| {
        let text = mark_finished(text);
        let above = text.lines().take_while(|line| line.trim() != SCISSORS);
        let above: Vec<_> = above.map(str::trim_end).collect();
        above.join("\n").trim().to_owned()
    };
    let text = above(text);
    text.is_empty() || text == above(&render_form_above_scissors(state, key))
}

/// What stands above the scissors.
fn render_form_above_scissors(state: &State, key: AskKey) -> String {
    let kind = requested_moves_kind(state, key);
    let mut said = prefilled_moves(state, key, kind);
    if let Some(before) = previous_answer_moves(state, key, kind) {
        said.extend(before);
    }
    format!(
        "{UNFINISHED}\n{}\n{}\n\n",
        form_header(state, key),
        write_form(root_part(kind), &said, true).trim_end(),
    )
}

/// The places of moves of `kind`, with nothing in them.
#[cfg(test)]
pub(crate) fn empty_form(kind: MovesKind) -> String {
    write_form(root_part(kind), &Map::new(), true)
}

/// What stands at the top: whose turn it is, how to fill it in, what was wrong.
fn form_header(state: &State, key: AskKey) -> String {
    let seat = key.turn.seat;
    let turn = match key.turn.stage {
        Stage::Theses => "the theses of both sides".to_owned(),
        Stage::Round(0) if !seat.is_judge() && is_duel(state) => "your first answer".to_owned(),
        Stage::Round(round) if is_duel(state) => format!("round {round}"),
        Stage::Round(exchange) => format!("exchange {exchange}"),
        Stage::Verdict | Stage::Swap => "your verdict".to_owned(),
    };
    let mut out = format!(
        "<!--\n{} · {key} · you sit as {seat}: {turn}\n\nFill in what you want to say; what stays \
         empty is left out. Add entries by copying one.\n",
        escape_comment_text(&state.spec.slug),
    );
    if let Some(node) = state.nodes().first() {
        out.push_str(&format!(
            "Ids such as {} stand in the debate so far, below the line with the scissors.\n",
            node.id
        ));
    }
    out.push_str("-->\n");
    let findings = previous_findings(state, key);
    if !findings.is_empty() {
        out.push_str("<!--\nYour answer was sent back, once:\n");
        for finding in findings {
            let (at, message) = (
                escape_comment_text(&finding.at),
                escape_comment_text(&finding.message),
            );
            let at = if at.is_empty() { at } else { format!("{at}: ") };
            out.push_str(&format!(
                "- {at}{message}; {} ({})\n",
                escape_comment_text(&finding.hint),
                escape_comment_text(&finding.code)
            ));
        }
        out.push_str("-->\n");
    }
    out
}

fn is_duel(state: &State) -> bool {
    !state.is_scored()
}

/// `text` on one line that ends no comment.
fn escape_comment_text(text: &str) -> String {
    let mut out = String::new();
    for c in sanitise_line(text, MAX_FINDING_CHARS).chars() {
        if c == '-' && out.ends_with('-') {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// What is known before anything is written: which points wait for an answer.
fn prefilled_moves(state: &State, key: AskKey, kind: MovesKind) -> Map<String, Value> {
    let list =
        |slot: &str, entries: Vec<Value>| Map::from_iter([(slot.to_owned(), json!(entries))]);
    let of = |name: &str, ids: Vec<NodeId>| -> Vec<Value> {
        ids.into_iter().map(|id| json!({ name: id })).collect()
    };
    match kind {
        MovesKind::Challenge => {
            let nothing = Category::COVERED.map(|category| json!({ "category": category.word() }));
            list(NOTHING_FOUND.key, nothing.to_vec())
        }
        MovesKind::Defense => list(
            "responses",
            of("objection", objections_due(state, key.turn)),
        ),
        MovesKind::FollowUp => list(
            "assessments",
            of("response", unruled_answers(state, key.turn)),
        ),
        MovesKind::Scores => {
            let pending = HeardArguments::for_turn(state, key.turn).unscored_arguments();
            list("scores", of("argument_id", pending))
        }
        MovesKind::Case => list("arguments", vec![json!({}), json!({}), json!({})]),
        MovesKind::Blind
        | MovesKind::Opening
        | MovesKind::Verdict
        | MovesKind::Theses
        | MovesKind::Rebuttal => Map::new(),
    }
}

fn points_known_to(state: &State, turn: TurnId) -> Vec<Node<'_>> {
    let format = agon_rules::format::format_by_name(state.spec.format());
    let mut nodes = state.nodes();
    nodes.retain(|node| format.can_hear(turn, node.turn));
    nodes
}

/// Objections above minor that have no answer.
fn objections_due(state: &State, turn: TurnId) -> Vec<NodeId> {
    let nodes = points_known_to(state, turn);
    let open = collect_disputes(&nodes).into_iter().filter(|dispute| {
        dispute.answers.is_empty() && dispute.objection.severity > ObjectionSeverity::Minor
    });
    open.map(|dispute| dispute.id).collect()
}

/// Answers without a ruling.
fn unruled_answers(state: &State, turn: TurnId) -> Vec<NodeId> {
    let nodes = points_known_to(state, turn);
    let all = collect_disputes(&nodes);
    let answers = all.iter().flat_map(|dispute| &dispute.answers);
    answers
        .filter(|answer| answer.rulings.is_empty())
        .map(|answer| answer.id)
        .collect()
}

/// What the answer before said, as far as it was understood.
fn previous_answer_moves(
    state: &State,
    key: AskKey,
    kind: MovesKind,
) -> Option<Map<String, Value>> {
    let asks = &state.turns.get(&key.turn)?.asks;
    let ask = asks.get(usize::from(key.again.checked_sub(1)?))?;
    let parsed = parse(Ask::reply_text(ask)?, kind, key.turn).ok()?;
    Some(moves_to_object(&parsed.moves))
}

/// The moves without the words that say of which kind they are.
pub(crate) fn moves_to_object(moves: &Moves) -> Map<String, Value> {
    let Ok(Value::Object(mut object)) = serde_json::to_value(moves) else {
        return Map::new();
    };
    if matches!(moves, Moves::Formal(_)) {
        object.remove("said");
    }
    object.remove("kind");
    object
}
