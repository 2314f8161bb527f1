//! The model works on another task than the one that was asked for.

use std::collections::BTreeSet;

use super::super::words::{
    collapse, content_words, is_akin, is_question, sentences, sentences_of, words,
};
use super::lost::has_subject;
use super::{Case, Check, DropReason, Verdict};

/// Words that any task can have.
const COMMON: &[&str] = &[
    "test", "tests", "spec", "config", "readme", "package", "server", "client", "page", "module",
    "function", "task", "git", "npm", "run", "cargo", "python", "edit", "write", "update",
    "service", "json", "yaml", "toml", "html", "css", "tsx", "jsx", "java", "rust", "sql", "new",
    "add", "fix",
];

pub(super) fn verify(case: &Case<'_, '_>) -> Verdict {
    let act = &case.effect;
    if !case.cause.is_of_user() || !(act.is_act_of_model() || act.is_words_of_model()) {
        return Err(DropReason::WrongSpeaker);
    }
    case.require_order()?;
    if !case.subject.is_empty() && !has_subject(&act.line.said(), case.subject) {
        return Err(DropReason::NoSubject);
    }
    if act.is_words_of_model() {
        let said = sentences_of(act.line.message(), act.quote);
        if !said.is_empty() && said.iter().all(|it| is_question(it)) {
            return Err(DropReason::Question);
        }
        if said
            .iter()
            .any(|it| speaks_of_task(it, case.subject) && words().called_off.is_in(it))
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

/// Whether the user asked for the task of the subject, in the message of the request or later.
fn is_asked_for(case: &Case<'_, '_>) -> bool {
    let own = asked_sentences(case.cause.line.message());
    let quote = collapse(case.cause.quote);
    let is_request = |sentence: &str| sentence.contains(&quote) || quote.contains(sentence);
    // What calls a task off names it; a sentence of the same message can ask for it all the same.
    let own_asks = own
        .iter()
        .filter(|it| !is_request(it) || !words().called_off.is_in(it))
        .any(|it| asks_for(it, case.subject));
    own_asks
        || case
            .prompts_between()
            .flat_map(asked_sentences)
            .any(|it| asks_for(&it, case.subject))
}

fn asked_sentences(prompt: &str) -> Vec<String> {
    sentences(prompt).into_iter().map(collapse).collect()
}

fn asks_for(sentence: &str, subject: &str) -> bool {
    speaks_of_task(sentence, subject) && !words().called_off.is_in(sentence)
}

/// Whether a sentence speaks of the task by a word that not every task has.
fn speaks_of_task(sentence: &str, subject: &str) -> bool {
    let own: BTreeSet<String> = content_words(subject)
        .into_iter()
        .filter(|it| !COMMON.contains(&it.as_str()))
        .collect();
    if own.is_empty() {
        return sentence.to_lowercase().contains(&subject.to_lowercase());
    }
    let of_sentence = content_words(sentence);
    let found = own
        .iter()
        .filter(|it| of_sentence.iter().any(|word| is_akin(it, word)));
    found.count() * 2 >= own.len()
}
