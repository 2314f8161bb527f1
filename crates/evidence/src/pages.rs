//! Pages that a debate cites.

use std::fmt;

#[cfg(feature = "web")]
mod web;

#[cfg(feature = "web")]
pub use web::{Net, SystemNet, Web};

/// What came of asking for a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// Its text, without markup.
    Text(String),
    /// There is no such page: the server says so.
    Absent,
    /// It could not be read; why, as a fragment for people.
    Unreachable(String),
}

/// Asks for pages.
pub trait Pages: fmt::Debug + Send + Sync {
    /// What stands at this address now. Blocks, for a bounded time.
    fn fetch(&self, url: &str) -> Page;
}
