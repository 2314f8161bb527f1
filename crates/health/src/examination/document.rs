//! Adds verified findings to the document.

use agon_sessions::{ExaminedFinding, ProposedRole};

use super::super::describe::clean;
use super::super::document::{ReasonDoc, SessionHealthDoc};
use super::super::examined_doc::{ExaminedDoc, ExaminedFindingDoc, ExaminedLineDoc};
use super::super::state::ContextState;
use super::super::words::{cure_word, pattern_word};

pub(super) fn describe_finding(finding: &ExaminedFinding) -> ExaminedFindingDoc {
    ExaminedFindingDoc {
        pattern: pattern_word(finding.pattern),
        severity: ContextState::Amber,
        is_current: finding.is_current,
        cure: cure_word(finding.cure),
        subject: clean(&finding.subject),
        why: clean(&finding.why),
        evidence: finding
            .evidence
            .iter()
            .map(|it| ExaminedLineDoc {
                role: role_word(it.role),
                turn: it.turn,
                place: clean(&it.location.to_string()),
                words: clean(&it.quote),
            })
            .collect(),
        verified: finding.verified.iter().map(|it| it.sentence()).collect(),
    }
}

fn role_word(role: ProposedRole) -> &'static str {
    match role {
        ProposedRole::Failed => "failed",
        ProposedRole::Shown => "shown",
        ProposedRole::Claim => "claim",
        ProposedRole::Rule => "rule",
        ProposedRole::Act => "act",
        ProposedRole::One => "one",
        ProposedRole::Other => "other",
        ProposedRole::Request => "request",
        ProposedRole::Load => "load",
        ProposedRole::Answer => "answer",
    }
}

/// Attaches an examination to its session. Current findings make the state amber but never red,
/// because a model proposed them.
pub(super) fn attach(session: &mut SessionHealthDoc, examined: ExaminedDoc) {
    let by = match &examined.model {
        Some(model) => format!("{} ({model})", examined.tool),
        None => examined.tool.clone(),
    };
    for finding in examined.findings.iter().filter(|it| it.is_current) {
        if session
            .reasons
            .iter()
            .any(|it| it.pattern == finding.pattern)
        {
            continue;
        }
        let last = finding.evidence.last();
        session.reasons.push(ReasonDoc {
            pattern: finding.pattern,
            severity: ContextState::Amber,
            words: format!(
                "{} Found by {by} and verified.",
                with_full_stop(&finding.why)
            ),
            place: last.map(|it| it.place.clone()),
            turn: last.map(|it| it.turn),
        });
        session.state = session.state.max(ContextState::Amber);
    }
    session
        .reasons
        .sort_by_key(|it| std::cmp::Reverse(it.severity));
    session.examined = Some(examined);
}

/// Adds a full stop if the sentence has none.
fn with_full_stop(sentence: &str) -> String {
    match sentence.trim().is_empty() || sentence.ends_with(['.', '!', '?', '…', '。']) {
        true => sentence.trim().to_owned(),
        false => format!("{}.", sentence.trim()),
    }
}
