//! In which project a call is: where its debates go, and what they may read.

use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_app::{Caller, Failure, FailureKind};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;

/// What hosts put into the environment of a server: the folder of the project.
const PROJECT_VARIABLES: &[&str] = &["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"];

/// How long a client may take to say which folders it has open.
const ROOTS_TIMEOUT: Duration = Duration::from_secs(10);

/// Folders of the system: none of them, nor any below, is a project unless the client has it open.
const SYSTEM_FOLDERS: &[&str] = &[
    "/proc",
    "/sys",
    "/dev",
    "/etc",
    "/boot",
    "/private/etc",
    "/System",
];

/// The caller of a call: in the folder that it names, else the client's first root, else the
/// project in the environment, else this process's folder where that is a project, else the user's
/// data.
///
/// # Errors
///
/// If the folder that the call names cannot be used.
pub(crate) async fn project_of_call(
    caller: &Caller,
    arguments: &Value,
    context: &RequestContext<RoleServer>,
) -> Result<Caller, Failure> {
    if let Some(named) = arguments.get("project").and_then(Value::as_str) {
        return named_project(caller, Path::new(named), context).await;
    }
    let mut roots = roots(context).await.into_iter();
    if let Some(root) = roots.find(|dir| dir.is_dir()) {
        return Ok(moved(caller, root));
    }
    if let Some(folder) = folders_of_environment(caller).next() {
        return Ok(moved(caller, folder));
    }
    if caller.is_in_project() {
        return Ok(caller.clone());
    }
    match caller.data_dir() {
        Some(data) if std::fs::create_dir_all(&data).is_ok() => Ok(moved(caller, data)),
        Some(_) | None => Ok(caller.clone()),
    }
}

/// The caller in the folder that a model named: one that its client has open, or one below it; the
/// folder that the host started this server for; or one with debates that this user opened there.
/// A host that keeps its model inside a folder is not got round by way of this server.
async fn named_project(
    caller: &Caller,
    named: &Path,
    context: &RequestContext<RoleServer>,
) -> Result<Caller, Failure> {
    let shown = agon_app::plain_line(&named.display().to_string());
    let refuse = |message: String, hint: &str| {
        Failure::new(FailureKind::Usage, "invalid_parameter", message)
            .parameter("project")
            .hint(hint)
    };
    let give = "give the absolute path of a folder that is there, or leave it out";
    if !named.is_absolute() {
        return Err(refuse(format!("{shown} is not absolute"), give));
    }
    // Where it leads is what is used from here on, so that a link cannot be moved meanwhile.
    let folder = std::fs::canonicalize(named).ok();
    let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
        return Err(refuse(format!("{shown} is not a folder"), give));
    };
    let candidate = moved(caller, folder.clone());
    let is_open = |base: &PathBuf| is_within(&folder, base);
    if !is_of_system(named)
        && !is_of_system(&folder)
        && (own_folders(caller).iter().any(is_open) || agon_app::opened::has_own_debate(&candidate))
    {
        return Ok(candidate);
    }
    if roots(context).await.iter().any(is_open) {
        return Ok(candidate);
    }
    Err(refuse(
        format!("{shown} is not a folder that this session has open"),
        "leave it out to use the open project; for another folder, the user opens a session there",
    ))
}

/// The folders that the host started this server for.
fn own_folders(caller: &Caller) -> Vec<PathBuf> {
    let home = caller.vars.get("HOME").map(PathBuf::from);
    // A host without a project of its own starts its servers in the user's home, or in `/`.
    let is_home = |dir: &Path| home.as_ref().is_some_and(|home| home.starts_with(dir));
    let own = (!is_home(&caller.cwd) || caller.is_in_project()).then(|| caller.project());
    let mut folders: Vec<_> = folders_of_environment(caller).collect();
    folders.extend(own.filter(|own| own.parent().is_some()));
    folders
}

/// The projects that hosts name in the environment of a server.
fn folders_of_environment(caller: &Caller) -> impl Iterator<Item = PathBuf> + '_ {
    let variables = PROJECT_VARIABLES.iter();
    let named = variables.filter_map(|name| caller.vars.get(*name).map(PathBuf::from));
    named.filter(|dir| dir.is_absolute() && dir.is_dir())
}

/// Whether `folder`, with its links resolved, is `base` or below it. Of the root of the file system that is
/// itself alone.
fn is_within(folder: &Path, base: &Path) -> bool {
    let base = std::fs::canonicalize(base).unwrap_or_else(|_| base.to_owned());
    match base.parent() {
        None => folder == base,
        Some(_) => folder.starts_with(&base),
    }
}

fn is_of_system(folder: &Path) -> bool {
    folder.parent().is_none() || SYSTEM_FOLDERS.iter().any(|of| folder.starts_with(of))
}

fn moved(caller: &Caller, cwd: PathBuf) -> Caller {
    Caller {
        cwd,
        ..caller.clone()
    }
}

/// The folders that the client has open; none where it has none, may not be asked or does not answer.
#[expect(
    deprecated,
    reason = "hosts that speak a version before 2026-07-28 still say their folders as roots"
)]
async fn roots(context: &RequestContext<RoleServer>) -> Vec<PathBuf> {
    let has_roots = context
        .client_capabilities()
        .is_some_and(|client| client.roots.is_some());
    if !has_roots {
        return Vec::new();
    }
    let listed = tokio::time::timeout(ROOTS_TIMEOUT, context.peer.list_roots()).await;
    let Ok(Ok(listed)) = listed else {
        return Vec::new();
    };
    let uris = listed.roots.iter();
    uris.filter_map(|root| folder_of_uri(&root.uri)).collect()
}

/// The path in a `file:` address, with percent signs undone; none in any other.
fn folder_of_uri(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    if !path.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    Some(PathBuf::from(String::from_utf8(bytes).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_open_below_one_that_is_and_the_root_opens_itself_alone() {
        let within = |folder: &str, base: &str| is_within(Path::new(folder), Path::new(base));
        assert!(within("/nosuch/a/b", "/nosuch/a"));
        assert!(!within("/nosuch/ab", "/nosuch/a"));
        assert!(within("/", "/") && !within("/nosuch", "/"));
        let of_system = |folder: &str| is_of_system(Path::new(folder));
        for folder in ["/", "/etc", "/etc/ssl", "/proc/self/cwd", "/sys", "/dev/fd"] {
            assert!(of_system(folder), "{folder}");
        }
        assert!(!of_system("/srv") && !of_system("/etcetera"));
    }

    #[test]
    fn a_root_is_a_folder_on_this_machine_or_none() {
        let folder = |uri| folder_of_uri(uri).map(|path| path.display().to_string());
        assert_eq!(folder("file:///srv/a%20b/c"), Some("/srv/a b/c".to_owned()));
        assert_eq!(folder("file://localhost/x"), Some("/x".to_owned()));
        for uri in [
            "https://example.org/x",
            "file://host/x",
            "file:///a%2",
            "file:///%ff",
            "/x",
        ] {
            assert_eq!(folder(uri), None, "{uri}");
        }
    }
}
