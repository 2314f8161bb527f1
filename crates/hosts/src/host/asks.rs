//! Commands that query a host for its own lists of servers and skills.

use std::path::{Path, PathBuf};

/// How to query a host for Agon's server and skills.
#[derive(Clone, Copy, Debug)]
pub struct Asks {
    /// Arguments that list servers.
    pub server_args: &'static [&'static str],
    /// Reads the state of Agon's server from that list.
    pub read_server: fn(&str) -> ServerState,
    /// Arguments that list skills, if the host can do so outside a session.
    pub skill_args: Option<&'static [&'static str]>,
    /// Returns whether a skill of this name is in that list.
    pub lists_skill: fn(&str, &str) -> bool,
    /// Files that the queries leave behind, if any.
    pub leftover_files: Option<LeftoverFiles>,
}

/// Files that queries leave below the host's home, such as empty sessions.
#[derive(Clone, Copy, Debug)]
pub struct LeftoverFiles {
    /// Variable that overrides the home.
    pub home_variable: &'static str,
    /// Returns the files there.
    pub files: fn(&Path) -> Vec<PathBuf>,
}

/// State of Agon's server in a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerState {
    /// The host connected to it.
    Connected,
    /// The host lists it without starting it.
    Listed,
    /// The host knows it but does not use it, for this reason in the host's words.
    Off(String),
    /// The host does not know it.
    Missing,
}

/// Reads the state from a list whose lines begin with the server's name and a colon.
pub(super) fn state_from_line(list: &str) -> ServerState {
    let line = list.lines().find_map(|line| {
        let line = line.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
        line.strip_prefix("agon: ")
    });
    match line {
        None => ServerState::Missing,
        Some(line) if line.ends_with("Connected") => ServerState::Connected,
        Some(line) => ServerState::Off(line.trim().to_owned()),
    }
}
