//! The second verdict, with the sides swapped and the names hidden.
//!
//! The first judge's tool and model are asked twice in parallel, each time in a fresh session. The
//! second prompt changes everything that should not matter:
//!
//! - *order*: the challenger, who speaks second, is shown first: in the words of the task, in every
//!   round and at the end. Its turn replies to the proposer's turn of the same round, so the reply
//!   precedes the text it refers to; the ids connect them.
//! - *names*: the challenger is `side A`, the proposer `side B`, and their points are `a_001a` and
//!   `b_001a`, even inside the text of a side. Neither prompt contains the name of a tool or a
//!   model, see `prompt/veil.rs`.
//!
//! The arguments are the same, word for word. If the ruling changes, it depended on the
//! presentation and not on the content: the judge favours the side shown first or last, or the one
//! called the proposer. One trial cannot show which, and an unchanged ruling might still change
//! another time.
//!
//! The first ruling keeps the debate's own names, because people read it. The second must satisfy
//! the same schema and rules: its names are restored before the check.

use serde_json::{Map, Value};

use crate::id::{NodeId, Seat, Stage, TurnId};

/// The two sides as the swap presents them: the name, the letter, the seat.
const SIDES: [(&str, &str, Seat); 2] = [
    ("side A", "a", Seat::Challenger),
    ("side B", "b", Seat::Proposer),
];

/// Returns the name of `seat` in the swap; `None` for a seat that does not debate.
pub fn swapped_side_name(seat: Seat) -> Option<&'static str> {
    let mut sides = SIDES.iter();
    sides.find(|side| side.2 == seat).map(|side| side.0)
}

/// Returns `text` with the names of sides, points and turns replaced by the names in the swap.
///
/// Keeps names inside paths, such as `src/proposer.rs`. Idempotent.
pub fn hide_names(text: &str) -> String {
    rewrite_names(text, hide_leading_name)
}

/// Writes the swap's form of the name at the beginning of `rest`, and returns the number of bytes
/// it replaces.
pub fn hide_leading_name(out: &mut String, rest: &str) -> Option<usize> {
    let word = leading_word(rest, "_");
    if let Ok(NodeId { seat, .. }) = word.parse::<NodeId>()
        && let Some((_, letter, _)) = SIDES.iter().find(|side| side.2 == seat)
    {
        let (_, place) = word.split_once('_')?;
        out.push_str(&format!("{letter}_{place}"));
        return Some(word.len());
    }
    let dotted = leading_word(rest, "_.").trim_end_matches('.');
    if let Ok(turn) = dotted.parse::<TurnId>()
        && let Stage::Round(round) = turn.stage
        && let Some((_, letter, _)) = SIDES.iter().find(|side| side.2 == turn.seat)
    {
        out.push_str(&format!("r{round}.{letter}"));
        return Some(dotted.len());
    }
    let seat: Seat = word.to_ascii_lowercase().parse().ok()?;
    let side = swapped_side_name(seat)?;
    if is_in_path(out, rest.get(word.len()..)?) {
        return None;
    }
    write_name_over_article(out, side);
    Some(word.len())
}

/// Writes `new`, a name without an article, over a preceding article.
pub fn write_name_over_article(out: &mut String, new: &str) {
    for (article, upper) in [("the ", false), ("The ", true)] {
        let Some(kept) = out.strip_suffix(article) else {
            continue;
        };
        if kept.chars().next_back().is_some_and(char::is_alphanumeric) {
            continue;
        }
        out.truncate(kept.len());
        let (first, rest) = new.split_at(usize::from(upper));
        out.push_str(&first.to_uppercase());
        out.push_str(rest);
        return;
    }
    out.push_str(new);
}

/// Returns whether a word between `before` and `after` is part of a path.
pub fn is_in_path(before: &str, after: &str) -> bool {
    let mut after = after.chars();
    let goes_on = match after.next() {
        Some('/' | '\\') => true,
        Some('.') => after.next().is_some_and(char::is_alphanumeric),
        _ => false,
    };
    goes_on || before.ends_with(['/', '\\', '.'])
}

/// Returns `text` with each name rewritten by `name`; a name begins at the start of a word.
pub fn rewrite_names(text: &str, name: impl Fn(&mut String, &str) -> Option<usize>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut inside = false;
    while let Some(c) = rest.chars().next() {
        let word = c.is_alphanumeric() || c == '_';
        let taken = match word && !inside {
            true => name(&mut out, rest),
            false => None,
        };
        let taken = taken.unwrap_or_else(|| {
            out.push(c);
            c.len_utf8()
        });
        rest = rest.get(taken..).unwrap_or_default();
        inside = word;
    }
    out
}

/// Returns the letters, digits and `more` at the beginning of `text`.
fn leading_word<'a>(text: &'a str, more: &str) -> &'a str {
    let end = text.find(|c: char| !c.is_alphanumeric() && !more.contains(c));
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

/// Returns a path in a reply, such as `disagreements[0].proposer`, with the swap's names.
pub fn swapped_path(at: &str) -> String {
    let key = |at: String, (_, letter, seat): &(&str, &str, Seat)| {
        at.replace(&format!(".{seat}"), &format!(".side_{letter}"))
    };
    SIDES.iter().fold(at.to_owned(), key)
}

/// Returns a reply to the swap with the debate's own names.
pub fn restore_reply_names(object: Map<String, Value>) -> Map<String, Value> {
    let mut object = restore_object(object);
    if let Some(Value::String(winner)) = object.get_mut("winner") {
        let plain = winner.trim().to_ascii_lowercase();
        let letter = plain.strip_prefix("side").unwrap_or(&plain);
        let letter = letter.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        // `restore_object` has already replaced `side A` by `the` and the seat, so accept that too.
        let seat = SIDES
            .iter()
            .find(|side| side.1 == letter || plain == format!("the {}", side.2));
        if let Some((_, _, seat)) = seat {
            *winner = seat.to_string();
        }
    }
    object
}

fn restore_object(object: Map<String, Value>) -> Map<String, Value> {
    let field = |(key, field): (String, Value)| {
        let side = SIDES.iter().find(|side| key == format!("side_{}", side.1));
        let key = side.map_or(key, |side| side.2.to_string());
        (key, restore_value(field))
    };
    object.into_iter().map(field).collect()
}

fn restore_value(value_: Value) -> Value {
    match value_ {
        Value::String(text) => Value::String(rewrite_names(&text, restore_side_name_at_start)),
        Value::Array(list) => list.into_iter().map(restore_value).collect(),
        Value::Object(object) => Value::Object(restore_object(object)),
        Value::Null | Value::Bool(_) | Value::Number(_) => value_,
    }
}

fn restore_side_name_at_start(out: &mut String, rest: &str) -> Option<usize> {
    for (side, letter, seat) in SIDES {
        let word = leading_word(rest, "_");
        if let Some(place) = word
            .strip_prefix(letter)
            .and_then(|rest| rest.strip_prefix('_'))
            && let Ok(id) = format!("{}_{place}", seat.short_name()).parse::<NodeId>()
        {
            out.push_str(&id.to_string());
            return Some(word.len());
        }
        let after = rest.get(side.len()..).unwrap_or_default();
        let ends = leading_word(after, "_").is_empty();
        let (first, whole) = (rest.get(..1)?, rest.get(1..side.len()));
        if whole == side.get(1..) && ends && matches!(first, "s" | "S") {
            let article = if first == "S" { "The" } else { "the" };
            out.push_str(&format!("{article} {seat}"));
            return Some(side.len());
        }
    }
    None
}

#[cfg(test)]
mod tests;
