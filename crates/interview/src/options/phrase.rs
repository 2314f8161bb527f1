//! Options as they are shown and as they stand in a question.

use agon_record::options::{Contrast, Options};

use super::setting::{BareTopic, lower_first_word, upper_first};
use super::verb::{gerund_phrase, is_verb, strip_to};
use super::{option, options};

/// Words that begin a question to be answered with yes or no, where the question is whether to do something.
const SHOULDS: [&str; 6] = ["should ", "must ", "shall ", "ought ", "do ", "does "];

/// Words that begin any other question to be answered with yes or no.
const YES_NO: [&str; 14] = [
    "is ", "are ", "was ", "were ", "can ", "could ", "will ", "would ", "has ", "have ", "did ",
    "does ", "do ", "may ",
];

/// Subjects of one word.
const PRONOUNS: [&str; 14] = [
    "we",
    "i",
    "you",
    "they",
    "one",
    "he",
    "she",
    "it",
    "people",
    "everyone",
    "everybody",
    "companies",
    "developers",
    "cities",
];

/// Words that begin a subject of more than one.
const DETERMINERS: [&str; 14] = [
    "the", "a", "an", "our", "my", "your", "their", "every", "all", "this", "each", "small",
    "large", "most",
];

/// Verbs behind which stands what is chosen: `use SQLite` is `SQLite`.
const CHOOSING: &[&str] = &[
    "use",
    "choose",
    "pick",
    "adopt",
    "prefer",
    "take",
    "buy",
    "learn",
    "get",
    "go with",
    "go for",
    "switch to",
    "move to",
    "migrate to",
    "stay with",
    "stick with",
    "have",
    "study",
    "want",
];

/// Words behind which the last part of an option is the thing that is chosen: `in Rust`.
const PREPOSITIONS: [&str; 8] = ["in", "with", "on", "by", "to", "from", "at", "via"];

/// One option or another.
pub(super) fn between(one: &str, other: &str, question: &BareTopic) -> Option<Options> {
    let (subject, one) = strip_subject(one);
    let other = strip_to(other);
    let one = strip_to(one);
    let sides = match (gerund_phrase(&lower_first_word(one)), gerund_phrase(other)) {
        (Some(first), Some(second)) if stands_alone(one, other) => {
            let second = with_object(&second, one);
            [option(one, first), option(other, second)]
        }
        _ => {
            let first = chosen_thing(one, other, subject);
            // What the topic begins with has a capital for that reason alone, unless the other has
            // one too.
            let phrase = match other.starts_with(char::is_lowercase) {
                true => lower_first_word(first),
                false => first.to_owned(),
            };
            [option(first, phrase), option(other, other)]
        }
    };
    let differ = !sides[0].name.eq_ignore_ascii_case(&sides[1].name);
    differ.then(|| options(Contrast::Between, sides, &question.setting))
}

/// `buying one` is `buying a flat` beside `rent a flat`: a question has to stand by itself.
fn with_object(phrase: &str, one: &str) -> String {
    let object = one.split_once(' ').map(|(_, object)| object);
    let verb = [" one", " it", " them"]
        .iter()
        .find_map(|word| phrase.strip_suffix(word));
    match (verb, object) {
        (Some(verb), Some(object)) => format!("{verb} {object}"),
        _ => phrase.to_owned(),
    }
}

/// Whether two phrases that begin with words that may be verbs are things to do: `rent a flat` and
/// `buy one`, not `work` and `play`.
fn stands_alone(one: &str, other: &str) -> bool {
    let long = |phrase: &str| phrase.contains(' ');
    let noun =
        |phrase: &str| matches!(phrase, "test" | "work" | "play" | "store" | "cache" | "tax");
    (long(one) || long(other)) || !(noun(one) || noun(other))
}

/// `Should we use tabs` is `tabs`, with whether a subject stood there.
fn strip_subject(option: &str) -> (bool, &str) {
    let lower = option.to_lowercase();
    let Some(lead) = SHOULDS.iter().find(|lead| lower.starts_with(**lead)) else {
        return (false, option);
    };
    let rest = option.get(lead.len()..).unwrap_or_default();
    match split_subject(rest) {
        Some((_, predicate)) => (true, predicate),
        None => (false, option),
    }
}

