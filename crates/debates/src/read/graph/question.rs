//! A question about a graph.

use agon_argue::ArgId;

use super::source::GraphSource;
use crate::request::GraphRequest;

/// A question about a graph, with the graph before and after striking nodes.
pub(crate) struct Question<'a> {
    /// The question.
    pub(crate) request: &'a GraphRequest,
    /// The whole graph.
    pub(crate) whole: &'a GraphSource,
    /// The graph without the struck nodes; the whole graph if none is struck.
    pub(crate) left: &'a GraphSource,
    /// The struck nodes, in order.
    pub(crate) struck: &'a [ArgId],
}
