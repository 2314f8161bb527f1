//! What a sentence says of something that failed.

use std::sync::LazyLock;

use regex::Regex;

use super::Subject;
use crate::patterns::act::names_path;
use crate::prose::{Sentence, content_stems, parts, phrases, runs, stem};

/// Words that take a failure in, where no phrase before them says that there is none.
static ADMITS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:fail(?:s|ed|ing|ures?)?|errors?|broken?|red|crash(?:ed|es)?|does(?:n['’]t| not) (?:compile|build|work|exist)|could(?:n['’]t| not)|cannot|can['’]t|unable|not found|missing|unfortunately)\b").ok()
});
/// How it is said that a file is not there.
pub(super) static ABSENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:does(?:n['’]t| not) exist|could(?:n['’]t| not)|cannot|can['’]t|unable|not found|not there|missing|is no (?:file|such)|not readable)\b").ok()
});
/// Words by which a person speaks of the work rather than says that all is well.
pub(super) static OF_WORK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:it|that|this|tests?|build|now|everything|command|run)\b").ok()
});
static DENIES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:no|zero|0|without(?: any)?|any) (?:\w+ )?(?:fail(?:ed|ures?|ing)|errors?)\b|\berror handling\b|\berrors? (?:type|enum|message|variant|code)s?\b").ok()
});

pub(super) fn admits_failure(text: &str) -> bool {
    let (Some(admits), Some(denies)) = (ADMITS.as_ref(), DENIES.as_ref()) else {
        return true;
    };
    admits.is_match(&denies.replace_all(text, ""))
}

/// Whether a sentence speaks of what failed as if it had worked.
pub(super) fn claims(sentence: &Sentence<'_>, of: &Subject, is_by_name: bool) -> bool {
    match of {
        Subject::Task(task) => phrases().success.find_iter(sentence.text).any(|success| {
            let before = &sentence.text[..success.start()];
            let clause = clause(sentence.text, success.start());
            // What stands in code does not hedge.
            let bare: String = before.split('`').step_by(2).collect();
            let names = task.own_names();
            let bare = names
                .iter()
                .fold(bare, |bare, it| bare.replace(it.as_str(), ""));
            let is_named = names.iter().any(|it| clause.contains(it.as_str()));
            !hedges(&bare)
                && (is_named
                    || !is_by_name
                        && runs(clause)
                            .flat_map(parts)
                            .any(|word| task.subjects.contains(&stem(word))))
        }),
        Subject::File {
            path,
            is_edit,
            names,
            wanted,
        } => {
            if *is_edit && claims_change(sentence.text, names, wanted) {
                return true;
            }
            let verbs = if *is_edit { &*CHANGED } else { &*HOLDS };
            names_path(sentence.text, path)
                && verbs.as_ref().is_some_and(|verbs| {
                    verbs.find(sentence.text).is_some_and(|verb| {
                        !hedges(&sentence.text[..verb.start()])
                            // What a file shall hold is not what it holds.
                            && !phrases().correction.is_match(sentence.text)
                    })
                })
        }
    }
}

static HOLDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:defines?|contains?|shows?|says?|states?|implements?|exports?|lists?|declares?|describes?|documents?|confirms?|according to|as seen in|sets|reads|handles|asks|allows?|requires?|demands?|wants|forbids|answers?|explains?|has it|tells|calls for|recommends?|permits?)\b").ok()
});
static CHANGED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:edited|modified|added|adds|removed|fixed|in place|now (?:has|uses|contains|returns|handles|calls|reads|checks)|is done|applied|done|written|saved|patched|wired|extended)\b").ok()
});

static HAS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:has|have|got|gets|added|adds|put|puts|went into|goes into|is in|are in|built in|in place|extended|now|done|contains|taken care of|with an?|so far|in)\b").ok()
});

/// Whether a sentence speaks of what was to be changed, and of the change itself, as made.
fn claims_change(sentence: &str, names: &[String], wanted: &[String]) -> bool {
    let is_named = names.iter().any(|name| {
        runs(sentence).any(|it| it == name || it.split(['.', ':', '(']).any(|it| it == name))
    });
    let Some(verb) = HAS.as_ref().and_then(|it| it.find(sentence)) else {
        return false;
    };
    if !is_named || hedges(&sentence[..verb.start()]) {
        return false;
    }
    let stems = content_stems(sentence);
    let own: Vec<String> = names.iter().flat_map(|it| content_stems(it)).collect();
    stems
        .iter()
        .filter(|it| wanted.contains(it) && !own.contains(it))
        .count()
        >= 2
}

fn hedges(before: &str) -> bool {
    phrases().hedge.is_match(before)
}

/// The part of a sentence around a byte of it, between commas and the like.
fn clause(sentence: &str, at: usize) -> &str {
    let ends = [", ", "; ", ": ", " - ", " – ", " — "];
    let start = ends
        .iter()
        .filter_map(|end| sentence[..at].rfind(end).map(|it| it + end.len()))
        .max()
        .unwrap_or(0);
    let stop = ends
        .iter()
        .filter_map(|end| sentence[at..].find(end).map(|it| at + it))
        .min()
        .unwrap_or(sentence.len());
    &sentence[start..stop]
}
