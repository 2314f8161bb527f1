//! The parts of a formal debate's prompts.

use agon_record::id::{AskKey, Seat, Stage, TurnId};
use agon_record::moves::MovesKind;
use agon_record::piece::clean_list_item;
use agon_rules::floor::HeardArguments;
use agon_wording::{Wording, values};

use crate::contract::{each_once_sentence, one_of_sentence};
use crate::request::{Parts, PromptRequest};
use crate::template::{
    CHALLENGE, FORMAL_MOTION, FORMAL_ROLE_JUDGE, FORMAL_ROLE_SIDE, FORMAL_ROLE_THESES,
    FORMAL_RULES, FORMAL_RULES_CASE, FORMAL_RULES_REBUTTAL, FORMAL_RULES_SCORES,
    FORMAL_RULES_THESES, FORMAL_THESES, FORMAL_THESIS, citation_shape_list,
};
use crate::{citation_checks, contract, sent_back, user_input};

mod record;
#[cfg(test)]
mod tests;

/// Returns the parts of a formal debate's prompt, in order.
///
/// Parts that stay the same from exchange to exchange come first. Every turn is a separate part
/// with its findings, so that a session or a tool's cache needs only the new parts.
pub(super) fn formal_parts(ask: &PromptRequest<'_>) -> Parts {
    let floor = HeardArguments::for_turn(ask.state, ask.key.turn);
    let mut parts = vec![
        ("role", role_part(ask)),
        ("motion", motion_part(ask)),
        ("thesis", thesis_part(ask)),
    ];
    parts.extend(user_input::note_parts(ask));
    parts.extend(
        rules_parts(ask, &floor)
            .into_iter()
            .map(|text| ("rules", text)),
    );
    parts.push(("context", ask.material_part()));
    parts.extend(user_input::run_parts(ask));
    let record::HeardTurns { brief, whole } = record::split_heard_turns(ask, &floor);
    parts.push(("summary", brief));
    parts.extend(whole.into_iter().map(|text| ("turn", text)));
    parts.push(("found", citation_checks::stamp_list_part(ask)));
    parts.push(("shown", citation_checks::source_texts_part(ask)));
    parts.push(("scores", record::scores_part(ask, &floor)));
    parts.push(("challenge", challenge_part(ask, &floor)));
    parts.push(("again", sent_back::sent_back_part(ask)));
    parts.push((
        "contract",
        contract::contract_part(ask, contract_id_lines(ask, &floor)),
    ));
    parts
}

fn role_part(ask: &PromptRequest<'_>) -> Wording {
    let seat = ask.key.turn.seat;
    match (ask.kind, seat) {
        (MovesKind::Theses, _) => FORMAL_ROLE_THESES.fill(values! { fenced => !ask.person }),
        (_, Seat::Judge(_)) => FORMAL_ROLE_JUDGE.fill(values!()),
        (_, Seat::Proposition | Seat::Opposition | Seat::Proposer | Seat::Challenger) => {
            FORMAL_ROLE_SIDE.fill(values! { seat })
        }
    }
}

fn motion_part(ask: &PromptRequest<'_>) -> Wording {
    let spec = &ask.state.spec;
    let definitions = spec.definitions().iter().map(|definition| {
        let (term, meaning) = (
            clean_list_item(&definition.term),
            clean_list_item(&definition.meaning),
        );
        format!("- {term}: {meaning}")
    });
    let definitions: Vec<_> = definitions.collect();
    let definitions = (!definitions.is_empty())
        .then(|| ask.fence_unveiled("definitions", &"definitions", &definitions.join("\n")));
    let scope = spec.scope().filter(|scope| !scope.is_empty());
    let scope = scope.map(|scope| ask.fence_unveiled("scope", &"scope", scope));
    FORMAL_MOTION
        .fill(values! { topic => ask.fenced_topic(), fenced => !ask.person, definitions, scope })
}

/// Returns the thesis of a side, or both for a judge; empty until they are known.
fn thesis_part(ask: &PromptRequest<'_>) -> Wording {
    let Some(theses) = ask.state.theses() else {
        return Wording::default();
    };
    let told = |thesis: &str, seat: Seat| {
        let turn = TurnId::theses(Seat::JUDGE);
        let key = AskKey { turn, again: 0 };
        ask.fence_veiled(
            &format!("{key}-{seat}"),
            &"thesis",
            &clean_list_item(thesis),
        )
    };
    let seat = ask.key.turn.seat;
    match (ask.kind, theses.thesis(seat)) {
        (MovesKind::Theses, _) => Wording::default(),
        (_, Some(thesis)) => FORMAL_THESIS.fill(values! { thesis => told(thesis, seat) }),
        (_, None) => FORMAL_THESES.fill(values! {
            proposition => told(&theses.proposition, Seat::Proposition),
            opposition => told(&theses.opposition, Seat::Opposition),
        }),
    }
}

