//! The web pages that a debate cites.

use std::fmt;

#[cfg(feature = "web")]
mod web;

#[cfg(feature = "web")]
pub use web::{Net, SystemNet, Web};

/// The result of fetching a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// The text of the page, without markup.
    Text(String),
    /// The server says that the page does not exist.
    Absent,
    /// The page could not be read; contains the reason, as a sentence fragment.
    Unreachable(String),
}

/// Fetches pages.
pub trait Pages: fmt::Debug + Send + Sync {
    /// Fetches the current content at this URL. Blocks for a limited time.
    fn fetch(&self, url: &str) -> Page;
}
