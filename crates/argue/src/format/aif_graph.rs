//! Converts between AIF files and argument graphs.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::GraphWithNames;
use super::aif::{Aif, AifEdge, AifKind, AifNode};
use crate::{ArgId, Edge, GraphError, Polarity, Qbaf};

/// The key of a statement's base weight, and of the edge weight of a scheme.
const WEIGHT: &str = "x-weight";

// 100 MB at 24 bytes per edge. A scheme with many ends represents their product, so a short file
// could otherwise exhaust the memory.
/// Maximum number of edges that schemes with many ends may represent.
const MAX_EDGES: usize = 1 << 22;

impl Aif {
    /// Returns the argument graph of the file; the names are the ids of the nodes.
    ///
    /// A statement's base weight is the number at its key `x-weight`, or 0.5. The same key of a
    /// scheme is the weight of the edges it represents. A scheme that another scheme points at
    /// becomes an argument between those it connects, so that an undercut can attack it. Nodes of
    /// other types are omitted.
    ///
    /// # Errors
    ///
    /// If a weight is not a number from 0 to 1, or the graph is too large.
    pub fn to_graph(&self) -> Result<GraphWithNames<Qbaf>, GraphError> {
        let schemes = Schemes::from_file(self);
        let mut ids: HashMap<&str, ArgId> = HashMap::new();
        let mut names = Vec::new();
        let mut base = Vec::new();
        for node in &self.nodes {
            if node.kind == AifKind::Information || schemes.attacked.contains(node.id.as_str()) {
                ids.insert(&node.id, ArgId::from_index(names.len()));
                names.push(node.id.clone());
                let own = node.kind == AifKind::Information;
                base.push(if own { node_weight(node, 0.5) } else { 0.5 });
            }
        }
        let mut edges = Vec::new();
        for node in &self.nodes {
            let Some(polarity) = scheme_polarity(&node.kind) else {
                continue;
            };
            let ends = |of: &HashMap<&str, Vec<&str>>| -> Vec<ArgId> {
                let all = of.get(node.id.as_str()).into_iter().flatten();
                all.filter_map(|id| ids.get(id).copied()).collect()
            };
            let (sources, targets) = (ends(&schemes.sources), ends(&schemes.targets));
            let joined = |from, to, polarity| Edge {
                from,
                to,
                polarity,
                weight: node_weight(node, 1.0),
            };
            if let Some(&itself) = ids.get(node.id.as_str()) {
                let into = sources.iter().map(|&from| Edge::support(from, itself));
                edges.extend(into);
                edges.extend(targets.iter().map(|&to| joined(itself, to, polarity)));
                continue;
            }
            if sources.len().saturating_mul(targets.len()) > MAX_EDGES - edges.len().min(MAX_EDGES)
            {
                return Err(GraphError::TooLarge);
            }
            for &from in &sources {
                edges.extend(targets.iter().map(|&to| joined(from, to, polarity)));
            }
        }
        let graph = Qbaf::new(base, &edges)?;
        Ok(GraphWithNames { graph, names })
    }

    /// Creates statements and schemes from a graph; each statement's text is its name.
    pub fn from_graph(named: &GraphWithNames<Qbaf>) -> Self {
        let taken: HashSet<&str> = named.names.iter().map(String::as_str).collect();
        let mut prefix = String::from("s");
        while taken.iter().any(|name| name.starts_with(&prefix)) {
            prefix.push('_');
        }
        let name = |a: ArgId| named.names.get(a.index()).cloned().unwrap_or_default();
        let mut aif = Self::default();
        for (a, base) in named.graph.base_weights().iter().enumerate() {
            let id = name(ArgId::from_index(a));
            aif.nodes.push(AifNode {
                text: id.clone(),
                id,
                kind: AifKind::Information,
                extra: extra_with_weight(*base),
            });
        }
        for (at, edge) in named.graph.edges().enumerate() {
            let id = format!("{prefix}{}", at + 1);
            let (text, kind) = match edge.polarity {
                Polarity::Attack => ("Default Conflict", AifKind::Conflict),
                Polarity::Support => ("Default Inference", AifKind::Inference),
            };
            for (from, to) in [(name(edge.from), id.clone()), (id.clone(), name(edge.to))] {
                aif.edges.push(AifEdge {
                    id: (aif.edges.len() + 1).to_string(),
                    from,
                    to,
                    extra: Map::new(),
                });
            }
            aif.nodes.push(AifNode {
                id,
                text: text.to_owned(),
                kind,
                extra: if edge.weight == 1.0 {
                    Map::new()
                } else {
                    extra_with_weight(edge.weight)
                },
            });
        }
        aif
    }
}

/// The nodes that lead to each scheme, and the nodes that it leads to.
struct Schemes<'f> {
    sources: HashMap<&'f str, Vec<&'f str>>,
    targets: HashMap<&'f str, Vec<&'f str>>,
    /// Schemes that another scheme points at.
    attacked: HashSet<&'f str>,
}

impl<'f> Schemes<'f> {
    fn from_file(aif: &'f Aif) -> Self {
        let schemes = aif
            .nodes
            .iter()
            .filter(|it| scheme_polarity(&it.kind).is_some());
        let schemes: HashSet<&str> = schemes.map(|it| it.id.as_str()).collect();
        let mut found = Self {
            sources: HashMap::new(),
            targets: HashMap::new(),
            attacked: HashSet::new(),
        };
        for edge in &aif.edges {
            let (from, to) = (edge.from.as_str(), edge.to.as_str());
            if schemes.contains(to) {
                found.sources.entry(to).or_default().push(from);
                if schemes.contains(from) {
                    found.attacked.insert(to);
                }
            }
            if schemes.contains(from) {
                found.targets.entry(from).or_default().push(to);
            }
        }
        found
    }
}

fn scheme_polarity(kind: &AifKind) -> Option<Polarity> {
    match kind {
        AifKind::Inference => Some(Polarity::Support),
        AifKind::Conflict => Some(Polarity::Attack),
        AifKind::Information | AifKind::Other(_) => None,
    }
}

fn node_weight(node: &AifNode, missing: f64) -> f64 {
    node.extra
        .get(WEIGHT)
        .map_or(missing, |it| it.as_f64().unwrap_or(f64::NAN))
}

fn extra_with_weight(weight: f64) -> Map<String, Value> {
    let mut extra = Map::new();
    extra.insert(WEIGHT.to_owned(), Value::from(weight));
    extra
}
