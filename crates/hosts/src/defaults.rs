//! The defaults of a team: five files, each with its schema, that layers override key by key.
//!
//! A file says which it is in `schema`. It is read by itself first, so that a mistake is said with
//! its line; what the layers add up to is checked after that, and a fault is said of the layer that
//! set it.

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

/// The text of a file of `content/defaults/`.
macro_rules! defaults {
    ($path:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../content/defaults/",
            $path
        ))
    };
}

/// What holds where no layer says otherwise.
pub const DEFAULT_FILES: [(DefaultsKind, &str); 5] = [
    (DefaultsKind::Agents, defaults!("agents.toml")),
    (DefaultsKind::Flags, defaults!("flags.toml")),
    (DefaultsKind::Profiles, defaults!("profiles.toml")),
    (DefaultsKind::Teams, defaults!("teams.toml")),
    (DefaultsKind::Servers, defaults!("mcp.toml")),
];

/// What a layer above may look like, one for each file.
pub const EXAMPLE_FILES: [(DefaultsKind, &str); 5] = [
    (DefaultsKind::Agents, defaults!("examples/agents.toml")),
    (DefaultsKind::Flags, defaults!("examples/flags.toml")),
    (DefaultsKind::Profiles, defaults!("examples/profiles.toml")),
    (DefaultsKind::Teams, defaults!("examples/teams.toml")),
    (DefaultsKind::Servers, defaults!("examples/mcp.toml")),
];
