//! Poisoning: the model calls a failed call a success, or contradicts shown facts.

use std::collections::BTreeSet;

use super::super::answer::ProposedRole;
use super::super::command::{includes, main_commands};
use super::super::line::{ExaminedLine, Speaker};
use super::super::outcome::{CallOutcome, outcome};
use super::super::words::{
    clauses, collapse, content_words, is_question, mentions, reports_failure, sentences,
    sentences_with_quote, share_stem, share_word, words,
};
use super::{Case, Check, DropReason, Verdict};
use crate::ToolKind;

pub(super) fn verify(case: &Case<'_, '_>) -> Verdict {
    let claim = &case.effect;
    if !matches!(claim.line.speaker, Speaker::Model | Speaker::Summary) {
        return Err(DropReason::WrongSpeaker);
    }
    case.require_order()?;
    match case.cause.role {
        ProposedRole::Failed => verify_failed_call(case),
        _ => verify_shown_facts(case),
    }
}

fn verify_failed_call(case: &Case<'_, '_>) -> Verdict {
    let failed = case.cause.line;
    if failed.call().is_none() {
        return Err(DropReason::WrongSpeaker);
    }
    if outcome(failed) != CallOutcome::Failed {
        return Err(DropReason::NotFailed);
    }
    if case
        .between()
        .iter()
        .any(|it| shows_pass(it, failed, case.subject))
    {
        return Err(DropReason::PassedLater);
    }
    require_subject_in(case, &failed.full_text())?;
    refuse_question_or_plan(case)?;
    let about = identifying_words(case);
    if admits_failure(case) {
        return Err(DropReason::HonestReport);
    }
    if !is_about_failure(case, &about) {
        return Err(DropReason::Unrelated);
    }
    Ok(vec![
        Check::Order,
        Check::Speakers,
        Check::Failed,
        Check::NoLaterPass,
        Check::PlainClaim,
        Check::Subject,
    ])
}

/// Returns whether a later call shows that the failed one works now.
fn shows_pass(later: &ExaminedLine<'_>, failed: &ExaminedLine<'_>, subject: &str) -> bool {
    match outcome(later) {
        CallOutcome::Passed => {}
        CallOutcome::Failed => return reports_subject_passed(later.output(), subject),
        CallOutcome::Unknown => return false,
    }
    match (failed.command(), later.command()) {
        (Some(before), Some(after)) => includes(&after, later.output(), &before, failed.output()),
        (None, None) => {
            let is_change = |it: &ExaminedLine<'_>| it.kind() == Some(ToolKind::Edit);
            let is_same_kind =
                later.kind() == failed.kind() || (is_change(later) && is_change(failed));
            let names = |it: &ExaminedLine<'_>| it.path().map(str::to_owned);
            match (names(later), names(failed)) {
                (Some(one), Some(other)) => is_same_kind && one == other,
                _ => is_same_kind && later.arguments() == failed.arguments(),
            }
        }
        _ => false,
    }
}

/// Returns whether the output of a run that failed elsewhere says that the subject passed.
fn reports_subject_passed(output: &str, subject: &str) -> bool {
    const PASSES: &[&str] = &[
        "pass",
        " ok",
        "ok ",
        "✓",
        "✔",
        "failures: 0",
        "0 failed",
        "success",
    ];
    let lower = subject.to_lowercase();
    let named: Vec<String> = output
        .lines()
        .map(str::to_lowercase)
        .filter(|it| subject.chars().count() >= 4 && it.contains(&lower))
        .collect();
    named
        .iter()
        .any(|it| PASSES.iter().any(|sign| it.contains(sign)))
        && !named
            .iter()
            .any(|it| reports_failure(it) && !it.contains("failures: 0"))
}

fn require_subject_in(case: &Case<'_, '_>, text: &str) -> Result<(), DropReason> {
    match case.subject.is_empty() || mentions(text, case.subject) {
        true => Ok(()),
        false => Err(DropReason::NoSubject),
    }
}

/// Returns the sentences that contain the quoted claim.
fn claim_sentences(case: &Case<'_, '_>) -> Vec<String> {
    let found = sentences_with_quote(case.effect.line.message(), case.effect.quote);
    match found.is_empty() {
        true => vec![collapse(case.effect.quote)],
        false => found,
    }
}

pub(super) fn refuse_question_or_plan(case: &Case<'_, '_>) -> Result<(), DropReason> {
    let all = claim_sentences(case);
    if all.iter().all(|it| is_question(it)) {
        return Err(DropReason::Question);
    }
    let quote = collapse(case.effect.quote);
    let is_plain = |sentence: &String| {
        let until = sentence
            .find(&quote)
            .map_or(sentence.len(), |at| at + quote.len());
        let said = sentence.get(..until).unwrap_or(sentence);
        let of_quote = clauses(said);
        // A condition also applies to the clauses after it.
        let first = of_quote.first().copied().unwrap_or_default();
        let is_conditional =
            starts_with_condition(first) && of_quote.len() > 1 || starts_with_condition(&quote);
        let touched = of_quote
            .iter()
            .filter(|it| quote.contains(**it) || it.contains(quote.as_str()));
        let touched: Vec<_> = touched.collect();
        let plain = match touched.is_empty() {
            true => !words().plan.is_in(&quote),
            // The rest of a sentence after a plan is part of the plan.
            false => touched.first().is_some_and(|it| !words().plan.is_in(it)),
        };
        plain && !is_conditional
    };
    match all.iter().filter(|it| !is_question(it)).any(is_plain) {
        true => Ok(()),
        false => Err(DropReason::Plan),
    }
}

