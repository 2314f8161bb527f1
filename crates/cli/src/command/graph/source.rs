//! Where a graph comes from: a debate, or a file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use agon_argue::format::{Named, ReadError, aif, apx, bag, i23, tgf};
use agon_argue::{Af, ArgId, Edge, Polarity, Qbaf};
use agon_record::ground::Citations;
use agon_record::state::State;
use agon_report::text::plain;
use agon_verdict::graph::{self, Base, DebateGraph};

use crate::args::{BaseArg, FileFormat, Global, GraphArgs};
use crate::command::which;
use crate::edge::Edge as World;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::similar;

/// The largest file that is read.
const MOST_BYTES: u64 = 1 << 30;

/// A graph whose nodes have names.
pub(super) struct Source {
    /// The debate's name, or the file's.
    pub(super) name: String,
    /// The format, as documents name it.
    pub(super) format: String,
    /// The names of the nodes, in order.
    pub(super) names: Vec<String>,
    pub(super) graph: Graph,
}

pub(super) enum Graph {
    /// Attacks alone.
    Attacks(Af),
    /// Weighted attacks and supports.
    Weighted(Qbaf),
    /// A debate's, with the debate.
    Debate(Box<(DebateGraph, State)>),
}

impl Source {
    /// The graph that is meant.
    pub(super) fn open(
        edge: &World,
        global: &Global,
        args: &GraphArgs,
        out: &mut Out,
    ) -> Result<Self, Failure> {
        if let Some(name) = &args.graph
            && (name == "-" || Path::new(name).is_file() || args.from.is_some())
        {
            return file(name, args.from);
        }
        let wanted = args.graph.as_deref();
        if let Some(name) = wanted
            && by_ending(name).is_some()
            && !Path::new(name).exists()
        {
            let message = format!("there is no file {}", plain(name));
            return Err(Failure::new(Exit::Usage, "no_file", message).parameter("graph"));
        }
        let path = which::find(edge, global, wanted)?;
        let view = which::read(&path)?;
        which::note_problems(&view, &view.state.spec.slug, out);
        let state = view.state;
        let graph = graph::of(&state);
        Ok(Self {
            name: state.spec.slug.clone(),
            format: state.spec.format.to_string(),
            names: graph
                .nodes()
                .iter()
                .map(|node| node.id.to_string())
                .collect(),
            graph: Graph::Debate(Box::new((graph, state))),
        })
    }

    /// The debate's graph.
    pub(super) fn debate(&self) -> Option<&DebateGraph> {
        match &self.graph {
            Graph::Debate(both) => Some(&both.0),
            Graph::Attacks(_) | Graph::Weighted(_) => None,
        }
    }

    /// What a node says in a line; nothing for nodes of a file.
    pub(super) fn title(&self, at: usize) -> &str {
        self.debate().map_or("", |graph| &graph.nodes()[at].title)
    }

    /// What was found at the places that a node cites; none where nothing was looked up.
    pub(super) fn citations(&self, at: usize) -> Option<Citations> {
        let found = self.debate()?.nodes().get(at)?.citations;
        (found.total() > 0).then_some(found)
    }

