//! Profile errors.

use super::{AddressError, PermissionBypass};

/// The reason why a profile cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The table does not match the schema of a profile.
    #[error("not a valid profile: {0}")]
    Shape(String),
    /// The profile contains a flag that bypasses permissions.
    #[error(transparent)]
    Refused(#[from] PermissionBypass),
    /// No dialect has this name.
    #[error("unknown dialect `{0}`")]
    Dialect(String),
    /// The version's pattern is not a regular expression with a group.
    #[error("`version.pattern` must be a regular expression with a group")]
    Pattern,
    /// The limit of simultaneous calls is zero.
    #[error("`concurrency` must be at least 1")]
    Concurrency,
    /// `cli` has no arguments that restrict the tool to reading, as a debate requires.
    #[error("`cli.read_only` must not be empty, and `cli.args` must contain \"{{read_only}}\"")]
    ReadOnly,
    /// A transport is listed, but its table is missing.
    #[error("`transports` contains {0}, but the table [{0}] is missing")]
    Transport(&'static str),
    /// The profile has no transport.
    #[error("`transports` must not be empty")]
    NoTransport,
    /// A list of arguments is set, but no argument uses it.
    #[error("`acp.args` must contain \"{0}\"")]
    Unused(&'static str),
    /// The `_meta` of the request for a conversation is not an object.
    #[error("`{0}.meta` must be a JSON object")]
    Meta(&'static str),
    /// The arguments to resume a conversation do not contain its ID.
    #[error("`cli.session.again` must contain \"{{id}}\"")]
    Session,
    /// The address of the model server is not valid.
    #[error("`http.url`: {0}")]
    Address(AddressError),
    /// A value is not a variable name; it may be the key itself.
    #[error("`http.key_env` must contain names of variables, such as \"OPENAI_API_KEY\"")]
    KeyEnv,
    /// A built-in tool can do harm, and the profile does not say what prevents it.
    #[error("`{place}` can {can}; set `refused` to what prevents it, or turn the tool off")]
    Offer {
        /// The profile key of the tool.
        place: String,
        /// The forbidden capability of the tool.
        can: &'static str,
    },
    /// A file would be outside the private folder.
    #[error("`{0}` in `files` must be a path inside the private folder")]
    File(String),
    /// A file has a name that Agon itself uses.
    #[error("`{0}` in `files` is reserved for Agon; use another name")]
    ReservedFile(String),
    /// `work` has no arguments that restrict a team member to its work tree.
    #[error("`work.writes` must not be empty, and `work.args` must contain \"{{access}}\"")]
    Work,
    /// `cli` has no arguments that prevent MCP servers, as a debate requires.
    #[error("`cli.args` must contain \"{{no_mcp}}\"")]
    NoMcp,
}

impl ProfileError {
    /// Converts the TOML parser's error and keeps its message.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "map_err passes the error by value"
    )]
    pub(super) fn from_toml_error(cause: toml::de::Error) -> Self {
        Self::Shape(cause.message().to_owned())
    }
}
