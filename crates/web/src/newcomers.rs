//! Counts the connections that have not shown a key yet.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of connections of one computer that have not shown a key. Browsers open six.
const MAX_NEWCOMERS: usize = 32;

/// The connections without a key so far, by the computer that they come from.
#[derive(Debug, Default)]
pub(crate) struct Newcomers(Mutex<BTreeMap<IpAddr, usize>>);

/// A connection that counts until it has shown a key, or ends.
#[derive(Debug)]
pub(crate) struct Newcomer {
    /// The computer; `None` if it does not count.
    peer: Option<IpAddr>,
    counts: AtomicBool,
    all: Arc<Newcomers>,
}

impl Newcomers {
    /// Admits a connection; `None` if its computer has too many without a key.
    pub(crate) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Arc<Newcomer>> {
        // All users of a proxy on this computer come from the same address.
        let peer = Some(computer(peer)).filter(|peer| !peer.is_loopback());
        if let Some(peer) = peer {
            let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let count = counts.entry(peer).or_default();
            if *count >= MAX_NEWCOMERS {
                return None;
            }
            *count += 1;
        }
        Some(Arc::new(Newcomer {
            peer,
            counts: AtomicBool::new(true),
            all: Arc::clone(self),
        }))
    }
}

impl Newcomer {
    /// Says that the connection has shown a key.
    pub(crate) fn prove(&self) {
        if !self.counts.swap(false, Ordering::Relaxed) {
            return;
        }
        let Some(peer) = self.peer else { return };
        let counts = self.all.0.lock();
        let mut counts = counts.unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&peer) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&peer);
            }
        }
    }
}

impl Drop for Newcomer {
    fn drop(&mut self) {
        self.prove();
    }
}

/// Returns what is the same for all addresses of a computer: with IPv6, it has a whole network of
/// 64 bits.
fn computer(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(peer) if !peer.is_loopback() => {
            let network = u128::from(peer) & (u128::MAX << 64);
            Ipv6Addr::from(network).into()
        }
        peer => peer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computer_has_few_connections_until_it_shows_a_key() {
        let all = Arc::new(Newcomers::default());
        let admit = |peer: &str| all.admit(peer.parse().unwrap());
        let mut held: Vec<_> = (0..MAX_NEWCOMERS)
            .map(|_| admit("10.0.0.7").unwrap())
            .collect();
        assert!(admit("10.0.0.7").is_none() && admit("::ffff:10.0.0.7").is_none());
        assert!(admit("10.0.0.8").is_some());
        // One that has shown the key no longer counts, also when it ends.
        held[0].prove();
        let more = admit("10.0.0.7").unwrap();
        held.remove(0);
        assert!(admit("10.0.0.7").is_none());
        drop((held, more));
        assert!(all.0.lock().unwrap().is_empty());
    }

    #[test]
    fn a_network_of_addresses_is_one_computer_and_this_one_is_not_limited() {
        let all = Arc::new(Newcomers::default());
        let admit = |peer: String| all.admit(peer.parse().unwrap());
        let many = |prefix: &str| -> Vec<_> {
            let peers = (10..50).map(|nth| admit(format!("{prefix}{nth}")));
            peers.flatten().collect()
        };
        assert_eq!(many("2001:db8::").len(), MAX_NEWCOMERS);
        assert_eq!(many("127.0.0.").len(), 40);
    }
}
