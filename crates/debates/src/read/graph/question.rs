//! A graph, whole and with some nodes struck, and what is asked of it.

use agon_argue::ArgId;

use super::source::GraphSource;
use crate::request::GraphRequest;

/// A graph, whole and with some nodes struck, and what is asked of it.
pub(crate) struct Question<'a> {
    /// What is asked.
    pub(crate) request: &'a GraphRequest,
    /// All of it.
    pub(crate) whole: &'a GraphSource,
    /// What is left; the same when nothing is struck.
    pub(crate) left: &'a GraphSource,
    /// The nodes that are struck, in order.
    pub(crate) struck: &'a [ArgId],
}
