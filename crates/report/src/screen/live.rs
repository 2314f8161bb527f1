//! The lines printed while a debate runs.

mod call;

use agon_record::decision::DecisionDoc;
use agon_record::event::{Asked, Cap, Class, Event, Lost, Outcome};
use agon_record::format::Judging;
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::spec::Seating;
use agon_record::state::State;
use agon_rules::plan::{Plan, plan};
use agon_rules::steer::{describe_input_recipients, describe_order_effect};

pub use self::call::{call_label, call_purpose, ended_call_key};
use super::by_judging::turn_lines;
use super::demonstration::{self, is_demonstration};
use super::detail::Detail;
use super::formal_screen::{exchange_lines, totals_lines};
use super::line::{Line, Style};
use super::turn::first_answer_lines;
use crate::labels::describe_cause;
use crate::text::{abbreviate_count, count_with_noun, format_dollars, format_duration, plain_line};

/// Converts recorded events into lines.
#[derive(Clone, Debug)]
pub struct LiveLines {
    width: usize,
    detail: Detail,
    blind_said: bool,
    /// Whether the first judge's ruling was printed.
    judge_said: bool,
}

impl LiveLines {
    /// Creates a converter for lines of at most `width` columns.
    pub fn new(width: usize, detail: Detail) -> Self {
        Self {
            width,
            detail,
            blind_said: false,
            judge_said: false,
        }
    }

    /// Returns the maximum width of a line, in columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Sets the maximum width of the following lines, in columns.
    pub fn set_width(&mut self, width: usize) {
        self.width = width;
    }

    /// Returns the lines of `events`, which `state` has applied.
    pub fn lines_for_events(&mut self, state: &State, events: &[Event]) -> Vec<Line> {
        let mut lines = Vec::new();
        for event in events {
            lines.extend(self.lines_for_event(state, event));
        }
        lines
            .into_iter()
            .flat_map(|line| line.wrap_to_width(4, self.width))
            .collect()
    }

    /// Returns the lines of every completed turn; for a formal debate, those of the last judged
    /// exchange.
    pub fn lines_for_ended_turns(&mut self, state: &State) -> Vec<Line> {
        if state.format_rules().judging == Judging::EachRound {
            return state
                .last_judged_exchange()
                .map_or_else(Vec::new, |last| self.lines_for_exchange(state, last));
        }
        let turns: Vec<_> = state.turns.keys().copied().collect();
        turns
            .into_iter()
            .flat_map(|turn| self.lines_for_turn(state, turn))
            .collect()
    }

    fn lines_for_event(&mut self, state: &State, event: &Event) -> Vec<Line> {
        match event {
            Event::Admitted { key, .. } => self.lines_for_turn(state, key.turn),
            Event::TurnLost { turn, .. } => self.lines_for_turn(state, *turn),
            Event::Given(given) if given.redacted > 0 => {
                let secrets = count_with_noun(given.redacted, "secret");
                let text = format!("{secrets} removed from the reply before it was stored");
                vec![warning_line(call_label(state, given.key), &text)]
            }
            Event::Lost(lost) => lost_call_line(state, lost).into_iter().collect(),
            Event::Reseated { seat, seating, .. } => vec![substitution_line(state, *seat, seating)],
            Event::ModelRefused { tool, model } => vec![note_line(&format!(
                "{tool} refused the model {}; using its default model",
                plain_line(model)
            ))],
            Event::Discarded { key } => {
                vec![warning_line(
                    call_label(state, *key),
                    "stored reply discarded; asking again",
                )]
            }
            Event::Touched { key, changed } => {
                let files = count_with_noun(changed.len() as u64, "file");
                let said = format!(
                    "changed {files} in its copy of the project ({}); the copy is replaced",
                    changed
                        .first()
                        .map(|path| plain_line(path))
                        .unwrap_or_default()
                );
                vec![warning_line(call_label(state, *key), &said)]
            }
            Event::Agreement { stop: true } => {
                vec![note_line("the first answers agree; the debate stops here")]
            }
            Event::Agreement { stop: false } => {
                vec![note_line(
                    "the first answers agree; the challenger now argues the other side",
                )]
            }
            Event::Capped { cap } => vec![warning_line(
                String::from("  "),
                &describe_reached_cap(*cap, state),
            )],
            Event::Scored(judgment) => self.lines_for_exchange(state, judgment.exchange),
            Event::Noted(noted) => vec![note_line(&format!(
                "{} added; {}",
                noted.id,
                describe_input_recipients(state)
            ))],
            Event::Ran(ran) => {
                let (command, ending) =
                    (plain_line(&ran.run.command), plain_line(&ran.run.ending()));
                let text = format!(
                    "{} added ({command}: {ending}); {}",
                    ran.id,
                    describe_input_recipients(state)
                );
                vec![note_line(&text)]
            }
            Event::Decided(decided) => {
                let decided = DecisionDoc::from(&decided.decision);
                vec![note_line(&plain_line(&decided.in_words()))]
            }
            Event::Ordered { order, .. } => vec![note_line(&describe_order_effect(state, *order))],
            Event::Asked(asked) => {
                let lines = new_conversation_line(state, asked).into_iter();
                lines.chain(long_prompt_line(state, asked)).collect()
            }
            // If a limit prevented the ruling with the sides swapped, the first ruling is not
            // printed yet.
            Event::Closed {
                outcome: Outcome::Judged,
            } => self.lines_for_turn(state, TurnId::verdict(Seat::JUDGE)),
            _ => Vec::new(),
        }
    }

