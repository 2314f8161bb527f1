//! A rule or a fact of the user's that a later act goes against.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::rule::agreed;
use super::{Forbidden, Loss, LossEffect, MAX_EFFECTS, forbidden, is_behind};
use crate::patterns::act::written;
use crate::patterns::statement::{Statement, is_correction, states, written_settings};
use crate::patterns::{Voice, Window};
use crate::prose::{content_stems, sentences};

/// Rules that are held against every later call.
const MAX_RULES: usize = 64;

struct UserRule<'a> {
    item: usize,
    sentence: &'a str,
    forbidden: Vec<Forbidden>,
    /// How often it was looked for at the edges, which takes a look at all that there is.
    looks: usize,
}

/// Breaches of one rule of which it is seen whether the rule stands at an edge as well.
const MAX_LOOKS: usize = 8;

pub(super) fn find<'a>(window: &Window<'a>, statements: &[Statement<'a>]) -> Vec<Loss<'a>> {
    let mut losses = rules_broken(window);
    losses.extend(facts_broken(window, statements));
    losses
}

fn rules_broken<'a>(window: &Window<'a>) -> Vec<Loss<'a>> {
    let mut rules: Vec<UserRule<'a>> = Vec::new();
    let mut losses: HashMap<usize, Loss<'a>> = HashMap::new();
    for (at, item) in window.items.iter().enumerate() {
        if let Some(prompt) = item.prompt() {
            note_rules(at, prompt.as_str(), &mut rules);
        }
        let Some(call) = item.call() else {
            continue;
        };
        for (number, rule) in rules.iter_mut().enumerate() {
            let is_full = losses
                .get(&number)
                .is_some_and(|it| it.effects.len() >= MAX_EFFECTS);
            if is_full || rule.looks >= MAX_LOOKS || !is_behind(window, rule.item, at) {
                continue;
            }
            let breach = rule
                .forbidden
                .iter()
                .find_map(|it| Some((it, it.breach(call)?)));
            let Some((forbidden, words)) = breach else {
                continue;
            };
            rule.looks += 1;
            if is_allowed(window, forbidden, rule.item, at, &words) {
                continue;
            }
            let loss = losses.entry(number).or_insert_with(|| Loss {
                item: rule.item,
                sentence: rule.sentence,
                is_broken: true,
                effects: Vec::new(),
            });
            loss.effects.push(LossEffect {
                item: at,
                words: Cow::Owned(words),
            });
        }
    }
    let mut losses: Vec<(usize, Loss<'a>)> = losses.into_iter().collect();
    losses.sort_by_key(|(number, _)| *number);
    losses.into_iter().map(|(_, it)| it).collect()
}

fn note_rules<'a>(at: usize, prompt: &'a str, rules: &mut Vec<UserRule<'a>>) {
    for sentence in sentences(prompt) {
        let mut forbidden = forbidden(sentence.text);
        forbidden.extend(agreed(prompt, sentence));
        if forbidden.is_empty() || sentence.is_question() || rules.len() >= MAX_RULES {
            continue;
        }
        rules.push(UserRule {
            item: at,
            sentence: sentence.text,
            forbidden,
            looks: 0,
        });
    }
}

/// How a user takes a rule back.
static ALLOWS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:you (?:may|can|are allowed to|are free to)|go ahead|from now on|after all|is (?:fine|ok|okay|allowed) now|feel free)\b").ok()
});

/// Whether the user asked in this turn for the very thing, or said since that it may be done.
fn is_allowed(window: &Window<'_>, what: &Forbidden, rule: usize, at: usize, words: &str) -> bool {
    let wanted = content_stems(words);
    let turn = window.items[at].entry.turn;
    window.items[rule + 1..at].iter().any(|item| {
        item.prompt().is_some_and(|prompt| {
            if item.entry.turn == turn && what.is_asked_for(prompt.as_str()) {
                return true;
            }
            sentences(prompt.as_str()).iter().any(|it| {
                let stems = content_stems(it.text);
                let same = wanted.iter().filter(|it| stems.contains(it)).count();
                let names_it = same >= 2 || same >= 1 && wanted.len() <= 2;
                let allows = ALLOWS
                    .as_ref()
                    .is_some_and(|it| it.is_match(prompt.as_str()));
                names_it && allows && forbidden(it.text).is_empty()
            })
        })
    })
}

/// A value that the user gave to something and that the model later takes for another.
fn facts_broken<'a>(window: &Window<'a>, statements: &[Statement<'a>]) -> Vec<Loss<'a>> {
    let facts: Vec<&Statement<'a>> = statements
        .iter()
        .filter(|it| it.voice == Voice::User)
        .take(MAX_RULES)
        .collect();
    let texts: Vec<(usize, String)> = window
        .items
        .iter()
        .enumerate()
        .filter_map(|(at, item)| Some((at, written(item.call()?))))
        .collect();
    let edits: Vec<(usize, Vec<Statement<'_>>)> = texts
        .iter()
        .map(|(at, text)| (*at, written_settings(text)))
        .filter(|(_, settings)| !settings.is_empty())
        .collect();
    let mut losses = Vec::new();
    for fact in facts {
        let mut effects = Vec::new();
        let said = statements
            .iter()
            .filter(|it| it.voice == Voice::Model && it.item > fact.item);
        for other in said {
            if is_broken(window, fact, other, other.item) && !is_correction(other.words) {
                effects.push(LossEffect {
                    item: other.item,
                    words: Cow::Borrowed(other.words),
                });
            }
        }
        for (at, settings) in edits.iter().filter(|(at, _)| *at > fact.item) {
            for other in settings
                .iter()
                .filter(|it| is_broken(window, fact, it, *at))
            {
                effects.push(LossEffect {
                    item: *at,
                    words: Cow::Owned(other.words.to_owned()),
                });
            }
        }
        effects.sort_by_key(|it| it.item);
        if !effects.is_empty() {
            losses.push(Loss {
                item: fact.item,
                sentence: fact.words,
                is_broken: true,
                effects,
            });
        }
    }
    losses
}

fn is_broken(window: &Window<'_>, fact: &Statement<'_>, other: &Statement<'_>, at: usize) -> bool {
    // The new value may have come from the user or from a file since.
    let has_source = || {
        window.items[fact.item + 1..at].iter().any(|item| {
            item.text().is_some_and(|(voice, text)| {
                voice != Voice::Model && states(text.as_str(), other.raw, &other.subject)
            })
        })
    };
    fact.excludes(other) && is_behind(window, fact.item, at) && !has_source()
}
