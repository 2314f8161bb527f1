//! How a host is asked what it has.

use std::path::{Path, PathBuf};

/// How a host is asked what it has of Agon.
#[derive(Clone, Copy, Debug)]
pub struct Asks {
    /// The arguments that list servers.
    pub server_args: &'static [&'static str],
    /// What that list says of Agon's server.
    pub read_server: fn(&str) -> ServerState,
    /// The arguments that list skills, where the host has a list outside a session.
    pub skill_args: Option<&'static [&'static str]>,
    /// Whether a skill of this name is in that list.
    pub lists_skill: fn(&str, &str) -> bool,
    /// What such lists leave behind, where they do.
    pub leavings: Option<Leavings>,
}

/// The files that lists of a host leave below its home, as empty sessions.
#[derive(Clone, Copy, Debug)]
pub struct Leavings {
    /// The variable that stands for the home.
    pub home_variable: &'static str,
    /// The files there.
    pub files: fn(&Path) -> Vec<PathBuf>,
}

/// What a host says of Agon's server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerState {
    /// It started it and spoke with it.
    Connected,
    /// It lists it, and starts none to make a list.
    Listed,
    /// It knows it and does not use it, in its own words.
    Off(String),
    /// It does not know it.
    Missing,
}

/// The state of a server whose line begins with its name and a colon.
pub(super) fn state_by_line(list: &str) -> ServerState {
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
