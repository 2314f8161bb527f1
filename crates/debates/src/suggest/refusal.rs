//! The user's no to a suggestion, in the prompt after it.

use super::sentence::{clauses, words_of};

/// What a prompt answers to a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Answer {
    /// It does not refuse.
    Other,
    /// It may refuse: the session gets no more lines.
    Doubtful,
    /// It refuses: the topic is not suggested again either.
    Refusal,
}

/// Words that say neither yes nor no.
const FILLERS: &[&str] = &[
    "please",
    "ok",
    "okay",
    "well",
    "hm",
    "hmm",
    "um",
    "ah",
    "oh",
    "and",
    "thanks",
    "thank you",
    "sorry",
    "now",
    "for now",
    "bitte",
    "danke",
    "ach",
    "äh",
    "und",
    "jetzt",
    "erstmal",
];
/// Refusals that need no object.
const BARE: &[&str] = &[
    "no",
    "nope",
    "nah",
    "not now",
    "not today",
    "not needed",
    "not necessary",
    "no need",
    "rather not",
    "i d rather not",
    "don t",
    "dont",
    "do not",
    "don t bother",
    "dont bother",
    "never mind",
    "never",
    "cancel",
    "skip",
    "skip it",
    "skip that",
    "skip this",
    "nein",
    "nö",
    "nee",
    "nicht",
    "nicht jetzt",
    "jetzt nicht",
    "nicht nötig",
    "lieber nicht",
    "kein bedarf",
    "abbrechen",
];
/// What may follow a bare refusal in its sentence.
const CONTINUATIONS: &[&str] = &[
    "just do it",
    "do it",
    "just do that",
    "just go on",
    "go on",
    "just go ahead",
    "go ahead",
    "just continue",
    "continue",
    "proceed",
    "carry on",
    "keep going",
    "move on",
    "start",
    "just start",
    "just implement it",
    "implement it",
    "it s fine",
    "that s fine",
    "later",
    "maybe later",
    "mach weiter",
    "weiter",
    "weitermachen",
    "mach einfach",
    "mach einfach weiter",
    "mach es",
    "mach es einfach",
    "einfach machen",
    "leg los",
    "passt so",
    "passt schon",
    "später",
    "vielleicht später",
    "das ist nicht nötig",
    "that s not needed",
];
/// First words that refuse even if more follows without a comma.
const STRONG: &[&str] = &["nope", "nah", "nein", "nö", "nee"];
/// Words after a first `no` that begin another clause.
const AFTER_NO: &[&str] = &[
    "i", "just", "we", "you", "let", "lets", "do", "go", "continue", "keep", "please", "don",
    "dont",
];
/// Words with a negation that negate nothing.
const NO_NEGATION: &[&str] = &[
    "why not",
    "warum nicht",
    "wieso nicht",
    "not sure",
    "no objection",
    "no objections",
    "no problem",
    "no doubt",
    "not only",
    "not bad",
    "don t mind",
    "dont mind",
    "can t wait",
    "keine frage",
    "kein problem",
    "keine einwände",
    "nicht sicher",
    "nicht schlecht",
    "nicht nur",
];
/// Words that negate what follows; `t` is the end of "don't".
const NEGATIONS: &[&str] = &[
    "no", "not", "never", "t", "dont", "cannot", "without", "skip", "stop", "cancel", "decline",
    "nein", "nicht", "nie", "ohne",
];
/// Words between a negation and a debate that leave only the order of things negated.
const BEFORE: &[&str] = &["before", "until", "bevor", "bis"];
/// What an offer is called, other than by its name.
const OFFERED: &[&str] = &[
    "it", "this", "that", "these", "them", "me", "das", "mir", "es",
];
/// Words that refuse an offer for good.
const AGAIN: &[&str] = &["again", "anymore", "more", "wieder", "mehr"];
/// Maximum words of a clause that refuses an offer.
const MAX_OFFER_WORDS: usize = 8;

