//! The Argument Interchange Format, in the JSON form of AIFdb.
//!
//! Statements are `I` nodes. A support connects two of them through an `RA` node, an attack through
//! a `CA` node. An undercut connects a statement through a `CA` node to an `RA` node. Nodes of
//! other types and unknown keys are preserved. Keys around an `AIF` object are written beside the
//! nodes, unless the object has a key of the same name, which takes precedence.

use serde_json::{Map, Value};

use super::{ReadCause, ReadError};

/// The contents of a file; statements and schemes are both nodes.
///
/// [`Aif::to_graph`] converts it to an argument graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aif {
    /// The nodes, in the order of the file.
    pub nodes: Vec<AifNode>,
    /// The edges, in the order of the file.
    pub edges: Vec<AifEdge>,
    /// All other keys at the top level, such as `locutions`.
    pub extra: Map<String, Value>,
}

/// One node of an [`Aif`] file.
#[derive(Clone, Debug, PartialEq)]
pub struct AifNode {
    /// `nodeID`.
    pub id: String,
    /// `text`.
    pub text: String,
    /// `type`.
    pub kind: AifKind,
    /// All other keys, such as `timestamp`.
    pub extra: Map<String, Value>,
}

/// The type of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AifKind {
    /// `I`: a statement.
    Information,
    /// `RA`: a support.
    Inference,
    /// `CA`: an attack.
    Conflict,
    /// Any other type, by its name.
    Other(String),
}

