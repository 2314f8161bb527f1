//! Variables by which a program recognises the host that started it.

use super::{HOSTS, Host};

/// A variable that a host sets for the programs it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostSign {
    /// The variable.
    pub variable: &'static str,
    /// The variable with the id of the session, if there is one.
    pub session_variable: Option<&'static str>,
    /// Priority among all hosts: if several are set, the lowest rank wins. A host inherits the
    /// variables of the host that started it, and the variables do not show which host is the inner
    /// one.
    pub(super) rank: u8,
}

/// Returns the signs of all hosts, by rank.
pub fn host_signs() -> Vec<(&'static Host, HostSign)> {
    let of_host = |host: &'static Host| host.signs.iter().map(move |sign| (host, *sign));
    let mut all: Vec<_> = HOSTS.iter().flat_map(of_host).collect();
    all.sort_by_key(|(_, sign)| sign.rank);
    all
}