/// Returns what a prompt answers to the suggestion before it.
pub(super) fn answer_of(prompt: &str) -> Answer {
    let (mut is_wanted, mut refused) = (false, Answer::Other);
    for clause in clauses(prompt) {
        let is_question = clause.ends_with('?');
        let words = without_phrases(&words_of(clause), NO_NEGATION);
        let debate = words.iter().position(|word| word.starts_with("debat"));
        let answer = match debate {
            Some(at) if is_negated(&words, at) && is_question => Answer::Doubtful,
            Some(at) if is_negated(&words, at) => Answer::Refusal,
            Some(_) => {
                is_wanted = true;
                continue;
            }
            None => answer_to_offer(&words),
        };
        refused = refused.max(answer);
    }
    match (refused, is_wanted) {
        (Answer::Other, true) => Answer::Other,
        (Answer::Other, false) => bare_answer(prompt),
        (_, true) => Answer::Doubtful,
        (refused, false) => refused,
    }
}

/// Returns whether a clause negates its word at a position.
fn is_negated(words: &[String], at: usize) -> bool {
    let (before, after) = words.split_at(at.min(words.len()));
    let Some(first) = before.iter().position(|word| is_negation(word)) else {
        // German puts it last: "Debattiere das nicht."
        return after.iter().any(|word| word == "nicht");
    };
    let between = before.get(first + 1..).unwrap_or_default();
    let is_one_of = |words: &[&str]| between.iter().any(|word| words.contains(&word.as_str()));
    // "Don't start without a debate", "don't start before the debate".
    !is_one_of(&["without", "ohne"]) && !is_one_of(BEFORE)
}

/// Returns what a clause without a debate answers to an offer.
fn answer_to_offer(words: &[String]) -> Answer {
    let names_offer = |word: &String| {
        let beginnings = ["offer", "angebot", "anbiet", "biet"];
        beginnings.iter().any(|it| word.starts_with(it))
    };
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let is_no = words.iter().any(|word| is_negation(word));
    let is_about_offer = is_no
        && words.len() <= MAX_OFFER_WORDS
        && words.iter().any(names_offer)
        && (has(OFFERED) || has(AGAIN));
    match (is_about_offer, has(AGAIN)) {
        (false, _) => Answer::Other,
        (true, true) => Answer::Refusal,
        (true, false) => Answer::Doubtful,
    }
}

/// Returns what the first sentence answers, if no debate is named.
fn bare_answer(prompt: &str) -> Answer {
    let ends = ['.', '!', '?', '\n', ';', '…'];
    let mut sentences = prompt.split(ends).map(words_of);
    let first = sentences.find(|words| !words.is_empty());
    let first = first.unwrap_or_default();
    let is_only = |words: &[String], phrases: &[&str]| {
        let has_bare = without_phrases(words, BARE).len() < words.len();
        has_bare && without_phrases(words, phrases).is_empty()
    };
    if is_only(&first, &[BARE, FILLERS, CONTINUATIONS].concat()) {
        return Answer::Refusal;
    }
    let mut clauses = clauses(prompt).map(words_of);
    let clause = clauses.find(|words| !without_phrases(words, FILLERS).is_empty());
    let is_bare = is_only(&clause.unwrap_or_default(), &[BARE, FILLERS].concat());
    let words = without_phrases(&first, FILLERS);
    let word = |at: usize| words.get(at).map(String::as_str).unwrap_or_default();
    let is_strong = STRONG.contains(&word(0)) || word(0) == "no" && AFTER_NO.contains(&word(1));
    match is_bare || is_strong {
        true => Answer::Doubtful,
        false => Answer::Other,
    }
}

fn is_negation(word: &str) -> bool {
    NEGATIONS.contains(&word) || word.starts_with("kein")
}

/// Returns the words that are not in one of these phrases, the longest of which counts.
fn without_phrases(words: &[String], phrases: &[&str]) -> Vec<String> {
    let mut left = Vec::new();
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        let lengths = phrases.iter().filter_map(|phrase| {
            let own: Vec<_> = phrase.split(' ').collect();
            let start = rest.get(..own.len())?;
            start.iter().eq(own.iter()).then_some(own.len())
        });
        match lengths.max() {
            Some(length) => rest = rest.get(length..).unwrap_or_default(),
            None => {
                left.push(first.clone());
                rest = after;
            }
        }
    }
    left
}

#[cfg(test)]
mod tests;
