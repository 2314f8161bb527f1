//! A rule or a fact of the user's that a later act goes against.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Forbidden, Loss, LossEffect, MAX_EFFECTS, forbidden, is_middle, stands_at_an_edge};
use crate::patterns::act::written;
use crate::patterns::statement::{Statement, is_correction, states, written_settings};
use crate::patterns::{Voice, Window};
use crate::prose::{content_stems, sentences};

/// Rules that are held against every later call.
const MAX_RULES: usize = 64;

struct UserRule<'a> {
    item: usize,
    byte: usize,
    sentence: &'a str,
    forbidden: Vec<Forbidden>,
    stems: Vec<String>,
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
            note_rules(at, item.start, prompt.as_str(), &mut rules);
        }
        let Some(call) = item.call() else {
            continue;
        };
        for (number, rule) in rules.iter_mut().enumerate() {
            let is_full = losses
                .get(&number)
                .is_some_and(|it| it.effects.len() >= MAX_EFFECTS);
            if is_full || rule.looks >= MAX_LOOKS || !is_middle(window, rule.byte, at) {
                continue;
            }
            let Some(words) = rule.forbidden.iter().find_map(|it| it.breach(call)) else {
                continue;
            };
            rule.looks += 1;
            let is_repeated = stands_at_an_edge(window, at, |text| restates(text, &rule.stems));
            if is_repeated || is_allowed(window, rule.item, at, &words) {
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

fn note_rules<'a>(at: usize, start: usize, prompt: &'a str, rules: &mut Vec<UserRule<'a>>) {
    for sentence in sentences(prompt) {
        let forbidden = forbidden(sentence.text);
        if forbidden.is_empty() || sentence.is_question() || rules.len() >= MAX_RULES {
            continue;
        }
        rules.push(UserRule {
            item: at,
            byte: start + sentence.start,
            sentence: sentence.text,
            forbidden,
            stems: content_stems(sentence.text),
            looks: 0,
        });
    }
}

/// Whether a text says nearly the same as a rule, in one sentence.
fn restates(text: &str, stems: &[String]) -> bool {
    // Long texts are those of tools and files, in which a user's rule is not restated.
    text.len() <= 16 << 10
        && sentences(text).iter().any(|it| {
            let of = content_stems(it.text);
            let same = stems.iter().filter(|it| of.contains(it)).count();
            same * 3 >= stems.len() * 2 && same > 0
        })
}

/// Whether the user asked later for the very thing, or said that it may be done.
fn is_allowed(window: &Window<'_>, rule: usize, at: usize, words: &str) -> bool {
    let wanted = content_stems(words);
    window.items[rule + 1..at].iter().any(|item| {
        item.prompt().is_some_and(|prompt| {
            sentences(prompt.as_str()).iter().any(|it| {
                let stems = content_stems(it.text);
                let same = wanted.iter().filter(|it| stems.contains(it)).count();
                let names_it = same >= 2 || same >= 1 && wanted.len() <= 2;
                names_it && forbidden(it.text).is_empty()
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
    let byte = window.items[fact.item].start + fact.start;
    // The new value may have come from the user or from a file since.
    let has_source = || {
        window.items[fact.item + 1..at].iter().any(|item| {
            item.text().is_some_and(|(voice, text)| {
                voice != Voice::Model && states(text.as_str(), other.raw, &other.subject)
            })
        })
    };
    fact.excludes(other)
        && is_middle(window, byte, at)
        && !stands_at_an_edge(window, at, |text| states(text, fact.raw, &fact.subject))
        && !has_source()
}