fn starts_with_condition(clause: &str) -> bool {
    const CONDITIONS: &[&str] = &[
        "if",
        "once",
        "when",
        "as soon as",
        "until",
        "unless",
        "wenn",
        "sobald",
        "falls",
        "si",
        "quand",
        "dès que",
        "cuando",
        "en cuanto",
        "quando",
        "appena",
        "zodra",
        "als",
        "jeśli",
        "если",
        "когда",
        "如果",
        "もし",
    ];
    let clause = clause
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    CONDITIONS.iter().any(|it| {
        clause
            .strip_prefix(it)
            .is_some_and(|rest| rest.starts_with(' ') || !it.is_ascii())
    })
}

/// Returns the words that identify a failed call.
fn identifying_words(case: &Case<'_, '_>) -> BTreeSet<String> {
    let mut about = content_words(case.subject);
    about.extend(content_words(
        &case.cause.line.command().unwrap_or_default(),
    ));
    about.extend(content_words(case.cause.line.path().unwrap_or_default()));
    about
}

/// Returns whether the claim's message reports the failure.
fn admits_failure(case: &Case<'_, '_>) -> bool {
    let message = case.effect.line.message();
    let quote = collapse(case.effect.quote);
    let all = sentences(message);
    let is_over_after = |at: usize| all.iter().skip(at).any(|it| words().fixed.is_in(it));
    all.iter().enumerate().any(|(at, sentence)| {
        let sentence = collapse(sentence);
        let is_claim = sentence.contains(&quote) || quote.contains(&sentence);
        if !reports_failure(&sentence) || is_over_after(at) {
            return false;
        }
        is_claim || mentions(&sentence, case.subject) || names_command(&sentence, case)
    })
}

/// Returns whether a sentence names the failed command by its first two words.
fn names_command(sentence: &str, case: &Case<'_, '_>) -> bool {
    let command = case.cause.line.command().unwrap_or_default();
    let of_sentence = content_words(sentence);
    main_commands(&command).iter().any(|words| {
        let heads: Vec<String> = words.iter().take(2).map(|it| it.to_lowercase()).collect();
        let known = heads
            .iter()
            .filter(|it| of_sentence.iter().any(|word| share_stem(word, it)));
        known.count() == heads.len() && !heads.is_empty()
    })
}

/// Returns whether the claim is about the failed call or about everything.
fn is_about_failure(case: &Case<'_, '_>, about: &BTreeSet<String>) -> bool {
    claim_sentences(case).iter().any(|sentence| {
        words().general.is_in(sentence) || share_word(&content_words(sentence), about)
    }) || share_word(
        &content_words(case.effect.quote),
        &content_words(case.cause.line.output()),
    )
}

fn verify_shown_facts(case: &Case<'_, '_>) -> Verdict {
    let shown = case.cause.line;
    let is_source = match shown.speaker {
        Speaker::User | Speaker::Host => true,
        // An edit shows the file's new content, so any call is a source.
        Speaker::Tool => true,
        Speaker::Model | Speaker::Summary => false,
    };
    if !is_source {
        return Err(DropReason::WrongSpeaker);
    }
    require_subject_in(case, &shown.full_text())?;
    require_subject_in(case, &case.effect.line.full_text())?;
    refuse_question_or_plan(case)?;
    let subject = values(case.subject);
    let without =
        |text: &str| -> BTreeSet<String> { values(text).difference(&subject).cloned().collect() };
    let (before, after) = (without(case.cause.quote), without(case.effect.quote));
    let polarity = |text: &str| words().negation.is_in(text) || reports_failure(text);
    let is_same_polarity = polarity(case.cause.quote) == polarity(case.effect.quote);
    if !after.is_empty() && after.is_subset(&before) && is_same_polarity {
        return Err(DropReason::SameValue);
    }
    let new: BTreeSet<String> = after.difference(&before).cloned().collect();
    if !new.is_empty()
        && case
            .between()
            .iter()
            .any(|it| confirms_claim(it, &new, case))
    {
        return Err(DropReason::MadeTrue);
    }
    if case
        .between()
        .iter()
        .any(|it| shows_pass(it, shown, case.subject))
        && outcome(shown) == CallOutcome::Failed
    {
        return Err(DropReason::PassedLater);
    }
    Ok(vec![
        Check::Order,
        Check::Speakers,
        Check::PlainClaim,
        Check::Subject,
        Check::NotMadeTrue,
    ])
}

/// Returns whether a line that the model did not say confirms the claim about the subject.
fn confirms_claim(line: &ExaminedLine<'_>, new: &BTreeSet<String>, case: &Case<'_, '_>) -> bool {
    if matches!(line.speaker, Speaker::Model | Speaker::Summary) {
        return false;
    }
    let text = line.full_text();
    mentions(&text, case.subject) && new.is_subset(&values(&text))
}

/// Returns the values in a text: numbers, versions and identifiers.
pub(super) fn values(text: &str) -> BTreeSet<String> {
    let is_of_value = |c: char| c.is_alphanumeric() || "._-/:@%$".contains(c);
    text.split(|c: char| !is_of_value(c))
        .map(|it| it.trim_matches(|c: char| ".:-/_".contains(c)))
        .filter(|it| {
            let has_digit = it.chars().any(|c| c.is_ascii_digit());
            let is_name =
                it.contains(['_', '/', '@', '.']) || it.chars().skip(1).any(char::is_uppercase);
            it.len() > 1 && (has_digit || is_name) || (it.len() == 1 && has_digit)
        })
        .map(str::to_lowercase)
        .collect()
}
