//! The parts of a prompt, in order.

use minijinja::context;

use crate::fence::{clean, fence};
use crate::id::{AskKey, Seat, Stage, TurnId};
use crate::moves::{Moves, MovesKind};
use crate::prompt::template::{
    CHALLENGE, CONTEXT, MOTION, ROLE_BLIND, ROLE_CHALLENGER, ROLE_JUDGE, ROLE_PROPOSER, RULES,
    RULES_CHALLENGE, RULES_DEFENSE, RULES_FOLLOW_UP, RULES_OPENING, RULES_VERDICT, SHAPE_CITATION,
    SUMMARY, TURN,
};
use crate::prompt::{Part, Prompt, again, contract, open, tell};
use crate::spec::Context;
use crate::state::{Admitted, State};
use crate::summary::summary;
use crate::{format, prompt::open::Open};

/// What a prompt is made from.
pub(super) struct Ask<'a> {
    pub(super) state: &'a State,
    pub(super) key: AskKey,
    pub(super) kind: MovesKind,
}

impl<'a> Ask<'a> {
    pub(super) fn new(state: &'a State, key: AskKey) -> Self {
        let kind = format::of(state.spec.format).moves_kind(key.turn);
        Self { state, key, kind }
    }

    pub(super) fn prompt(&self) -> Prompt {
        let open = Open::at(self);
        let mut parts = vec![
            ("role", self.role()),
            (
                "motion",
                MOTION.fill(context! { topic => clean(&self.state.spec.topic).trim() }),
            ),
        ];
        parts.push(("open", open.part(self)));
        parts.extend(self.rules().into_iter().map(|rules| ("rules", rules)));
        parts.push(("context", self.material()));
        parts.extend(self.record());
        parts.push(("challenge", self.challenge(&open)));
        parts.push(("again", again::part(self)));
        parts.push(("contract", contract::part(self, &open)));
        let parts = parts.into_iter().filter(|(_, text)| !text.is_empty());
        let parts = parts.map(|(kind, text)| Part { kind, text }).collect();
        Prompt { parts }
    }

    /// `text` in a fence, under the key of what is fenced.
    pub(super) fn fence(&self, key: &str, label: &str, text: &str) -> String {
        fence(&self.state.spec.salt, key, label, text)
    }

    fn role(&self) -> String {
        let template = match (self.kind, self.key.turn.seat) {
            (MovesKind::Blind, _) => ROLE_BLIND,
            (_, Seat::Proposer | Seat::Proposition) => ROLE_PROPOSER,
            (_, Seat::Challenger | Seat::Opposition) => ROLE_CHALLENGER,
            (_, Seat::Judge(_)) => ROLE_JUDGE,
        };
        let devils_advocate = self.state.agreement == Some(false);
        let material = self.state.spec.context != Context::None;
        template.fill(context! { devils_advocate, material })
    }

    /// The rules of the debate, and those of this turn.
    fn rules(&self) -> Vec<String> {
        let of_turn = match self.kind {
            MovesKind::Blind
            | MovesKind::Theses
            | MovesKind::Case
            | MovesKind::Rebuttal
            | MovesKind::Scores => return Vec::new(),
            MovesKind::Opening => RULES_OPENING,
            MovesKind::Challenge => RULES_CHALLENGE,
            MovesKind::Defense => RULES_DEFENSE,
            MovesKind::FollowUp => RULES_FOLLOW_UP,
            MovesKind::Verdict => RULES_VERDICT,
        };
        let judge = self.key.turn.seat.judges();
        let citations = SHAPE_CITATION.lines().map(|one| format!("`{one}`"));
        let citations = citations.collect::<Vec<_>>().join(", ");
        let of_debate = RULES.fill(context! { judge, citations });
        vec![of_debate, of_turn.fill(context! {})]
    }

    fn material(&self) -> String {
        let (what, label, text) = match &self.state.spec.context {
            Context::None => return String::new(),
            Context::Diff { commit, text } => {
                let what = format!("uncommitted changes on commit {}", clean(commit));
                (what, "diff", text)
            }
            Context::File { path, text } => (format!("the file `{}`", clean(path)), "file", text),
        };
        let text = self.fence("context", label, text);
        CONTEXT.fill(context! { what, text })
    }

    /// What was said before: whole, or from a debater's third round on, the last
    /// round whole and those before it in brief.
    fn record(&self) -> Vec<(&'static str, String)> {
        let mut parts = Vec::new();
        let seat = self.key.turn.seat;
        let whole_from = match self.key.turn.stage {
            Stage::Round(round @ 3..) => round - 1,
            Stage::Theses | Stage::Round(_) | Stage::Verdict => 0,
        };
        if whole_from > 0 {
            let through = whole_from - 1;
            let text = summary(self.state, through, self.key.turn);
            let text = self.fence(&format!("summary-{through}"), "record", &text);
            parts.push(("summary", SUMMARY.fill(context! { through, text })));
        }
        for (turn, admitted) in self.state.spoken() {
            let Stage::Round(round) = turn.stage else {
                continue;
            };
            let unseen = round == 0 && !seat.judges() && turn.seat != seat;
            if round >= whole_from && turn < self.key.turn && !unseen {
                parts.push(("turn", self.turn(turn, round, admitted)));
            }
        }
        parts
    }

    fn turn(&self, turn: TurnId, round: u16, admitted: &Admitted) -> String {
        let blind = matches!(admitted.moves, Moves::Blind(_));
        let own = turn.seat == self.key.turn.seat;
        let seat = turn.seat.to_string();
        let text = self.fence(&admitted.key.to_string(), &seat, &tell::moves(admitted));
        TURN.fill(context! { blind, own, round, seat, text })
    }

    /// The points to answer, once more and in short, right before the contract.
    fn challenge(&self, open: &Open<'_>) -> String {
        let Some(open::Challenge { title, text }) = open.challenge(self) else {
            return String::new();
        };
        let text = self.fence(&format!("{}-challenge", self.key), "record", &text);
        CHALLENGE.fill(context! { title, text })
    }
}
