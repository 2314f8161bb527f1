//! The variables that AI tools set in the processes they start.

use std::path::PathBuf;

use agon_hosts::host::{HOSTS, Host, HostSign, host_signs};

use crate::Caller;

/// Returns the signs in the caller's environment, each with its tool.
pub fn signs_of(caller: &Caller) -> impl Iterator<Item = (&'static Host, HostSign)> {
    let all = host_signs().into_iter();
    all.filter(|(_, sign)| value(caller, sign.variable).is_some())
}

/// Returns the id of the session that `sign` belongs to.
pub fn session_of(caller: &Caller, sign: &HostSign) -> Option<String> {
    value(caller, sign.session_variable?).map(str::to_owned)
}

/// Returns the id of the calling session, from the first sign with one.
pub fn calling_session_id(caller: &Caller) -> Option<String> {
    let signs = host_signs();
    signs.iter().find_map(|(_, sign)| session_of(caller, sign))
}

/// Returns the folders in a project where AI tools store their state.
pub fn state_folders() -> impl Iterator<Item = &'static str> {
    HOSTS.iter().filter_map(|host| host.state_folder)
}

/// Returns the variables in which hosts pass the project folder to a server.
pub fn project_variables() -> impl Iterator<Item = &'static str> {
    HOSTS.iter().filter_map(|host| host.project_variable)
}

/// Returns the value of a variable, unless it is empty.
fn value<'c>(caller: &'c Caller, name: &str) -> Option<&'c str> {
    let value = caller.vars.get(name).map(String::as_str);
    value.filter(|it| !it.is_empty())
}

/// The folder of debates inside a host's state folder.
pub const STATE_FOLDER: &str = "debate";

/// Returns whether the caller is an AI host.
pub fn is_in_host(caller: &Caller) -> bool {
    let has_state_dir = caller
        .vars
        .get("AI_STATE_DIR")
        .is_some_and(|value| !value.is_empty());
    caller.is_hosted || has_state_dir || signs_of(caller).next().is_some()
}

/// Returns the state folder that the environment names.
pub fn state_folder_of_user(caller: &Caller) -> Option<PathBuf> {
    let named = caller.vars.get("AI_STATE_DIR");
    let named = named.filter(|dir| !dir.is_empty())?;
    Some(caller.cwd.join(named))
}

/// Returns the folder in the project where the calling host stores its state.
pub fn state_folder_in_project(caller: &Caller) -> Option<&'static str> {
    signs_of(caller).find_map(|(host, _)| host.state_folder)
}
