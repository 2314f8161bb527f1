//! What is wrong with a profile.

use super::{AddressError, PermissionBypass};

/// Why a profile cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// It does not have the shape of a profile.
    #[error("not a profile: {0}")]
    Shape(String),
    /// It names a switch that bypasses permissions.
    #[error(transparent)]
    Refused(#[from] PermissionBypass),
    /// No dialect of this name reads output.
    #[error("no dialect is called `{0}`")]
    Dialect(String),
    /// The version's pattern is not a regular expression with a group.
    #[error("`version.pattern` is no regular expression with a group")]
    Pattern,
    /// The limit of calls at once is zero, so there could be none.
    #[error("`concurrency` is at least 1")]
    Concurrency,
    /// A debater only reads.
    #[error("`cli.read_only` has at least one switch, and `cli.args` has \"{{read_only}}\"")]
    ReadOnly,
    /// It is to be spoken to in a way that it does not describe.
    #[error("`transports` names {0}, and there is no table [{0}]")]
    Transport(&'static str),
    /// It can be spoken to in no way.
    #[error("`transports` has at least one way to speak to it")]
    NoTransport,
    /// A list of arguments has no place among them.
    #[error("`acp.args` has \"{0}\"")]
    Unused(&'static str),
    /// What goes along with the request for a conversation is not an object.
    #[error("`{0}.meta` is a JSON object")]
    Meta(&'static str),
    /// Nothing says which conversation is to go on.
    #[error("`cli.session.again` has \"{{id}}\"")]
    Session,
    /// Nothing may be sent to the address it names.
    #[error("`http.url`: {0}")]
    Address(AddressError),
    /// A key stands where the name of its variable should.
    #[error("`http.key_env` has names of variables, such as \"OPENAI_API_KEY\"")]
    KeyEnv,
    /// A tool of its own can do harm, and nothing is said to hold it.
    #[error("`{place}` can {can}: say with `refused` what refuses it, or switch it off")]
    Offer {
        /// The key of the profile it stands at.
        place: String,
        /// What it can do.
        can: &'static str,
    },
    /// A file would lie outside the private folder.
    #[error("`files` has names of files in a private folder, which `{0}` is not")]
    File(String),
    /// A file would lie where a call puts something of its own.
    #[error("`files` has `{0}`, which Agon itself puts there: give it another name")]
    ReservedFile(String),
    /// A member is held to its work tree.
    #[error("`work.writes` has at least one switch, and `work.args` has \"{{access}}\"")]
    Work,
    /// A debater has no servers of its own.
    #[error("`cli.args` has \"{{no_mcp}}\"")]
    NoMcp,
}

impl ProfileError {
    /// The parser's message carries the place; its lines become one.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "called with map_err, which gives the error away"
    )]
    pub(super) fn from_toml_error(cause: toml::de::Error) -> Self {
        Self::Shape(cause.message().to_owned())
    }
}
