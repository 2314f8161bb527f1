//! Confusion: the model works on a task that the user did not ask for.

use std::collections::BTreeSet;

use super::super::words::{
    collapse, content_words, is_question, sentences, sentences_with_quote, share_stem, share_word,
    words,
};
use super::consent::is_agreed_by_user;
use super::subject::has_subject;
use super::{Case, Check, DropReason, Verdict};

/// Words that occur in any task.
const COMMON: &[&str] = &[
    "test", "tests", "spec", "config", "readme", "package", "server", "client", "page", "module",
    "function", "task", "git", "npm", "run", "cargo", "python", "edit", "write", "update",
    "service", "json", "yaml", "toml", "html", "css", "tsx", "jsx", "java", "rust", "sql", "new",
    "add", "fix",
];

pub(super) fn verify(case: &Case<'_, '_>) -> Verdict {
    let act = &case.effect;
    if !case.cause.is_of_user() || !(act.is_model_call() || act.is_model_message()) {
        return Err(DropReason::WrongSpeaker);
    }
    case.require_order()?;
    if !case.subject.is_empty() && !has_subject(&act.line.text_without_output(), case.subject) {
        return Err(DropReason::NoSubject);
    }
    if act.is_model_message() {
        let said = sentences_with_quote(act.line.message(), act.quote);
        if !said.is_empty() && said.iter().all(|it| is_question(it)) {
            return Err(DropReason::Question);
        }
        if said
            .iter()
            .any(|it| mentions_task(it, case.subject) && words().called_off.is_in(it))
        {
            return Err(DropReason::NotDone);
        }
    }
    if is_asked_for(case) {
        return Err(DropReason::AskedFor);
    }
    Ok(vec![
        Check::Order,
        Check::Speakers,
        Check::Subject,
        Check::NotAskedFor,
    ])
}

/// Returns whether the user asked for the subject's task, in the request's message or later.
fn is_asked_for(case: &Case<'_, '_>) -> bool {
    let own = asked_sentences(case.cause.line.message());
    let quote = collapse(case.cause.quote);
    let is_request = |sentence: &str| sentence.contains(&quote) || quote.contains(sentence);
    let calls_off = own
        .iter()
        .filter(|it| is_request(it))
        .any(|it| words().called_off.is_in(it));
    // A sentence that calls a task off also names it, so only the other sentences can ask for it.
    let own_asks = own
        .iter()
        .filter(|it| !is_request(it) || !calls_off)
        .any(|it| asks_for(it, case.subject));
    let is_of_task = |words: &str| {
        mentions_task(words, case.subject) || (calls_off && names_cancelled_task(case, words))
    };
    let later_asks = case
        .prompts_between()
        .flat_map(asked_sentences)
        .any(|it| is_of_task(&it) && !words().called_off.is_in(&it));
    own_asks
        || later_asks
        || (!calls_off && is_on_request_topic(case))
        || is_agreed_by_user(case.between(), case.subject, |words| {
            is_of_task(words)
                || share_word(&distinct_words(words), &distinct_words(case.effect.quote))
        })
}

/// Returns whether words name the task that a request called off, by a word that the act shares or
/// by a long word.
fn names_cancelled_task(case: &Case<'_, '_>, words: &str) -> bool {
    let of_words = distinct_words(words);
    let of_act = distinct_words(&case.effect.line.text_without_output());
    let is_in =
        |word: &String, other: &BTreeSet<String>| other.iter().any(|it| share_stem(it, word));
    distinct_words(case.cause.quote)
        .iter()
        .filter(|it| is_in(it, &of_words))
        .any(|it| is_in(it, &of_act) || it.chars().count() >= 6)
}

fn asked_sentences(prompt: &str) -> Vec<String> {
    sentences(prompt).into_iter().map(collapse).collect()
}

fn asks_for(sentence: &str, subject: &str) -> bool {
    mentions_task(sentence, subject) && !words().called_off.is_in(sentence)
}

/// Returns whether the act shares words with the request, or is in another script.
fn is_on_request_topic(case: &Case<'_, '_>) -> bool {
    let of_request = distinct_words(case.cause.quote);
    let of_act = distinct_words(case.effect.quote);
    let shared = of_request
        .iter()
        .filter(|it| of_act.iter().any(|word| share_stem(it, word)));
    let is_latin = |words: &BTreeSet<String>| words.iter().any(|it| it.is_ascii());
    shared.count() >= 2
        || (!is_latin(&content_words(case.cause.line.message()))
            && is_latin(&content_words(case.subject)))
}

fn distinct_words(text: &str) -> BTreeSet<String> {
    let mut found = content_words(text);
    found.retain(|it| !COMMON.contains(&it.as_str()));
    found
}

/// Returns whether a sentence names the task by a distinctive word.
fn mentions_task(sentence: &str, subject: &str) -> bool {
    let mut own = distinct_words(subject);
    if own.is_empty() {
        own = content_words(subject);
    }
    if own.is_empty() {
        return sentence.to_lowercase().contains(&subject.to_lowercase());
    }
    let of_sentence = content_words(sentence);
    let found = own
        .iter()
        .filter(|it| of_sentence.iter().any(|word| share_stem(it, word)));
    found.count() * 2 >= own.len()
}
