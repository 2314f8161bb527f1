use std::fmt;
use std::str::FromStr;

use agon_record::id::{IdError, NodeId, Seat};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The id of a node: a side's position, such as `position.proposer`, or a point, such as
/// `pro_001a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PointId {
    /// A side's position.
    Position(Seat),
    /// A point.
    Point(NodeId),
}

impl PointId {
    /// Returns the id of the point; `None` for a position.
    pub fn node_id(self) -> Option<NodeId> {
        match self {
            Self::Position(_) => None,
            Self::Point(id) => Some(id),
        }
    }
}

impl fmt::Display for PointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(seat) => write!(f, "position.{seat}"),
            Self::Point(id) => id.fmt(f),
        }
    }
}

impl FromStr for PointId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix("position.") {
            Some(seat) => seat.parse().map(Self::Position),
            None => text.parse().map(Self::Point),
        }
    }
}

impl From<NodeId> for PointId {
    fn from(id: NodeId) -> Self {
        Self::Point(id)
    }
}

impl From<PointId> for String {
    fn from(id: PointId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for PointId {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl JsonSchema for PointId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PointId".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}