/// The thing that is chosen in the first of two options: the second one stands in its place.
fn chosen_thing<'a>(one: &'a str, other: &str, subject: bool) -> &'a str {
    if !subject {
        return one;
    }
    let lower = one.to_lowercase();
    for verb in CHOOSING {
        if let Some(rest) = lower.strip_prefix(&format!("{verb} ")) {
            return one.get(one.len() - rest.len()..).unwrap_or(one);
        }
    }
    if !is_verb(other.split(' ').next().unwrap_or_default()) {
        let last = PREPOSITIONS
            .iter()
            .filter_map(|word| {
                one.rfind(&format!(" {word} "))
                    .map(|at| at + word.len() + 2)
            })
            .max();
        if let Some(rest) = last.and_then(|at| one.get(at..)) {
            return rest;
        }
    }
    // `build` in `build a wall or a fence`
    match one.split_once(' ') {
        Some((verb, rest)) if is_verb(verb) => rest,
        _ => one,
    }
}

/// To do something, or not: of a question with `should`, or a statement with it.
pub(super) fn for_and_against(question: &BareTopic) -> Option<Options> {
    let text = question.whole.trim_end_matches(" or not");
    let lower = text.to_lowercase();
    let asked = SHOULDS.iter().find(|lead| lower.starts_with(**lead));
    let (subject, modal, predicate) = match asked {
        Some(lead) => {
            let (subject, predicate) = split_subject(text.get(lead.len()..)?)?;
            (subject, *lead, predicate)
        }
        None => {
            // What is asked behind another word is an open question: `What should we use?`
            let (subject, predicate) = text.split_once(" should ")?;
            let first = lower.split(' ').next().unwrap_or_default();
            let open = [
                "what", "which", "who", "how", "why", "when", "where", "whom", "whose",
            ];
            if open.contains(&first) {
                return None;
            }
            (subject, "should ", predicate)
        }
    };
    let predicate = strip_to(predicate);
    let phrase = gerund_phrase(predicate.strip_prefix("not ").unwrap_or(predicate))
        .or_else(|| needed(predicate))?;
    let subject_name = upper_first(&proper_pronoun(subject));
    let (does, does_not) = match modal.trim() {
        "do" => (String::new(), " do not".to_owned()),
        "does" => (String::new(), " does not".to_owned()),
        "ought" => (" ought to".to_owned(), " ought not to".to_owned()),
        modal => (format!(" {modal}"), format!(" {modal} not")),
    };
    let sides = [
        option(format!("{subject_name}{does} {predicate}"), phrase.clone()),
        option(format!("{subject_name}{does_not} {predicate}"), phrase),
    ];
    let people = PRONOUNS[..8].contains(&subject.to_lowercase().as_str());
    let setting = match people {
        true => String::new(),
        false => format!("for {}", lower_first_word(subject)),
    };
    Some(options(Contrast::Against, sides, &setting))
}

/// What is needed or wanted: `a code review for every change`.
fn needed(predicate: &str) -> Option<String> {
    ["need ", "want ", "really need ", "have to have "]
        .iter()
        .find_map(|verb| predicate.strip_prefix(verb))
        .map(|rest| gerund_phrase(rest).unwrap_or_else(|| rest.to_owned()))
}

/// Yes or no.
pub(super) fn yes_and_no(question: &BareTopic) -> Option<Options> {
    let lower = question.whole.to_lowercase();
    let asks = YES_NO.iter().any(|lead| lower.starts_with(lead));
    let sides = [option("Yes", "yes"), option("No", "no")];
    (asks && lower.contains(' ')).then(|| options(Contrast::Answers, sides, ""))
}

/// A subject, and what it is to do.
fn split_subject(text: &str) -> Option<(&str, &str)> {
    let words: Vec<&str> = text.split(' ').collect();
    let first = words.first()?.to_lowercase();
    let least = match DETERMINERS.contains(&first.as_str()) {
        true => 2,
        false => 1,
    };
    let pronoun = PRONOUNS.contains(&first.as_str());
    let verb = |at: usize| {
        let word = words.get(at).copied().unwrap_or_default();
        is_verb(word) || matches!(word, "need" | "want" | "not" | "to" | "really")
    };
    let at = match pronoun {
        true => 1,
        // Of two verbs side by side the first is a noun: `remote work be`.
        false => (least..words.len()).find(|&at| {
            let next = words.get(at + 1).copied().unwrap_or_default();
            verb(at) && !is_verb(next)
        })?,
    };
    let length: usize = words.get(..at)?.iter().map(|word| word.len() + 1).sum();
    let (subject, predicate) = (text.get(..length - 1)?, text.get(length..)?);
    (!predicate.is_empty()).then_some((subject, predicate))
}

/// `i` is `I`.
fn proper_pronoun(subject: &str) -> String {
    match subject {
        "i" => "I".to_owned(),
        other => other.to_owned(),
    }
}
