//! Loads a graph from a debate or a file.

use std::io::Read;

use agon_argue::{Af, ArgId, Edge, Polarity, Qbaf};
use agon_caller::{Caller, Code, Failure, Notes, find, similar};
use agon_record::ground::Citations;
use agon_record::state::State;
use agon_record::weights::Weight;
use agon_report::text::plain_line;
use agon_verdict::graph::{self, Base, DebateGraph};

use super::file::{self, FileGraph};
use crate::request::{BaseWeights, GraphRequest};
use crate::status::choose;
use crate::status::choose::LikelyDebate;

/// A graph with named nodes.
pub(crate) struct GraphSource {
    /// The name of the debate or file.
    pub(crate) name: String,
    /// The format, as named in documents.
    pub(crate) format: String,
    /// The names of the nodes, in order.
    pub(crate) names: Vec<String>,
    /// The graph itself.
    pub(crate) graph: Graph,
}

/// The contents of a graph.
pub(crate) enum Graph {
    /// Only attacks.
    Attacks(Af),
    /// Weighted attacks and supports.
    Weighted(Qbaf),
    /// A debate's graph, with the debate.
    Debate(Box<(DebateGraph, State)>),
}

impl GraphSource {
    /// Opens the requested graph; `input` is the content for `-`.
    pub(crate) fn open(
        caller: &Caller,
        request: &GraphRequest,
        input: &mut dyn Read,
        notes: &mut dyn Notes,
    ) -> Result<Self, Failure> {
        let wanted = request.graph.as_deref();
        if let Some(name) = wanted {
            let path = caller.cwd.join(name);
            if name == "-" || path.is_file() || request.from.is_some() {
                return Self::of_file(caller, name, request, input);
            }
            if file::format_by_extension(name).is_some() && !path.exists() {
                let message = format!("there is no file {}", plain_line(name));
                return Err(Failure::new(Code::NoFile, message).parameter("graph"));
            }
        }
        let path = choose::find_or_choose(caller, wanted, LikelyDebate::Latest, notes)?;
        let view = find::read(&path)?;
        find::note_problems(caller, &path, &view, notes);
        let state = view.state;
        let graph = graph::build_graph(&state);
        Ok(Self {
            name: state.spec.slug.clone(),
            format: state.spec.format().to_string(),
            names: graph
                .nodes()
                .iter()
                .map(|node| node.id.to_string())
                .collect(),
            graph: Graph::Debate(Box::new((graph, state))),
        })
    }

    fn of_file(
        caller: &Caller,
        name: &str,
        request: &GraphRequest,
        input: &mut dyn Read,
    ) -> Result<Self, Failure> {
        let file = file::read(caller, name, request.from, input)?;
        Ok(Self {
            name: plain_line(name),
            format: file.format.name().to_owned(),
            names: file.names,
            graph: match file.graph {
                FileGraph::Attacks(af) => Graph::Attacks(af),
                FileGraph::Weighted(qbaf) => Graph::Weighted(qbaf),
            },
        })
    }

    /// Returns the debate's graph.
    pub(crate) fn debate(&self) -> Option<&DebateGraph> {
        match &self.graph {
            Graph::Debate(both) => Some(&both.0),
            Graph::Attacks(_) | Graph::Weighted(_) => None,
        }
    }

    /// Returns what a node says, in one line; empty for nodes of a file.
    pub(crate) fn node_title(&self, at: usize) -> &str {
        self.debate().map_or("", |graph| &graph.nodes()[at].title)
    }

    /// Returns the check results of a node's citations; `None` if none were checked.
    pub(crate) fn node_citations(&self, at: usize) -> Option<Citations> {
        let found = self.debate()?.nodes().get(at)?.citations;
        (found.total() > 0).then_some(found)
    }

    /// Returns the share of its base weight that a node keeps because of its citations. `None` if
    /// they take nothing, or `base` ignores them.
    pub(crate) fn node_citation_weight(&self, at: usize, base: BaseWeights) -> Option<f64> {
        let kept = self.debate()?.nodes().get(at)?.citation_weight;
        let kept = kept.filter(|_| matches!(base, BaseWeights::Scored));
        kept.map(Weight::to_f64)
    }

