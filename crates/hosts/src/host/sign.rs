//! How a host is known from what it starts, and from a list of processes.

use super::{HOSTS, Host};

/// A variable that a host sets for what it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostSign {
    /// The variable.
    pub variable: &'static str,
    /// The one that has the id of the session, where there is one.
    pub session_variable: Option<&'static str>,
    /// Its place among those of all hosts: of two that are set, the lower counts. A host that another
    /// one started inherits the variables of that, and which is the inner one cannot be told.
    pub(super) rank: u8,
}

/// Every sign of every host, by rank.
pub fn host_signs() -> Vec<(&'static Host, HostSign)> {
    let of_host = |host: &'static Host| host.signs.iter().map(move |sign| (host, *sign));
    let mut all: Vec<_> = HOSTS.iter().flat_map(of_host).collect();
    all.sort_by_key(|(_, sign)| sign.rank);
    all
}
