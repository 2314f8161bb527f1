//! A server of the Model Context Protocol besides Agon's own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A server: a program or an address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    /// What it is for, in a line.
    pub about: String,
    /// The program and its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The address, where it is not a program here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The variables of the environment that it is given, by name; never their values. To an address
    /// one can be given: its value is sent as a bearer token.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// The roles that get it.
    pub roles: Vec<String>,
    /// Whether it sends anything beyond this machine.
    pub network: bool,
    /// Whether it is on where no profile names it.
    pub enabled: bool,
}
