//! The five files.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::{Agents, Flags, Profiles, Servers, Teams};

/// Which of the five files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DefaultsKind {
    /// How each role is run.
    Agents,
    /// What a team does unless it is told otherwise.
    Flags,
    /// Named sets of choices.
    Profiles,
    /// Who belongs to a team.
    Teams,
    /// Servers of the Model Context Protocol, and who gets them.
    Servers,
}

impl DefaultsKind {
    /// Every one, each after those that it names entries of.
    pub const ALL: [Self; 5] = [
        Self::Agents,
        Self::Flags,
        Self::Teams,
        Self::Servers,
        Self::Profiles,
    ];

    /// The name of its file.
    pub fn file(self) -> &'static str {
        match self {
            Self::Agents => "agents.toml",
            Self::Flags => "flags.toml",
            Self::Profiles => "profiles.toml",
            Self::Teams => "teams.toml",
            Self::Servers => "mcp.toml",
        }
    }

    /// The name and version of its schema.
    pub fn id(self) -> &'static str {
        match self {
            Self::Agents => "agon.agents/1",
            Self::Flags => "agon.flags/1",
            Self::Profiles => "agon.profiles/1",
            Self::Teams => "agon.teams/1",
            Self::Servers => "agon.mcp/1",
        }
    }

    /// What a project may set without the user's trust, as dotted keys; `*` is any one name.
    ///
    /// Nothing in it starts a program, reaches further than before or checks less.
    pub(super) fn project_keys(self) -> &'static [&'static str] {
        match self {
            Self::Agents => &["roles.*.effort", "roles.*.temperature", "roles.*.skills"],
            // Which flags, each says for itself.
            Self::Flags => &["set.*"],
            // Members and checks decide what a change passes before its merge.
            Self::Teams => &["teams.*.about"],
            Self::Profiles | Self::Servers => &[],
        }
    }

    /// The JSON Schema of its file.
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
