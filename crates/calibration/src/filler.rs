//! Prose that says nothing of what is asked: no name, no number, no sentence twice.

use std::collections::HashSet;

use crate::random::Random;

const OPENINGS: [&str; 20] = [
    "Early in the morning",
    "After the rain had stopped",
    "As far as anyone remembers",
    "On most days of the week",
    "When the wind turned to the east",
    "Long after supper",
    "In spite of the cold",
    "Without much thought",
    "Once the guests had gone home",
    "Between two heavy showers",
    "While the kettle was still warm",
    "For reasons that are easily forgotten",
    "Every now and then",
    "To the surprise of the neighbours",
    "At the edge of the afternoon",
    "Just before the shutters were closed",
    "As the older people liked to say",
    "In the quiet part of the season",
    "Whenever the road was dry",
    "Somewhat later than planned",
];

const SUBJECTS: [&str; 28] = [
    "the baker's apprentice",
    "a patient carpenter",
    "the woman with the green umbrella",
    "one of the schoolchildren",
    "the retired postman",
    "a tired traveller",
    "the choir from the valley",
    "the younger of the two sisters",
    "a careless waiter",
    "the night watchman",
    "the owner of the corner shop",
    "a painter without commissions",
    "the ferryman's cousin",
    "a quiet lodger",
    "the committee for the summer fair",
    "an absent-minded tailor",
    "the piano teacher",
    "the boy from the upper floor",
    "a passing salesman",
    "the new assistant",
    "the clockmaker's widow",
    "a group of hikers",
    "the man who repaired umbrellas",
    "the head of the debating club",
    "a student of old maps",
    "the woman at the ticket window",
    "a neighbour from across the yard",
    "the last of the street musicians",
];

const VERBS: [&str; 24] = [
    "carried",
    "put away",
    "looked for",
    "described",
    "forgot about",
    "cleaned",
    "borrowed",
    "sketched",
    "wrapped up",
    "praised",
    "complained about",
    "talked at length about",
    "rearranged",
    "stumbled over",
    "admired",
    "watched over",
    "hid",
    "sold",
    "asked for",
    "measured",
    "lifted",
    "polished",
    "brought back",
    "made fun of",
];

const OBJECTS: [&str; 28] = [
    "a basket of damp laundry",
    "the wooden bench",
    "an old pair of boots",
    "the curtains of the front room",
    "a bundle of letters",
    "the chipped blue plate",
    "a ladder that was too short",
    "the rusty weathervane",
    "a tray of warm rolls",
    "the folded chairs",
    "a lamp with a paper shade",
    "the loose floorboard",
    "a jar of buttons",
    "the long tablecloth",
    "a coat with one pocket",
    "the broken music stand",
    "an unfinished jigsaw puzzle",
    "the basin under the stairs",
    "a walking stick of ash",
    "the stack of firewood",
    "a picture of a sailing boat",
    "the keyhole of the side door",
    "an almost empty inkwell",
    "the crumbs on the counter",
    "a set of brass hooks",
    "the cushions of the porch swing",
    "a drawer full of string",
    "the spare handle of the pump",
];

const PLACES: [&str; 24] = [
    "behind the coach house",
    "next to the notice board",
    "in the draughty hallway",
    "on the way to the market",
    "at the far end of the lane",
    "under the chestnut branches",
    "in front of the town hall",
    "between the hedges",
    "on the second landing",
    "beside the fountain",
    "in a corner of the waiting room",
    "along the towpath",
    "outside the chapel",
    "in the shade of the warehouse",
    "close to the garden wall",
    "on the bottom step",
    "opposite the pharmacy",
    "at the foot of the hill",
    "in the back of the wagon",
    "by the kitchen window",
    "near the old quarry",
    "above the stables",
    "on the narrow balcony",
    "across from the inn",
];

const ENDINGS: [&str; 16] = [
    "and thought no more of it",
    "as if it had always been so",
    "which took most of the evening",
    "although there was no hurry",
    "and hummed a tune meanwhile",
    "before the light faded",
    "to everyone's mild amusement",
    "with more care than was needed",
    "and nothing came of it",
    "because it seemed the proper thing to do",
    "until the bells began to ring",
    "as on so many other occasions",
    "and left the gate ajar",
    "without saying a word",
    "while the others looked on",
    "and went on with the day",
];

/// Makes sentences, each of them once.
#[derive(Debug, Default)]
pub(crate) struct Filler {
    given: HashSet<u64>,
}

impl Filler {
    /// The next sentence.
    pub(crate) fn sentence(&mut self, random: &mut Random) -> String {
        loop {
            let lists: [&[&str]; 6] = [&OPENINGS, &SUBJECTS, &VERBS, &OBJECTS, &PLACES, &ENDINGS];
            let mut key = 0;
            let picked = lists.map(|list| {
                let at = random.below(list.len());
                key = key * 32 + at as u64;
                list.get(at).copied().unwrap_or_default()
            });
            let form = random.below(3);
            key = key * 4 + form as u64;
            if self.given.insert(key) {
                return sentence(form, picked);
            }
        }
    }
}

fn sentence(form: usize, [opening, subject, verb, object, place, ending]: [&str; 6]) -> String {
    match form {
        0 => format!("{opening}, {subject} {verb} {object} {place}."),
        1 => capitalise(&format!("{subject} {verb} {object} {place}, {ending}.")),
        _ => format!("{opening}, {place}, {subject} {verb} {object}, {ending}."),
    }
}

fn capitalise(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sentence_comes_twice_and_none_has_a_digit() {
        let mut filler = Filler::default();
        let mut random = Random::from_parts(&[1]);
        let sentences: Vec<_> = (0..20_000).map(|_| filler.sentence(&mut random)).collect();
        let distinct: HashSet<_> = sentences.iter().collect();
        // Two forms can make one text of different picks; those are a handful in a million.
        assert!(distinct.len() > 19_990, "{}", distinct.len());
        assert!(
            sentences
                .iter()
                .all(|it| !it.contains(|c: char| c.is_ascii_digit()))
        );
        assert!(
            sentences
                .iter()
                .all(|it| it.starts_with(|c: char| c.is_uppercase()))
        );
    }
}
