//! The text for a host's status line.

use std::path::{Path, PathBuf};

use agon_caller::system::now_ms;
use agon_caller::{Caller, Code, Failure, settings};
use agon_files::json_text::replace_lone_surrogates;
use agon_report::text::{abbreviate_count, count_with_noun};
use agon_sessions::{
    Findings, FindingsOptions, RecentEntries, SessionHost, SessionRef, Severity, open_session_at,
};
use serde_json::Value;

use super::glance::{Glance, GlanceFile, GlanceFindings, session_at};
use super::limits::Limits;
use super::state::ContextState;

// The host asks often, and the rules check this much in a fraction of a second.
/// Bytes at the end of a record that the rules check.
const MAX_EXAMINED: u64 = 4 << 20;
/// Milliseconds between two checks by the rules.
const EXAMINED_EVERY_MS: u64 = 30_000;

/// A status line: its text and the state for its colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusLine {
    /// The state of the context.
    pub state: ContextState,
    /// The text.
    pub words: String,
}

/// Returns the status line for the JSON that Claude Code passes to its status line command.
///
/// # Errors
///
/// If it is not JSON, or the configuration is invalid.
pub fn status_line(caller: &Caller, said: &str) -> Result<StatusLine, Failure> {
    let said: Value = serde_json::from_str(&replace_lone_surrogates(said)).map_err(|error| {
        Failure::new(
            Code::NoJson,
            format!("cannot parse the JSON on stdin: {error}"),
        )
        .hint("Claude Code runs this command for its status line: see docs/context.md")
    })?;
    let limits = Limits::new(&settings::read_settings(caller)?.limits);
    let record = said.get("transcript_path").and_then(Value::as_str);
    let glance = record.and_then(|it| glance(caller, Path::new(it), project_of(&said)));
    let glance = glance.unwrap_or_default();
    let told = find_fill(&said);
    let fill = told.or(glance.fill);
    let model = said.pointer("/model/id").and_then(Value::as_str);
    let window = said
        .pointer("/context_window/context_window_size")
        .and_then(Value::as_u64);
    let seen = glance.max_fill.max(fill.unwrap_or_default());
    let limits = limits.find(model.or(glance.model.as_deref()), window, seen);
    let of_tokens = fill.map_or(ContextState::Unknown, |fill| limits.judge(fill));
    let found = glance.found.unwrap_or_default();
    let of_findings = match (found.count, found.is_red) {
        (0, _) => ContextState::Unknown,
        (_, false) => ContextState::Amber,
        (_, true) => ContextState::Red,
    };
    let state = of_tokens.max(of_findings);
    let tokens = match fill {
        Some(fill) => format!(
            "{} of {} tokens",
            abbreviate_count(fill),
            abbreviate_count(limits.window)
        ),
        None => "no tokens counted".to_owned(),
    };
    let findings = match found.count {
        0 => String::new(),
        count => format!(" · {}", count_with_noun(count as u64, "finding")),
    };
    Ok(StatusLine {
        state,
        words: format!("context {} · {tokens}{findings}", state.as_str()),
    })
}

/// Returns the tokens in the context, by the host's count.
fn find_fill(said: &Value) -> Option<u64> {
    let usage = said.pointer("/context_window/current_usage")?.as_object()?;
    let counts = [
        "input_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
        "output_tokens",
    ];
    let counts = counts.iter().filter_map(|key| usage.get(*key)?.as_u64());
    let fill = counts.fold(0_u64, u64::saturating_add);
    (fill > 0).then_some(fill)
}

fn project_of(said: &Value) -> Option<PathBuf> {
    let folder = said
        .pointer("/workspace/project_dir")
        .or_else(|| said.get("cwd"))?;
    folder.as_str().map(PathBuf::from)
}

/// Returns the state from the record; `None` if it is unreadable or locked by another process.
fn glance(caller: &Caller, record: &Path, project: Option<PathBuf>) -> Option<Glance> {
    let mut file = GlanceFile::open(caller, record).ok().flatten()?;
    let mut glance = file.read();
    let session = session_at(SessionHost::Claude, record);
    glance.look(&session).ok()?;
    let bytes = std::fs::metadata(record).ok()?.len();
    let is_due = glance.found.is_none_or(|it| {
        it.bytes != bytes && now_ms().saturating_sub(it.at_ms) >= EXAMINED_EVERY_MS
    });
    if is_due {
        glance.found = examine(&session, bytes, project);
    }
    file.write(&glance).ok()?;
    Some(glance)
}

/// Runs the rules on the end of a record.
fn examine(session: &SessionRef, bytes: u64, project: Option<PathBuf>) -> Option<GlanceFindings> {
    let mut reader = open_session_at(session, bytes.saturating_sub(MAX_EXAMINED))?;
    let mut recent = RecentEntries::new(usize::try_from(MAX_EXAMINED).ok()?);
    reader.read(&mut |entry| recent.push(entry)).ok()?;
    let options = FindingsOptions {
        limits: None,
        project: reader.session().project.clone().or(project),
        is_debate: false,
    };
    let findings = Findings::of(recent.iter(), &options);
    Some(GlanceFindings {
        at_ms: now_ms(),
        bytes,
        count: findings.current().count(),
        is_red: findings.severity() == Some(Severity::Red),
    })
}
