//! Builds the document of a session. All words from the record are redacted.

use std::path::Path;

use agon_caller::Caller;
use agon_record::text::{sanitise_line, strip_invisible_characters};
use agon_redact::Redactor;
use agon_sessions::{
    CallPoint, Measures, Origin, PlanState, ProblemKind, ReadProgress, RecordedSession,
    SessionReader, SessionRef,
};

use super::document::{
    CompactionDoc, CurvePointDoc, LimitsDoc, PlanItemDoc, ProblemDoc, ReasonDoc, SessionHealthDoc,
    SessionTokensDoc,
};
use super::limits::Limits;
use super::state::ContextState;

/// Maximum number of points of the curve.
const MAX_POINTS: usize = 200;
/// Most to-do items listed.
const MAX_PLAN: usize = 50;
/// Maximum number of characters of a text from the record.
const MAX_CHARS: usize = 200;

/// Returns text from the record on one line, without secrets and control characters.
pub(super) fn clean(text: &str) -> String {
    // Invisible characters can split a secret, so remove them before redacting.
    let visible = strip_invisible_characters(text);
    sanitise_line(&Redactor::new().redact(&visible).text, MAX_CHARS)
}

fn clean_path(caller: &Caller, path: &Path) -> String {
    Redactor::new()
        .redact(&caller.display_path(path))
        .text
        .into_owned()
}

pub(super) fn describe(
    caller: &Caller,
    found: &SessionRef,
    reader: &dyn SessionReader,
    measures: &Measures,
    progress: ReadProgress,
    limits: &Limits,
) -> SessionHealthDoc {
    let session = reader.session();
    let model = measures.model.as_ref().or(session.models.last());
    let limits = limits.find(
        model.map(String::as_str),
        session.window,
        measures.max_fill(),
    );
    let (state, reasons) = judge(measures, &limits);
    let agents = measures.agents.values();
    SessionHealthDoc {
        state,
        reasons,
        model: model.map(|it| clean(it)),
        fill: measures.fill(),
        turns: measures.turns,
        calls: measures.calls,
        tokens: SessionTokensDoc {
            input: measures.tokens.input,
            cached: measures.tokens.cached,
            output: measures.tokens.output,
            reasoning: measures.tokens.reasoning,
        },
        copied_tokens: measures.copied.total(),
        compaction_tokens: measures.compaction_tokens.total(),
        sub_agent_tokens: agents.fold(0, |sum, it| sum.saturating_add(it.total())),
        sub_agents: measures.sub_agents.len(),
        tool_calls: measures.tool_calls,
        failures: measures.failures,
        hidden_failures: measures.hidden_failures,
        compactions: measures
            .compactions
            .iter()
            .map(|(place, call)| CompactionDoc {
                place: place.to_string(),
                after_call: *call,
            })
            .collect(),
        renewals: measures.renewals,
        curve: curve(&measures.points),
        plan: plan(reader),
        problems: problems(reader),
        last: measures.last.map(|it| it.to_string()),
        bytes: progress.bytes,
        unfinished: progress.unfinished,
        ..describe_unmeasured(caller, found, session, limits)
    }
}

/// Returns the document of an unreadable session in a list.
pub(super) fn unreadable(
    caller: &Caller,
    found: &SessionRef,
    why: &dyn std::fmt::Display,
) -> SessionHealthDoc {
    let mut session = RecordedSession::new(found.host, &found.id, &found.file);
    session.origin.clone_from(&found.origin);
    session.project.clone_from(&found.project);
    let limits = Limits::new(&[]).find(None, None, 0);
    SessionHealthDoc {
        problems: vec![ProblemDoc {
            kind: "unreadable",
            place: None,
            detail: Some(clean(&why.to_string())),
            count: 1,
        }],
        ..describe_unmeasured(caller, found, &session, limits)
    }
}

