//! Clash: two sources give one thing different values, and nothing settled it.

use std::collections::BTreeSet;

use super::super::line::{ExaminedLine, Speaker};
use super::super::words::{
    collapse, content_words, is_question, mentions, sentences, share_word, words,
};
use super::poisoning::values;
use super::{Case, Check, DropReason, Piece, Verdict, quotation};
use crate::ToolKind;

pub(super) fn verify(case: &Case<'_, '_>) -> Verdict {
    let (one, other) = (&case.cause, &case.effect);
    if !is_source(one) || !is_source(other) {
        return Err(DropReason::WrongSpeaker);
    }
    if is_same_source(one.line, other.line) {
        return Err(DropReason::OneSource);
    }
    let now = case.session.last_window;
    if one.line.last_window != now || other.line.last_window != now {
        return Err(DropReason::Gone);
    }
    // A file may contain a value without its name, so the subject in one of the lines is enough.
    let names = |side: &Piece<'_, '_>| names_subject(side.line, case.subject);
    if !case.subject.is_empty() && !names(one) && !names(other) {
        return Err(DropReason::NoSubject);
    }
    if !has_two_values(case) {
        return Err(DropReason::SameValue);
    }
    if is_settled(case) {
        return Err(DropReason::Settled);
    }
    Ok(vec![
        Check::Speakers,
        Check::TwoSources,
        Check::TwoValues,
        Check::Subject,
        Check::InContext,
        Check::NotSettled,
    ])
}

/// Returns whether a line is a source: the user, loaded text or a tool's output, but not the model.
fn is_source(side: &Piece<'_, '_>) -> bool {
    match side.line.speaker {
        Speaker::User | Speaker::Host | Speaker::Summary => true,
        Speaker::Tool => side.line.kind() != Some(ToolKind::Edit),
        Speaker::Model => false,
    }
}

fn is_same_source(one: &ExaminedLine<'_>, other: &ExaminedLine<'_>) -> bool {
    if one.number == other.number {
        return true;
    }
    if one.speaker == Speaker::User && other.speaker == Speaker::User {
        // The user's later message replaces the earlier one, so they are one source.
        return true;
    }
    let is_same = |a: Option<String>, b: Option<String>| a.is_some() && a == b;
    let path = |it: &ExaminedLine<'_>| it.path().map(str::to_owned);
    is_same(path(one), path(other)) || is_same(one.command(), other.command())
}

fn names_subject(line: &ExaminedLine<'_>, subject: &str) -> bool {
    let text = line.full_text();
    mentions(&text, subject) || share_word(&content_words(&text), &content_words(subject))
}

fn has_two_values(case: &Case<'_, '_>) -> bool {
    let subject = values(case.subject);
    let of = |text: &str| -> BTreeSet<String> {
        let all: BTreeSet<String> = values(text).difference(&subject).cloned().collect();
        all.iter().map(|it| plain_value(it)).collect()
    };
    let (one, other) = (of(case.cause.quote), of(case.effect.quote));
    if one.is_empty() || other.is_empty() {
        return collapse(&case.cause.quote.to_lowercase())
            != collapse(&case.effect.quote.to_lowercase());
    }
    !(one.is_subset(&other) || other.is_subset(&one))
}

fn is_settled(case: &Case<'_, '_>) -> bool {
    let (one, other) = (case.cause.line, case.effect.line);
    let last = one.number.max(other.number);
    let subject = values(case.subject);
    let of_side = |quote: &str| -> BTreeSet<String> {
        values(quote)
            .difference(&subject)
            .flat_map(|it| {
                let bare = it.trim_start_matches(['.', 'v']).to_owned();
                [it.clone(), bare, plain_value(it), number_of(it)]
            })
            .filter(|it| !it.is_empty())
            .collect()
    };
    let first = one.number.min(other.number);
    let (of_one, of_other) = (of_side(case.cause.quote), of_side(case.effect.quote));
    let sides: BTreeSet<String> = of_one.union(&of_other).cloned().collect();
    // An edit from one value to the other settles the clash, even before the second line.
    let is_step = |line: &ExaminedLine<'_>| {
        let said = values(&line.arguments());
        line.kind() == Some(ToolKind::Edit)
            && !said.is_disjoint(&of_one)
            && !said.is_disjoint(&of_other)
    };
    if case.session.between(first, last).iter().any(is_step) {
        return true;
    }
    case.session
        .after(last)
        .iter()
        .any(|line| match line.speaker {
            Speaker::User => sentences(line.message())
                .iter()
                .any(|it| decides(it, case, &sides)),
            Speaker::Tool => changes_side(line, case, &sides) || is_outdated(line, case),
            Speaker::Model | Speaker::Summary | Speaker::Host => false,
        })
}

/// Returns a version in its shortest form: "15" for "v15.0".
fn plain_value(value: &str) -> String {
    let plain = value.trim_start_matches(['.', 'v']);
    plain.strip_suffix(".0").unwrap_or(plain).to_owned()
}

/// Returns the leading number of a value with a unit.
fn number_of(value: &str) -> String {
    if value.contains('.') {
        return String::new();
    }
    value.chars().take_while(char::is_ascii_digit).collect()
}

/// Returns whether the user chooses a side, by its value or by the subject and a decision word.
fn decides(sentence: &str, case: &Case<'_, '_>, sides: &BTreeSet<String>) -> bool {
    let said = values(sentence);
    let names_value = said.intersection(sides).any(|it| it.chars().count() >= 2);
    let names_subject = mentions(sentence, case.subject);
    let is_decision = words().decision.is_in(sentence);
    match is_question(sentence) {
        true => false,
        false => names_value || (names_subject && (is_decision || !said.is_disjoint(sides))),
    }
}

/// Returns whether a later call changes one of the sides.
fn changes_side(line: &ExaminedLine<'_>, case: &Case<'_, '_>, sides: &BTreeSet<String>) -> bool {
    if line.kind() != Some(ToolKind::Edit) {
        return false;
    }
    let said = line.arguments();
    let is_of_side = [case.cause.line, case.effect.line]
        .iter()
        .any(|it| it.path().is_some() && it.path() == line.path());
    let names_subject = said.to_lowercase().contains(&case.subject.to_lowercase());
    let names_value = !values(&said).is_disjoint(sides);
    let quotes = [case.cause.quote, case.effect.quote];
    (names_subject && names_value)
        || (is_of_side && quotes.iter().any(|it| quotation::is_in(it, &said)))
}

/// Returns whether a side's file was read again and no longer has the quotation.
fn is_outdated(line: &ExaminedLine<'_>, case: &Case<'_, '_>) -> bool {
    [case.cause, case.effect].iter().any(|side| {
        line.path().is_some()
            && line.path() == side.line.path()
            && line.kind() == Some(ToolKind::Read)
            && mentions(line.output(), case.subject)
            && !quotation::is_in(side.quote, line.output())
    })
}
