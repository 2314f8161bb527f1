//! Questions about a passage. Who has not read it can only guess.

use super::Difficulty;
use crate::question::Question;
use crate::stats::random::Random;

const PLACES: [&str; 8] = [
    "Harrow Quay",
    "Osten Ferry",
    "Brill Lock",
    "Tarn End",
    "Mellow Weir",
    "Cask Hill",
    "Sallow Bridge",
    "North Fennel",
];
const PEOPLE: [&str; 12] = [
    "Orlen", "Tavik", "Brisa", "Mirel", "Quen", "Sado", "Ilka", "Ruven", "Pell", "Anwick", "Doria",
    "Hask",
];
const THINGS: [&str; 14] = [
    "brass lantern",
    "spare rudder",
    "blue canvas",
    "tide charts",
    "copper kettle",
    "signal flags",
    "winter ropes",
    "anchor chain",
    "tin of varnish",
    "oak mallet",
    "ice saw",
    "harbour bell",
    "glass floats",
    "tar brush",
];
const COLOURS: [&str; 8] = [
    "green", "yellow", "white", "red", "grey", "brown", "orange", "black",
];
const REASONS: [&str; 5] = [
    "because the roof leaks",
    "to make room for the boats",
    "since the lock is broken",
    "after the inspection",
    "because of the mice",
];

/// A thing, who keeps it, and in which store.
struct StoredThing {
    person: &'static str,
    thing: &'static str,
    store: usize,
}

/// Returns a question about where a thing is kept. Easy: one sentence says it. Medium: a later entry
/// corrects an earlier one, and another correction was withdrawn. Hard: the color of that store's
/// door, which is in another sentence.
pub(super) fn question(difficulty: Difficulty, random: &mut Random) -> Question {
    let count = difficulty.pick(5, 7, 8);
    let (mut people, mut things, mut colours) = (PEOPLE, THINGS, COLOURS);
    random.shuffle(&mut people);
    random.shuffle(&mut things);
    random.shuffle(&mut colours);
    let mut stores: Vec<usize> = (1..=colours.len()).collect();
    random.shuffle(&mut stores);
    let kept: Vec<StoredThing> = people
        .into_iter()
        .zip(things)
        .zip(&stores)
        .take(count)
        .map(|((person, thing), &store)| StoredThing {
            person,
            thing,
            store,
        })
        .collect();
    let place = random.choose(&PLACES).copied().unwrap_or_default();
    let mut lines = vec![format!("From the stock book of {place}.")];
    lines.extend(kept.iter().map(
        |StoredThing {
             person,
             thing,
             store,
         }| { format!("{person} keeps the {thing} in store {store}.") },
    ));
    let asked = random.below(kept.len());
    let other = (asked + 1 + random.below(kept.len() - 1)) % kept.len();
    let (mut right, mut stale) = (0, None);
    if let (Some(asked), Some(other)) = (kept.get(asked), kept.get(other)) {
        right = asked.store;
        if difficulty > Difficulty::Easy {
            let free: Vec<usize> = stores.iter().copied().filter(|it| *it != right).collect();
            let moved = random.choose(&free).copied().unwrap_or_default();
            let why = random.choose(&REASONS).copied().unwrap_or_default();
            lines.push(format!(
                "Later entry: the {} was moved to store {moved} {why}.",
                asked.thing
            ));
            let unmoved = random.choose(&stores).copied().unwrap_or_default();
            lines.push(format!(
                "The plan to move the {} of {} to store {unmoved} was withdrawn.",
                other.thing, other.person
            ));
            (right, stale) = (moved, Some(right));
        }
    }
    let thing = kept.get(asked).map_or("", |kept| kept.thing);
    let colour = |store: usize| {
        let colour = store.checked_sub(1).and_then(|at| colours.get(at));
        colour.copied().unwrap_or_default()
    };
    let is_hard = difficulty == Difficulty::Hard;
    if is_hard {
        let mut doors: Vec<usize> = (1..=colours.len()).collect();
        random.shuffle(&mut doors);
        let doors = doors.into_iter();
        lines.extend(doors.map(|it| format!("The door of store {it} is {}.", colour(it))));
    }
    let mut options = vec![right];
    options.extend(stale);
    let rest: Vec<usize> = stores
        .iter()
        .copied()
        .filter(|it| !options.contains(it))
        .collect();
    options.extend(rest.into_iter().take(4 - options.len()));
    let name = |store: usize| match is_hard {
        true => colour(store).to_owned(),
        false => format!("store {store}"),
    };
    Question {
        text: match is_hard {
            true => format!(
                "At {place}, which color has the door of the store in which the {thing} is now?"
            ),
            false => format!("At {place}, in which store is the {thing} now?"),
        },
        options: options.into_iter().map(name).collect(),
        answer: name(right),
        context: Some(lines.join("\n")),
        hidden: true,
        ..Question::default()
    }
}
