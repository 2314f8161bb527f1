//! The prompt for a model that bears little: what it must know, in few words.
//!
//! It has the parts of any prompt under the same names, so the record says what was told, but each
//! is short, and what was said is cut until all of it fits.

use minijinja::context;

use crate::format;
use crate::id::{NodeId, Stage};
use crate::moves::{Argument, MovesKind};
use crate::prompt::ask::{Ask, Parts};
use crate::prompt::estimate_tokens;
use crate::prompt::template::{COMPACT_CONTRACT, COMPACT_MOTION, COMPACT_RECORD, COMPACT_ROLE};
use crate::record::{Point, points};
use crate::text::sanitise;
use crate::user::Word;

/// The share of a budget that a prompt may take, in percent; the rest is for the answer.
const FOR_PROMPT: u64 = 60;
/// Characters of one point that are told, the most first; the first length that fits is taken.
const LENGTHS: [usize; 4] = [400, 200, 100, 50];
/// Characters of the topic, of a note and of a finding.
const LONGEST: usize = 300;

/// The parts of the prompt for a seat whose model has room for `budget` tokens.
pub(super) fn parts(ask: &Ask<'_>, budget: u32) -> Parts {
    let room = u64::from(budget).saturating_mul(FOR_PROMPT) / 100;
    let said = said(ask);
    let with = |lines: &[String]| -> Parts {
        vec![
            ("role", role(ask)),
            ("motion", motion(ask)),
            ("turn", record(ask, lines)),
            ("contract", contract(ask)),
        ]
    };
    let fits = |parts: &Parts| {
        let bytes: usize = parts.iter().map(|(_, text)| text.len()).sum();
        estimate_tokens(bytes as u64) <= room
    };
    let cut = |most| -> Vec<_> { said.iter().map(|line| sanitise(line, most)).collect() };
    for most in LENGTHS {
        let parts = with(&cut(most));
        if fits(&parts) {
            return parts;
        }
    }
    // What was said last stays.
    let shortest = cut(LENGTHS[LENGTHS.len() - 1]);
    let from = (1..shortest.len()).find(|from| fits(&with(&shortest[*from..])));
    with(&shortest[from.unwrap_or(shortest.len())..])
}

fn role(ask: &Ask<'_>) -> String {
    COMPACT_ROLE.fill(context! {
        judge => ask.key.turn.seat.judges(),
        blind => ask.kind == MovesKind::Blind,
        seat => ask.key.turn.seat.to_string(),
        thesis => thesis(ask).is_some(),
    })
}

fn thesis<'a>(ask: &Ask<'a>) -> Option<&'a str> {
    ask.state.theses()?.of(ask.key.turn.seat)
}

fn motion(ask: &Ask<'_>) -> String {
    let short = |text: &str| sanitise(text, LONGEST);
    let notes = ask.words.iter().filter_map(|word| match word {
        Word::Note(note) => Some(short(&note.text)),
        Word::Ran(_) => None,
    });
    COMPACT_MOTION.fill(context! {
        topic => short(&ask.state.spec.topic),
        thesis => thesis(ask).map(short),
        notes => notes.collect::<Vec<_>>(),
    })
}

fn record(ask: &Ask<'_>, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let key = format!("{}-record", ask.key.first());
    let text = ask.fence(&key, "record", &lines.join("\n"));
    COMPACT_RECORD.fill(context! { text })
}

fn contract(ask: &Ask<'_>) -> String {
    let before = ask.key.again.checked_sub(1).map(usize::from);
    let asks = ask.state.turns.get(&ask.key.turn).map(|turn| &turn.asks);
    let sent = before.and_then(|before| asks?.get(before)?.sent_back.as_ref());
    let findings = sent.into_iter().flatten();
    let findings = findings.map(|finding| sanitise(&finding.message, LONGEST));
    COMPACT_CONTRACT.fill(context! {
        turn => ask.key.turn.to_string(),
        kind => ask.kind.name(),
        findings => findings.collect::<Vec<_>>(),
    })
}

/// What the seat heard, a line for each position and each point.
fn said(ask: &Ask<'_>) -> Vec<String> {
    let format = format::of(ask.state.spec.format);
    let mut spoken: Vec<_> = ask.state.spoken().collect();
    spoken.sort_by_key(|(turn, _)| *turn);
    let mut lines = Vec::new();
    for (turn, admitted) in spoken {
        let in_debate = matches!(turn.stage, Stage::Round(_)) && turn < ask.key.turn;
        if !in_debate || !format.hears(ask.key.turn, turn) {
            continue;
        }
        let stance = admitted.moves.stance();
        lines.extend(stance.map(|stance| format!("The {} stands for: {stance}", turn.seat)));
        let made = admitted.ids.iter().zip(points(&admitted.moves));
        lines.extend(made.map(|(id, point)| told(*id, point)));
    }
    lines
}

fn told(id: NodeId, point: Point<'_>) -> String {
    let seat = id.seat;
    match point {
        Point::Argument(argument) => format!("{id}, {seat}: {}", argued(argument)),
        Point::Alternative(argument) => {
            format!("{id}, {seat}, another answer: {}", argued(argument))
        }
        Point::Contention(contention) => {
            let attacks = contention.attacks.iter();
            let attacks = attacks.map(|it| format!(" Against {}: {}", it.target_id, it.content));
            let attacks: String = attacks.collect();
            format!("{id}, {seat}: {}{attacks}", argued(&contention.argument))
        }
        Point::Objection(_) | Point::Response(_) | Point::Assessment(_) | Point::Agreement(_) => {
            let target = point.target().map(|target| format!(" on {target}"));
            let what = match point {
                Point::Objection(_) => "objects",
                Point::Response(_) => "answers",
                Point::Assessment(_) => "rules",
                Point::Agreement(_)
                | Point::Argument(_)
                | Point::Alternative(_)
                | Point::Contention(_) => "agrees",
            };
            let target = target.unwrap_or_default();
            format!("{id}, {seat} {what}{target}: {}", point.text())
        }
    }
}

fn argued(argument: &Argument) -> String {
    let because = argument.grounds.first().map(|ground| &ground.content);
    let because = because.map(|content| format!(" Because: {content}"));
    format!("{}{}", argument.claim, because.unwrap_or_default())
}

#[cfg(test)]
mod tests;
