//! Hides the names of tools and models from a judge of a duel.

use agon_record::id::{Seat, Stage, TurnId};
use agon_record::state::State;
use agon_record::swap;

use agon_wording::Wording;

/// The replacement for a tool on both sides or on neither side.
const NOBODY: &str = "a tool";

/// Replaces names in the texts that a judge of a duel sees.
///
/// A seated tool, its model, or a model that it reports is called by its side wherever the debaters
/// name it as a separate word. A name in the topic stays, since it is the subject, and so does one
/// inside a path or in the material. Other hints at who spoke are not detected. With the sides
/// swapped, the sides and their points are also renamed.
pub(super) struct Veil {
    /// The hidden names in lower case with their replacements.
    names: Vec<(String, String)>,
    swap: bool,
}

impl Veil {
    /// Creates the veil for `turn`; `None` for a seat that does not judge.
    pub(super) fn for_turn(state: &State, turn: TurnId) -> Option<Self> {
        let hides = state.format_rules().hides_tools_from_judges;
        let swap = turn.stage == Stage::Swap;
        (hides && turn.seat.is_judge()).then(|| Self {
            names: name_replacements(state, swap),
            swap,
        })
    }

    /// Replaces the hidden names in `text` that a seat or the user wrote.
    pub(super) fn hide_names(&self, text: &str) -> String {
        swap::rewrite_names(text, |out, rest| {
            let hidden = self
                .swap
                .then(|| swap::hide_leading_name(out, rest))
                .flatten();
            hidden.or_else(|| self.replace_leading_tool_name(out, rest))
        })
    }

    /// Renames the sides in the program's own `text` for the swap.
    pub(super) fn swap_side_names(&self, text: Wording) -> Wording {
        match self.swap {
            true => text.with_swapped_sides(),
            false => text,
        }
    }

    fn replace_leading_tool_name(&self, out: &mut String, rest: &str) -> Option<usize> {
        let (tool, new) = self.names.iter().find(|(tool, _)| {
            let begins = rest.get(..tool.len());
            let after = rest.get(tool.len()..).unwrap_or_default();
            let goes_on = |c: char| c.is_alphanumeric() || c == '_';
            begins.is_some_and(|begins| begins.eq_ignore_ascii_case(tool))
                && !after.starts_with(goes_on)
                && !swap::is_in_path(out, after)
        })?;
        swap::write_name_over_article(out, new);
        Some(tool.len())
    }
}

/// Returns the names of tools and models to hide, longest first, with their replacements.
fn name_replacements(state: &State, swap: bool) -> Vec<(String, String)> {
    let topic = state.spec.topic.to_lowercase();
    let mut names: Vec<(String, String)> = Vec::new();
    // Names of people stay: such a name may be an ordinary word.
    let tools = state
        .seats
        .iter()
        .filter(|(_, seating)| !seating.is_human());
    for (&seat, seating) in tools {
        let new = match swap::swapped_side_name(seat) {
            Some(side) if swap => side.to_owned(),
            Some(_) => format!("the {seat}"),
            None => NOBODY.to_owned(),
        };
        let tool = Some(seating.tool.as_str());
        let named = tool.into_iter().chain(seating.model.as_deref());
        for name in named.chain(answering_models(state, seat)) {
            let name = name.to_lowercase();
            if name.is_empty() || topic.contains(&name) {
                continue;
            }
            match names.iter_mut().find(|known| known.0 == name) {
                None => names.push((name, new.clone())),
                Some(known) if known.1 != new && !seat.is_judge() => {
                    NOBODY.clone_into(&mut known.1)
                }
                Some(_) => {}
            }
        }
    }
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    names
}

/// Returns the models that answered in the seat of a debater, as its tool reports them.
///
/// Models of judges are left out, so that a prompt is the same before and after the judge's answer.
fn answering_models(state: &State, seat: Seat) -> impl Iterator<Item = &str> {
    let turns = state.turns.iter();
    let turns = turns.filter(move |(turn, _)| turn.seat == seat && !seat.is_judge());
    let asks = turns.flat_map(|(_, turn)| &turn.asks);
    let names = asks.filter_map(|ask| ask.given.as_ref()?.model.as_deref());
    // These model names stay: they are ordinary words and do not reveal who spoke.
    names.filter(|name| !["auto", "default"].contains(name))
}

#[cfg(test)]
mod tests;