    fn lines_for_exchange(&self, state: &State, exchange: u16) -> Vec<Line> {
        let mut lines = exchange_lines(state, exchange, self.detail, self.width);
        lines.extend(totals_lines(state, self.width));
        lines
    }

    /// Returns the first judge's lines once both of its rulings are known.
    fn lines_for_first_judge(&mut self, state: &State) -> Vec<Line> {
        if self.judge_said {
            return Vec::new();
        }
        let lines = turn_lines(state, TurnId::verdict(Seat::JUDGE), self.detail, self.width);
        self.judge_said = !lines.is_empty();
        lines
    }

    fn lines_for_turn(&mut self, state: &State, turn: TurnId) -> Vec<Line> {
        if is_demonstration(state) {
            return demonstration::turn_lines(state, turn, self.width);
        }
        let judge = TurnId::verdict(Seat::JUDGE);
        if (turn == judge || turn == TurnId::SWAP) && state.admitted(judge).is_some() {
            return self.lines_for_first_judge(state);
        }
        let has_first_answers = state.format_rules().rounds.zero.is_some();
        if turn.stage != Stage::Round(0) || !has_first_answers {
            return turn_lines(state, turn, self.detail, self.width);
        }
        if self.blind_said {
            return Vec::new();
        }
        let lines = first_answer_lines(state, self.detail, self.width);
        self.blind_said = !lines.is_empty();
        lines
    }
}

/// Returns a warning for a call whose prompt is longer than its model reads reliably.
fn long_prompt_line(state: &State, asked: &Asked) -> Option<Line> {
    let onset = asked.past_onset?;
    let said = format!(
        "prompt longer than {} tokens: this model may miss parts of it",
        abbreviate_count(onset)
    );
    Some(warning_line(call_label(state, asked.key), &said))
}

/// Returns the line that says that a seat starts a new conversation; `None` if it does not.
fn new_conversation_line(state: &State, asked: &Asked) -> Option<Line> {
    let (_, number) = asked.session.as_ref()?.rsplit_once('#')?;
    (asked.sent_parts.is_none() && number != "1").then(|| {
        let said = "new conversation; the whole prompt is sent again";
        warning_line(format!("{}{:>4}  ", call_label(state, asked.key), ""), said)
    })
}

/// Returns the line for a failed call that will be retried; `None` if the turn reports it instead.
fn lost_call_line(state: &State, lost: &Lost) -> Option<Line> {
    match lost.class {
        Class::Retry { .. } | Class::Tool => {}
        Class::User | Class::Cancelled | Class::Bug => return None,
    }
    let Plan::Perform(effects) = plan(state) else {
        return None;
    };
    let again = effects.iter().find(|effect| effect.key == lost.key)?;
    let after = match again.after_ms.div_ceil(1_000) {
        0 => "retrying".to_owned(),
        seconds => format!("retrying in {seconds} s"),
    };
    let begin = format!(
        "{}{:>4}  ",
        call_label(state, lost.key),
        format_duration(lost.took_ms)
    );
    let why = describe_cause(&lost.cause);
    Some(warning_line(begin, &format!("no reply: {why}; {after}")))
}

fn substitution_line(state: &State, seat: Seat, seating: &Seating) -> Line {
    let label = format!("{:<9} ", seat.to_string());
    if let Some(replaced) = state.replaced.iter().rfind(|it| it.seat == seat) {
        return warning_line(label, &plain_line(&replaced.describe()));
    }
    let before = state.lost_judges().last();
    let before = before.map(|(lost, _)| format!(" from {}", lost.tool));
    let text = format!("{} takes over{}", seating.tool, before.unwrap_or_default());
    warning_line(label, &text)
}

fn describe_reached_cap(cap: Cap, state: &State) -> String {
    let caps = &state.caps;
    let then = match state.format_rules().judging {
        Judging::AtTheEnd if state.closed.is_some() => "a ruling was skipped",
        Judging::AtTheEnd => "the judge is next",
        Judging::EachRound => "no further calls",
    };
    let limit = match cap {
        Cap::Calls => format!("call limit reached ({})", caps.calls),
        Cap::Tokens => format!("token limit reached ({})", abbreviate_count(caps.tokens)),
        Cap::Time => format!("time limit reached ({})", format_duration(caps.time_ms)),
        Cap::Cost => {
            let dollars = format_dollars(caps.cost_micros.unwrap_or(0) as f64 / 1e6);
            format!("cost limit reached ({dollars})")
        }
    };
    format!("{limit}: {then}")
}

fn warning_line(begin: String, text: &str) -> Line {
    Line::default()
        .with(Style::Dim, begin)
        .with(Style::Warn, text)
}

fn note_line(text: &str) -> Line {
    Line::default().with(Style::Dim, format!("  {text}"))
}
