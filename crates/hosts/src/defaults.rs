//! The defaults of a team: five files, each with its schema, which layers override key by key.
//!
//! The key `schema` says which file it is. Each file is first read alone, so that a mistake is
//! reported with its line. Then the merged layers are checked, and a fault is reported for the layer
//! that set the value.

pub mod agents;
mod fault;
pub mod flags;
mod kind;
mod layers;
mod merged;
pub mod profiles;
pub mod servers;
mod source;
pub mod teams;

pub use agents::Agents;
pub use fault::DefaultsError;
pub use flags::Flags;
pub use kind::DefaultsKind;
pub use layers::{Defaults, Resolved, SetValue};
pub use profiles::Profiles;
pub use servers::Servers;
pub use source::{DefaultsLayer, LayerFile, LayerOwner, ValueSource};
pub use teams::Teams;

/// Embeds the text of a file of `content/defaults/`.
macro_rules! defaults {
    ($path:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../content/defaults/",
            $path
        ))
    };
}

/// The defaults, which every layer can override.
pub const DEFAULT_FILES: [(DefaultsKind, &str); 5] = [
    (DefaultsKind::Agents, defaults!("agents.toml")),
    (DefaultsKind::Flags, defaults!("flags.toml")),
    (DefaultsKind::Profiles, defaults!("profiles.toml")),
    (DefaultsKind::Teams, defaults!("teams.toml")),
    (DefaultsKind::Servers, defaults!("mcp.toml")),
];

/// An example of an overriding layer for each file.
pub const EXAMPLE_FILES: [(DefaultsKind, &str); 5] = [
    (DefaultsKind::Agents, defaults!("examples/agents.toml")),
    (DefaultsKind::Flags, defaults!("examples/flags.toml")),
    (DefaultsKind::Profiles, defaults!("examples/profiles.toml")),
    (DefaultsKind::Teams, defaults!("examples/teams.toml")),
    (DefaultsKind::Servers, defaults!("examples/mcp.toml")),
];
