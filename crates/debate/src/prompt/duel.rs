//! The parts of a duel's prompts.

use minijinja::context;

use crate::fence::clean;
use crate::id::{Seat, Stage, TurnId};
use crate::moves::{Moves, MovesKind};
use crate::prompt::ask::{Ask, Parts};
use crate::prompt::open::{self, Open};
use crate::prompt::template::{
    CHALLENGE, MOTION, ROLE_BLIND, ROLE_CHALLENGER, ROLE_JUDGE, ROLE_PROPOSER, ROLE_SWAP, RULES,
    RULES_CHALLENGE, RULES_DEFENSE, RULES_FOLLOW_UP, RULES_OPENING, RULES_VERDICT, SUMMARY, TURN,
    citations,
};
use crate::prompt::{again, contract, found, tell, words};
use crate::state::Admitted;
use crate::summary::summary;

/// What kind of moves a turn of a duel asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Blind,
    Opening,
    Challenge,
    Defense,
    FollowUp,
    Verdict,
}

impl Kind {
    /// The kind as a duel knows it; none for those of other formats.
    fn of(kind: MovesKind) -> Option<Self> {
        match kind {
            MovesKind::Blind => Some(Self::Blind),
            MovesKind::Opening => Some(Self::Opening),
            MovesKind::Challenge => Some(Self::Challenge),
            MovesKind::Defense => Some(Self::Defense),
            MovesKind::FollowUp => Some(Self::FollowUp),
            MovesKind::Verdict => Some(Self::Verdict),
            MovesKind::Theses | MovesKind::Case | MovesKind::Rebuttal | MovesKind::Scores => None,
        }
    }
}

/// The parts of a prompt, in order.
pub(super) fn parts(ask: &Ask<'_>) -> Parts {
    let Some(kind) = Kind::of(ask.kind) else {
        return Parts::new();
    };
    let topic = clean(&ask.state.spec.topic);
    let open = Open::at(ask, kind);
    let mut parts = vec![
        ("role", role(ask, kind)),
        ("motion", MOTION.fill(context! { topic => topic.trim() })),
    ];
    parts.extend(words::notes(ask));
    parts.extend([("open", open.part(ask)), ("found", found::list(ask))]);
    parts.extend(rules(ask, kind).into_iter().map(|rules| ("rules", rules)));
    parts.push(("context", ask.material()));
    parts.extend(words::runs(ask));
    parts.push(("precedents", ask.precedents()));
    parts.extend(record(ask));
    parts.push(("shown", found::shown(ask)));
    parts.push(("challenge", challenge(ask, &open)));
    parts.push(("again", again::part(ask)));
    parts.push(("contract", contract::part(ask, open.ids(ask))));
    if let Some(veil) = &ask.veil {
        for (kind, text) in &mut parts {
            *text = match *kind {
                "motion" | "context" | "run" | "precedents" | "shown" => continue,
                "open" | "again" => veil.said(text),
                _ => veil.told(text),
            };
        }
    }
    parts
}

fn role(ask: &Ask<'_>, kind: Kind) -> String {
    let template = match (kind, ask.key.turn.seat) {
        (Kind::Blind, _) => ROLE_BLIND,
        (_, Seat::Proposer | Seat::Proposition) => ROLE_PROPOSER,
        (_, Seat::Challenger | Seat::Opposition) => ROLE_CHALLENGER,
        (_, Seat::Judge(_)) if ask.swapped() => ROLE_SWAP,
        (_, Seat::Judge(_)) => ROLE_JUDGE,
    };
    let devils_advocate = ask.state.agreement == Some(false);
    let material = ask.state.spec.context.text().is_some();
    template.fill(context! { devils_advocate, material })
}

/// The rules of the debate, and those of this turn.
fn rules(ask: &Ask<'_>, kind: Kind) -> Vec<String> {
    let of_turn = match kind {
        Kind::Blind => return Vec::new(),
        Kind::Opening => RULES_OPENING,
        Kind::Challenge => RULES_CHALLENGE,
        Kind::Defense => RULES_DEFENSE,
        Kind::FollowUp => RULES_FOLLOW_UP,
        Kind::Verdict => RULES_VERDICT,
    };
    let judge = ask.key.turn.seat.judges();
    let of_debate = RULES.fill(context! { judge, citations => citations() });
    vec![of_debate, of_turn.fill(context! {})]
}

/// What was said before: whole, or from a debater's third round on, the last
/// round whole and those before it in brief.
fn record(ask: &Ask<'_>) -> Vec<(&'static str, String)> {
    let mut parts = Vec::new();
    let seat = ask.key.turn.seat;
    let whole_from = match ask.key.turn.stage {
        Stage::Round(round @ 3..) => round - 1,
        Stage::Theses | Stage::Round(_) | Stage::Verdict | Stage::Swap => 0,
    };
    if whole_from > 0 {
        let through = whole_from - 1;
        let text = summary(ask.state, through, ask.key.turn);
        let text = ask.fence(&format!("summary-{through}"), "record", &text);
        parts.push(("summary", SUMMARY.fill(context! { through, text })));
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

fn turn_part(ask: &Ask<'_>, turn: TurnId, round: u16, admitted: &Admitted) -> String {
    let blind = matches!(admitted.moves, Moves::Blind(_));
    let own = turn.seat == ask.key.turn.seat;
    let seat = turn.seat.to_string();
    let text = ask.fence(&admitted.key.to_string(), &seat, &tell::moves(admitted));
    TURN.fill(context! { blind, own, round, seat, text })
}

/// The points to answer, once more and in short, right before the contract.
fn challenge(ask: &Ask<'_>, open: &Open<'_>) -> String {
    let Some(open::Challenge { title, text }) = open.challenge(ask) else {
        return String::new();
    };
    let text = ask.fence(&format!("{}-challenge", ask.key.first()), "record", &text);
    CHALLENGE.fill(context! { title, text })
}
