//! What is asked of an argument graph.

pub use agon_argue::{Gradual, Semantics};

/// A graph is to be solved; what is not set is chosen by what the graph is.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphRequest {
    /// The graph: a debate (a folder, a name or an id), a file, or `-` for what the caller hands in;
    /// the only debate where none is named.
    pub graph: Option<String>,
    /// The format of the file; by its ending where nothing is set.
    pub from: Option<FileFormat>,
    /// What to work out.
    pub task: Option<Task>,
    /// How to read the graph.
    pub semantics: Option<Reading>,
    /// The nodes that are struck.
    pub without: Vec<String>,
    /// The node that is asked about.
    pub topic: Option<String>,
    /// The node that the topic is compared with.
    pub against: Option<String>,
    /// What a contribution is.
    pub measure: Option<MeasureName>,
    /// Where strengths start.
    pub base: BaseWeights,
    /// The most extensions or sets to list.
    pub limit: usize,
    /// After how much a search is given up: conflicts of the solver, or evaluations of the graph.
    pub work: u64,
}

/// What to work out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// How strong each node is, who leads, and what that hangs on.
    Strength,
    /// What each node adds to a topic's strength.
    Contributions,
    /// The smallest sets of nodes without which the other side leads.
    Flip,
    /// Which sets of nodes can be accepted together.
    Extensions,
    /// Which nodes some, and which every such set accepts.
    Acceptance,
}

impl Task {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strength => "strength",
            Self::Contributions => "contributions",
            Self::Flip => "flip",
            Self::Extensions => "extensions",
            Self::Acceptance => "acceptance",
        }
    }
}

/// How a graph is read: by strengths, or by sets that can be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// By strengths.
    Gradual(Gradual),
    /// By sets.
    Sets(Semantics),
}

/// What a contribution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureName {
    /// What would be lost without the node.
    Removal,
    /// The same for the node by itself, whatever speaks about it.
    Intrinsic,
    /// Its share of the way from base weight to strength; all shares add up to it.
    Shapley,
    /// How fast the strength changes with the node's base weight.
    Gradient,
}

impl MeasureName {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Removal => "removal",
            Self::Intrinsic => "intrinsic",
            Self::Shapley => "shapley",
            Self::Gradient => "gradient",
        }
    }
}

/// Where strengths start from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BaseWeights {
    /// Scores, or the weights in the file.
    Scored,
    /// The same weight for all.
    All(f64),
}

/// A format that can be read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Attacks between numbers (.i23, .af).
    I23,
    /// Attacks between names (.apx).
    Apx,
    /// Attacks and supports between names (.tgf).
    Tgf,
    /// The same with base weights (.bag).
    Bag,
    /// The argument interchange format of AIFdb (.json, .aif).
    Aif,
}

impl FileFormat {
    /// The name used in documents and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::I23 => "i23",
            Self::Apx => "apx",
            Self::Tgf => "tgf",
            Self::Bag => "bag",
            Self::Aif => "aif",
        }
    }
}

/// A format that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    /// Attacks between numbers, as in the ICCMA competitions.
    I23,
    /// Attacks between names.
    Apx,
    /// Attacks and supports between names.
    Tgf,
    /// The same with base weights.
    Bag,
    /// The argument interchange format of AIFdb.
    Aif,
    /// A drawing for Mermaid.
    Mermaid,
    /// A drawing for Graphviz.
    Dot,
}

impl GraphFormat {
    /// The name used in documents and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::I23 => "i23",
            Self::Apx => "apx",
            Self::Tgf => "tgf",
            Self::Bag => "bag",
            Self::Aif => "aif",
            Self::Mermaid => "mermaid",
            Self::Dot => "dot",
        }
    }
}
