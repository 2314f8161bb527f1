//! Substitutes for seats whose tools cannot be used.

use std::collections::BTreeMap;

use super::{State, Turn, TurnEnd};
use crate::event::{Cause, CauseCode, Halt, Outcome};
use crate::id::{Seat, TurnId};
use crate::spec::{Replaced, Seating, Standby};

impl State {
    /// Returns whether a reply of `seat` was admitted.
    pub fn has_spoken(&self, seat: Seat) -> bool {
        self.admitted_turns().any(|(turn, _)| turn.seat == seat)
    }

    /// Returns the number of unusable replies of a debater, in turns without a usable reply.
    /// Includes replies of tools that lost the seat.
    pub fn unusable_replies(&self, seat: Seat) -> u32 {
        let turns = self.turns.iter().filter(|(turn, known)| {
            turn.seat == seat && !matches!(known.end, Some(TurnEnd::Admitted(_)))
        });
        let replaced = self.replaced.iter().filter(|it| it.seat == seat);
        let earlier = replaced.map(|it| it.replies);
        let given = turns.map(|(_, turn)| count_given_replies(turn));
        given.chain(earlier).fold(0, u32::saturating_add)
    }

    /// Returns the next substitute of a debater; `None` once the side has spoken, or if the user
    /// named the tool.
    ///
    /// Skips substitutes that failed before or already have a seat, because both sides may have the
    /// same ones.
    pub fn next_side_substitute(&self, seat: Seat) -> Option<&Seating> {
        if self.has_spoken(seat) {
            return None;
        }
        let substitutes = self.substitutes.get(&seat)?;
        substitutes.iter().find(|next| self.can_join(seat, next))
    }

    /// Returns whether `next` can take over the seat of a side from its tool.
    pub fn can_join(&self, seat: Seat, next: &Seating) -> bool {
        let is_seated = self
            .seats
            .values()
            .any(|seated| (&seated.tool, &seated.model) == (&next.tool, &next.model));
        let lost = self.seats.get(&seat).zip(self.lost_cause(seat));
        let is_lost = lost.is_some_and(|(seated, cause)| {
            seated.tool == next.tool && affects_every_model(cause.code)
        });
        let has_failed = self.replaced.iter().any(|replaced| {
            let code = replaced.cause.as_ref().map(|cause| cause.code);
            replaced.tool == next.tool
                && (replaced.model == next.model || code.is_some_and(affects_every_model))
        });
        !is_seated && !is_lost && !has_failed
    }

    /// Returns the side whose tool the user named and which failed before it spoke, so that a
    /// substitute needs the user's permission; `None` while the debate runs.
    pub fn seat_awaiting_permission(&self) -> Option<Seat> {
        if self.halted.is_none() && self.closed != Some(Outcome::Uncontested) {
            return None;
        }
        let mut sides = self.spec.format().sides().into_iter();
        sides.find(|&seat| {
            !self.is_human_seat(seat)
                && !self.has_spoken(seat)
                && !self.substitutes.contains_key(&seat)
                && self.has_failed(seat)
        })
    }

    /// Returns the substitutes of the debaters, for the event that continues the debate.
    pub fn standby(&self) -> Standby {
        Standby {
            substitutes: self.substitutes.clone(),
            replaced: Vec::new(),
        }
    }

    /// Returns every substitute: of the judge and of the debaters.
    pub fn all_substitutes(&self) -> impl Iterator<Item = &Seating> {
        let debaters = self.substitutes.values().flatten();
        self.spec.substitutes().iter().chain(debaters)
    }

    /// Returns the substitutes of the judge, in order: the debating tools first, then a tool that
    /// could not debate.
    pub fn judge_substitutes(&self) -> Vec<&Seating> {
        let mut all: Vec<_> = self.spec.substitutes().iter().collect();
        if self.replaced.is_empty() {
            return all;
        }
        let sits = |one: &Seating| {
            let mut sides = self.seats.iter().filter(|(seat, _)| !seat.is_judge());
            sides.any(|(_, side)| side.tool == one.tool)
        };
        let failed = |one: &Seating| self.replaced.iter().any(|it| it.tool == one.tool);
        all.sort_by_key(|one| (failed(one), sits(one)));
        all
    }

