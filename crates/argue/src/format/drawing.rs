use crate::{ArgId, Polarity};

/// What is drawn: arguments with their texts, joined by labelled edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// One for each argument, in order.
    pub nodes: Vec<DrawnNode>,
    /// The edges, in the order they are written.
    pub edges: Vec<DrawnEdge>,
}

/// One argument of a [`Drawing`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnNode {
    /// Its short name.
    pub name: String,
    /// What stands in its box; any text at all.
    pub text: String,
}

/// One edge of a [`Drawing`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnEdge {
    /// Where it starts.
    pub from: ArgId,
    /// Where it points.
    pub to: ArgId,
    /// Whether it attacks or supports.
    pub polarity: Polarity,
    /// What stands beside it; may be empty.
    pub label: String,
}
