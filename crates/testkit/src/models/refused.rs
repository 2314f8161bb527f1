//! An address without a server.

use std::net::{Ipv4Addr, TcpListener};

/// A loopback address that refuses connections: its port was bound, then closed.
///
/// # Panics
///
/// If no port can be opened on the loopback address.
pub fn refused_url() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}
