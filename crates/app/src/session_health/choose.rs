//! Which sessions are meant.

use std::path::{Path, PathBuf};

use agon_sessions::{
    Origin, SessionHost, SessionPlaces, SessionRef, find_sessions, recognize_session,
};
use serde::{Deserialize, Serialize};

use crate::caller::Caller;
use crate::failure::{Failure, FailureKind};

/// Which sessions are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRequest {
    /// Which of them.
    pub choice: SessionChoice,
    /// Only those of this tool.
    pub host: Option<String>,
}

/// Which sessions of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionChoice {
    /// The one that asks, where an AI tool asks; else the one that was written last.
    #[default]
    Own,
    /// The one that was written last, of any tool.
    Last,
    /// All of them.
    All,
    /// The one with this id or the beginning of it, or with its record in this file.
    Named(String),
}

/// Variables by which a tool tells what it starts that it is there, and those that name the session.
const SIGNS: &[(SessionHost, &str, Option<&str>)] = &[
    (
        SessionHost::Claude,
        "CLAUDECODE",
        Some("CLAUDE_CODE_SESSION_ID"),
    ),
    (
        SessionHost::Copilot,
        "COPILOT_AGENT_SESSION_ID",
        Some("COPILOT_AGENT_SESSION_ID"),
    ),
    (SessionHost::Opencode, "OPENCODE", None),
    (SessionHost::Gemini, "GEMINI_CLI", None),
    (
        SessionHost::Codex,
        "CODEX_THREAD_ID",
        Some("CODEX_THREAD_ID"),
    ),
    (SessionHost::Codex, "CODEX_SANDBOX", None),
];

/// The sessions that are meant, the one that was written last first.
pub(super) fn choose(
    caller: &Caller,
    request: &SessionRequest,
) -> Result<Vec<SessionRef>, Failure> {
    let named = request.host.as_deref().map(parse_host).transpose()?;
    let project = real(&caller.project());
    match &request.choice {
        SessionChoice::All => {
            let found = find(caller, named, &project);
            not_empty(found, named, caller)
        }
        SessionChoice::Last => {
            let found = first(find(caller, named, &project));
            not_empty(found, named, caller)
        }
        SessionChoice::Own => {
            let sign = |(_, name, _): &&(SessionHost, &str, Option<&str>)| {
                caller.vars.get(*name).is_some_and(|it| !it.is_empty())
            };
            let sign = SIGNS.iter().find(sign);
            let host = named.or(sign.map(|(host, ..)| *host));
            let found = find(caller, host, &project);
            let id = sign.and_then(|(_, _, id)| caller.vars.get((*id)?));
            let own = id.and_then(|id| found.iter().find(|it| it.id == *id).cloned());
            let found = own.map_or_else(|| first(found), |it| vec![it]);
            not_empty(found, host, caller)
        }
        SessionChoice::Named(name) => choose_named(caller, name, named, &project),
    }
}

fn parse_host(name: &str) -> Result<SessionHost, Failure> {
    let known = SessionHost::ALL
        .iter()
        .filter(|it| **it != SessionHost::Agon);
    known
        .clone()
        .find(|it| it.as_str() == name)
        .copied()
        .ok_or_else(|| {
            let known: Vec<&str> = known.map(|it| it.as_str()).collect();
            let message = format!("no sessions of `{name}` are read");
            Failure::new(FailureKind::Usage, "unknown_host", message)
                .parameter("host")
                .hint(format!("one of {}", known.join(", ")))
        })
}

/// The sessions of a project, without sub-agents.
fn find(caller: &Caller, host: Option<SessionHost>, project: &Path) -> Vec<SessionRef> {
    let mut found = find_all(caller, host, Some(project));
    found.retain(|it| it.is_within(project) && !matches!(it.origin, Origin::SubAgent { .. }));
    found
}

fn find_all(caller: &Caller, host: Option<SessionHost>, project: Option<&Path>) -> Vec<SessionRef> {
    let Some(home) = caller.vars_os.get(std::ffi::OsStr::new("HOME")) else {
        return Vec::new();
    };
    let home = PathBuf::from(home);
    let places = SessionPlaces {
        home: &home,
        variable: &|name| caller.vars.get(name).cloned(),
    };
    let hosts = SessionHost::ALL
        .into_iter()
        .filter(|it| host.is_none_or(|host| host == *it));
    let mut found: Vec<SessionRef> = hosts
        .flat_map(|host| find_sessions(host, places, project))
        .collect();
    found.sort_by(|a, b| (b.modified, &b.id).cmp(&(a.modified, &a.id)));
    found
}

fn choose_named(
    caller: &Caller,
    name: &str,
    host: Option<SessionHost>,
    project: &Path,
) -> Result<Vec<SessionRef>, Failure> {
    let path = caller.resolve_path(Path::new(name));
    if path.is_file() {
        return match recognize_session(&path) {
            Some(session) => Ok(vec![session]),
            None => {
                let message = format!(
                    "{} is not a session that is known",
                    caller.display_path(&path)
                );
                Err(Failure::new(FailureKind::Usage, "not_a_session", message)
                    .parameter("session")
                    .hint("`agon context --all` lists the sessions that are here"))
            }
        };
    }
    // Those of other projects too: an id says enough.
    let mut found = find_all(caller, host, Some(project));
    if !found.iter().any(|it| it.id.starts_with(name)) {
        found = find_all(caller, host, None);
    }
    if let Some(exact) = found.iter().find(|it| it.id == name) {
        return Ok(vec![exact.clone()]);
    }
    found.retain(|it| it.id.starts_with(name));
    match found.len() {
        0 => {
            let message = format!("there is no session `{name}`");
            Err(Failure::new(FailureKind::Usage, "no_session", message)
                .parameter("session")
                .hint("`agon context --all` lists the sessions that are here"))
        }
        1 => Ok(found),
        _ => {
            let ids: Vec<&str> = found.iter().take(5).map(|it| it.id.as_str()).collect();
            let message = format!("`{name}` begins the ids of {} sessions", found.len());
            Err(
                Failure::new(FailureKind::Usage, "ambiguous_session", message)
                    .parameter("session")
                    .hint(format!("more of one of {}", ids.join(", "))),
            )
        }
    }
}

fn first(found: Vec<SessionRef>) -> Vec<SessionRef> {
    found.into_iter().take(1).collect()
}

fn not_empty(
    found: Vec<SessionRef>,
    host: Option<SessionHost>,
    caller: &Caller,
) -> Result<Vec<SessionRef>, Failure> {
    if !found.is_empty() {
        return Ok(found);
    }
    let of = host.map_or_else(|| "any tool".to_owned(), |it| it.to_string());
    let project = caller.project();
    let message = format!("no session of {of} was held in {}", project.display());
    Err(Failure::new(FailureKind::Usage, "no_session", message)
        .hint("go to the folder it was held in, or name it: `agon context ID`"))
}

/// The folder as tools record it: without links.
fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
