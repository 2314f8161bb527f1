//! The fields of the source, and what becomes of them in a host.

use crate::content::agent::Power;

/// A field of a skill, a command or an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceField {
    /// What it is called.
    Name,
    /// When it is wanted.
    Description,
    /// What the model is told.
    Body,
    /// Its version.
    Version,
    /// What is typed after a command.
    Arguments,
    /// How strong a model an agent wants.
    Model,
    /// How hard an agent thinks.
    Effort,
    /// How varied its answers are to be.
    Temperature,
    /// Whether it is kept from what it may not do.
    Power(Power),
    /// Whether it is kept from changing other files than its own.
    EditOnly,
    /// The skills that an agent is given.
    Skills,
    /// Whether it is kept from tools of Agon's and of other servers that are not its own.
    AgonTools,
}

impl SourceField {
    /// What it is called, as in a waiver.
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

/// What becomes of a field in a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldOutcome {
    /// The host has the field.
    Kept,
    /// It says the same in another way, which this names.
    Translated(&'static str),
    /// The host has nothing of the kind, for this reason.
    NotEnforced(&'static str),
}
