//! A fact of the user's that the model asks for again.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::{Loss, LossEffect, is_behind};
use crate::ToolKind;
use crate::patterns::{Window, strings};
use crate::prose::{is_code_like, phrases, runs, sentences, strip_quotes};

struct GivenFact<'a> {
    item: usize,
    turn: u32,
    sentence: &'a str,
    stems: Vec<String>,
}

/// Beginnings of the words that say something: "reviewer" and "review" are one.
fn content_stems(text: &str) -> Vec<String> {
    let mut stems: Vec<String> = crate::prose::content_stems(text)
        .into_iter()
        .map(|it| it.chars().take(BEGINNING).collect())
        .collect();
    let mut met = std::collections::HashSet::new();
    stems.retain(|it| met.insert(it.clone()));
    stems
}

/// Letters by which words of one family are taken together.
const BEGINNING: usize = 6;

/// Questions for something that has to be told; a yes or a no is another matter.
static ASKS_FOR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:what|which|where|who|whom|whose|how (?:many|much|long|often)|when|remind me|tell me|do you have an?|is there an?|give me|provide|share|confirm|specify|let me know)\b").ok()
});

pub(super) fn find<'a>(window: &Window<'a>) -> Vec<Loss<'a>> {
    let mut given: Vec<GivenFact<'a>> = Vec::new();
    let mut by_stem: HashMap<String, Vec<usize>> = HashMap::new();
    let mut losses = Vec::new();
    for (at, item) in window.items.iter().enumerate() {
        let turn = item.entry.turn;
        if let Some(prompt) = item.prompt() {
            let all = sentences(prompt.as_str());
            for sentence in all.iter().filter(|it| phrases().reminder.is_match(it.text)) {
                // What the user says again stands in this prompt, often in its next sentence.
                let asked = content_stems(beginning(prompt.as_str()));
                if let Some(fact) = reminded(window, &given, &asked, at) {
                    losses.push(loss(fact, at, Cow::Borrowed(sentence.text)));
                }
            }
            for sentence in all.iter().filter(|it| !it.is_question()) {
                let stems = content_stems(sentence.text);
                if stems.len() < 2 || stems.len() > 30 || phrases().reminder.is_match(sentence.text)
                {
                    continue;
                }
                for stem in &stems {
                    by_stem.entry(stem.clone()).or_default().push(given.len());
                }
                given.push(GivenFact {
                    item: at,
                    turn,
                    sentence: sentence.text,
                    stems,
                });
            }
            continue;
        }
        for question in questions(window, at) {
            let asked = content_stems(&question);
            if let Some(fact) = answer(window, &given, &by_stem, &asked, &question, (at, turn)) {
                losses.push(loss(fact, at, question));
            }
        }
    }
    losses
}

/// As much of a prompt as says what it is of.
fn beginning(prompt: &str) -> &str {
    &prompt[..prompt.floor_char_boundary(600)]
}

fn loss<'a>(fact: &GivenFact<'a>, at: usize, words: Cow<'a, str>) -> Loss<'a> {
    Loss {
        item: fact.item,
        sentence: fact.sentence,
        is_broken: false,
        effects: vec![LossEffect { item: at, words }],
    }
}

/// What the model asks the user in this item.
fn questions<'a>(window: &Window<'a>, at: usize) -> Vec<Cow<'a, str>> {
    let item = &window.items[at];
    let is_for = |text: &str| ASKS_FOR.as_ref().is_some_and(|it| it.is_match(text));
    if let Some(call) = item.call() {
        if call.kind != ToolKind::Ask {
            return Vec::new();
        }
        return strings(&call.arguments)
            .filter(|it| it.contains('?') && is_for(it))
            .map(|it| Cow::Owned(it.to_owned()))
            .collect();
    }
    let Some(text) = item.model_text() else {
        return Vec::new();
    };
    let waits = window.waits_for_user(at);
    let all = sentences(text.as_str());
    let last = all.len().saturating_sub(3);
    all.iter()
        .enumerate()
        .filter(|(number, it)| {
            let asks = it.is_question() && is_for(it.text)
                || phrases().asking.is_match(it.text) && is_request(it.text);
            asks && (waits && *number >= last || is_request(it.text))
        })
        .map(|(_, it)| Cow::Borrowed(it.text))
        .collect()
}

/// Whether the user is addressed.
fn is_request(sentence: &str) -> bool {
    let small = sentence.to_lowercase();
    [
        "could you",
        "can you",
        "please",
        "remind me",
        "tell me",
        "let me know",
        "i need to know",
        "i don't know",
        "i do not know",
        "you want",
        "would you",
        "do you have",
    ]
    .iter()
    .any(|it| small.contains(it))
}

fn answer<'g, 'a>(
    window: &Window<'a>,
    given: &'g [GivenFact<'a>],
    by_stem: &HashMap<String, Vec<usize>>,
    asked: &[String],
    question: &str,
    (at, turn): (usize, u32),
) -> Option<&'g GivenFact<'a>> {
    let mut shared: HashMap<usize, usize> = HashMap::new();
    for stem in asked {
        for fact in by_stem.get(stem).into_iter().flatten() {
            *shared.entry(*fact).or_default() += 1;
        }
    }
    let mut candidates: Vec<(usize, usize)> = shared
        .into_iter()
        .filter(|(_, count)| *count >= 2 && count * 2 >= asked.len())
        .collect();
    candidates.sort_by_key(|(fact, count)| (std::cmp::Reverse(*count), *fact));
    candidates
        .into_iter()
        .map(|(fact, _)| &given[fact])
        .find(|fact| {
            let answers = answers(fact.sentence, question);
            fact.turn < turn
                && is_behind(window, fact.item, at)
                && !answers.is_empty()
                && answers.iter().all(|it| !question.contains(it))
        })
}

/// What the user reminds of, where it stands only in the middle.
fn reminded<'g, 'a>(
    window: &Window<'a>,
    given: &'g [GivenFact<'a>],
    asked: &[String],
    at: usize,
) -> Option<&'g GivenFact<'a>> {
    given.iter().find(|fact| {
        let same = fact.stems.iter().filter(|it| asked.contains(it)).count();
        same >= 2 && same * 10 >= fact.stems.len() * 6 && is_behind(window, fact.item, at)
    })
}

/// Words of a fact that can be what a question asks for: numbers, names, what is quoted.
fn answers<'s>(fact: &'s str, question: &str) -> Vec<&'s str> {
    let asked: Vec<&str> = runs(question).collect();
    let mut words: Vec<&str> = Vec::new();
    let mut is_first = true;
    for run in fact.split_whitespace() {
        let is_quoted = run.starts_with(['`', '"', '“', '\'']);
        let bare = strip_quotes(
            run.trim_matches(|c: char| matches!(c, ',' | ';' | ':' | '!' | '(' | ')' | '.')),
        );
        let bare = strip_quotes(bare).trim_end_matches(['.', ',']);
        let is_number = bare.starts_with(|c: char| c.is_ascii_digit());
        let is_name = !is_first && bare.starts_with(char::is_uppercase) && bare.len() >= 3;
        is_first = run.ends_with(['.', '!', ':']);
        let says = is_quoted || is_number || is_name || is_code_like(bare);
        if says && !bare.is_empty() && !asked.contains(&bare) {
            words.push(bare);
        }
    }
    words
}
