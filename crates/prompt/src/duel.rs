//! The parts of a duel's prompts.

use std::mem::take;

use agon_record::id::{Seat, Stage, TurnId};
use agon_record::moves::Moves;
use agon_record::state::Admitted;

use crate::ask::{Parts, PromptRequest};
use crate::kind::DuelKind;
use crate::open::{self, Open};
use crate::summary::summary;
use crate::wording::template::{
    CHALLENGE, MOTION, ROLE_BLIND, ROLE_CHALLENGER, ROLE_JUDGE, ROLE_PROPOSER, ROLE_SWAP, RULES,
    RULES_CHALLENGE, RULES_DEFENSE, RULES_FOLLOW_UP, RULES_OPENING, RULES_VERDICT, SUMMARY, TURN,
    citations,
};
use crate::wording::{Wording, values};
use crate::{again, contract, found, tell, words};

/// The parts of a prompt, in order.
pub(super) fn parts(ask: &PromptRequest<'_>) -> Parts {
    let Some(kind) = DuelKind::of(ask.kind) else {
        return Parts::new();
    };
    let open = Open::at(ask, kind);
    let mut parts = vec![
        ("role", role(ask, kind)),
        (
            "motion",
            MOTION.fill(values! { topic => ask.topic(), fenced => !ask.person }),
        ),
    ];
    parts.extend(words::notes(ask));
    parts.extend([("open", open.part(ask)), ("found", found::list(ask))]);
    parts.extend(rules(ask, kind).into_iter().map(|rules| ("rules", rules)));
    parts.push(("context", ask.material()));
    parts.extend(words::runs(ask));
    parts.push(("precedents", ask.precedents()));
    parts.extend(record(ask));
    parts.push(("shown", found::quoted_texts(ask)));
    parts.push(("challenge", challenge(ask, &open)));
    parts.push(("again", again::part(ask)));
    parts.push(("contract", contract::part(ask, open.ids(ask))));
    if let Some(veil) = &ask.veil {
        for (kind, text) in &mut parts {
            *text = match *kind {
                // A seat that cites a run names it as it is written there.
                "motion" | "context" | "run" | "precedents" | "shown" => continue,
                _ => veil.with_sides(take(text)),
            };
        }
    }
    parts
}

fn role(ask: &PromptRequest<'_>, kind: DuelKind) -> Wording {
    let template = match (kind, ask.key.turn.seat) {
        (DuelKind::Blind, _) => ROLE_BLIND,
        (_, Seat::Proposer | Seat::Proposition) => ROLE_PROPOSER,
        (_, Seat::Challenger | Seat::Opposition) => ROLE_CHALLENGER,
        (_, Seat::Judge(_)) if ask.swapped() => ROLE_SWAP,
        (_, Seat::Judge(_)) => ROLE_JUDGE,
    };
    let devils_advocate = ask.state.agreement() == Some(false);
    template.fill(values! { devils_advocate, fenced => !ask.person })
}

/// The rules of the debate, and those of this turn.
fn rules(ask: &PromptRequest<'_>, kind: DuelKind) -> Vec<Wording> {
    let of_turn = match kind {
        DuelKind::Blind => return Vec::new(),
        DuelKind::Opening => RULES_OPENING,
        DuelKind::Challenge => RULES_CHALLENGE,
        DuelKind::Defense => RULES_DEFENSE,
        DuelKind::FollowUp => RULES_FOLLOW_UP,
        DuelKind::Verdict => RULES_VERDICT,
    };
    let judge = ask.key.turn.seat.judges();
    let of_debate = RULES.fill(values! { judge, citations => citations() });
    vec![of_debate, of_turn.fill(values!())]
}

/// What was said before: whole, or from a debater's third round on, the last
/// round whole and those before it in brief.
fn record(ask: &PromptRequest<'_>) -> Parts {
    let mut parts = Vec::new();
    let seat = ask.key.turn.seat;
    let whole_from = match ask.key.turn.stage {
        Stage::Round(round @ 3..) => round - 1,
        Stage::Theses | Stage::Round(_) | Stage::Verdict | Stage::Swap => 0,
    };
    if whole_from > 0 {
        let through = whole_from - 1;
        let text = summary(ask.state, through, ask.key.turn);
        let text = ask.fence(&format!("summary-{through}"), &"record", &text);
        parts.push(("summary", SUMMARY.fill(values! { through, text })));
    }
    let mut spoken: Vec<_> = ask.state.spoken().collect();
    spoken.sort_by_key(|(turn, _)| ask.rank(*turn));
    for (turn, admitted) in spoken {
        let Stage::Round(round) = turn.stage else {
            continue;
        };
        let unseen = round == 0 && !seat.judges() && turn.seat != seat;
        if round >= whole_from && turn < ask.key.turn && !unseen {
            parts.push(("turn", turn_part(ask, turn, round, admitted)));
        }
    }
    parts
}

fn turn_part(ask: &PromptRequest<'_>, turn: TurnId, round: u16, admitted: &Admitted) -> Wording {
    let blind = matches!(admitted.moves, Moves::Blind(_));
    let own = turn.seat == ask.key.turn.seat;
    let seat = turn.seat;
    let text = ask.fence(&admitted.key.to_string(), &seat, &tell::moves(admitted));
    TURN.fill(values! { blind, own, round, seat, text })
}

/// The points to answer, once more and in short, right before the contract.
fn challenge(ask: &PromptRequest<'_>, open: &Open<'_>) -> Wording {
    let Some(open::Challenge { title, text }) = open.challenge(ask) else {
        return Wording::default();
    };
    let text = ask.fence(&format!("{}-challenge", ask.key.first()), &"record", &text);
    CHALLENGE.fill(values! { title, text })
}
