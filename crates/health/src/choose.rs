//! Selects the requested sessions.

use std::path::{Path, PathBuf};

use agon_caller::hint::quoted;
use agon_caller::host_sign::{calling_session_id, session_of, signs_of};
use agon_caller::{Caller, Code, Failure};
use agon_sessions::{
    Origin, SessionHost, SessionPlaces, SessionRef, find_sessions, recognize_session,
    session_places,
};
use serde::{Deserialize, Serialize};

use super::debate;
use super::describe::clean;

/// A request for sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRequest {
    /// The choice of sessions.
    pub choice: SessionChoice,
    /// The only tool to include.
    pub host: Option<String>,
}

/// A choice of a project's sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionChoice {
    /// The session that runs Agon, or else the latest one.
    #[default]
    Own,
    /// The latest session of any tool.
    Last,
    /// All sessions, including debate seats.
    All,
    /// The session with this id, id prefix or record file, or the seats of a debate, or one seat
    /// such as
    /// `job-store/proposer`.
    Named(String),
}

/// Returns the requested sessions, latest first.
pub(super) fn choose(
    caller: &Caller,
    request: &SessionRequest,
) -> Result<Vec<SessionRef>, Failure> {
    let named = request.host.as_deref().map(parse_host).transpose()?;
    let project = without_links(&caller.project());
    let is_of_debates = named == Some(SessionHost::Agon);
    match &request.choice {
        SessionChoice::All => {
            let mut found = find(caller, named, &project);
            if is_of_debates || named.is_none() {
                found.extend(debate::find_all(caller));
                found.sort_by(|a, b| (b.modified, &b.id).cmp(&(a.modified, &a.id)));
            }
            require_any(found, named, caller)
        }
        SessionChoice::Last | SessionChoice::Own if is_of_debates => {
            require_any(keep_first(debate::find_all(caller)), named, caller)
        }
        SessionChoice::Last => {
            let found = keep_first(find(caller, named, &project));
            require_any(found, named, caller)
        }
        SessionChoice::Own => choose_current(caller, named, &project),
        SessionChoice::Named(name) => choose_named(caller, name, named, &project),
    }
}

/// Returns the session that runs Agon, in whatever project; otherwise the project's latest.
fn choose_current(
    caller: &Caller,
    named: Option<SessionHost>,
    project: &Path,
) -> Result<Vec<SessionRef>, Failure> {
    let is_named = |host: &str| named.is_none_or(|named| named.as_str() == host);
    let sign = signs_of(caller).find(|(host, _)| is_named(host.name));
    let host = named.or_else(|| sign?.0.name.parse().ok());
    if let Some(id) = sign.and_then(|(_, sign)| session_of(caller, &sign)) {
        // The tool may have changed folders since its session was stored, so search all projects
        // too.
        let is_own = |it: &&SessionRef| it.id == id;
        let near = find_all(caller, host, Some(project));
        let own = near.iter().find(is_own).cloned();
        let own = own.or_else(|| find_all(caller, host, None).iter().find(is_own).cloned());
        return own.map(|it| vec![it]).ok_or_else(|| {
            let message = format!("the current session `{}` has no record", clean(&id));
            Failure::new(Code::NoSession, message).hint(
                quoted("context --last")
                    .text(" shows the latest session of this project; ")
                    .text(describe_searched_places(caller, host)),
            )
        });
    }
    require_any(keep_first(find(caller, host, project)), host, caller)
}

/// Returns a host's session with this id.
pub(super) fn find_by_id(caller: &Caller, host: SessionHost, id: &str) -> Option<SessionRef> {
    let found = find_all(caller, Some(host), None).into_iter();
    found.into_iter().find(|it| it.id == id)
}

/// Returns the session in a work tree: the session that runs Agon if it is there, otherwise the
/// latest.
pub(super) fn find_in_work_tree(caller: &Caller, root: &Path) -> Option<SessionRef> {
    let found = find(caller, None, &without_links(root));
    let own = calling_session_id(caller);
    let own = own.and_then(|id| found.iter().find(|it| it.id == id).cloned());
    own.or_else(|| found.into_iter().next())
}

fn parse_host(name: &str) -> Result<SessionHost, Failure> {
    name.parse().map_err(|_| {
        let known = SessionHost::ALL.map(SessionHost::as_str);
        let message = format!("Agon cannot read sessions of `{name}`");
        Failure::new(Code::UnknownHost, message)
            .parameter("host")
            .hint(format!("use one of {}", known.join(", ")))
    })
}

/// Returns the sessions of a project, without sub-agents.
fn find(caller: &Caller, host: Option<SessionHost>, project: &Path) -> Vec<SessionRef> {
    let mut found = find_all(caller, host, Some(project));
    found.retain(|it| it.is_within(project) && !matches!(it.origin, Origin::SubAgent { .. }));
    found
}

