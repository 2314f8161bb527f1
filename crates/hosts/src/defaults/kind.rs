//! The five kinds of defaults files.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::{Agents, Flags, Profiles, Servers, Teams};

/// Kind of a defaults file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DefaultsKind {
    /// Settings of each role.
    Agents,
    /// Flags of a team.
    Flags,
    /// Named sets of choices.
    Profiles,
    /// Members of each team.
    Teams,
    /// MCP servers, and the roles that may use them.
    Servers,
}

impl DefaultsKind {
    /// All kinds, each after those whose entries it refers to.
    pub const ALL: [Self; 5] = [
        Self::Agents,
        Self::Flags,
        Self::Teams,
        Self::Servers,
        Self::Profiles,
    ];

    /// Returns its file name.
    pub fn file(self) -> &'static str {
        match self {
            Self::Agents => "agents.toml",
            Self::Flags => "flags.toml",
            Self::Profiles => "profiles.toml",
            Self::Teams => "teams.toml",
            Self::Servers => "mcp.toml",
        }
    }

    /// Returns the name and version of its schema.
    pub fn id(self) -> &'static str {
        match self {
            Self::Agents => "agon.agents/1",
            Self::Flags => "agon.flags/1",
            Self::Profiles => "agon.profiles/1",
            Self::Teams => "agon.teams/1",
            Self::Servers => "agon.mcp/1",
        }
    }

    /// Returns the dotted keys that an untrusted project may set; `*` is any single name.
    ///
    /// None of them starts a program, grants more access or weakens a check.
    pub(super) fn project_keys(self) -> &'static [&'static str] {
        match self {
            Self::Agents => &["roles.*.effort", "roles.*.temperature", "roles.*.skills"],
            // All flags here, because each flag declares itself whether a project may set it.
            Self::Flags => &["set.*"],
            // Only descriptions: members and checkers decide which reviews a change gets, and an
            // untrusted project must not weaken these.
            Self::Teams => &["teams.*.about"],
            Self::Profiles | Self::Servers => &[],
        }
    }

    /// Returns the JSON Schema of its file.
    pub fn schema(self) -> Value {
        match self {
            Self::Agents => schema_of::<Agents>(),
            Self::Flags => schema_of::<Flags>(),
            Self::Profiles => schema_of::<Profiles>(),
            Self::Teams => schema_of::<Teams>(),
            Self::Servers => schema_of::<Servers>(),
        }
    }
}

fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}
