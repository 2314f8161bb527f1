//! MCP servers other than Agon's own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An MCP server: a local program or a URL.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    /// Its purpose, in one line.
    pub about: String,
    /// The program and its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The address, if it is not a local program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Names, never values, of the environment variables that it gets. A server with `url` takes at
    /// most one, whose value is sent as a bearer token.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// Roles that may use it.
    pub roles: Vec<String>,
    /// Whether it sends data to other machines.
    pub network: bool,
    /// Whether it is on even if no profile names it.
    pub enabled: bool,
}