fn find_all(caller: &Caller, host: Option<SessionHost>, project: Option<&Path>) -> Vec<SessionRef> {
    let mut found: Vec<SessionRef> = for_each_host(caller, host, |host, places| {
        find_sessions(host, places, project)
    });
    found.sort_by(|a, b| (b.modified, &b.id).cmp(&(a.modified, &a.id)));
    found
}

/// Returns the results of `each` for every included host.
fn for_each_host<T>(
    caller: &Caller,
    host: Option<SessionHost>,
    each: impl Fn(SessionHost, SessionPlaces<'_>) -> Vec<T>,
) -> Vec<T> {
    let Some(home) = caller.vars_os.get(std::ffi::OsStr::new("HOME")) else {
        return Vec::new();
    };
    let home = PathBuf::from(home);
    let places = SessionPlaces {
        home: &home,
        variable: &|name| caller.vars.get(name).cloned(),
    };
    let hosts = SessionHost::ALL.into_iter();
    hosts
        .filter(|it| host.is_none_or(|host| host == *it))
        .flat_map(|host| each(host, places))
        .collect()
}

/// Returns the searched places for a message.
fn describe_searched_places(caller: &Caller, host: Option<SessionHost>) -> String {
    let home = caller.vars.get("HOME").map(PathBuf::from);
    let name = |place: &PathBuf| {
        let below = home.as_deref().and_then(|it| place.strip_prefix(it).ok());
        match below {
            Some(below) => format!("~/{}", below.display()),
            None => place.display().to_string(),
        }
    };
    let places = for_each_host(caller, host, session_places);
    let names: Vec<String> = places.iter().map(|it| clean(&name(it))).collect();
    match (host, names.is_empty()) {
        (Some(SessionHost::Agon), _) => "searched: the debates of this project".to_owned(),
        (_, true) => "nothing was searched: HOME is not set".to_owned(),
        (_, false) => format!("searched: {}", names.join(", ")),
    }
}

fn choose_named(
    caller: &Caller,
    name: &str,
    host: Option<SessionHost>,
    project: &Path,
) -> Result<Vec<SessionRef>, Failure> {
    let path = caller.resolve_path(Path::new(name));
    // Not for a remote caller, who could otherwise name any file or another project's session.
    if path.is_file() && !caller.is_relayed {
        return match recognize_session(&path) {
            Some(session) => Ok(vec![session]),
            None => {
                let message = format!(
                    "{} is not a known session record",
                    caller.display_path(&path)
                );
                Err(Failure::new(Code::NotASession, message)
                    .parameter("session")
                    .hint(crate::all_sessions_hint()))
            }
        };
    }
    if host.is_none_or(|it| it == SessionHost::Agon)
        && let Some(found) = debate::find_named(caller, name)?
    {
        return Ok(found);
    }
    // If no session of this project has this id, search all projects.
    let mut found = find_all(caller, host, Some(project));
    if !caller.is_relayed && !found.iter().any(|it| it.id.starts_with(name)) {
        found = find_all(caller, host, None);
    }
    if let Some(exact) = found.iter().find(|it| it.id == name) {
        return Ok(vec![exact.clone()]);
    }
    found.retain(|it| it.id.starts_with(name));
    match found.len() {
        0 => {
            let message = format!("no session or debate `{name}` found");
            let places = match caller.is_relayed {
                true => String::new(),
                false => format!("; {}", describe_searched_places(caller, host)),
            };
            Err(Failure::new(Code::NoSession, message)
                .parameter("session")
                .hint(crate::all_sessions_hint().text(&places)))
        }
        1 => Ok(found),
        _ => {
            let ids: Vec<&str> = found.iter().take(5).map(|it| it.id.as_str()).collect();
            let message = format!("`{name}` matches {} sessions", found.len());
            Err(Failure::new(Code::AmbiguousSession, message)
                .parameter("session")
                .hint(format!("use a longer prefix of one of {}", ids.join(", "))))
        }
    }
}

fn keep_first(found: Vec<SessionRef>) -> Vec<SessionRef> {
    found.into_iter().take(1).collect()
}

fn require_any(
    found: Vec<SessionRef>,
    host: Option<SessionHost>,
    caller: &Caller,
) -> Result<Vec<SessionRef>, Failure> {
    if !found.is_empty() {
        return Ok(found);
    }
    let of = host.map_or_else(|| "any tool".to_owned(), |it| it.to_string());
    let project = caller.project();
    let message = format!("no session of {of} found in {}", project.display());
    Err(Failure::new(Code::NoSession, message).hint(format!(
        "{}; run the command in the session's folder, or name the session: `agon context ID`",
        describe_searched_places(caller, host)
    )))
}

/// Returns the folder without links, as tools record it.
fn without_links(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