/// Returns the document of a session without measures.
fn describe_unmeasured(
    caller: &Caller,
    found: &SessionRef,
    session: &RecordedSession,
    limits: LimitsDoc,
) -> SessionHealthDoc {
    // The search may know a fork's parent that the record does not name.
    let origin = match (&session.origin, &found.origin) {
        (Origin::Fork { parent: None }, known @ Origin::Fork { .. }) => known,
        (origin, _) => origin,
    };
    let (origin, parent) = match origin {
        Origin::New => ("new", None),
        Origin::Fork { parent } => ("fork", parent.as_deref()),
        Origin::SubAgent { parent } => ("sub_agent", Some(parent.as_str())),
    };
    SessionHealthDoc {
        host: session.host.as_str(),
        id: clean(&session.id),
        state: ContextState::Unknown,
        reasons: Vec::new(),
        title: session.title.as_deref().map(clean),
        file: clean_path(caller, &session.file),
        project: session.project.as_deref().map(|it| clean_path(caller, it)),
        version: session.version.as_deref().map(clean),
        models: session.models.iter().map(|it| clean(it)).collect(),
        model: None,
        origin,
        parent: parent.map(clean),
        started: session.started.map(|it| it.to_string()),
        last: None,
        fill: None,
        limits,
        turns: 0,
        calls: 0,
        tokens: SessionTokensDoc {
            input: 0,
            cached: 0,
            output: 0,
            reasoning: 0,
        },
        copied_tokens: 0,
        compaction_tokens: 0,
        sub_agent_tokens: 0,
        sub_agents: 0,
        tool_calls: 0,
        failures: 0,
        hidden_failures: 0,
        compactions: Vec::new(),
        renewals: 0,
        curve: Vec::new(),
        findings: None,
        examined: None,
        next_step: None,
        handover: None,
        plan: Vec::new(),
        problems: Vec::new(),
        bytes: 0,
        unfinished: 0,
    }
}

/// Returns the state of the context by its tokens, with the reasons.
fn judge(measures: &Measures, limits: &LimitsDoc) -> (ContextState, Vec<ReasonDoc>) {
    if measures.is_fill_stale() {
        let place = measures
            .compactions
            .last()
            .map(|(place, _)| place.to_string());
        let words = "the context was compacted, and no model call has been counted since";
        let reason = ReasonDoc {
            pattern: "stale",
            severity: ContextState::Unknown,
            words: words.to_owned(),
            place,
            turn: Some(measures.turns),
        };
        return (ContextState::Unknown, vec![reason]);
    }
    let Some(fill) = measures.fill() else {
        return (ContextState::Unknown, Vec::new());
    };
    let severity = limits.judge(fill);
    let (bound, name) = match severity {
        ContextState::Red => (limits.severe, "severe"),
        ContextState::Amber => (limits.onset, "onset"),
        ContextState::Green | ContextState::Unknown => return (severity, Vec::new()),
    };
    let model = match limits.model.as_str() {
        "*" => "an unknown model",
        model => model,
    };
    let words = format!(
        "{fill} tokens in the context, past {name} of {bound} for {model} (confidence: {})",
        limits.confidence
    );
    let reason = ReasonDoc {
        pattern: "tokens",
        severity,
        words: clean(&words),
        place: None,
        turn: measures.points.last().map(|it| it.turn),
    };
    (severity, vec![reason])
}

/// Thins the points of a curve evenly, and keeps the first, last and highest.
fn curve(points: &[CallPoint]) -> Vec<CurvePointDoc> {
    let bucket = points.len().div_ceil(MAX_POINTS).max(1);
    let chunks = points.chunks(bucket).enumerate();
    chunks
        .filter_map(|(at, chunk)| {
            let highest = (0..chunk.len()).max_by_key(|it| chunk[*it].fill)?;
            let is_last = (at + 1) * bucket >= points.len();
            let within = if is_last { chunk.len() - 1 } else { highest };
            let call = u32::try_from(at * bucket + within + 1).ok()?;
            let point = chunk[within];
            Some(CurvePointDoc {
                call,
                turn: point.turn,
                fill: point.fill,
            })
        })
        .collect()
}

fn plan(reader: &dyn SessionReader) -> Vec<PlanItemDoc> {
    let items = reader.plan().into_iter().take(MAX_PLAN);
    let item = items.map(|item| PlanItemDoc {
        text: clean(item.text.as_str()),
        state: match item.state {
            PlanState::Pending => "pending",
            PlanState::InProgress => "in_progress",
            PlanState::Done => "done",
            PlanState::Dropped => "dropped",
            PlanState::Unknown => "unknown",
        },
    });
    item.collect()
}

fn problems(reader: &dyn SessionReader) -> Vec<ProblemDoc> {
    let problem = reader.problems().iter().map(|problem| ProblemDoc {
        kind: match problem.kind {
            ProblemKind::Damaged => "damaged",
            ProblemKind::TooLong => "too_long",
            ProblemKind::UnknownKind => "unknown_kind",
            ProblemKind::NewerVersion => "newer_version",
            ProblemKind::Tokens => "tokens",
            ProblemKind::MissingFile => "missing_file",
        },
        place: problem.location.as_ref().map(|it| clean(&it.to_string())),
        detail: problem.detail.as_deref().map(clean),
        count: problem.count,
    });
    problem.collect()
}
