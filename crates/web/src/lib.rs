//! Agon in a browser: a server on this computer that shows, starts and steers debates.
//!
//! [`Server`] listens on the loopback interface unless the user names another address. Each page is
//! complete without scripts, and each request becomes a request to a use case. This crate contains
//! no rules of debates. A debate that is started from a page runs in its own process and outlives
//! the server.
//!
//! `gate` decides who may ask for anything: a client that knows the key in the address that
//! the server prints, from a page of this server.

mod api;
mod collected;
mod endpoint;
mod feed;
mod fields;
mod find;
mod form;
mod frame;
mod gate;
mod key;
mod loaded;
mod newcomers;
mod notices;
mod page;
mod private;
mod reply;
mod router;
mod sent;
mod server;
mod site;
mod stalled;
mod start;
mod steering;
mod thread;
mod work;

pub use endpoint::PublicOrigin;
pub use server::{Server, WebOptions};

#[cfg(test)]
mod tests;
