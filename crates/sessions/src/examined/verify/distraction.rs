//! Distraction: nothing later names or uses a large loaded text.

use std::collections::HashSet;

use super::super::line::{ExaminedLine, Speaker};
use super::super::words::{collapse, content_words, share_word};
use super::{Case, Check, DropReason, Verdict};
use crate::ToolKind;

/// A text with more characters is large.
const LARGE: usize = 8_000;
/// A text is used if the model later has this many words that only the text has.
const USED_WORDS: usize = 3;

pub(super) fn verify(case: &Case<'_, '_>) -> Verdict {
    let load = case.cause.line;
    let is_load = match load.speaker {
        Speaker::Tool => load.kind() != Some(ToolKind::Edit),
        Speaker::User | Speaker::Host => true,
        Speaker::Model | Speaker::Summary => false,
    };
    if !is_load || !case.effect.is_model_message() {
        return Err(DropReason::WrongSpeaker);
    }
    case.require_order()?;
    let text = loaded_text(load);
    if text.chars().count() <= LARGE {
        return Err(DropReason::SmallLoad);
    }
    if !load.shares_window(case.effect.line) {
        return Err(DropReason::Gone);
    }
    let is_named = case.subject.is_empty()
        || share_word(
            &content_words(&load.full_text()),
            &content_words(case.subject),
        );
    if !is_named {
        return Err(DropReason::NoSubject);
    }
    let later: Vec<&ExaminedLine<'_>> = case.session.after(load.number).iter().collect();
    let names = names_of(case);
    if later
        .iter()
        .any(|line| names_any(&line.text_without_output(), &names))
        || uses(case, text, &later)
    {
        return Err(DropReason::Used);
    }
    Ok(vec![
        Check::Order,
        Check::Speakers,
        Check::LargeLoad,
        Check::InContext,
        Check::NeverUsed,
    ])
}

fn loaded_text<'a>(load: &ExaminedLine<'a>) -> &'a str {
    match load.speaker {
        Speaker::Tool => load.output(),
        _ => load.message(),
    }
}

/// Returns the names of the loaded text: subject, path and file name.
fn names_of(case: &Case<'_, '_>) -> Vec<String> {
    let load = case.cause.line;
    let mut names = vec![case.subject.to_owned()];
    if let Some(path) = load.path() {
        names.push(path.to_owned());
        names.extend(last_part(path));
    }
    if load.kind() == Some(ToolKind::Fetch) {
        let address = load.arguments();
        let address = address.lines().next().unwrap_or_default().to_owned();
        let host = address
            .split("://")
            .nth(1)
            .and_then(|it| it.split('/').next());
        names.extend(host.map(|it| it.trim_start_matches("www.").to_owned()));
        names.extend(last_part(&address));
    }
    let mut names: Vec<String> = names
        .iter()
        .map(|it| collapse(&it.to_lowercase()))
        .collect();
    names.retain(|it| it.chars().count() >= 4);
    names
}

fn last_part(path: &str) -> Option<String> {
    let name = path.trim_end_matches('/').rsplit('/').next()?;
    Some(name.to_owned())
}

fn names_any(text: &str, names: &[String]) -> bool {
    let text = collapse(&text.to_lowercase());
    names.iter().any(|it| text.contains(it.as_str()))
}

/// Returns whether the model later uses words that only the loaded text has.
fn uses(case: &Case<'_, '_>, text: &str, later: &[&ExaminedLine<'_>]) -> bool {
    let load = case.cause.line;
    let mut known: HashSet<String> = HashSet::new();
    for line in case.session.lines() {
        // Only the model's own later words and calls show that it used the text.
        let is_own =
            matches!(line.speaker, Speaker::Model | Speaker::Tool) && line.number > load.number;
        if line.number == load.number {
            known.extend(tokens(&line.arguments()));
        } else if is_own {
            known.extend(tokens(line.output()));
        } else {
            known.extend(tokens(&line.full_text()));
        }
    }
    let own: HashSet<String> = tokens(text).filter(|it| !known.contains(it)).collect();
    let mut used: HashSet<String> = HashSet::new();
    for line in later {
        let is_own = matches!(line.speaker, Speaker::Model | Speaker::Tool);
        if is_own && line.shares_window(load) {
            used.extend(tokens(&line.text_without_output()).filter(|it| own.contains(it)));
        }
    }
    used.iter().any(|it| is_distinct(it)) || used.len() >= USED_WORDS
}

/// Returns the words and names of a text, unchanged.
fn tokens(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_alphanumeric() || "._-/".contains(c)))
        .map(|it| it.trim_matches(|c: char| "._-/".contains(c)))
        .filter(|it| it.chars().count() >= 5)
        .map(str::to_owned)
}

/// Returns whether a word is unlikely to match by chance.
fn is_distinct(word: &str) -> bool {
    let has_digit = word.chars().any(|c| c.is_ascii_digit());
    let has_letter = word.chars().any(char::is_alphabetic);
    let is_camel =
        word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let is_compound = word.contains('-') && word.chars().count() >= 10;
    word.len() >= 6
        && (word.contains(['_', '/', '.']) || (has_digit && has_letter) || is_camel || is_compound)
}