    /// The node named `name`.
    pub(super) fn find(&self, name: &str, parameter: &'static str) -> Result<ArgId, Failure> {
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
                let message = format!("{} has no node {}", plain(&self.name), plain(name));
                Failure::new(Exit::Usage, "unknown_node", message)
                    .hint(plain(&similar::hint(name, known, &all)))
                    .parameter(parameter)
            })
    }

    /// The attacks alone.
    pub(super) fn af(&self) -> Af {
        match &self.graph {
            Graph::Attacks(af) => af.clone(),
            Graph::Weighted(qbaf) => qbaf.attacks(|_| true),
            Graph::Debate(both) => both.0.af(),
        }
    }

    /// The graph with weights.
    pub(super) fn qbaf(&self, base: BaseArg) -> Result<Qbaf, Failure> {
        let qbaf = match &self.graph {
            Graph::Attacks(af) => {
                let edges: Vec<_> = af
                    .attacks()
                    .map(|(from, to)| Edge::attack(from, to))
                    .collect();
                Qbaf::new(vec![graph::MIDDLE; af.len()], &edges)
            }
            Graph::Weighted(qbaf) => Ok(qbaf.clone()),
            Graph::Debate(both) => Ok(both.0.qbaf(Base::Scored)),
        };
        let weighted = match base {
            BaseArg::Scored => qbaf,
            BaseArg::All(weight) => qbaf.and_then(|it| it.with_base(vec![weight; it.len()])),
        };
        weighted.map_err(|error| Failure::from_error(Exit::Usage, "graph", &error))
    }

    /// The same without some nodes and the edges at them.
    pub(super) fn without(&self, struck: &[ArgId]) -> Self {
        let mut keep = vec![true; self.names.len()];
        for at in struck {
            keep[at.index()] = false;
        }
        let names = self.names.iter().zip(&keep).filter(|(_, keep)| **keep);
        let graph = match &self.graph {
            Graph::Attacks(af) => Graph::Attacks(restricted(af, &keep)),
            Graph::Weighted(qbaf) => Graph::Weighted(qbaf.restricted(&keep).0),
            Graph::Debate(both) => {
                let (graph, state) = both.as_ref();
                let ids = struck.iter().map(|at| graph.nodes()[at.index()].id);
                let less = graph.without(&ids.collect::<Vec<_>>());
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

/// The attacks between what is kept.
fn restricted(af: &Af, keep: &[bool]) -> Af {
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
    // Fewer of what was good are good.
    Af::new(kept as usize, &attacks).unwrap_or_else(|_| af.clone())
}

fn by_ending(name: &str) -> Option<FileFormat> {
    match Path::new(name).extension()?.to_str()? {
        "i23" | "af" => Some(FileFormat::I23),
        "apx" => Some(FileFormat::Apx),
        "tgf" => Some(FileFormat::Tgf),
        "bag" => Some(FileFormat::Bag),
        "json" | "aif" => Some(FileFormat::Aif),
        _ => None,
    }
}

fn file(name: &str, from: Option<FileFormat>) -> Result<Source, Failure> {
    let shown = plain(name);
    let Some(format) = from.or_else(|| by_ending(name)) else {
        let message = format!("the ending of {shown} does not say what format it has");
        return Err(Failure::new(Exit::Usage, "missing_parameter", message)
            .hint("--from i23, apx, tgf, bag or aif says so")
            .parameter("from"));
    };
    let failed = |error: &std::io::Error| {
        let message = format!("cannot read {shown}: {error}");
        Failure::new(Exit::Usage, "input", message).parameter("graph")
    };
    let mut bytes = Vec::new();
    let read = if name == "-" {
        std::io::stdin()
            .take(MOST_BYTES + 1)
            .read_to_end(&mut bytes)
    } else {
        let file = File::open(name).map_err(|error| failed(&error))?;
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes)
    };
    read.map_err(|error| failed(&error))?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("{shown} has more than {MOST_BYTES} bytes");
        return Err(Failure::new(Exit::Usage, "input", message).parameter("graph"));
    }
    let wrong = |error: ReadError| {
        let message = format!(
            "{shown}:{}: {}",
            error.line,
            plain(&error.cause.to_string())
        );
        Failure::new(Exit::Usage, "not_a_graph", message)
            .hint(format!(
                "it was read as {}; --from says otherwise",
                code(format)
            ))
            .parameter("graph")
    };
    let text = || {
        std::str::from_utf8(&bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            let message = format!("{shown}:{line}: not UTF-8");
            Failure::new(Exit::Usage, "not_a_graph", message).parameter("graph")
        })
    };
    let (names, graph) = match format {
        FileFormat::I23 => {
            let af = i23::read(&bytes).map_err(wrong)?;
            let names = (1..=af.len()).map(|number| number.to_string());
            (names.collect(), Graph::Attacks(af))
        }
        FileFormat::Apx => {
            let Named { graph, names } = apx::read(text()?).map_err(wrong)?;
            (names, Graph::Attacks(graph))
        }
        FileFormat::Tgf => weighted(tgf::read(text()?).map_err(wrong)?),
        FileFormat::Bag => weighted(bag::read(text()?).map_err(wrong)?),
        FileFormat::Aif => {
            let graph = aif::read(text()?).map_err(wrong)?.graph();
            let graph = graph.map_err(|error| {
                let message = format!("{shown}: {error}");
                Failure::new(Exit::Usage, "not_a_graph", message).parameter("graph")
            });
            weighted(graph?)
        }
    };
    Ok(Source {
        name: shown,
        format: code(format).to_owned(),
        names,
        graph,
    })
}

/// A graph without supports and with equal weights is still one with weights.
fn weighted(named: Named<Qbaf>) -> (Vec<String>, Graph) {
    (named.names, Graph::Weighted(named.graph))
}

fn code(format: FileFormat) -> &'static str {
    match format {
        FileFormat::I23 => "i23",
        FileFormat::Apx => "apx",
        FileFormat::Tgf => "tgf",
        FileFormat::Bag => "bag",
        FileFormat::Aif => "aif",
    }
}

/// Whether an edge supports.
pub(super) fn supports(edge: &Edge) -> bool {
    edge.polarity == Polarity::Support
}
