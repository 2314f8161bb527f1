//! Definitions of gates.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::glob::{GlobError, PathGlob};

/// The action of a gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum GateDefinition {
    /// Runs a command in the work tree.
    Command(CommandGate),
    /// Runs a debate.
    Debate(DebateGate),
    /// Checks every citation in a file of the tree.
    Evidence(EvidenceGate),
    /// Checks whether the member's context has degraded.
    Context(ContextGate),
    /// Requires the approval of a member who did not work on the task.
    Review {},
}

/// A command and its required exit code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandGate {
    /// The program and its arguments, run without a shell.
    pub argv: Vec<String>,
    /// The time limit, in seconds.
    #[serde(default = "default_timeout_s")]
    pub timeout_s: u64,
    /// The exit code with which the gate passes.
    #[serde(default)]
    pub exit: i32,
    /// Additional environment variables for this gate, such as `DATABASE_URL`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
}

/// A debate and the verdict that it must reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DebateGate {
    /// The question, which passes if answered with yes, such as "Is this safe to ship?".
    pub topic: String,
    /// The authority that the verdict must have.
    #[serde(default)]
    pub authority: WantedAuthority,
    /// Whether the verdict must be the same with the sides swapped.
    #[serde(default)]
    pub swap: SwapWanted,
    /// The time limit, in seconds.
    #[serde(default = "default_debate_timeout_s")]
    pub timeout_s: u64,
}

/// A text whose citations must be found in the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceGate {
    /// Its file, relative to the work tree.
    pub file: String,
}

/// How degraded the member's context may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextGate {
    /// The level from which on the gate fails.
    #[serde(default)]
    pub fails_at: ContextLevel,
}

/// How degraded a context is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContextLevel {
    /// The work suffers, or may suffer.
    Amber,
    /// The results are not reliable.
    #[default]
    Red,
}

/// The authority that a debate's verdict must have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WantedAuthority {
    /// All turns took place.
    #[default]
    Full,
    /// A planned turn may be missing.
    Partial,
}

/// Whether a debate's verdict must be the same with the sides swapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SwapWanted {
    /// It was asked again with the sides swapped, with the same verdict.
    #[default]
    Same,
    /// It may not have been asked again.
    Any,
}

const fn default_timeout_s() -> u64 {
    600
}

const fn default_debate_timeout_s() -> u64 {
    3_600
}

/// The longest time limit: one day.
const MAX_TIMEOUT_S: u64 = 86_400;
/// Maximum size of a topic, in bytes.
const MAX_TOPIC_BYTES: usize = 2_000;

/// Why a definition is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GateFault {
    /// A command without a program.
    #[error("a command needs a program")]
    NoProgram,
    /// An invalid time limit.
    #[error("the time limit is {0} s, but must be 1 s to {MAX_TIMEOUT_S} s")]
    Timeout(u64),
    /// A debate whose topic is empty or too long.
    #[error("the topic has {0} bytes, but must have 1 to {MAX_TOPIC_BYTES}")]
    Topic(usize),
    /// A variable that a gate may not get.
    #[error("the variable `{0}` cannot be passed: variables of Agon and git are excluded")]
    Variable(String),
    /// A file outside the work tree.
    #[error(transparent)]
    File(#[from] GlobError),
}

impl GateDefinition {
    /// Returns the name of its kind, as written in files.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Command(_) => "command",
            Self::Debate(_) => "debate",
            Self::Evidence(_) => "evidence",
            Self::Context(_) => "context",
            Self::Review {} => "review",
        }
    }

    /// Validates what the types do not.
    ///
    /// # Errors
    ///
    /// Fails if the program, topic, time limit, variable or file is invalid.
    pub fn check(&self) -> Result<(), GateFault> {
        let check_timeout = |seconds: u64| match (1..=MAX_TIMEOUT_S).contains(&seconds) {
            true => Ok(()),
            false => Err(GateFault::Timeout(seconds)),
        };
        match self {
            Self::Command(gate) => {
                let program = gate.argv.first().map(String::as_str).unwrap_or_default();
                if program.trim().is_empty() {
                    return Err(GateFault::NoProgram);
                }
                if let Some(name) = gate.env.iter().find(|name| !is_own_variable(name)) {
                    return Err(GateFault::Variable(name.chars().take(60).collect()));
                }
                check_timeout(gate.timeout_s)
            }
            Self::Debate(gate) => {
                let bytes = gate.topic.trim().len();
                if !(1..=MAX_TOPIC_BYTES).contains(&bytes) {
                    return Err(GateFault::Topic(bytes));
                }
                check_timeout(gate.timeout_s)
            }
            Self::Evidence(gate) => Ok(PathGlob::literal(&gate.file).map(drop)?),
            Self::Context(_) | Self::Review {} => Ok(()),
        }
    }
}

/// Returns whether a gate may get this variable. Variables of Agon and git could point it
/// elsewhere.
fn is_own_variable(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && name.chars().all(is_plain) && !name.starts_with("AGON_") && !name.starts_with("GIT_")
}
