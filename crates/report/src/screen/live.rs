//! A debate while it runs, as lines that stay.

mod call;

use agon_record::event::{Asked, Cap, Class, Event, Lost, Outcome};
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::spec::Seating;
use agon_record::state::State;
use agon_rules::plan::{Plan, plan};
use agon_rules::steer::{listeners, ordered};

pub use self::call::{call_label, call_purpose, ended_call};
use super::formal::{exchange_lines, totals_lines};
use super::line::{Line, Style};
use super::turn::{blind_line, turn_lines};
use crate::text::{clock, counted, plain, rounded};

/// Turns the events of a debate into lines, as they are recorded.
#[derive(Clone, Debug)]
pub struct LiveLines {
    width: usize,
    blind_said: bool,
    /// Whether it is told what the first judge says, both times.
    judge_said: bool,
}

impl LiveLines {
    /// Lines of at most `width` columns; nothing was told yet.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            blind_said: false,
            judge_said: false,
        }
    }

    /// The most columns of a line.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The lines of `events`, which `state` has applied.
    pub fn lines(&mut self, state: &State, events: &[Event]) -> Vec<Line> {
        let mut lines = Vec::new();
        for event in events {
            lines.extend(self.one(state, event));
        }
        lines
            .into_iter()
            .map(|line| line.fitted(self.width))
            .collect()
    }

    /// The lines of every turn that has ended; of a formal debate, those of its
    /// last exchange.
    pub fn so_far(&mut self, state: &State) -> Vec<Line> {
        if state.is_scored() {
            return state
                .judged()
                .map_or_else(Vec::new, |last| self.exchange(state, last));
        }
        let turns: Vec<_> = state.turns.keys().copied().collect();
        turns
            .into_iter()
            .flat_map(|turn| self.turn(state, turn))
            .collect()
    }

    fn one(&mut self, state: &State, event: &Event) -> Vec<Line> {
        match event {
            Event::Admitted { key, .. } => self.turn(state, key.turn),
            Event::TurnLost { turn, .. } => self.turn(state, *turn),
            Event::Given(given) if given.redacted > 0 => {
                let secrets = counted(given.redacted, "secret");
                let text = format!("{secrets} taken out of the reply before it was stored");
                vec![warn(call_label(state, given.key), &text)]
            }
            Event::Lost(lost) => lost_call(state, lost).into_iter().collect(),
            Event::Reseated { seat, seating } => vec![reseated(state, *seat, seating)],
            Event::Discarded { key } => {
                vec![warn(
                    call_label(state, *key),
                    "the stored reply is not used; asked again",
                )]
            }
            Event::Touched { key, changed } => {
                let files = counted(changed.len() as u64, "file");
                let said = format!(
                    "changed {files} of its working copy ({}); it is made new",
                    changed.first().map(|path| plain(path)).unwrap_or_default()
                );
                vec![warn(call_label(state, *key), &said)]
            }
            Event::Agreement { stop: true } => vec![note("they agree, and it stops there")],
            Event::Agreement { stop: false } => {
                vec![note(
                    "they agree; it goes on, and the challenger argues the other side",
                )]
            }
            Event::Capped { cap } => vec![warn(String::from("  "), &capped(*cap, state))],
            Event::Scored(judgment) => self.exchange(state, judgment.exchange),
            Event::Noted(noted) => vec![note(&format!("{} kept; {}", noted.id, listeners(state)))],
            Event::Ran(ran) => {
                let (command, ending) = (plain(&ran.run.command), plain(&ran.run.ending()));
                let text = format!(
                    "{} kept ({command}: {ending}); {}",
                    ran.id,
                    listeners(state)
                );
                vec![note(&text)]
            }
            Event::Ordered { order, .. } => vec![note(&ordered(state, *order))],
            Event::Asked(asked) => anew(state, asked).into_iter().collect(),
            // A bound may have kept the judge from being asked with the sides swapped.
            Event::Closed {
                outcome: Outcome::Judged,
            } => self.turn(state, TurnId::verdict(Seat::JUDGE)),
            _ => Vec::new(),
        }
    }

    fn exchange(&self, state: &State, exchange: u16) -> Vec<Line> {
        let mut lines = exchange_lines(state, exchange, self.width);
        lines.extend(totals_lines(state, self.width));
        lines
    }

    /// What the first judge says, once it is known for both times.
    fn first_judge(&mut self, state: &State) -> Vec<Line> {
        if self.judge_said {
            return Vec::new();
        }
        let lines = turn_lines(state, TurnId::verdict(Seat::JUDGE), self.width);
        self.judge_said = !lines.is_empty();
        lines
    }

    fn turn(&mut self, state: &State, turn: TurnId) -> Vec<Line> {
        let formal = state.is_scored();
        let judge = TurnId::verdict(Seat::JUDGE);
        if !formal && (turn == judge || turn == TurnId::SWAP) && state.admitted(judge).is_some() {
            return self.first_judge(state);
        }
        if formal || turn.stage != Stage::Round(0) {
            return turn_lines(state, turn, self.width);
        }
        if self.blind_said {
            return Vec::new();
        }
        let line = blind_line(state, self.width);
        self.blind_said = line.is_some();
        line.into_iter().collect()
    }
}

