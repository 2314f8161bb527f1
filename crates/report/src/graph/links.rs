//! Prepares edges for the layout.

use std::collections::BTreeMap;

use super::picture_text::sanitise_to_width;
use super::{Drawing, Polarity};

/// One line of the picture: all edges of one kind between two nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) polarity: Polarity,
    /// The distinct labels of its edges; may be empty.
    pub(super) label: String,
}

/// Merges edges with the same ends and polarity into one link, in the order of their first edges.
///
/// Edges without a node at both ends are left out.
pub(super) fn merge_parallel_edges(drawing: &Drawing) -> Vec<Link> {
    let n = drawing.nodes.len();
    let mut places = BTreeMap::new();
    let mut links: Vec<(Link, Vec<String>)> = Vec::new();
    for edge in &drawing.edges {
        if edge.from >= n || edge.to >= n {
            continue;
        }
        let place = *places
            .entry((edge.from, edge.to, edge.polarity))
            .or_insert_with(|| {
                links.push((
                    Link {
                        from: edge.from,
                        to: edge.to,
                        polarity: edge.polarity,
                        label: String::new(),
                    },
                    Vec::new(),
                ));
                links.len() - 1
            });
        let label = sanitise_to_width(&edge.label, 28);
        let known = &mut links[place].1;
        // More than eight labels would be cut when drawn.
        if !label.is_empty() && known.len() < 8 && !known.contains(&label) {
            known.push(label);
        }
    }
    links
        .into_iter()
        .map(|(link, labels)| Link {
            label: crate::text::truncate_to_width(&labels.join(", "), 34),
            ..link
        })
        .collect()
}
