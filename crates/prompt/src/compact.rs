//! The prompt for a model with a small context.
//!
//! It has the same kinds of parts as any prompt, so the record lists them, but each is short, and
//! the earlier turns are cut until everything fits.

use agon_record::id::{NodeId, Stage};
use agon_record::moves::{Argument, MovesKind};
use agon_record::point::{Point, points};
use agon_record::text::sanitise_line;
use agon_record::user::UserInput;
use agon_rules::format;
use agon_wording::{Wording, values};

use crate::broken_rules::BrokenRules;
use crate::request::{Parts, PromptRequest};
use crate::template::{COMPACT_CONTRACT, COMPACT_MOTION, COMPACT_RECORD, COMPACT_ROLE};

mod optional_parts;

/// The share of the token budget for the prompt, in percent; the rest is for the answer.
const FOR_PROMPT: u64 = 60;
/// Maximum characters of one point, tried in order until everything fits.
const CHAR_LIMITS: [usize; 4] = [400, 200, 100, 50];
// About 100 tokens each: the question, the thesis, three notes and three findings take 800 of the
// 1,840 tokens for the prompt in a budget of 3,072.
/// Maximum characters of the question, a thesis, a note and a finding.
const MAX_CHARS: usize = 300;
// About 33 tokens. They are never dropped, because a seat must know which question to answer.
/// The characters of the question and of a thesis that are always included.
const MIN_CHARS: usize = 100;
/// The number of notes, and of findings, that are included: the newest.
const NEWEST: usize = 3;
/// Returns the parts of the prompt for a model with room for `budget` tokens.
pub(super) fn compact_parts(ask: &PromptRequest<'_>, budget: u32) -> Parts {
    let room = u64::from(budget).saturating_mul(FOR_PROMPT) / 100;
    let said = record_lines(ask);
    let with = |most: usize, from: usize| -> Parts {
        let lines = said.iter().skip(from);
        let lines: Vec<_> = lines.map(|said| sanitise_line(said, most)).collect();
        vec![
            ("role", role_part(ask)),
            ("motion", motion_part(ask, most)),
            ("turn", record_part(ask, &lines)),
            ("contract", contract_part(ask, most)),
        ]
    };
    let fits = |parts: &Parts| {
        let tokens = parts.iter().map(|(_, text)| overestimate_tokens(text) + 1);
        tokens.sum::<u64>() <= room
    };
    let whole = CHAR_LIMITS.map(|most| (most, 0));
    // If the shortest lines do not fit either, leave out the oldest ones.
    let few = CHAR_LIMITS[CHAR_LIMITS.len() - 1];
    let fewer = (1..=said.len()).map(|from| (few, from));
    let least = (few / 2, said.len());
    let mut ways = whole.into_iter().chain(fewer).chain([least]);
    let parts = ways.find_map(|(most, from)| Some(with(most, from)).filter(|it| fits(it)));
    let parts = parts.unwrap_or_else(|| with(least.0, least.1));
    optional_parts::add_optional_parts(ask, parts, &fits)
}

/// Estimates the tokens of a text, on the high side: a small vocabulary has mostly English words,
/// and characters of other scripts take a token or more.
fn overestimate_tokens(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count() as u64;
    let other = text.len() as u64 - ascii;
    ascii.div_ceil(3) + (other * 2).div_ceil(3)
}

fn role_part(ask: &PromptRequest<'_>) -> Wording {
    COMPACT_ROLE.fill(values! {
        judge => ask.key.turn.seat.is_judge(),
        blind => ask.kind == MovesKind::Blind,
        seat => ask.key.turn.seat,
        thesis => seat_thesis(ask).is_some(),
    })
}

fn seat_thesis<'a>(ask: &PromptRequest<'a>) -> Option<&'a str> {
    ask.state.theses()?.thesis(ask.key.turn.seat)
}

fn motion_part(ask: &PromptRequest<'_>, most: usize) -> Wording {
    let notes = ask.words.iter().rev().filter_map(|word| match word {
        UserInput::Note(note) => {
            let text = sanitise_line(&note.text, most.min(MAX_CHARS));
            Some(ask.fence_veiled(&note.id.to_string().replace(' ', "-"), &note.id, &text))
        }
        UserInput::Ran(_) => None,
    });
    let mut notes: Vec<_> = notes.take(NEWEST).collect();
    notes.reverse();
    COMPACT_MOTION.fill(values! {
        topic => fenced_topic(ask, most.max(MIN_CHARS)),
        thesis => fenced_thesis(ask, most.max(MIN_CHARS)),
        notes,
    })
}

