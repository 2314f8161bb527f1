//! Finds hosts and the paths of their files.

use std::path::PathBuf;

use agon_caller::environments::host_variables;
use agon_caller::{Caller, Code, Failure, similar};
use agon_hosts::ask::Asking;
use agon_hosts::host::{HOSTS, Host, HostEnv, Scope, find_host};
use agon_hosts::install::Installation;
use agon_proc::find_program;
use tokio_util::sync::CancellationToken;

/// A host that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostChoice {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name as its vendor writes it.
    pub title: &'static str,
}

/// Returns the hosts whose programs are installed.
pub fn installed_hosts(caller: &Caller) -> Vec<HostChoice> {
    let path = caller.vars_os.get(std::ffi::OsStr::new("PATH"));
    let path = path.map(std::ffi::OsString::as_os_str).unwrap_or_default();
    let here = HOSTS
        .iter()
        .filter(|host| find_program(host.program, path).is_some());
    here.map(|host| HostChoice {
        name: host.name,
        title: host.title,
    })
    .collect()
}

/// Returns the environment for queries to `host` on behalf of `caller`.
pub(super) fn asking_environment(
    caller: &Caller,
    host: &Host,
    cancel: CancellationToken,
) -> Asking {
    Asking {
        vars: host_variables(caller, host.name),
        cwd: caller.cwd.clone(),
        cancel,
    }
}

/// Returns the names of all hosts.
pub fn host_names() -> Vec<&'static str> {
    HOSTS.iter().map(|host| host.name).collect()
}

/// Returns the host of this name.
///
/// # Errors
///
/// If there is none; the hint lists the known ones.
pub fn require_host(name: &str) -> Result<&'static Host, Failure> {
    find_host(name).ok_or_else(|| {
        let names = host_names();
        let all = format!("use one of {}", names.join(", "));
        let message = format!("unknown AI tool `{name}`");
        Failure::new(Code::UnknownHost, message)
            .parameter("host")
            .hint(similar::hint(name, names.iter().copied(), &all))
    })
}

/// Returns the caller's home folder.
///
/// # Errors
///
/// If there is none.
pub(super) fn home(caller: &Caller) -> Result<PathBuf, Failure> {
    let home = caller.vars.get("HOME").map(PathBuf::from);
    // Only an absolute path, because a relative or empty one would mean the current folder.
    home.filter(|home| home.is_absolute()).ok_or_else(no_home)
}

fn no_home() -> Failure {
    Failure::new(Code::NoHome, "HOME is not set to an absolute path")
        .hint("set HOME to the folder in which the tool keeps its files")
}

/// Returns the paths of `host` for the user or for the caller's project.
///
/// # Errors
///
/// If the caller has no home.
pub fn installation(
    caller: &Caller,
    host: &'static Host,
    is_for_project: bool,
) -> Result<Installation, Failure> {
    let env = HostEnv {
        home: home(caller)?,
        vars: caller.vars.clone(),
    };
    let receipts = caller.data_dir().ok_or_else(no_home)?.join("hosts");
    let scope = match is_for_project {
        true => Scope::Project(caller.project()),
        false => Scope::User,
    };
    Ok(Installation::new(host, scope, &env, &receipts))
}

/// Returns the command line of the server: `agon` if that is this program, so that updates take effect,
/// else the path of this program.
pub(super) fn server_command(caller: &Caller) -> Vec<String> {
    let on_path = caller
        .vars_os
        .get(std::ffi::OsStr::new("PATH"))
        .and_then(|path| find_program("agon", path))
        .and_then(|path| path.canonicalize().ok());
    let own = caller.program.as_ref();
    let own_file = own.and_then(|path| path.canonicalize().ok());
    let program = match own {
        Some(own) if on_path.is_none() || on_path != own_file => own.display().to_string(),
        Some(_) | None => "agon".to_owned(),
    };
    vec![program, "mcp".to_owned()]
}
