//! The request to solve an argument graph.

pub use agon_argue::{Gradual, Semantics};

/// A request to solve a graph; the defaults depend on the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphRequest {
    /// The graph: a debate (a folder, a name or an id), a file, or `-` for the caller's input;
    /// `None` means the only debate.
    pub graph: Option<String>,
    /// The format of the file; `None` derives it from the extension.
    pub from: Option<FileFormat>,
    /// The task.
    pub task: Option<Task>,
    /// The semantics.
    pub semantics: Option<Reading>,
    /// The nodes to strike.
    pub without: Vec<String>,
    /// The node that the task is about.
    pub topic: Option<String>,
    /// The node to compare the topic with.
    pub against: Option<String>,
    /// How contributions are measured.
    pub measure: Option<MeasureName>,
    /// The base weights.
    pub base: BaseWeights,
    /// The maximum number of extensions or sets to list.
    pub limit: usize,
    /// When to stop a search: conflicts of the solver, or evaluations of the graph.
    pub work: u64,
}

/// The task to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// How strong each node is, who leads, and what the lead depends on.
    Strength,
    /// How much each node contributes to a topic's strength.
    Contributions,
    /// The smallest sets of nodes without which the other side leads.
    Flip,
    /// Which sets of nodes can be accepted together.
    Extensions,
    /// The nodes accepted by some set, and those accepted by every set.
    Acceptance,
}

impl Task {
    /// Returns the name used in documents.
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

/// The semantics: by strengths, or by sets of accepted nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// By strengths.
    Gradual(Gradual),
    /// By sets.
    Sets(Semantics),
}

/// How contributions are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureName {
    /// The strength lost without the node.
    Removal,
    /// The same for the node alone, ignoring the nodes that attack or support it.
    Intrinsic,
    /// The node's share of the difference between base weight and strength; the shares add up.
    Shapley,
    /// The rate at which the strength changes with the node's base weight.
    Gradient,
}

impl MeasureName {
    /// Returns the name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Removal => "removal",
            Self::Intrinsic => "intrinsic",
            Self::Shapley => "shapley",
            Self::Gradient => "gradient",
        }
    }
}

/// The base weights from which strengths are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BaseWeights {
    /// Scores, or the weights in the file.
    Scored,
    /// The same weight for all nodes.
    All(f64),
}

/// A format that can be read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Attacks between numbered arguments (.i23, .af).
    I23,
    /// Attacks between named arguments (.apx).
    Apx,
    /// Attacks and supports between named arguments (.tgf).
    Tgf,
    /// The same with base weights (.bag).
    Bag,
    /// The argument interchange format of AIFdb (.json, .aif).
    Aif,
}

impl FileFormat {
    /// Returns the name used in documents and on the command line.
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
    /// Attacks between numbered arguments, as in the ICCMA competitions.
    I23,
    /// Attacks between named arguments.
    Apx,
    /// Attacks and supports between named arguments.
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
    /// Returns the name used in documents and on the command line.
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