impl AifKind {
    fn from_name(name: &str) -> Self {
        match name {
            "I" => Self::Information,
            "RA" => Self::Inference,
            "CA" => Self::Conflict,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Returns the type as written in the file.
    pub fn name(&self) -> &str {
        match self {
            Self::Information => "I",
            Self::Inference => "RA",
            Self::Conflict => "CA",
            Self::Other(name) => name,
        }
    }
}

/// One edge of an [`Aif`] file.
#[derive(Clone, Debug, PartialEq)]
pub struct AifEdge {
    /// `edgeID`.
    pub id: String,
    /// `fromID`.
    pub from: String,
    /// `toID`.
    pub to: String,
    /// All other keys, such as `formEdgeID`.
    pub extra: Map<String, Value>,
}

/// Reads a file, or an xAIF file, whose `AIF` object contains the graph. Ids may be strings or
/// numbers.
///
/// # Errors
///
/// If the text is not a JSON object of this structure, an edge names no node, or two nodes share an
/// id.
///
/// ```
/// use agon_argue::format::aif;
///
/// let text = r#"{"nodes":[
///   {"nodeID":"1","text":"use files","type":"I"},
///   {"nodeID":"2","text":"they are slow","type":"I"},
///   {"nodeID":"3","text":"Default Conflict","type":"CA"}],
///  "edges":[{"edgeID":"1","fromID":"2","toID":"3"},{"edgeID":"2","fromID":"3","toID":"1"}]}"#;
/// let graph = aif::read(text)?.to_graph()?;
/// assert_eq!((graph.names.len(), graph.graph.edge_count()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(text: &str) -> Result<Aif, ReadError> {
    let value: Value = serde_json::from_str(text).map_err(|error| ReadError {
        line: error.line().max(1),
        cause: ReadCause::Json {
            what: message_without_position(&error),
        },
    })?;
    let shape = |what| ReadError::expected(1, what);
    let Value::Object(mut extra) = value else {
        return Err(shape("an object with `nodes` and `edges`"));
    };
    // An xAIF file has the graph under `AIF`, beside other programs' results: lift it up.
    if !extra.contains_key("nodes")
        && let Some(Value::Object(graph)) = extra.shift_remove("AIF")
    {
        extra.extend(graph);
    }
    let mut list = |key: &str| match extra.shift_remove(key) {
        Some(Value::Array(list)) => Some(list),
        _ => None,
    };
    let nodes = list("nodes").ok_or_else(|| shape("a list of `nodes`"))?;
    let edges = list("edges").ok_or_else(|| shape("a list of `edges`"))?;
    let aif = Aif {
        nodes: nodes
            .into_iter()
            .map(parse_node)
            .collect::<Option<_>>()
            .ok_or_else(|| shape("`nodes` with `nodeID`, `text` and `type`"))?,
        edges: edges
            .into_iter()
            .map(parse_edge)
            .collect::<Option<_>>()
            .ok_or_else(|| shape("`edges` with `edgeID`, `fromID` and `toID`"))?,
        extra,
    };
    aif.check_ids().map_err(|cause| ReadError {
        line: line_of_wrong_name(text, &cause),
        cause,
    })?;
    Ok(aif)
}

/// Writes a file: the nodes, the edges, then everything else.
pub fn write(aif: &Aif) -> String {
    let text = |it: &str| Value::String(it.to_owned());
    let nodes = aif.nodes.iter().map(|node| {
        let mut object = Map::new();
        object.insert("nodeID".into(), text(&node.id));
        object.insert("text".into(), text(&node.text));
        object.insert("type".into(), text(node.kind.name()));
        object.extend(node.extra.clone());
        Value::Object(object)
    });
    let edges = aif.edges.iter().map(|edge| {
        let mut object = Map::new();
        object.insert("edgeID".into(), text(&edge.id));
        object.insert("fromID".into(), text(&edge.from));
        object.insert("toID".into(), text(&edge.to));
        object.extend(edge.extra.clone());
        Value::Object(object)
    });
    let mut object = Map::new();
    object.insert("nodes".into(), nodes.collect());
    object.insert("edges".into(), edges.collect());
    object.extend(aif.extra.clone());
    format!("{:#}\n", Value::Object(object))
}

impl Aif {
    fn check_ids(&self) -> Result<(), ReadCause> {
        let mut ids = std::collections::HashSet::new();
        for node in &self.nodes {
            if !ids.insert(node.id.as_str()) {
                let name = node.id.clone();
                return Err(ReadCause::Repeated { name });
            }
        }
        for edge in &self.edges {
            for name in [&edge.from, &edge.to] {
                if !ids.contains(name.as_str()) {
                    let name = name.clone();
                    return Err(ReadCause::Unknown { name });
                }
            }
        }
        Ok(())
    }
}

fn parse_node(value: Value) -> Option<AifNode> {
    let Value::Object(mut object) = value else {
        return None;
    };
    Some(AifNode {
        id: parse_id(object.shift_remove("nodeID")?)?,
        text: into_string(object.shift_remove("text")?)?,
        kind: AifKind::from_name(&into_string(object.shift_remove("type")?)?),
        extra: object,
    })
}

fn parse_edge(value: Value) -> Option<AifEdge> {
    let Value::Object(mut object) = value else {
        return None;
    };
    Some(AifEdge {
        id: parse_id(object.shift_remove("edgeID")?)?,
        from: parse_id(object.shift_remove("fromID")?)?,
        to: parse_id(object.shift_remove("toID")?)?,
        extra: object,
    })
}

fn into_string(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    }
}

fn parse_id(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The message of the JSON parser without its line and column, because `ReadError` has its own
/// field for the line.
fn message_without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at line ") {
        Some((what, _)) => what.to_owned(),
        None => text,
    }
}

/// The line of the unknown or repeated id; for a repeated one, its second occurrence.
fn line_of_wrong_name(text: &str, cause: &ReadCause) -> usize {
    let name = match cause {
        ReadCause::Unknown { name } | ReadCause::Repeated { name } => name,
        ReadCause::Expected { .. } | ReadCause::Graph(_) | ReadCause::Json { .. } => return 1,
    };
    let at = |pattern: &str| {
        let mut places = text.match_indices(pattern).map(|(at, _)| at);
        match cause {
            ReadCause::Repeated { .. } => places.nth(1),
            _ => places.next(),
        }
    };
    let quoted = Value::String(name.clone()).to_string();
    let place = at(&quoted).or_else(|| at(name)).unwrap_or(0);
    1 + text[..place].bytes().filter(|&byte| byte == b'\n').count()
}
