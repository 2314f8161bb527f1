//! Draws argument graphs as Mermaid, Graphviz, SVG and PNG.
//!
//! A [`Drawing`] is independent of the debate's format: it can show any arguments that attack and
//! support each other. Everything here is a pure function. The same drawing renders to the same
//! bytes, without a browser, a network or a system font.
//!
//! Ids, titles and labels are data. They may be cut and never become markup.
//!
//! PNG pictures need the feature `png`. Their font covers Latin (with Vietnamese), Greek (with
//! polytonic), Cyrillic, punctuation, arrows and common symbols. Other characters show as an empty
//! box. SVG and Mermaid use the viewer's fonts.

mod dot;
mod explained;
mod explored;
mod font;
mod frame;
mod labels;
mod layout;
mod links;
mod marks;
mod mermaid;
mod net;
mod order;
#[cfg(feature = "png")]
mod outline;
mod paint;
mod palette;
mod picture_text;
mod place;
#[cfg(feature = "png")]
mod png;
mod rank;
mod scene;
mod svg;
#[cfg(test)]
mod tests;

pub use dot::dot;
pub(crate) use explained::word_explanations;
pub(crate) use explored::explorable_svg;
pub use mermaid::mermaid;
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use svg::svg;

/// An argument graph to draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The title; may be empty.
    pub title: String,
    /// The result, below the title; may be empty.
    pub subtitle: String,
    /// Whether rounds are called exchanges.
    pub has_exchanges: bool,
    /// The arguments, in the order in which they were made.
    pub nodes: Vec<DrawnNode>,
    /// Their relations; edges whose ends are not nodes are left out.
    pub edges: Vec<DrawnEdge>,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnNode {
    /// The id, such as `pro_001a`.
    pub id: String,
    /// The title, on one line.
    pub title: String,
    /// A short remark, such as a score.
    pub note: Option<String>,
    /// The side that made it.
    pub side: DrawnSide,
    /// The round of the argument; later rounds are drawn further down.
    pub round: Option<u16>,
}

/// The side of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DrawnSide {
    /// For the proposition: green.
    For,
    /// Against the proposition: red.
    Against,
    /// Neither side.
    Neither,
}

/// A relation of one argument to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnEdge {
    /// The index in [`Drawing::nodes`] of the argument where the edge starts.
    pub from: usize,
    /// The index of the argument where the edge ends.
    pub to: usize,
    /// The kind of relation.
    pub polarity: Polarity,
    /// A word beside the edge, such as `warrant`; may be empty.
    pub label: String,
}

/// The kind of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Polarity {
    /// An attack.
    Attack,
    /// A defense or support.
    Support,
    /// A concession; drawn dotted.
    Concession,
}