/// That a seat begins a conversation for which there was one before; none where it does not.
fn anew(state: &State, asked: &Asked) -> Option<Line> {
    let (_, number) = asked.session.as_ref()?.rsplit_once('#')?;
    (asked.told.is_none() && number != "1").then(|| {
        let said = "in a new conversation, which is told everything again";
        warn(format!("{}{:>4}  ", call_label(state, asked.key), ""), said)
    })
}

/// A call that gave no reply, if it is tried again; else its turn says so.
fn lost_call(state: &State, lost: &Lost) -> Option<Line> {
    match lost.class {
        Class::Retry { .. } | Class::Tool => {}
        Class::User | Class::Cancelled | Class::Bug => return None,
    }
    let Plan::Perform(effects) = plan(state) else {
        return None;
    };
    let again = effects.iter().find(|effect| effect.key == lost.key)?;
    let after = match again.after_ms.div_ceil(1_000) {
        0 => "tried again".to_owned(),
        seconds => format!("tried again in {seconds} s"),
    };
    let detail = match plain(&lost.cause.detail) {
        detail if detail.is_empty() => detail,
        detail => format!(" ({detail})"),
    };
    let begin = format!(
        "{}{:>4}  ",
        call_label(state, lost.key),
        clock(lost.took_ms)
    );
    Some(warn(
        begin,
        &format!("no reply: {}{detail}; {after}", lost.cause.code.name()),
    ))
}

fn reseated(state: &State, seat: Seat, seating: &Seating) -> Line {
    let before = state.lost_judges().last();
    let before = before.map(|(lost, _)| format!(" from {}", lost.tool));
    let label = format!("{:<9} ", seat.to_string());
    let text = format!("{} takes over{}", seating.tool, before.unwrap_or_default());
    warn(label, &text)
}

fn capped(cap: Cap, state: &State) -> String {
    let caps = &state.caps;
    let then = match state.is_scored() {
        false if state.closed.is_some() => "not everything was tried",
        false => "straight to the judge",
        true => "nothing more is asked",
    };
    let bound = match cap {
        Cap::Calls => counted(caps.calls, "call"),
        Cap::Tokens => format!("{} tokens", rounded(caps.tokens)),
        Cap::Time => clock(caps.time_ms),
        Cap::Cost => format!("${:.2}", caps.cost_micros.unwrap_or(0) as f64 / 1e6),
    };
    format!("the bound on {} is reached ({bound}): {then}", cap.name())
}

fn warn(begin: String, text: &str) -> Line {
    Line::default()
        .with(Style::Dim, begin)
        .with(Style::Warn, text)
}

fn note(text: &str) -> Line {
    Line::default().with(Style::Dim, format!("  {text}"))
}
