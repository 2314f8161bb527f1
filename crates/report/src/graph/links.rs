//! Edges made fit for a layout.

use std::collections::BTreeMap;

use super::words::sanitise_to_width;
use super::{Drawing, Polarity};

/// One line of the picture: all edges of a kind between two nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) polarity: Polarity,
    /// The labels of its edges, without repeats; may be empty.
    pub(super) label: String,
}

/// Merges the edges that have the same ends and polarity into one link each, in the order of their
/// first edges.
///
/// Edges that name no node are left out.
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
        // The rest would be cut off anyway.
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
