//! Formats options for display and for questions.

use agon_record::options::{Contrast, Options};

use super::setting::{BareTopic, lower_first_word, upper_first};
use super::verb::{gerund_phrase, is_verb, strip_to};
use super::{option, options};

/// First words of yes-or-no questions about whether to do something.
const SHOULDS: [&str; 6] = ["should ", "must ", "shall ", "ought ", "do ", "does "];

/// First words of all other yes-or-no questions.
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

/// First words of subjects with several words.
const DETERMINERS: [&str; 14] = [
    "the", "a", "an", "our", "my", "your", "their", "every", "all", "this", "each", "small",
    "large", "most",
];

/// Verbs that are followed by the chosen thing: `use SQLite` means `SQLite`.
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

/// Words before the chosen thing at the end of an option: `in Rust`.
const PREPOSITIONS: [&str; 8] = ["in", "with", "on", "by", "to", "from", "at", "via"];

/// Returns two alternatives.
pub(super) fn two_alternatives(one: &str, other: &str, question: &BareTopic) -> Option<Options> {
    let (subject, one) = strip_subject(one);
    let other = strip_to(other);
    let one = strip_to(one);
    let sides = match (gerund_phrase(&lower_first_word(one)), gerund_phrase(other)) {
        (Some(first), Some(second)) if are_activities(one, other) => {
            let second = with_object(&second, one);
            [option(one, first), option(other, second)]
        }
        _ => {
            let first = chosen_thing(one, other, subject);
            // A topic's first word may have a capital only for its position. If the other option
            // begins in lower case, lower-case this one too.
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

/// Expands `buying one` to `buying a flat` beside `rent a flat`, so that a question is
/// self-contained.
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

/// Returns whether two phrases that begin with possible verbs are activities: `rent a flat` and
/// `buy one`, but not `work` and `play`.
fn are_activities(one: &str, other: &str) -> bool {
    let long = |phrase: &str| phrase.contains(' ');
    let noun =
        |phrase: &str| matches!(phrase, "test" | "work" | "play" | "store" | "cache" | "tax");
    (long(one) || long(other)) || !(noun(one) || noun(other))
}

/// Reduces `Should we use tabs` to `tabs`, and returns whether there was a subject.
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

/// Returns the chosen thing in the first of two options, which the second one replaces.
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
    // Removes `build` from `build a wall or a fence`.
    match one.split_once(' ') {
        Some((verb, rest)) if is_verb(verb) => rest,
        _ => one,
    }
}

/// Returns the options to do something or not, from a question or statement with `should`.
pub(super) fn do_or_not_options(question: &BareTopic) -> Option<Options> {
    let text = question.whole.trim_end_matches(" or not");
    let lower = text.to_lowercase();
    let asked = SHOULDS.iter().find(|lead| lower.starts_with(**lead));
    let (subject, modal, predicate) = match asked {
        Some(lead) => {
            let (subject, predicate) = split_subject(text.get(lead.len()..)?)?;
            (subject, *lead, predicate)
        }
        None => {
            // An open question, such as `What should we use?`, has no yes-or-no answer.
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
        .or_else(|| needed_thing(predicate))?;
    let subject_name = upper_first(&capitalize_i(subject));
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

/// Returns what is needed or wanted: `a code review for every change`.
fn needed_thing(predicate: &str) -> Option<String> {
    ["need ", "want ", "really need ", "have to have "]
        .iter()
        .find_map(|verb| predicate.strip_prefix(verb))
        .map(|rest| gerund_phrase(rest).unwrap_or_else(|| rest.to_owned()))
}

/// Returns the options yes and no.
pub(super) fn yes_or_no_options(question: &BareTopic) -> Option<Options> {
    let lower = question.whole.to_lowercase();
    let asks = YES_NO.iter().any(|lead| lower.starts_with(lead));
    let sides = [option("Yes", "yes"), option("No", "no")];
    (asks && lower.contains(' ')).then(|| options(Contrast::Answers, sides, ""))
}

/// Splits off a subject from what it should do.
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
        // Skip a verb before another verb: in `remote work be`, `work` is a noun.
        false => (least..words.len()).find(|&at| {
            let next = words.get(at + 1).copied().unwrap_or_default();
            verb(at) && !is_verb(next)
        })?,
    };
    let length: usize = words.get(..at)?.iter().map(|word| word.len() + 1).sum();
    let (subject, predicate) = (text.get(..length - 1)?, text.get(length..)?);
    (!predicate.is_empty()).then_some((subject, predicate))
}

/// Capitalizes `i`.
fn capitalize_i(subject: &str) -> String {
    match subject {
        "i" => "I".to_owned(),
        other => other.to_owned(),
    }
}
