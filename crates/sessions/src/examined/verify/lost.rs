//! What the user said is forgotten: a rule, and an act that breaks it.

use super::super::command::only_reads;
use super::super::line::{ExaminedLine, Speaker};
use super::super::words::{
    collapse, content_words, is_question, sentences, sentences_of, share_word, speaks_of, words,
};
use super::{Case, Check, DropReason, Verdict};
use crate::ToolKind;

pub(super) fn verify(case: &Case<'_, '_>) -> Verdict {
    let act = &case.effect;
    if !case.cause.is_of_user() || !(act.is_act_of_model() || act.is_words_of_model()) {
        return Err(DropReason::WrongSpeaker);
    }
    case.require_order()?;
    if !case.subject.is_empty() && !has_subject(&act.line.said(), case.subject) {
        return Err(DropReason::NoSubject);
    }
    if is_withdrawn(case) {
        return Err(DropReason::Withdrawn);
    }
    if act.is_words_of_model() {
        refuse_idle_words(case)?;
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

/// Whether the act has the subject: word for word, or each of its words.
pub(super) fn has_subject(act: &str, subject: &str) -> bool {
    let act = collapse(&act.to_lowercase());
    let subject = collapse(&subject.to_lowercase());
    if act.contains(&subject) {
        return true;
    }
    let of_act = content_words(&act);
    let parts = content_words(&subject);
    !parts.is_empty() && parts.iter().all(|it| of_act.contains(it))
}

/// Whether the user took the rule back, narrowed it, or asked for what it forbids.
fn is_withdrawn(case: &Case<'_, '_>) -> bool {
    let quote = collapse(case.cause.quote);
    // What follows the rule in its own message can narrow it.
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
    let mut asked: Option<&ExaminedLine<'_>> = None;
    for line in case.between() {
        match line.speaker {
            Speaker::Model => asked = Some(line),
            Speaker::User => {
                if prompt_withdraws(case, line.message(), asked) {
                    return true;
                }
            }
            Speaker::Tool | Speaker::Summary | Speaker::Host => {}
        }
    }
    false
}

/// Whether a later prompt takes the rule back; `asked` is what the model said last before it.
fn prompt_withdraws(case: &Case<'_, '_>, prompt: &str, asked: Option<&ExaminedLine<'_>>) -> bool {
    let all: Vec<String> = sentences(prompt).into_iter().map(collapse).collect();
    let withdraws = all.iter().any(|sentence| {
        if !concerns(case, sentence) {
            return false;
        }
        let repeats = words().repetition.is_in(sentence);
        let forbids = words().negation.is_in(sentence);
        let permits = words().withdrawal.is_in(sentence);
        match (permits, forbids) {
            (true, _) => !(repeats && forbids),
            // The user asks for what the rule forbids.
            (false, false) => is_prohibition(case) && !is_question(sentence),
            (false, true) => false,
        }
    });
    // An answer to a question of the model about it.
    let question = asked.map(ExaminedLine::message).unwrap_or_default();
    let was_asked = sentences(question)
        .into_iter()
        .any(|it| is_question(it) && concerns(case, it));
    let first = all.first().map(String::as_str).unwrap_or_default();
    let consents = was_asked && words().withdrawal.is_in(first) && !words().negation.is_in(first);
    withdraws || consents
}

/// Whether a sentence is about what the rule and the act are about.
fn concerns(case: &Case<'_, '_>, sentence: &str) -> bool {
    if speaks_of(sentence, case.subject) {
        return true;
    }
    let mut about = content_words(case.cause.quote);
    let of_act = content_words(case.effect.quote);
    about.retain(|it| {
        of_act
            .iter()
            .any(|word| super::super::words::is_akin(it, word))
    });
    let of_rule = content_words(case.cause.quote);
    let of_sentence = content_words(sentence);
    let shared = of_rule.iter().filter(|it| {
        of_sentence
            .iter()
            .any(|word| super::super::words::is_akin(it, word))
    });
    share_word(&about, &of_sentence) || shared.count() >= 2
}

fn rule_sentences(case: &Case<'_, '_>) -> Vec<String> {
    let found = sentences_of(case.cause.line.message(), case.cause.quote);
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

/// Words that ask, or that say the act is left alone, break no rule.
fn refuse_idle_words(case: &Case<'_, '_>) -> Result<(), DropReason> {
    let said = sentences_of(case.effect.line.message(), case.effect.quote);
    if !said.is_empty() && said.iter().all(|it| is_question(it)) {
        return Err(DropReason::Question);
    }
    Ok(())
}

/// Whether the act is of the kind that the rule is about.
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
    if !is_prohibition(case) {
        return true;
    }
    // A rule about things that it names is not broken by what has none of them.
    let named = named_things(&rule);
    let of_rule = content_words(&rule);
    let said = act.said();
    let of_act = content_words(&said);
    named.is_empty() || share_word(&of_rule, &of_act)
}

/// Things that a rule names as code: paths, commands in backticks, identifiers.
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
