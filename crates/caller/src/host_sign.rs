//! By which variables an AI tool tells what it starts that it is there.

use std::path::PathBuf;

use agon_hosts::host::{HOSTS, Host, HostSign, host_signs};

use crate::Caller;

/// The signs that are there, each with its tool.
pub fn signs_of(caller: &Caller) -> impl Iterator<Item = (&'static Host, HostSign)> {
    let all = host_signs().into_iter();
    all.filter(|(_, sign)| value(caller, sign.variable).is_some())
}

/// The id of the session that `sign` stands for.
pub fn session_of(caller: &Caller, sign: &HostSign) -> Option<String> {
    value(caller, sign.session_variable?).map(str::to_owned)
}

/// The id of the session that asks, by the first sign that has one.
pub fn asking_session(caller: &Caller) -> Option<String> {
    let signs = host_signs();
    signs.iter().find_map(|(_, sign)| session_of(caller, sign))
}

/// The folders in a project in which AI tools keep their state.
pub fn state_folders() -> impl Iterator<Item = &'static str> {
    HOSTS.iter().filter_map(|host| host.state_folder)
}

/// The variables by which hosts tell a server the folder of the project.
pub fn project_variables() -> impl Iterator<Item = &'static str> {
    HOSTS.iter().filter_map(|host| host.project_variable)
}

/// What a variable has, unless that is nothing.
fn value<'c>(caller: &'c Caller, name: &str) -> Option<&'c str> {
    let value = caller.vars.get(name).map(String::as_str);
    value.filter(|it| !it.is_empty())
}

/// The folder of debates in the folder in which a host keeps its state.
pub const STATE_FOLDER: &str = "debate";

/// Whether an AI host asks.
pub fn is_in_host(caller: &Caller) -> bool {
    let has_state_dir = caller
        .vars
        .get("AI_STATE_DIR")
        .is_some_and(|value| !value.is_empty());
    caller.is_hosted || has_state_dir || signs_of(caller).next().is_some()
}

/// The folder that the user's environment names.
pub fn state_folder_of_user(caller: &Caller) -> Option<PathBuf> {
    let named = caller.vars.get("AI_STATE_DIR");
    let named = named.filter(|dir| !dir.is_empty())?;
    Some(caller.cwd.join(named))
}

/// The folder in the project in which the host that asks keeps its state.
pub fn state_folder_in_project(caller: &Caller) -> Option<&'static str> {
    signs_of(caller).find_map(|(host, _)| host.state_folder)
}