/// Returns the rules of the debate and of this turn.
fn rules_parts(ask: &PromptRequest<'_>, floor: &HeardArguments<'_>) -> Vec<Wording> {
    let rescores = floor.scored_arguments().next().is_some();
    if ask.kind == MovesKind::Theses {
        return vec![FORMAL_RULES_THESES.fill(values!())];
    }
    let of_kinds = [
        (MovesKind::Case, FORMAL_RULES_CASE),
        (MovesKind::Rebuttal, FORMAL_RULES_REBUTTAL),
        (MovesKind::Scores, FORMAL_RULES_SCORES),
    ];
    let Some((_, of_turn)) = of_kinds.into_iter().find(|(kind, _)| *kind == ask.kind) else {
        return Vec::new();
    };
    let judge = ask.key.turn.seat.is_judge();
    let of_debate = FORMAL_RULES.fill(values! { judge, citations => citation_shape_list() });
    vec![of_debate, of_turn.fill(values! { rescores })]
}

/// Returns what the turn must act on again in short, right before the contract.
fn challenge_part(ask: &PromptRequest<'_>, floor: &HeardArguments<'_>) -> Wording {
    let (title, lines) = if ask.key.turn.seat.is_judge() {
        (
            "The arguments to score",
            record::unscored_argument_lines(floor),
        )
    } else {
        let title = "Unanswered attacks on your side";
        (title, record::unanswered_attack_lines(floor))
    };
    if lines.is_empty() {
        return Wording::default();
    }
    let text = lines.join("\n");
    let text = ask.fence_veiled(
        &format!("{}-challenge", ask.key.first_ask()),
        &"record",
        &text,
    );
    CHALLENGE.fill(values! { title, text })
}

/// Returns the allowed numbers of moves and ids.
fn contract_id_lines(ask: &PromptRequest<'_>, floor: &HeardArguments<'_>) -> Vec<Wording> {
    if ask.kind == MovesKind::Case {
        return vec![Wording::from_literal(
            "The block is a list of exactly 3 arguments.",
        )];
    }
    if ask.kind == MovesKind::Rebuttal {
        return rebuttal_target_lines(floor);
    }
    if ask.kind == MovesKind::Scores {
        return score_target_lines(floor);
    }
    Vec::new()
}

fn rebuttal_target_lines(floor: &HeardArguments<'_>) -> Vec<Wording> {
    let (theirs, own) = (floor.opponent_arguments(), floor.own_arguments());
    let attacks = match theirs.is_empty() {
        true => Wording::from_literal("Leave `attacks` empty."),
        false => {
            let theirs = one_of_sentence("target_id", theirs);
            Wording::from_format("`attacks`, at most 3: {}", &[&theirs])
        }
    };
    let defends = match own.is_empty() {
        true => Wording::from_literal("Leave `defends` empty."),
        false => {
            let own = one_of_sentence("target_id", own);
            Wording::from_format("`defends`, at most 2: {}", &[&own])
        }
    };
    vec![attacks, defends]
}

fn score_target_lines(floor: &HeardArguments<'_>) -> Vec<Wording> {
    let pending = each_once_sentence("argument_id", floor.unscored_arguments());
    let scored: Vec<_> = floor.scored_arguments().map(|(id, _)| id).collect();
    let rescores = match scored.is_empty() {
        true => Wording::from_literal("Leave `rescores` empty."),
        false => {
            let scored = one_of_sentence("argument_id", scored);
            Wording::from_format("`rescores`, may be empty: {}", &[&scored])
        }
    };
    let scores = Wording::from_format("`scores`, which must sum to 0: {}", &[&pending]);
    vec![scores, rescores]
}

/// Returns the exchange of `turn`, if it is in one.
fn exchange_number(turn: TurnId) -> Option<u16> {
    match turn.stage {
        Stage::Round(exchange) => Some(exchange),
        Stage::Theses | Stage::Verdict | Stage::Swap => None,
    }
}
