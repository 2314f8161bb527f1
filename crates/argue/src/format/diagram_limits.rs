//! Limits a Mermaid diagram to the size that viewers can draw.
//!
//! Viewers draw nothing if a diagram exceeds their limits, and a file cannot raise these. Mermaid's
//! defaults, which code hosts use, are `maxEdges` 500 and `maxTextSize` 50,000.

/// Maximum number of edges of a diagram: one below Mermaid's limit.
pub const MAX_EDGES: usize = 499;
/// Maximum size of a diagram in UTF-16 units, which Mermaid counts.
pub const MAX_TEXT: usize = 50_000;

// The length of `n0["a"]` with its indentation.
/// Minimum number of characters for a node.
const MIN_NODE_TEXT: usize = 12;

/// Draws as many of `len` nodes as fit into a diagram, starting with those that have the most
/// `edges`.
///
/// `draw` receives the visible nodes, as a slice of length `len`, and the numbers of omitted nodes
/// and edges. It draws the edges between visible nodes.
pub fn draw_bounded(
    len: usize,
    edges: &[(usize, usize)],
    draw: impl Fn(&[bool], LeftOut) -> String,
) -> String {
    let mut degree = vec![0_usize; len];
    for &(from, to) in edges {
        degree[from] += 1;
        degree[to] += 1;
    }
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(degree[at]), at));
    let attempt = |count: usize| {
        let mut shown = vec![false; len];
        for &at in &order[..count] {
            shown[at] = true;
        }
        let drawn = edges.iter().filter(|&&(from, to)| shown[from] && shown[to]);
        let drawn = drawn.count();
        let left_out = LeftOut {
            nodes: len - count,
            edges: edges.len() - drawn,
        };
        (drawn <= MAX_EDGES).then(|| draw(&shown, left_out))
    };
    let fits = |text: &String| text.encode_utf16().count() <= MAX_TEXT;
    let bounded = |count| attempt(count).filter(fits);
    let most = len.min(MAX_TEXT / MIN_NODE_TEXT);
    if let Some(whole) = bounded(most) {
        return whole;
    }
    // More nodes need more edges and characters, so a binary search finds the largest number that
    // fits.
    let (mut low, mut high, mut best) = (0, most, None);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match bounded(middle) {
            Some(text) => (low, best) = (middle, Some(text)),
            None => high = middle,
        }
    }
    let nothing = LeftOut {
        nodes: len,
        edges: edges.len(),
    };
    best.unwrap_or_else(|| draw(&vec![false; len], nothing))
}

/// How much of a graph a diagram omits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Number of omitted nodes.
    pub nodes: usize,
    /// Number of omitted edges.
    pub edges: usize,
}

impl LeftOut {
    /// The note in the diagram; `None` if nothing is omitted.
    pub fn sentence(self) -> Option<String> {
        let Self { nodes, edges } = self;
        (nodes > 0).then(|| {
            let count = |count: usize, one: &str| match count {
                1 => format!("1 {one}"),
                count => format!("{count} {one}s"),
            };
            let (nodes, edges) = (count(nodes, "node"), count(edges, "edge"));
            format!(
                "{nodes} and {edges} left out, fewest edges first: Mermaid draws \
                 at most {MAX_EDGES} edges and {MAX_TEXT} characters"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_node_and_one_edge_are_in_the_singular() {
        let said = |nodes, edges| LeftOut { nodes, edges }.sentence().unwrap_or_default();
        assert!(said(1, 1).starts_with("1 node and 1 edge left out"));
        assert!(said(2, 0).starts_with("2 nodes and 0 edges left out"));
        assert_eq!(said(0, 0), "");
    }
}
