//! An argument graph as a picture: Mermaid, Graphviz, SVG and PNG.
//!
//! A [`Drawing`] knows no format of debate; whatever has arguments that attack
//! and support each other can be one. Everything here is a pure function of it:
//! the same drawing gives the same bytes, without a browser, a network or a font
//! of the system.
//!
//! Ids, titles and labels are data. They are cut, and never become markup.
//!
//! PNG pictures need the feature `png`. They have the letters of Latin, Greek and Cyrillic (Vietnamese and
//! polytonic Greek too), punctuation, arrows and common signs. Others show as
//! the empty box of the font; SVG and Mermaid leave letters to the viewer.

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
mod place;
#[cfg(feature = "png")]
mod png;
mod rank;
mod scene;
mod svg;
#[cfg(test)]
mod tests;
mod words;

pub use dot::dot;
pub(crate) use explained::explained_words_of;
pub(crate) use explored::explorable_svg;
pub use mermaid::mermaid;
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use svg::svg;

/// An argument graph that can be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// What the picture is called; may be empty.
    pub title: String,
    /// What it came to, below the title; may be empty.
    pub subtitle: String,
    /// Whether its rounds are called exchanges.
    pub has_exchanges: bool,
    /// The arguments, in the order in which they were made.
    pub nodes: Vec<DrawnNode>,
    /// What they say of each other; an edge whose ends are no nodes is left out.
    pub edges: Vec<DrawnEdge>,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnNode {
    /// The name that people know it by, such as `pro_001a`.
    pub id: String,
    /// What it says, in a line.
    pub title: String,
    /// A short remark, such as a score.
    pub note: Option<String>,
    /// Whose argument it is.
    pub side: DrawnSide,
    /// The round in which it was made; later rounds are drawn further down.
    pub round: Option<u16>,
}

/// Which side an argument speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DrawnSide {
    /// For the proposition; drawn green.
    For,
    /// Against it; drawn red.
    Against,
    /// For no side.
    Neither,
}

/// What one argument says of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnEdge {
    /// The place in [`Drawing::nodes`] of the argument that speaks.
    pub from: usize,
    /// The place of the argument spoken of.
    pub to: usize,
    /// How it speaks of it.
    pub polarity: Polarity,
    /// A word for the edge, such as `warrant`; may be empty.
    pub label: String,
}

/// How an argument speaks of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Polarity {
    /// It speaks against it.
    Attack,
    /// It defends or strengthens it.
    Support,
    /// It gives way and moves on; drawn dotted.
    Concession,
}
