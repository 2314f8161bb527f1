//! Runs the rules on a session and adds their findings to its document.

use agon_caller::Caller;
use agon_record::text::strip_control_characters;
use agon_sessions::{
    EvidenceRole, Findings, FindingsOptions, Handover, HandoverOptions, Pattern, PatternEvidence,
    PatternFinding, Preparation, RecentEntries, SessionHost, SessionReader, TokenLimits,
};

use super::decided::recorded_decisions;
use super::describe::clean;
use super::document::{LimitsDoc, ReasonDoc, SessionHealthDoc};
use super::finding_doc::{SessionEvidenceDoc, SessionFindingDoc, SessionFindingsDoc};
use super::step::describe_step;
use super::words::{cure_word, pattern_word, severity_state};

/// Bytes at the end of a session that the rules check.
pub(super) const MAX_RECENT_BYTES: usize = 50 << 20;
/// Most findings in the document.
const MAX_SHOWN: usize = 10;

/// Adds findings and the next step to the document, and the hand-over if wanted.
pub(super) fn examine(
    caller: &Caller,
    document: &mut SessionHealthDoc,
    reader: &dyn SessionReader,
    recent: &RecentEntries,
    wants_handover: bool,
) {
    let session = reader.session();
    let is_debate = session.host == SessionHost::Agon;
    let options = FindingsOptions {
        limits: Some(token_limits(&document.limits)),
        project: session.project.clone(),
        is_debate,
    };
    let findings = Findings::of(recent.iter(), &options);
    let plan = reader.plan();
    let options = HandoverOptions {
        project: session.project.as_deref(),
        plan: &plan,
        dropped: recent.dropped(),
    };
    let preparation = if wants_handover {
        let mut handover = Handover::of(recent.iter(), &options);
        handover.recorded = recorded_decisions(caller, session.project.as_deref(), session.started);
        document.handover = Some(strip_control_characters(&handover.render()));
        Preparation::with_handover(recent.iter(), &findings, handover)
    } else {
        Preparation::of(recent.iter(), &findings, &options)
    };
    // No next step for a debate seat: Agon renews its context before it gets too long.
    let preparation = preparation.filter(|_| !is_debate);
    document.next_step = preparation.as_ref().map(describe_step);
    document.reasons.extend(reasons(&findings));
    document
        .reasons
        .sort_by_key(|it| std::cmp::Reverse(it.severity));
    let worst = findings.severity().map(severity_state);
    document.state = document.state.max(worst.unwrap_or(document.state));
    document.findings = Some(SessionFindingsDoc {
        count: findings.findings.len(),
        current: findings.current().count(),
        shown: findings
            .findings
            .iter()
            .take(MAX_SHOWN)
            .map(finding)
            .collect(),
        loaded: findings.loaded.bytes,
        unused: findings.loaded.unused,
        entries: recent.iter().count(),
        dropped: recent.dropped(),
    });
}

fn token_limits(limits: &LimitsDoc) -> TokenLimits {
    TokenLimits {
        onset: limits.onset,
        // A guessed limit never makes a context red.
        severe: match limits.is_guess {
            true => u64::MAX,
            false => limits.severe,
        },
        is_measured: limits.confidence == "measured",
    }
}

/// Returns a reason per current pattern, except tokens, for which the document already has one.
fn reasons(findings: &Findings) -> Vec<ReasonDoc> {
    let mut reasons: Vec<(ReasonDoc, usize)> = Vec::new();
    for finding in findings
        .current()
        .filter(|it| it.pattern != Pattern::Tokens)
    {
        let pattern = pattern_word(finding.pattern);
        // Findings are sorted worst first, so keep the first and count the others.
        if let Some((_, count)) = reasons.iter_mut().find(|(it, _)| it.pattern == pattern) {
            *count += 1;
            continue;
        }
        let shown = place_of(finding);
        let reason = ReasonDoc {
            pattern,
            severity: severity_state(finding.severity),
            words: finding.reason.clone(),
            place: shown.map(|it| clean(&it.location.to_string())),
            turn: shown.map(|it| it.turn),
        };
        reasons.push((reason, 1));
    }
    let counted = reasons.into_iter().map(|(mut reason, count)| {
        if count > 1 {
            reason.words = format!("{} Found {count} times.", reason.words);
        }
        reason
    });
    counted.collect()
}

fn finding(finding: &PatternFinding) -> SessionFindingDoc {
    let shown = place_of(finding);
    let cause = finding.first(EvidenceRole::Cause);
    let cause = cause.filter(|it| shown.is_some_and(|shown| shown.entry != it.entry));
    let given = usize::from(shown.is_some()) + usize::from(cause.is_some());
    SessionFindingDoc {
        pattern: pattern_word(finding.pattern),
        severity: severity_state(finding.severity),
        confidence: (finding.confidence * 100.0).round() / 100.0,
        is_current: finding.is_current,
        cure: cure_word(finding.cure),
        reason: finding.reason.clone(),
        turn: shown.map(|it| it.turn),
        place: shown.map(|it| clean(&it.location.to_string())),
        words: shown.map(|it| clean(&it.words)).unwrap_or_default(),
        cause: cause.map(|it| SessionEvidenceDoc {
            turn: it.turn,
            place: clean(&it.location.to_string()),
            words: clean(&it.words),
        }),
        more_places: finding.evidence.len().saturating_sub(given),
    }
}

/// Returns the evidence that something went wrong.
fn place_of(finding: &PatternFinding) -> Option<&PatternEvidence> {
    let effect = finding.first(EvidenceRole::Effect);
    effect.or_else(|| finding.evidence.first())
}
