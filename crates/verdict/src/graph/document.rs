use agon_record::ground::Citations;
use agon_record::id::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::status::GraphStatus;

/// The name and version of the document.
pub const GRAPH_SCHEMA: &str = "agon.graph/1";

/// What an argument graph says, of a debate or of a file.
///
/// What was not asked for is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphDoc {
    /// Always `agon.graph/1`.
    #[schemars(extend("const" = GRAPH_SCHEMA))]
    pub schema: String,
    /// The debate's folder name, or the file.
    pub graph: String,
    /// The format of the debate or file, such as `duel` or `bag`.
    pub format: String,
    /// How many nodes there are, those struck left out.
    pub nodes: usize,
    /// How many edges count for or against.
    pub edges: usize,
    /// What was worked out: `strength`, `contributions`, `flip`, `extensions` or `acceptance`.
    pub task: String,
    /// How the graph is read.
    pub semantics: String,
    /// The nodes that were struck.
    pub without: Vec<String>,
    /// Whether the strengths are those that the semantics defines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<GraphStatus>,
    /// Which side of a debate leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<LeadDoc>,
    /// Every node with its strength.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strengths: Option<Vec<StrengthDoc>>,
    /// What each node adds to a topic, a list for each topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contributions: Option<Vec<ContributionsDoc>>,
    /// What the lead hangs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flip: Option<FlipDoc>,
    /// The sets that can be accepted, each in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Vec<Vec<String>>>,
    /// Every node, and whether it is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance: Option<Vec<AcceptedDoc>>,
    /// Whether nothing is missing from a list; false when there are more, or the search for them
    /// was given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
}

/// Which side leads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeadDoc {
    /// The side that leads; null when neither does or the strengths do not settle.
    #[schemars(with = "Option<String>")]
    pub winner: Option<Seat>,
    /// The same with nothing struck.
    #[schemars(with = "Option<String>")]
    pub before: Option<Seat>,
    /// The same with all base weights alike, and nothing else changed.
    #[schemars(with = "Option<String>")]
    pub equal: Option<Seat>,
}

/// A node with its strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StrengthDoc {
    /// Its name.
    pub id: String,
    /// What it says in a line; left out where it has no title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What was found at the places that its grounds cite; left out where nothing was looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citations: Option<Citations>,
    /// The strength it starts from.
    pub base: f64,
    /// The part of that strength which is left because it cites a wrong or missing place; left out
    /// where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation_weight: Option<f64>,
    /// The strength it has; null for what was struck.
    pub strength: Option<f64>,
    /// The strength it had with nothing struck; left out where nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
}

/// What each node adds to a topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContributionsDoc {
    /// The topic.
    pub topic: String,
    /// What a contribution is: `removal`, `intrinsic`, `shapley` or `gradient`.
    pub measure: String,
    /// Whether the strengths it rests on are those that the semantics defines.
    pub status: GraphStatus,
    /// The nodes that add or take anything, the most first.
    pub values: Vec<ContributionDoc>,
}

/// What one node adds to a topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContributionDoc {
    /// The node.
    pub id: String,
    /// How much it adds; below zero when it takes.
    pub value: f64,
    /// The standard error where it was sampled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

/// What a lead hangs on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlipDoc {
    /// The stronger node.
    pub leads: String,
    /// The weaker one.
    pub trails: String,
    /// The smallest sets of nodes without which it is the other way round, all of one size; none
    /// when at most `size` nodes do not turn it.
    pub sets: Vec<Vec<String>>,
    /// The most nodes that were taken out at once.
    pub size: usize,
}

/// A node, and whether it is accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AcceptedDoc {
    /// Its name.
    pub id: String,
    /// Whether some extension has it.
    pub some: bool,
    /// Whether every extension has it.
    pub every: bool,
}