/// Returns the question, cut to `most` characters.
fn fenced_topic(ask: &PromptRequest<'_>, most: usize) -> Wording {
    let topic = sanitise_line(&ask.state.spec.topic, most.min(MAX_CHARS));
    ask.fence_unveiled("topic", &"question", &topic)
}

/// Returns the seat's thesis, cut to `most` characters.
fn fenced_thesis(ask: &PromptRequest<'_>, most: usize) -> Option<Wording> {
    let thesis = sanitise_line(seat_thesis(ask)?, most.min(MAX_CHARS));
    Some(ask.fence_veiled("thesis", &"thesis", &thesis))
}

fn record_part(ask: &PromptRequest<'_>, lines: &[String]) -> Wording {
    if lines.is_empty() {
        return Wording::default();
    }
    let key = format!("{}-record", ask.key.first_ask());
    let text = ask.fence_veiled(&key, &"record", &lines.join("\n"));
    COMPACT_RECORD.fill(values! { text })
}

fn contract_part(ask: &PromptRequest<'_>, most: usize) -> Wording {
    let before = ask.key.again.checked_sub(1).map(usize::from);
    let asks = ask.state.turns.get(&ask.key.turn).map(|turn| &turn.asks);
    let sent = before.and_then(|before| asks?.get(before)?.sent_back.as_ref());
    let mut broken = BrokenRules::default();
    for finding in sent.into_iter().flatten().take(NEWEST) {
        let note = sanitise_line(&finding.message, most.min(MAX_CHARS));
        broken.add_finding(finding, None, note);
    }
    let findings = broken.template_values(ask, &format!("{}-findings", ask.key));
    COMPACT_CONTRACT.fill(values! {
        topic => fenced_topic(ask, most),
        thesis => fenced_thesis(ask, most),
        turn => ask.key.turn,
        kind => ask.kind.name(),
        findings,
    })
}

/// Returns a line for each visible position and point.
fn record_lines(ask: &PromptRequest<'_>) -> Vec<String> {
    let format = format::format_of(ask.state);
    let mut spoken: Vec<_> = ask.state.admitted_turns().collect();
    spoken.sort_by_key(|(turn, _)| *turn);
    spoken.retain(|(turn, _)| {
        let in_debate = matches!(turn.stage, Stage::Round(_)) && *turn < ask.key.turn;
        in_debate && format.may_refer_to(ask.key.turn, *turn)
    });
    let mut lines = Vec::new();
    for (turn, admitted) in spoken {
        let stance = admitted.moves.stance();
        lines.extend(stance.map(|stance| format!("The {}'s position: {stance}", turn.seat)));
        let made = admitted.ids.iter().zip(points(&admitted.moves));
        lines.extend(made.map(|(id, point)| describe_point(*id, point)));
    }
    lines
}

fn describe_point(id: NodeId, point: Point<'_>) -> String {
    let seat = id.seat;
    match point {
        Point::Argument(argument) => format!("{id}, {seat}: {}", claim_and_reason(argument)),
        Point::Alternative(argument) => {
            format!("{id}, {seat}, alternative: {}", claim_and_reason(argument))
        }
        Point::Contention(contention) => {
            let attacks = contention.attacks.iter();
            let attacks = attacks.map(|it| format!(" Against {}: {}", it.target_id, it.content));
            let attacks: String = attacks.collect();
            format!(
                "{id}, {seat}: {}{attacks}",
                claim_and_reason(&contention.argument)
            )
        }
        Point::Objection(_) | Point::Response(_) | Point::Assessment(_) | Point::Agreement(_) => {
            let target = point.target().map(|target| format!(" on {target}"));
            let what = match point {
                Point::Objection(_) => "objects",
                Point::Response(_) => "answers",
                Point::Assessment(_) => "rules",
                _ => "agrees",
            };
            let target = target.unwrap_or_default();
            format!("{id}, {seat} {what}{target}: {}", point.main_text())
        }
    }
}

fn claim_and_reason(argument: &Argument) -> String {
    let because = argument.grounds.first().map(|ground| &ground.content);
    let because = because.map(|content| format!(" Because: {content}"));
    format!("{}{}", argument.claim, because.unwrap_or_default())
}

#[cfg(test)]
mod tests;
