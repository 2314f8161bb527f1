//! The parts of a duel's prompts.

use std::mem::take;

use agon_record::id::{Seat, Stage, TurnId};
use agon_record::moves::Moves;
use agon_record::state::Admitted;
use agon_rules::topic::is_about_software;
use agon_wording::{Wording, values};

use crate::kind::DuelKind;
use crate::open_points::{self, Open};
use crate::request::{Parts, PromptRequest};
use crate::summary::summarize_rounds;
use crate::template::{
    CHALLENGE, MOTION, ROLE_BLIND, ROLE_CHALLENGER, ROLE_JUDGE, ROLE_PROPOSER, ROLE_SWAP, RULES,
    RULES_CHALLENGE, RULES_DEFENSE, RULES_FOLLOW_UP, RULES_OPENING, RULES_VERDICT, SUMMARY, TURN,
    citation_shape_list,
};
use crate::{citation_checks, contract, moves_markdown, sent_back, user_input};

/// Returns the parts of a duel's prompt, in order.
pub(super) fn duel_parts(ask: &PromptRequest<'_>) -> Parts {
    let Some(kind) = DuelKind::of(ask.kind) else {
        return Parts::new();
    };
    let open = Open::from_request(ask, kind);
    let mut parts = vec![
        ("role", role_part(ask, kind)),
        (
            "motion",
            MOTION.fill(values! { topic => ask.fenced_topic(), fenced => !ask.person }),
        ),
    ];
    parts.extend(user_input::note_parts(ask));
    parts.extend([
        ("open", open.open_part(ask)),
        ("found", citation_checks::stamp_list_part(ask)),
    ]);
    parts.extend(
        rules_parts(ask, kind)
            .into_iter()
            .map(|rules| ("rules", rules)),
    );
    parts.push(("context", ask.material_part()));
    parts.extend(user_input::run_parts(ask));
    parts.push(("precedents", ask.precedents_part()));
    parts.extend(record_parts(ask));
    parts.push(("shown", citation_checks::source_texts_part(ask)));
    parts.push(("challenge", challenge_part(ask, &open)));
    parts.push(("again", sent_back::sent_back_part(ask)));
    parts.push((
        "contract",
        contract::contract_part(ask, open.contract_id_lines(ask)),
    ));
    if let Some(veil) = &ask.veil {
        for (kind, text) in &mut parts {
            *text = match *kind {
                // Left unchanged: seats cite a run, for example, by the name in its part.
                "motion" | "context" | "run" | "precedents" | "shown" => continue,
                _ => veil.swap_side_names(take(text)),
            };
        }
    }
    parts
}

fn role_part(ask: &PromptRequest<'_>, kind: DuelKind) -> Wording {
    let template = match (kind, ask.key.turn.seat) {
        (DuelKind::Blind, _) => ROLE_BLIND,
        (_, Seat::Proposer | Seat::Proposition) => ROLE_PROPOSER,
        (_, Seat::Challenger | Seat::Opposition) => ROLE_CHALLENGER,
        (_, Seat::Judge(_)) if ask.has_swapped_sides() => ROLE_SWAP,
        (_, Seat::Judge(_)) => ROLE_JUDGE,
    };
    let devils_advocate = ask.state.stop_on_agreement() == Some(false);
    template.fill(values! { devils_advocate, fenced => !ask.person })
}

/// Returns the rules of the debate and of this turn.
fn rules_parts(ask: &PromptRequest<'_>, kind: DuelKind) -> Vec<Wording> {
    let of_turn = match kind {
        DuelKind::Blind => return Vec::new(),
        DuelKind::Opening => RULES_OPENING,
        DuelKind::Challenge => RULES_CHALLENGE,
        DuelKind::Defense => RULES_DEFENSE,
        DuelKind::FollowUp => RULES_FOLLOW_UP,
        DuelKind::Verdict => RULES_VERDICT,
    };
    let judge = ask.key.turn.seat.is_judge();
    let of_debate = RULES.fill(values! { judge, citations => citation_shape_list() });
    let of_turn = match kind {
        DuelKind::Challenge => of_turn.fill(values! {
            compare => ask.state.has_both_first_answers(),
            software => is_about_software(&ask.state.spec),
        }),
        _ => of_turn.fill(values!()),
    };
    vec![of_debate, of_turn]
}

/// Returns the earlier turns. From a debater's third round on, only the last round is complete and
/// earlier ones are summarized.
fn record_parts(ask: &PromptRequest<'_>) -> Parts {
    let mut parts = Vec::new();
    let seat = ask.key.turn.seat;
    let whole_from = match ask.key.turn.stage {
        Stage::Round(round @ 3..) => round - 1,
        Stage::Theses | Stage::Round(_) | Stage::Verdict | Stage::Swap => 0,
    };
    if whole_from > 0 {
        let through = whole_from - 1;
        let text = summarize_rounds(ask.state, through, ask.key.turn);
        let text = ask.fence_veiled(&format!("summary-{through}"), &"record", &text);
        parts.push(("summary", SUMMARY.fill(values! { through, text })));
    }
    let mut spoken: Vec<_> = ask.state.admitted_turns().collect();
    spoken.sort_by_key(|(turn, _)| ask.turn_sort_key(*turn));
    for (turn, admitted) in spoken {
        let Stage::Round(round) = turn.stage else {
            continue;
        };
        if round < whole_from || turn >= ask.key.turn {
            continue;
        }
        let of_other_side = round == 0 && !seat.is_judge() && turn.seat != seat;
        let compared = seat == Seat::Challenger && ask.state.has_both_first_answers();
        match (
            of_other_side,
            compared && ask.key.turn.stage != Stage::Round(0),
        ) {
            (false, _) => parts.push(("turn", turn_part(ask, turn, round, admitted))),
            (true, true) => parts.push(("answer", turn_part(ask, turn, round, admitted))),
            (true, false) => {}
        }
    }
    parts
}

fn turn_part(ask: &PromptRequest<'_>, turn: TurnId, round: u16, admitted: &Admitted) -> Wording {
    let blind = matches!(admitted.moves, Moves::Blind(_));
    let own = turn.seat == ask.key.turn.seat;
    let seat = turn.seat;
    let text = ask.fence_veiled(
        &admitted.key.to_string(),
        &seat,
        &moves_markdown::render_moves(admitted),
    );
    TURN.fill(values! { blind, own, round, seat, text })
}

/// Returns the points to answer again in short, right before the contract.
fn challenge_part(ask: &PromptRequest<'_>, open: &Open<'_>) -> Wording {
    let Some(open_points::Challenge { title, text }) = open.challenge_summary(ask) else {
        return Wording::default();
    };
    let text = ask.fence_veiled(
        &format!("{}-challenge", ask.key.first_ask()),
        &"record",
        &text,
    );
    CHALLENGE.fill(values! { title, text })
}