    /// Finds the node named `name`.
    pub(crate) fn find(&self, name: &str, parameter: &'static str) -> Result<ArgId, Failure> {
        let at = self.names.iter().position(|known| known == name);
        at.and_then(|at| u32::try_from(at).ok())
            .map(ArgId)
            .ok_or_else(|| {
                let known = self.names.iter().map(String::as_str);
                let some: Vec<_> = known.clone().take(8).collect();
                let all = match self.names.len() {
                    0 => "it has no nodes".to_owned(),
                    1..=8 => format!("its nodes are {}", some.join(", ")),
                    many => format!("it has {many} nodes: {}, …", some.join(", ")),
                };
                let message = format!(
                    "{} has no node {}",
                    plain_line(&self.name),
                    plain_line(name)
                );
                Failure::new(Code::UnknownNode, message)
                    .hint(plain_line(&similar::hint(name, known, &all)))
                    .parameter(parameter)
            })
    }

    /// Returns only the attacks.
    pub(crate) fn af(&self) -> Af {
        match &self.graph {
            Graph::Attacks(af) => af.clone(),
            Graph::Weighted(qbaf) => qbaf.attack_framework(|_| true),
            Graph::Debate(both) => both.0.to_af(),
        }
    }

    /// Returns the graph with weights.
    pub(crate) fn qbaf(&self, base: BaseWeights) -> Result<Qbaf, Failure> {
        let qbaf = match &self.graph {
            Graph::Attacks(af) => {
                let edges: Vec<_> = af
                    .attacks()
                    .map(|(from, to)| Edge::attack(from, to))
                    .collect();
                Qbaf::new(vec![graph::MIDDLE; af.len()], &edges)
            }
            Graph::Weighted(qbaf) => Ok(qbaf.clone()),
            Graph::Debate(both) => Ok(both.0.to_qbaf(Base::Scored)),
        };
        let weighted = match base {
            BaseWeights::Scored => qbaf,
            BaseWeights::All(weight) => {
                qbaf.and_then(|it| it.with_base_weights(vec![weight; it.len()]))
            }
        };
        weighted.map_err(|error| Failure::from_error(Code::Graph, &error))
    }

    /// Returns the graph without some nodes and their edges.
    pub(crate) fn without_nodes(&self, struck: &[ArgId]) -> Self {
        let mut keep = vec![true; self.names.len()];
        for at in struck {
            keep[at.index()] = false;
        }
        let names = self.names.iter().zip(&keep).filter(|(_, keep)| **keep);
        let graph = match &self.graph {
            Graph::Attacks(af) => Graph::Attacks(restrict_attacks(af, &keep)),
            Graph::Weighted(qbaf) => Graph::Weighted(qbaf.induced_subgraph(&keep).0),
            Graph::Debate(both) => {
                let (graph, state) = both.as_ref();
                let ids = struck.iter().map(|at| graph.nodes()[at.index()].id);
                let less = graph.without_points(&ids.collect::<Vec<_>>());
                Graph::Debate(Box::new((less, state.clone())))
            }
        };
        Self {
            name: self.name.clone(),
            format: self.format.clone(),
            names: names.map(|(name, _)| name.clone()).collect(),
            graph,
        }
    }
}

/// Returns the attacks among the nodes in `keep`.
fn restrict_attacks(af: &Af, keep: &[bool]) -> Af {
    let mut new = vec![0; keep.len()];
    let mut kept = 0;
    for (place, keep) in new.iter_mut().zip(keep) {
        *place = kept;
        kept += u32::from(*keep);
    }
    let attacks = af
        .attacks()
        .filter(|(from, to)| keep[from.index()] && keep[to.index()]);
    let attacks: Vec<_> = attacks
        .map(|(from, to)| (new[from.index()], new[to.index()]))
        .collect();
    // Never fails, because a subgraph of a valid graph is valid.
    Af::new(kept as usize, &attacks).unwrap_or_else(|_| af.clone())
}

/// Returns the names of the nodes in a set.
pub(crate) fn node_names(source: &GraphSource, set: &[ArgId]) -> Vec<String> {
    set.iter()
        .map(|at| source.names[at.index()].clone())
        .collect()
}

/// Returns whether an edge is a support.
pub(crate) fn supports(edge: &Edge) -> bool {
    edge.polarity == Polarity::Support
}
