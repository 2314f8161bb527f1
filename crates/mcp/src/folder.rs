//! Chooses the project of a call: where its debates are stored, and what they may read.

use std::path::{Path, PathBuf};

use agon_caller::host_sign::project_variables;
use agon_caller::{Caller, Code, Failure};

/// System folders. They, and the folders below them, are projects only if the client has them open.
const SYSTEM_FOLDERS: &[&str] = &[
    "/proc",
    "/sys",
    "/dev",
    "/etc",
    "/boot",
    "/private/etc",
    "/System",
];

/// Returns the caller in the project of a call: the folder `named` in the call, the first of the
/// client's `roots`, the project in the environment, or the folder of this process. If that folder
/// is the user's home, a parent of it or a system folder, uses a folder in the user's data instead.
///
/// Shows absolute paths if the project is not this process's folder. Reads folders, which can be
/// slow on a network disk, so do not call it on the server's main thread.
///
/// # Errors
///
/// Returns an error if the folder named in the call cannot be used.
pub(crate) fn choose_project(
    caller: &Caller,
    named: Option<&str>,
    roots: &[PathBuf],
) -> Result<Caller, Failure> {
    if let Some(named) = named {
        return named_project(caller, Path::new(named), roots);
    }
    if let Some(root) = roots.iter().find(|dir| dir.is_dir()) {
        return Ok(with_cwd(caller, root.clone()));
    }
    if let Some(folder) = folders_of_environment(caller).next() {
        return Ok(with_cwd(caller, folder));
    }
    if caller.is_in_project() || !has_no_project(caller) {
        return Ok(caller.clone());
    }
    match data_folder(caller) {
        Some(data) if std::fs::create_dir_all(&data).is_ok() => Ok(with_cwd(caller, data)),
        Some(_) | None => Ok(caller.clone()),
    }
}

/// Returns the caller in its own folder, or in the folder `named` in the call if that is in its
/// project. For a server whose user chose the project, so that a client reaches no other one: it
/// uses neither a client's open folders nor the environment.
///
/// # Errors
///
/// Returns an error if the folder named in the call is not in the project.
pub(crate) fn choose_in_project(caller: &Caller, named: Option<&str>) -> Result<Caller, Failure> {
    let Some(named) = named else {
        return Ok(caller.clone());
    };
    let folder = existing_folder(Path::new(named))?;
    if !is_within(&folder, &caller.project()) {
        return Err(refuse(
            format!(
                "{} is not in the project of this server",
                describe_path(named)
            ),
            "leave it out to use the project",
        ));
    }
    Ok(with_cwd(caller, folder))
}

/// Returns the folder for debates of a server without a project. Each working folder has its own
/// one, so that they do not share the latest debate.
fn data_folder(caller: &Caller) -> Option<PathBuf> {
    let data = caller.data_dir()?;
    if caller.cwd.parent().is_none() {
        return Some(data);
    }
    let place = caller.cwd.to_str()?.replace('%', "%25").replace('/', "%2F");
    Some(data.join("places").join(place))
}

/// Returns whether this is a folder in which hosts without a project start servers.
fn has_no_project(caller: &Caller) -> bool {
    is_home_or_above(caller) || is_system_folder(&caller.cwd)
}

fn is_home_or_above(caller: &Caller) -> bool {
    let home = caller.vars.get("HOME").map(Path::new);
    home.is_some_and(|home| home.starts_with(&caller.cwd))
}

/// Returns the caller in the folder that a model named. Allowed are folders that the client has
/// open, folders below them, the folder that the host started this server for, and folders with
/// this user's own debates. A model that its host confines to a folder cannot use this server to
/// leave it.
fn named_project(caller: &Caller, named: &Path, roots: &[PathBuf]) -> Result<Caller, Failure> {
    let folder = existing_folder(named)?;
    let candidate = with_cwd(caller, folder.clone());
    let is_open = |base: &PathBuf| is_within(&folder, base);
    if !is_system_folder(named)
        && !is_system_folder(&folder)
        && (own_folders(caller).iter().any(is_open)
            || agon_debates::limits::grants::has_own_debate(&candidate))
    {
        return Ok(candidate);
    }
    if roots.iter().any(is_open) {
        return Ok(candidate);
    }
    Err(refuse(
        format!(
            "{} is not a folder that this session has open",
            describe_path(&named.to_string_lossy())
        ),
        "leave it out to use the open project; for another folder, ask the user to open a session there",
    ))
}

/// Returns the folder that a model named, with its links resolved. Using this path from here on
/// prevents other processes from redirecting a link in the meantime.
fn existing_folder(named: &Path) -> Result<PathBuf, Failure> {
    let shown = describe_path(&named.to_string_lossy());
    let give = "give the absolute path of an existing folder, or leave it out";
    if !named.is_absolute() {
        return Err(refuse(format!("{shown} is not an absolute path"), give));
    }
    let folder = std::fs::canonicalize(named).ok();
    folder
        .filter(|folder| folder.is_dir())
        .ok_or_else(|| refuse(format!("{shown} is not a folder"), give))
}

fn describe_path(named: &str) -> String {
    agon_report::text::plain_line(named)
}

fn refuse(message: String, hint: &str) -> Failure {
    Failure::new(Code::InvalidParameter, message)
        .parameter("project")
        .hint(hint)
}

/// Returns the folders that the host started this server for.
fn own_folders(caller: &Caller) -> Vec<PathBuf> {
    // The home, its parents and `/` do not count, because hosts without a project start servers
    // there.
    let own = (!is_home_or_above(caller) || caller.is_in_project()).then(|| caller.project());
    let mut folders: Vec<_> = folders_of_environment(caller).collect();
    folders.extend(own.filter(|own| own.parent().is_some()));
    folders
}

/// Returns the projects that hosts name in the server's environment.
fn folders_of_environment(caller: &Caller) -> impl Iterator<Item = PathBuf> + '_ {
    let variables = project_variables();
    let named = variables.filter_map(|name| caller.vars.get(name).map(PathBuf::from));
    named.filter(|dir| dir.is_absolute() && dir.is_dir())
}

/// Returns whether `folder`, with its links resolved, is `base` or below it. The root of the file
/// system contains only itself.
fn is_within(folder: &Path, base: &Path) -> bool {
    let base = std::fs::canonicalize(base).unwrap_or_else(|_| base.to_owned());
    match base.parent() {
        None => folder == base,
        Some(_) => folder.starts_with(&base),
    }
}

fn is_system_folder(folder: &Path) -> bool {
    folder.parent().is_none() || SYSTEM_FOLDERS.iter().any(|of| folder.starts_with(of))
}

fn with_cwd(caller: &Caller, cwd: PathBuf) -> Caller {
    Caller {
        // In another folder, relative paths would mislead the reader, so show whole paths.
        shows_whole_paths: cwd != caller.cwd,
        cwd,
        ..caller.clone()
    }
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
        let of_system = |folder: &str| is_system_folder(Path::new(folder));
        for folder in ["/", "/etc", "/etc/ssl", "/proc/self/cwd", "/sys", "/dev/fd"] {
            assert!(of_system(folder), "{folder}");
        }
        assert!(!of_system("/srv") && !of_system("/etcetera"));
    }
}
