//! States what the hand-over lacks.

use std::collections::HashSet;

use super::request::prompt;
use super::{Handover, HandoverOptions, TaskSource};
use crate::Entry;

/// Most turns and spans of turns that a gap names.
const MAX_SPANS: usize = 12;

/// Returns the gaps of a hand-over, in Agon's words.
pub(super) fn describe_gaps(
    entries: &[&Entry],
    options: &HandoverOptions<'_>,
    handover: &Handover,
) -> Vec<String> {
    let mut lines = Vec::new();
    if options.dropped > 0 {
        let dropped = options.dropped;
        lines.push(format!(
            "The first {dropped} entries were not read, so their content is missing."
        ));
    }
    let quoted = [&handover.asked, &handover.constraints, &handover.decisions];
    let quoted: HashSet<u64> = quoted.into_iter().flatten().map(|it| it.entry).collect();
    let silent: Vec<u32> = entries
        .iter()
        .filter(|it| prompt(it).is_some() && !quoted.contains(&it.index))
        .map(|it| it.turn)
        .collect();
    if !silent.is_empty() {
        lines.push(format!(
            "No constraint or decision was recognized in the user's messages of {}.",
            name_turns(&silent)
        ));
    }
    let is_of_file = |it: &super::OpenTask| matches!(it.source, TaskSource::File(_));
    let has_list = handover.tasks.has_plan || handover.tasks.open.iter().any(is_of_file);
    if !has_list {
        lines.push("There is no to-do list, so more tasks may be open.".to_owned());
    }
    if handover.tasks.unknown > 0 {
        let unknown = handover.tasks.unknown;
        lines.push(format!(
            "{unknown} changes to the to-do list could not be applied."
        ));
    }
    if handover.decisions.is_empty() {
        lines.push("No sentence states a decision.".to_owned());
    }
    lines
}

/// Returns words for turns in order, such as "turns 2, 4 and 6 to 9".
fn name_turns(turns: &[u32]) -> String {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for turn in turns {
        match spans.last_mut() {
            Some((_, last)) if *turn == last.saturating_add(1) => *last = *turn,
            _ => spans.push((*turn, *turn)),
        }
    }
    let count = |(first, last): &(u32, u32)| (last - first + 1) as usize;
    let mut words: Vec<String> = Vec::new();
    for span @ (first, last) in spans.iter().take(MAX_SPANS) {
        match count(span) {
            1 => words.push(first.to_string()),
            2 => words.extend([first.to_string(), last.to_string()]),
            _ => words.push(format!("{first} to {last}")),
        }
    }
    let later: usize = spans.iter().skip(MAX_SPANS).map(count).sum();
    if later > 0 {
        words.push(format!("{later} later ones"));
    }
    let noun = if turns.len() == 1 { "turn" } else { "turns" };
    match words.split_last() {
        Some((last, before)) if !before.is_empty() => {
            format!("{noun} {} and {last}", before.join(", "))
        }
        Some((only, _)) => format!("{noun} {only}"),
        None => noun.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_named_by_spans_and_not_all_of_them() {
        assert_eq!(name_turns(&[2]), "turn 2");
        assert_eq!(name_turns(&[2, 3]), "turns 2 and 3");
        assert_eq!(name_turns(&[2, 4, 6, 7, 8]), "turns 2, 4 and 6 to 8");
        let every_other: Vec<u32> = (1..=40).map(|it| 2 * it).collect();
        let words = name_turns(&every_other);
        assert!(words.ends_with(", 22, 24 and 28 later ones"), "{words}");
    }
}
