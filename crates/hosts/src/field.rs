//! Fields of skills, commands and agents, and their outcome in a host.

use crate::content::agent::Power;

/// A field of a skill, a command or an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceField {
    /// Name.
    Name,
    /// Description, by which a model decides to use it.
    Description,
    /// Text for the model.
    Body,
    /// Version.
    Version,
    /// Arguments of a command.
    Arguments,
    /// Model or model class of an agent.
    Model,
    /// Reasoning effort of an agent.
    Effort,
    /// Sampling temperature of an agent.
    Temperature,
    /// Limit: the agent cannot use a permission that it does not have.
    Power(Power),
    /// Limit: the agent can edit only the files it may edit.
    EditOnly,
    /// Skills of an agent.
    Skills,
    /// Limit: the agent can use only its own tools of Agon's and other servers.
    AgonTools,
}

impl SourceField {
    /// Returns its name, as used in a waiver.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Body => "body",
            Self::Version => "version",
            Self::Arguments => "arguments",
            Self::Model => "model",
            Self::Effort => "effort",
            Self::Temperature => "temperature",
            Self::Power(power) => power.name(),
            Self::EditOnly => "edit-only",
            Self::Skills => "skills",
            Self::AgonTools => "agon-tools",
        }
    }
}

/// Outcome of a field in a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldOutcome {
    /// The host has the same field.
    Kept,
    /// The host expresses it in another way, which this names.
    Translated(&'static str),
    /// The host does not support it, for this reason.
    NotEnforced(&'static str),
}