    /// Returns whether the tool in `seat` lost a turn, or has a problem that only the user can fix.
    pub fn has_failed(&self, seat: Seat) -> bool {
        self.lost_cause(seat).is_some()
    }

    /// Returns whether `seat` has a reply that was neither admitted nor rejected yet.
    pub fn has_undecided_reply(&self, seat: Seat) -> bool {
        let turns = self.turns.iter().filter(|(turn, _)| turn.seat == seat);
        let undecided = turns.filter(|(_, known)| known.end.is_none());
        let mut asks = undecided.flat_map(|(_, known)| &known.asks);
        asks.any(|ask| ask.given.is_some() && ask.sent_back.is_none())
    }

    /// Removes the substitutes of a side whose tool changes, because the user named the new tool.
    pub(super) fn remove_substitutes_of_named_tools(&mut self, seats: &BTreeMap<Seat, Seating>) {
        let before = &self.seats;
        self.substitutes.retain(|seat, _| {
            let named = seats.get(seat).map(|named| &named.tool);
            let kept = before.get(seat).map(|before| &before.tool);
            named.is_none() || named == kept
        });
    }

    /// Returns why the tool in `seat` cannot be used; `None` if it lost no turn.
    fn lost_cause(&self, seat: Seat) -> Option<&Cause> {
        let halted = match &self.halted {
            Some(Halt::User { turn, cause }) if turn.seat == seat => Some(cause),
            Some(_) | None => None,
        };
        let lost = self.lost_turns().filter(|(turn, _)| turn.seat == seat);
        lost.last().map(|(_, cause)| cause).or(halted)
    }

    pub(super) fn reseat(&mut self, seat: Seat, seating: &Seating, cause: Option<&Cause>) {
        match seat.is_judge() {
            true => self.reseat_judge(seat, seating),
            false => self.reseat_side(seat, seating, cause),
        }
    }

    /// Gives the seat of a side to a substitute, which is asked for all turns from the first one
    /// on.
    fn reseat_side(&mut self, seat: Seat, seating: &Seating, cause: Option<&Cause>) {
        let has_spoken = self.has_spoken(seat);
        let cause = self.lost_cause(seat).or(cause).cloned();
        let Some(before) = self.seats.insert(seat, seating.clone()) else {
            return;
        };
        if has_spoken {
            return;
        }
        let mut replies: u32 = 0;
        self.turns.retain(|turn, known| {
            if turn.seat != seat {
                return true;
            }
            replies = replies.saturating_add(count_given_replies(known));
            false
        });
        self.replaced.push(Replaced {
            seat,
            tool: before.tool,
            model: before.model,
            by: seating.tool.clone(),
            by_model: seating.model.clone(),
            cause,
            replies,
        });
    }

    fn reseat_judge(&mut self, seat: Seat, seating: &Seating) {
        let turn = self.turns.remove(&TurnId::verdict(seat));
        if seat == TurnId::SWAP.seat {
            self.turns.remove(&TurnId::SWAP);
        }
        let cause = turn.and_then(|turn| match turn.end? {
            TurnEnd::Lost { cause, .. } => Some(cause),
            TurnEnd::Admitted(_) => None,
        });
        let before = self.seats.insert(seat, seating.clone());
        if let (Some(before), Some(duel)) = (before, self.kind.as_duel_mut()) {
            duel.lost_judges.push((before, cause));
        }
    }
}

fn count_given_replies(turn: &Turn) -> u32 {
    let given = turn.asks.iter().filter(|ask| ask.given.is_some());
    u32::try_from(given.count()).unwrap_or(u32::MAX)
}

/// Returns whether the failure affects every model of the tool.
fn affects_every_model(code: CauseCode) -> bool {
    use CauseCode::{Empty, NoMoves, NoSuchModel, RuleBroken, TooLarge};
    !matches!(code, NoSuchModel | NoMoves | RuleBroken | Empty | TooLarge)
}
