//! The state of a debate, computed by applying its events.

mod agreement;
mod json;
mod kind;
mod model;
mod standby;
mod turn;
mod user;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::decision::Decided;
use crate::event::{
    Asked, Cap, Cause, Class, Event, Given, Halt, Imported, ImportedArgument, Judgment, Lost,
    Outcome, Usage,
};
use crate::id::{AskKey, NodeId, Seat, Stage, TurnId};
use crate::moves::{Blind, Case, Formal, Moves, Ruling, Theses};
use crate::point::{self, Node};
use crate::spec::Replaced;
use crate::spec::{Caps, FormatName, Kind, Seating, Spec, ToolName};
use crate::user::{Order, UserInput};

pub use kind::{DuelState, FormalState};
pub use turn::{Admitted, Ask, FormerRuling, Spending, ToolSpent, Turn, TurnEnd};

/// The state of a debate.
///
/// Events of different seats can be applied in any order and give the same state. In JSON, the
/// fields of [`State::kind`] are among the others; see `state/json.rs`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "json::StateJson", into = "json::StateJson")]
pub struct State {
    /// The settings fixed when the debate opened.
    pub spec: Spec,
    /// The state that only this format has.
    pub kind: Kind<DuelState, FormalState>,
    /// The current seating.
    pub seats: BTreeMap<Seat, Seating>,
    /// The substitutes of the debaters, in order.
    pub substitutes: BTreeMap<Seat, Vec<Seating>>,
    /// The tools that lost their seats to substitutes, in order.
    pub replaced: Vec<Replaced>,
    /// The current limits.
    pub caps: Caps,
    /// Every turn that was asked for, by its id.
    pub turns: BTreeMap<TurnId, Turn>,
    /// The spending of the debate.
    pub spent: Spending,
    /// Number of replies that were sent back.
    pub sent_back: u32,
    /// The limit that was reached.
    pub capped: Option<Cap>,
    /// Why the debate stopped.
    pub halted: Option<Halt>,
    /// How the debate got its answer.
    pub closed: Option<Outcome>,
    /// The last exchange of a formal debate to be judged; `None` before it was first run. In a
    /// duel, the last round, if it is not the planned one.
    pub through: Option<u16>,
    /// The user's notes and runs, in order.
    pub words: Vec<UserInput>,
    /// The user's orders that were carried out, each with its request.
    pub orders: Vec<(Ulid, Order)>,
    /// The decisions about the debate's verdicts, in order.
    pub decisions: Vec<Decided>,
    /// How many of them are about an earlier verdict.
    pub former_decisions: usize,
    /// The argument that the user types for this debate, if it is not the recorded name; quoted for
    /// a shell. It is not in the record: the program that opens the folder sets it.
    pub typed: Option<String>,
}

/// Why a list of events is not a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// There are no events.
    #[error("the record is empty")]
    Empty,
    /// The first event is not the opening.
    #[error("the record does not begin with the opening of the debate")]
    NotOpened,
    /// The record contains a second opening.
    #[error("the record opens the debate twice")]
    OpenedTwice,
}

impl State {
    /// Creates the state of a debate without any turn.
    pub fn open(spec: Spec) -> Self {
        Self {
            kind: kind::initial_kind(&spec),
            seats: spec.seats.clone(),
            substitutes: spec.standby.substitutes.clone(),
            replaced: spec.standby.replaced.clone(),
            caps: spec.caps,
            spec,
            turns: BTreeMap::new(),
            spent: Spending::default(),
            sent_back: 0,
            capped: None,
            halted: None,
            closed: None,
            through: None,
            words: Vec::new(),
            orders: Vec::new(),
            decisions: Vec::new(),
            former_decisions: 0,
            typed: None,
        }
    }

    /// Returns the argument that the user types for this debate in a command.
    pub fn command_name(&self) -> &str {
        self.typed.as_deref().unwrap_or(&self.spec.slug)
    }

