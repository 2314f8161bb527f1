use agon_record::ground::Citations;
use agon_record::id::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::status::GraphStatus;

/// The schema name and version of the graph document.
pub const GRAPH_SCHEMA: &str = "agon.graph/1";

/// The results of an argument graph, of a debate or of a file.
///
/// Results that were not requested are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphDoc {
    /// Always `agon.graph/1`.
    #[schemars(extend("const" = GRAPH_SCHEMA))]
    pub schema: String,
    /// The debate's folder name, or the file.
    pub graph: String,
    /// The format of the debate or file, such as `duel` or `bag`.
    pub format: String,
    /// The number of nodes, without removed ones.
    pub nodes: usize,
    /// The number of attacks and supports.
    pub edges: usize,
    /// The task: `strength`, `contributions`, `flip`, `extensions` or `acceptance`.
    pub task: String,
    /// The semantics.
    pub semantics: String,
    /// The removed nodes.
    pub without: Vec<String>,
    /// Whether the strengths settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<GraphStatus>,
    /// The leading side of a debate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<LeadDoc>,
    /// Every node with its strength.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strengths: Option<Vec<StrengthDoc>>,
    /// The contribution of each node to a topic, one list per topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contributions: Option<Vec<ContributionsDoc>>,
    /// The nodes that the lead hangs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flip: Option<FlipDoc>,
    /// The extensions, each in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Vec<Vec<String>>>,
    /// Every node and whether it is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance: Option<Vec<AcceptedDoc>>,
    /// Whether the list is complete; false if there are more entries or the search was stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
}

/// The leading side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeadDoc {
    /// The leading side; null if neither leads or the strengths do not settle.
    #[schemars(with = "Option<String>")]
    pub winner: Option<Seat>,
    /// The leading side with no nodes removed.
    #[schemars(with = "Option<String>")]
    pub before: Option<Seat>,
    /// The leading side with equal base weights.
    #[schemars(with = "Option<String>")]
    pub equal: Option<Seat>,
}

/// A node with its strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StrengthDoc {
    /// The node's id.
    pub id: String,
    /// The title; left out if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The results of its citation checks; left out if nothing was checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citations: Option<Citations>,
    /// The base strength.
    pub base: f64,
    /// The factor by which a wrong or missing citation lowers the base strength; left out without
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation_weight: Option<f64>,
    /// The strength; null if the node was removed.
    pub strength: Option<f64>,
    /// The strength with no nodes removed; left out if none were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
}

/// The contributions to a topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContributionsDoc {
    /// The topic.
    pub topic: String,
    /// The measure: `removal`, `intrinsic`, `shapley` or `gradient`.
    pub measure: String,
    /// Whether the strengths settled.
    pub status: GraphStatus,
    /// The nodes that contribute, the largest contribution first.
    pub values: Vec<ContributionDoc>,
}

/// The contribution of one node to a topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContributionDoc {
    /// The node.
    pub id: String,
    /// The contribution; negative if the node weakens the topic.
    pub value: f64,
    /// The standard error, if the contribution was sampled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

/// The nodes that a lead hangs on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlipDoc {
    /// The stronger node.
    pub leads: String,
    /// The weaker node.
    pub trails: String,
    /// The smallest sets of nodes whose removal reverses the lead, all of the same size; empty if
    /// no set of at most `size` nodes does.
    pub sets: Vec<Vec<String>>,
    /// Maximum number of nodes removed at once.
    pub size: usize,
    /// The largest size of which every set was tried and none reverses the lead; less than `size`
    /// if a set was found, or if the search stopped early.
    #[serde(default)]
    pub searched: usize,
}

/// A node and whether it is accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AcceptedDoc {
    /// The node's id.
    pub id: String,
    /// Whether some extension contains it.
    pub some: bool,
    /// Whether every extension contains it.
    pub every: bool,
}
