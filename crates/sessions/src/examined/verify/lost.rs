//! Lost in the middle: an act breaks a rule of the user.

use std::collections::BTreeSet;

use super::super::line::Speaker;
use super::super::words::{
    clauses, collapse, content_words, is_question, mentions, sentences, sentences_with_quote,
    share_stem, share_word, words,
};
use super::consent::{is_agreed_by_user, is_one_time_permission, is_permission_used};
use super::narrow::{has_other_word_of_row, is_about_remote_place, is_within_limit};
use super::subject::has_subject;
use super::{Case, Check, DropReason, Verdict};
use crate::ToolKind;
use crate::patterns::only_reads;

pub(super) fn verify(case: &Case<'_, '_>) -> Verdict {
    let act = &case.effect;
    if !case.cause.is_of_user() || !(act.is_model_call() || act.is_model_message()) {
        return Err(DropReason::WrongSpeaker);
    }
    case.require_order()?;
    if !case.subject.is_empty() && !has_subject(&act.line.text_without_output(), case.subject) {
        return Err(DropReason::NoSubject);
    }
    if is_withdrawn(case) {
        return Err(DropReason::Withdrawn);
    }
    if act.is_model_message() {
        refuse_mere_question(case)?;
    }
    if !is_breach(case) {
        return Err(DropReason::NotBroken);
    }
    Ok(vec![
        Check::Order,
        Check::Speakers,
        Check::Subject,
        Check::RuleHolds,
    ])
}

/// Returns whether the user withdrew or narrowed the rule, or asked for the forbidden act.
fn is_withdrawn(case: &Case<'_, '_>) -> bool {
    let quote = collapse(case.cause.quote);
    // Later sentences of the same message can narrow the rule.
    let own: Vec<String> = sentences(case.cause.line.message())
        .into_iter()
        .map(collapse)
        .collect();
    let rule_at = own
        .iter()
        .rposition(|it| it.contains(&quote) || quote.contains(it.as_str()));
    let rest = own.iter().skip(rule_at.map_or(own.len(), |at| at + 1));
    let rest_withdraws = rest.clone().any(|it| {
        concerns(case, it) && words().withdrawal.is_in(it) && !words().negation.is_in(it)
    });
    if rest_withdraws {
        return true;
    }
    let between = case.between();
    let mut prompts = between
        .iter()
        .enumerate()
        .filter(|(_, it)| it.speaker == Speaker::User);
    let withdraws = prompts.any(|(at, line)| {
        let later = between.get(at + 1..).unwrap_or_default();
        let is_over =
            is_one_time_permission(line.message()) && is_permission_used(later, case.subject);
        prompt_withdraws(case, line.message()) && !is_over
    });
    withdraws
        || allows_subject(case)
        || is_agreed_by_user(between, case.subject, |words| concerns(case, words))
}

/// Returns whether the rest of the rule's message allows the subject.
fn allows_subject(case: &Case<'_, '_>) -> bool {
    let subject = collapse(&case.subject.to_lowercase());
    let quote = collapse(&case.cause.quote.to_lowercase());
    if subject.is_empty() || quote.contains(&subject) {
        return false;
    }
    let message = collapse(&case.cause.line.message().to_lowercase());
    let Some((_, rest)) = message.split_once(&quote) else {
        return false;
    };
    clauses(rest)
        .iter()
        .any(|it| it.contains(&subject) && !words().negation.is_in(it))
}

/// Returns whether a later prompt withdraws the rule.
fn prompt_withdraws(case: &Case<'_, '_>, prompt: &str) -> bool {
    let all: Vec<String> = sentences(prompt).into_iter().map(collapse).collect();
    all.iter().any(|sentence| {
        if !concerns(case, sentence) {
            return false;
        }
        let repeats = words().repetition.is_in(sentence);
        let forbids = words().negation.is_in(sentence);
        let permits = words().withdrawal.is_in(sentence);
        match (permits, forbids) {
            (true, _) => !(repeats && forbids),
            // A later sentence on the matter that neither forbids nor permits asks for the
            // forbidden act.
            (false, false) => is_prohibition(case) && !is_question(sentence),
            (false, true) => false,
        }
    })
}

/// Returns whether a sentence is about the subject of the rule and the act.
fn concerns(case: &Case<'_, '_>, sentence: &str) -> bool {
    if mentions(sentence, case.subject) {
        return true;
    }
    let of_rule = content_words(case.cause.quote);
    let of_act = content_words(case.effect.quote);
    let of_sentence = content_words(sentence);
    let is_in =
        |word: &String, other: &BTreeSet<String>| other.iter().any(|it| share_stem(it, word));
    let shared = of_rule.iter().filter(|it| is_in(it, &of_sentence));
    let is_of_both = of_rule
        .iter()
        .any(|it| is_in(it, &of_act) && is_in(it, &of_sentence));
    let shared = shared.count();
    is_of_both || shared >= 2 || (shared > 0 && shared * 2 >= of_rule.len())
}

fn rule_sentences(case: &Case<'_, '_>) -> Vec<String> {
    let found = sentences_with_quote(case.cause.line.message(), case.cause.quote);
    match found.is_empty() {
        true => vec![collapse(case.cause.quote)],
        false => found,
    }
}

fn is_prohibition(case: &Case<'_, '_>) -> bool {
    words().negation.is_in(case.cause.quote)
        || rule_sentences(case)
            .iter()
            .any(|it| words().negation.is_in(it))
}

/// Fails if the model only asks a question, because a question does not break a rule.
fn refuse_mere_question(case: &Case<'_, '_>) -> Result<(), DropReason> {
    let said = sentences_with_quote(case.effect.line.message(), case.effect.quote);
    if !said.is_empty() && said.iter().all(|it| is_question(it)) {
        return Err(DropReason::Question);
    }
    Ok(())
}

/// Returns whether the rule covers this kind of act.
fn is_breach(case: &Case<'_, '_>) -> bool {
    let rule = rule_sentences(case).join(" ");
    let act = case.effect.line;
    let reads = match act.kind() {
        Some(ToolKind::Read | ToolKind::Search) => true,
        Some(ToolKind::Run) => act.command().is_some_and(|it| only_reads(&it)),
        _ => false,
    };
    if reads && words().change.is_in(&rule) && !words().reading.is_in(&rule) {
        return false;
    }
    let said = act.text_without_output();
    let is_edit = act.kind() == Some(ToolKind::Edit);
    if has_other_word_of_row(case.cause.quote, case.effect.quote)
        || is_within_limit(&rule, case.effect.quote)
        || (is_edit && is_about_remote_place(case.cause.quote, &said))
    {
        return false;
    }
    // A rule about named files does not cover other files.
    let named = named_things(&rule);
    !is_prohibition(case)
        || !is_edit
        || named.is_empty()
        || share_word(&content_words(&rule), &content_words(&said))
}

/// Returns the paths, commands in backticks and identifiers of a rule.
fn named_things(rule: &str) -> Vec<&str> {
    rule.split_whitespace()
        .map(|it| it.trim_matches(|c: char| !c.is_alphanumeric() && c != '`' && c != '/'))
        .filter(|it| {
            it.contains('`')
                || it.contains('/')
                || it.contains('_')
                || it.trim_end_matches('.').contains('.')
        })
        .collect()
}
