//! Which hosts are meant, and where their files are.

use std::path::PathBuf;

use agon_caller::environments::host_variables;
use agon_caller::{Caller, Code, Failure, similar};
use agon_hosts::ask::Asking;
use agon_hosts::host::{HOSTS, Host, HostEnv, Scope, find_host};
use agon_hosts::install::Installation;
use agon_proc::find_program;
use tokio_util::sync::CancellationToken;

/// A host that something can be done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostChoice {
    /// Its name, as it is typed.
    pub name: &'static str,
    /// Its name, as its maker writes it.
    pub title: &'static str,
}

/// The hosts whose programs are here.
pub fn find_hosts(caller: &Caller) -> Vec<HostChoice> {
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

/// How `host` is asked for `caller`.
pub(super) fn asking(caller: &Caller, host: &Host, cancel: CancellationToken) -> Asking {
    Asking {
        vars: host_variables(caller, host.name),
        cwd: caller.cwd.clone(),
        cancel,
    }
}

/// The names of all hosts.
pub fn host_names() -> Vec<&'static str> {
    HOSTS.iter().map(|host| host.name).collect()
}

/// The host of this name.
///
/// # Errors
///
/// If there is none; the hint names those that are known.
pub fn host_called(name: &str) -> Result<&'static Host, Failure> {
    find_host(name).ok_or_else(|| {
        let names = host_names();
        let all = format!("known are {}", names.join(", "));
        let message = format!("no AI tool is called `{name}`");
        Failure::new(Code::UnknownHost, message)
            .parameter("host")
            .hint(similar::hint(name, names.iter().copied(), &all))
    })
}

/// The caller's home.
///
/// # Errors
///
/// If there is none.
pub(super) fn home(caller: &Caller) -> Result<PathBuf, Failure> {
    let home = caller.vars.get("HOME").map(PathBuf::from);
    // A relative one, or an empty one, would be the current folder.
    home.filter(|home| home.is_absolute()).ok_or_else(no_home)
}

fn no_home() -> Failure {
    Failure::new(Code::NoHome, "there is no home folder")
        .hint("set HOME to the folder that the tool keeps its files in")
}

/// Where the files of `host` are, for its user or for the caller's project.
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

/// The command line of the server: `agon` where that is this program, so that a later version of it
/// is taken; else this program's file.
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