    /// Returns the state after `events`, the first of which must open the debate.
    ///
    /// # Errors
    ///
    /// If the first event is not the opening, or another event is one.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Self, ReplayError> {
        let mut events = events.into_iter();
        let mut state = match events.next() {
            None => return Err(ReplayError::Empty),
            Some(Event::Opened(spec)) => Self::open((**spec).clone()),
            Some(_) => return Err(ReplayError::NotOpened),
        };
        for event in events {
            state.apply(event)?;
        }
        Ok(state)
    }

    /// Returns the state after `events`, which must follow it in an open debate.
    #[must_use]
    pub fn with_events<'e>(mut self, events: impl IntoIterator<Item = &'e Event>) -> Self {
        for event in events {
            // `apply` fails only for a second opening, and callers never pass one.
            let applied = self.apply(event);
            debug_assert_eq!(applied, Ok(()));
        }
        self
    }

    /// Applies one event.
    ///
    /// # Errors
    ///
    /// If the event opens the debate a second time; the state then stays unchanged.
    pub fn apply(&mut self, event: &Event) -> Result<(), ReplayError> {
        match event {
            Event::Opened(_) => return Err(ReplayError::OpenedTwice),
            Event::Asked(asked) => self.apply_asked(asked),
            Event::Given(given) => self.apply_given_reply(given),
            Event::Lost(lost) => self.apply_lost(lost),
            Event::Discarded { key } => {
                let ask = self.ask_or_insert(*key);
                ask.given = None;
                ask.stamps = None;
            }
            Event::Stamped {
                key,
                stamps,
                commits,
                runs,
            } => {
                let ask = self.ask_or_insert(*key);
                ask.stamps = Some(stamps.clone());
                ask.commits.clone_from(commits);
                ask.runs = *runs;
            }
            Event::Touched { key, changed } => {
                self.ask_or_insert(*key)
                    .touched
                    .extend(changed.iter().cloned());
            }
            Event::SentBack { key, findings } => {
                self.sent_back += 1;
                self.ask_or_insert(*key).sent_back = Some(findings.clone());
            }
            Event::Admitted {
                key,
                moves,
                ids,
                findings,
            } => {
                self.end_turn(
                    key.turn,
                    TurnEnd::Admitted(Box::new(Admitted {
                        key: *key,
                        moves: (**moves).clone(),
                        ids: ids.clone(),
                        findings: findings.clone(),
                    })),
                );
            }
            Event::TurnLost {
                turn,
                cause,
                findings,
            } => {
                let (cause, findings) = (cause.clone(), findings.clone());
                self.end_turn(*turn, TurnEnd::Lost { cause, findings });
            }
            Event::ModelRefused { tool, model } => {
                let seats = self.seats.values_mut();
                seats.for_each(|seating| seating.drop_refused_model(tool, model));
            }
            Event::Reseated {
                seat,
                seating,
                cause,
            } => self.reseat(*seat, seating, cause.as_ref()),
            Event::Agreement { stop } => {
                if let Some(duel) = self.kind.as_duel_mut() {
                    duel.agreement = Some(*stop);
                }
            }
            Event::Capped { cap } => self.capped = Some(*cap),
            Event::Halted { reason } => self.halted = Some(reason.clone()),
            Event::Resumed { caps, seats } => {
                self.remove_substitutes_of_named_tools(seats);
                self.seats.extend(seats.clone());
                self.resume(*caps);
            }
            Event::Noted(note) => self.words.push(UserInput::Note(note.clone())),
            Event::Ran(ran) => self.words.push(UserInput::Ran((**ran).clone())),
            Event::Ordered { item, order } => self.apply_order(*item, *order),
            Event::Decided(decided) => self.decisions.push((**decided).clone()),
            Event::Continued {
                through,
                seats,
                caps,
                standby,
            } => {
                // A formal debate keeps its verdict, with its decision, until it is scored again.
                if self.spec.format() == FormatName::Duel {
                    self.former_decisions = self.decisions.len();
                }
                self.reopen();
                self.substitutes.clone_from(&standby.substitutes);
                self.replaced.extend(standby.replaced.iter().cloned());
                self.through = Some(*through);
                self.seats.extend(seats.clone());
                self.seats
                    .retain(|seat, _| !seat.is_judge() || seats.contains_key(seat));
                self.resume(*caps);
            }
            Event::Scored(judgment) => {
                self.former_decisions = self.decisions.len();
                self.apply_judgment(judgment);
            }
            Event::Imported(imported) => self.apply_imported(imported),
            Event::Closed { outcome } => self.closed = Some(*outcome),
        }
        Ok(())
    }

    /// Returns the ask with this key.
    pub fn ask(&self, key: AskKey) -> Option<&Ask> {
        self.turns.get(&key.turn)?.asks.get(usize::from(key.again))
    }

    /// Returns the moves of `turn`, if it was admitted.
    pub fn admitted(&self, turn: TurnId) -> Option<&Admitted> {
        self.turns.get(&turn)?.admitted()
    }

    /// Returns every admitted turn, in debate order.
    pub fn admitted_turns(&self) -> impl Iterator<Item = (TurnId, &Admitted)> {
        let turns = self.turns.iter();
        turns.filter_map(|(&id, turn)| Some((id, turn.admitted()?)))
    }

    /// Returns every turn that was lost, with the reason.
    pub fn lost_turns(&self) -> impl Iterator<Item = (TurnId, &Cause)> {
        self.turns
            .iter()
            .filter_map(|(&turn, t)| match t.end.as_ref()? {
                TurnEnd::Lost { cause, .. } => Some((turn, cause)),
                TurnEnd::Admitted(_) => None,
            })
    }

    /// Returns every point made so far, in order.
    pub fn nodes(&self) -> Vec<Node<'_>> {
        let mut nodes = Vec::new();
        for (turn, admitted) in self.admitted_turns() {
            let mut ids = admitted.ids.iter();
            point::for_each_point(&admitted.moves, |_, _, point| {
                nodes.extend(ids.next().map(|&id| Node { id, turn, point }));
            });
        }
        nodes
    }

    /// Returns the point named `id`.
    pub fn node(&self, id: NodeId) -> Option<Node<'_>> {
        let admitted = self.admitted(TurnId::round(id.round, id.seat))?;
        let at = admitted.ids.iter().position(|&known| known == id)?;
        let point = *point::points(&admitted.moves).get(at)?;
        let turn = TurnId::round(id.round, id.seat);
        Some(Node { id, turn, point })
    }

    /// Returns the points that refer to the point `id`, in order.
    pub fn nodes_referring_to(&self, id: NodeId) -> Vec<Node<'_>> {
        let refers = |node: &Node<'_>| match node.point {
            point::Point::Contention(made) => {
                made.attacks.iter().any(|one| one.target_id == id)
                    || made.defends.iter().any(|one| one.target_id == id)
            }
            _ => node.point.target() == Some(id),
        };
        let nodes = self.nodes().into_iter();
        nodes.filter(refers).collect()
    }

    /// Returns whether the first judge is asked a second time with the sides swapped. A person is
    /// not, because they would remember their first ruling.
    pub fn is_swap_planned(&self) -> bool {
        self.spec.has_swap() && !self.is_human_seat(TurnId::SWAP.seat)
    }

    /// Returns whether a person takes the seat.
    fn is_human_seat(&self, seat: Seat) -> bool {
        self.seats.get(&seat).is_some_and(Seating::is_human)
    }

    /// Returns the number of rounds planned now, including those the user added; 0 for a formal
    /// debate.
    pub fn planned_rounds(&self) -> u16 {
        let planned = self.through.unwrap_or(self.spec.planned_rounds());
        self.kind.as_duel().map_or(0, |_| planned)
    }

    /// Returns the number of rounds in which every expected turn was admitted.
    ///
    /// In a formal debate: number of judged exchanges.
    pub fn rounds_completed(&self) -> u16 {
        if let Some(formal) = self.kind.as_formal() {
            return formal.judged.map_or(0, |last| last.saturating_add(1));
        }
        let sides = self.spec.format().sides();
        let full = |round: &u16| {
            sides
                .iter()
                .all(|&seat| self.admitted(TurnId::round(*round, seat)).is_some())
        };
        let rounds = (1..=self.planned_rounds()).take_while(full).count();
        u16::try_from(rounds).unwrap_or(u16::MAX)
    }

    /// Returns every admitted ruling, by judge, except the ruling with the sides swapped.
    pub fn rulings(&self) -> impl Iterator<Item = (Seat, &Ruling)> {
        let verdicts = self
            .admitted_turns()
            .filter(|(turn, _)| turn.stage == Stage::Verdict);
        verdicts.filter_map(|(turn, admitted)| Some((turn.seat, admitted.moves.ruling()?)))
    }

    /// Returns the ruling that counts, with the judge's seat: among several, the first ruling of
    /// the majority, or the first of all if the judges are tied.
    pub fn prevailing_ruling(&self) -> Option<(Seat, &Ruling)> {
        let rulings: Vec<_> = self.rulings().collect();
        let (_, first) = rulings.first()?;
        let other = rulings.iter().filter(|(_, one)| one.winner != first.winner);
        let outvoted = 2 * other.clone().count() > rulings.len();
        match outvoted {
            true => other.copied().next(),
            false => rulings.first().copied(),
        }
    }

    /// Returns the first judge's ruling with the sides swapped.
    pub fn swap_ruling(&self) -> Option<&Ruling> {
        self.admitted(TurnId::SWAP)?.moves.ruling()
    }

    /// Returns the first answer of `seat` in a duel, given without seeing the other side's.
    pub fn blind_answer(&self, seat: Seat) -> Option<&Blind> {
        self.admitted(TurnId::round(0, seat))?.moves.blind()
    }

    /// Returns whether both sides of a duel gave a first answer.
    pub fn has_both_first_answers(&self) -> bool {
        let sides = [Seat::Proposer, Seat::Challenger];
        sides.iter().all(|seat| self.blind_answer(*seat).is_some())
    }

    /// Returns the theses of a formal debate; `None` before they are known.
    pub fn theses(&self) -> Option<&Theses> {
        let brought = self.spec.theses();
        brought.or_else(|| self.admitted(TurnId::theses(Seat::JUDGE))?.moves.theses())
    }

    fn ask_or_insert(&mut self, key: AskKey) -> &mut Ask {
        let turn = self.turns.entry(key.turn).or_default();
        let at = usize::from(key.again);
        if turn.asks.len() <= at {
            turn.asks.resize_with(at + 1, Ask::default);
        }
        &mut turn.asks[at]
    }

    fn apply_asked(&mut self, asked: &Asked) {
        if !self.is_human_seat(asked.key.turn.seat) {
            self.spent.calls += 1;
            let tools = &mut self.spent.tools;
            tools.entry(asked.tool.clone()).or_default().calls += 1;
        }
        let ask = self.ask_or_insert(asked.key);
        ask.asked = Some(asked.clone());
        ask.in_flight = true;
    }

    fn apply_given_reply(&mut self, given: &Given) {
        let human = self.is_human_seat(given.key.turn.seat);
        let ask = self.ask_or_insert(given.key);
        ask.in_flight = false;
        ask.given = Some(given.clone());
        ask.stamps = None;
        let tool = ask.asked.as_ref().map(|asked| asked.tool.clone());
        // Do not charge a person's reply to a tool: it costs nothing and may take any time.
        let tool = tool.filter(|_| !human);
        self.record_spending(tool, Some(given.usage), given.took_ms, given.clock_ms);
    }

    fn apply_lost(&mut self, lost: &Lost) {
        let ask = self.ask_or_insert(lost.key);
        ask.in_flight = false;
        if lost.class != Class::Cancelled {
            ask.losses.push((lost.class, lost.cause.clone()));
        }
        let tokens = lost.usage.map_or(0, |usage| usage.total_tokens());
        ask.lost_tokens = ask.lost_tokens.saturating_add(tokens);
        let tool = ask.asked.as_ref().map(|asked| asked.tool.clone());
        self.record_spending(tool, lost.usage, lost.took_ms, lost.clock_ms);
    }

    fn record_spending(
        &mut self,
        tool: Option<ToolName>,
        usage: Option<Usage>,
        took: u64,
        clock: u64,
    ) {
        self.spent.clock_ms = self.spent.clock_ms.max(clock);
        let Some(tool) = tool else { return };
        let spent = self.spent.tools.entry(tool).or_default();
        spent.took_ms = spent.took_ms.saturating_add(took);
        let Some(usage) = usage else {
            spent.unpriced += 1;
            return;
        };
        let total = &mut spent.usage;
        total.input = total.input.saturating_add(usage.input);
        total.cached = total.cached.saturating_add(usage.cached);
        total.output = total.output.saturating_add(usage.output);
        total.estimated |= usage.estimated;
        match usage.cost_micros {
            Some(cost) => {
                total.cost_micros = Some(total.cost_micros.unwrap_or(0).saturating_add(cost));
            }
            None => spent.unpriced += 1,
        }
    }

    fn apply_judgment(&mut self, judgment: &Judgment) {
        if let Some(formal) = self.kind.as_formal_mut() {
            formal.apply_judgment(judgment);
        }
    }

    fn apply_imported(&mut self, imported: &Imported) {
        let mut turns: BTreeMap<TurnId, Vec<&ImportedArgument>> = BTreeMap::new();
        for argument in &imported.arguments {
            let turn = TurnId::round(argument.id.round, argument.id.seat);
            turns.entry(turn).or_default().push(argument);
        }
        for (turn, arguments) in turns {
            let findings = imported.findings.iter().filter(|f| f.turn == turn).cloned();
            let said = arguments.iter().map(|known| known.contention.clone());
            let admitted = Admitted {
                key: AskKey { turn, again: 0 },
                moves: Moves::Formal(Formal::Case(Case {
                    arguments: said.collect(),
                })),
                ids: arguments.iter().map(|known| known.id).collect(),
                findings: findings.collect(),
            };
            self.end_turn(turn, TurnEnd::Admitted(Box::new(admitted)));
        }
        if let Some(formal) = self.kind.as_formal_mut() {
            formal.apply_imported(imported);
        }
    }

    fn end_turn(&mut self, turn: TurnId, end: TurnEnd) {
        self.turns.entry(turn).or_default().end = Some(end);
    }

    fn apply_order(&mut self, item: Ulid, order: Order) {
        self.orders.push((item, order));
        match order {
            Order::Judge => {
                if let Some(duel) = self.kind.as_duel_mut() {
                    duel.judge_now = true;
                }
            }
            Order::Rounds { more } => {
                self.through = Some(self.planned_rounds().saturating_add(more));
                // Raise the limit on calls, so that both sides can speak in the added rounds.
                let calls = u32::from(more).saturating_mul(2);
                self.caps.calls = self.caps.calls.saturating_add(calls);
            }
        }
    }

    /// Reopens a closed duel: its judges and its lost turns are asked again.
    fn reopen(&mut self) {
        if self.closed.is_none() {
            return;
        }
        let rounds = self.rounds_completed();
        let former = self.prevailing_ruling().map(|(_, ruling)| FormerRuling {
            rounds,
            winner: ruling.winner.seat(),
            answer: ruling.answer.clone(),
        });
        self.closed = None;
        if let Some(duel) = self.kind.as_duel_mut() {
            duel.reopen(former);
        }
        self.turns.retain(|turn, known| {
            let lost = matches!(known.end, Some(TurnEnd::Lost { .. }));
            !lost && !matches!(turn.stage, Stage::Verdict | Stage::Swap)
        });
    }

    /// Clears the reason for the halt, so that the plan asks again.
    fn resume(&mut self, caps: Caps) {
        self.caps = caps;
        self.capped = None;
        match self.halted.take() {
            Some(_) if self.kind.as_formal().is_some() => {
                self.turns
                    .retain(|_, turn| !matches!(turn.end, Some(TurnEnd::Lost { .. })));
                self.clear_user_failures();
            }
            Some(Halt::User { .. }) => self.clear_user_failures(),
            Some(
                Halt::ProposerLost { .. }
                | Halt::AllTimedOut
                | Halt::NoTurns
                | Halt::TurnLost { .. },
            ) => {
                self.turns
                    .retain(|_, turn| !matches!(turn.end, Some(TurnEnd::Lost { .. })));
            }
            Some(Halt::JudgeLost { .. }) => {
                self.turns
                    .retain(|turn, _| !matches!(turn.stage, Stage::Verdict | Stage::Swap));
            }
            Some(Halt::Capped { .. }) | None => {}
        }
    }

    /// Marks failures that only the user can fix as fixed, for all seats.
    fn clear_user_failures(&mut self) {
        let asks = self.turns.values_mut().flat_map(|turn| &mut turn.asks);
        for ask in asks {
            if matches!(ask.losses.last(), Some((Class::User, _))) {
                ask.losses.clear();
            }
        }
    }
}
