//! In which project a call is: where its debates go, and what they may read.

use std::path::{Path, PathBuf};

use agon_app::{Caller, Failure, FailureKind};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;

/// What hosts put into the environment of a server: the folder of the project.
const PROJECT_VARIABLES: &[&str] = &["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"];

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
        return named_project(caller, Path::new(named));
    }
    if let Some(root) = first_root(context).await {
        return Ok(moved(caller, root));
    }
    let variables = PROJECT_VARIABLES.iter();
    let named = variables.filter_map(|name| caller.vars.get(*name).map(PathBuf::from));
    let mut folders = named.filter(|dir| dir.is_absolute() && dir.is_dir());
    if let Some(folder) = folders.next() {
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

fn named_project(caller: &Caller, folder: &Path) -> Result<Caller, Failure> {
    let refuse = |message: String| {
        Failure::new(FailureKind::Usage, "invalid_parameter", message)
            .parameter("project")
            .hint("give the absolute path of a folder that is there, or leave it out")
    };
    if !folder.is_absolute() {
        return Err(refuse(format!("{} is not absolute", folder.display())));
    }
    if !folder.is_dir() {
        return Err(refuse(format!("{} is not a folder", folder.display())));
    }
    Ok(moved(caller, folder.to_owned()))
}

fn moved(caller: &Caller, cwd: PathBuf) -> Caller {
    Caller {
        cwd,
        ..caller.clone()
    }
}

/// The first folder that the client has open; none where it has none or may not be asked.
#[expect(
    deprecated,
    reason = "hosts that speak a version before 2026-07-28 still say their folders as roots"
)]
async fn first_root(context: &RequestContext<RoleServer>) -> Option<PathBuf> {
    context.client_capabilities()?.roots?;
    let roots = context.peer.list_roots().await.ok()?.roots;
    let mut folders = roots.iter().filter_map(|root| folder_of_uri(&root.uri));
    folders.find(|dir| dir.is_dir())
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
