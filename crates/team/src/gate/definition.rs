//! What a gate does.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::glob::{GlobError, PathGlob};

/// What a gate does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum GateDefinition {
    /// Runs a command in the work tree.
    Command(CommandGate),
    /// Holds a debate.
    Debate(DebateGate),
    /// Looks up every place that a file of the tree cites.
    Evidence(EvidenceGate),
    /// Looks whether the context of the member has gone bad.
    Context(ContextGate),
    /// Asks for the approval of a member who did not work on the task.
    Review {},
}

/// A command, and how it is to end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandGate {
    /// The program and its arguments; no shell reads them.
    pub argv: Vec<String>,
    /// The most seconds that it takes.
    #[serde(default = "default_timeout_s")]
    pub timeout_s: u64,
    /// The exit code of a pass.
    #[serde(default)]
    pub exit: i32,
    /// Variables that it gets besides those of every gate, such as `DATABASE_URL`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
}

/// A debate, and what its verdict is to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DebateGate {
    /// What is debated: a question that the proposer answers with yes, such as "Is this safe to ship?".
    pub topic: String,
    /// How much of the debate must stand behind the verdict.
    #[serde(default)]
    pub authority: WantedAuthority,
    /// Whether the verdict must stay with the sides swapped.
    #[serde(default)]
    pub swap: SwapWanted,
    /// The most seconds that it takes.
    #[serde(default = "default_debate_timeout_s")]
    pub timeout_s: u64,
}

/// A text whose cited places must stand in the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceGate {
    /// Its file, relative to the work tree.
    pub file: String,
}

/// How bad the context of the member may not be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextGate {
    /// From where on it does not pass.
    #[serde(default)]
    pub fails_at: ContextLevel,
}

/// How bad a context is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContextLevel {
    /// Work suffers, or may.
    Amber,
    /// What comes out of it is not to be relied on.
    #[default]
    Red,
}

/// How much of a debate must stand behind its verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WantedAuthority {
    /// All of it.
    #[default]
    Full,
    /// A planned turn may be missing.
    Partial,
}

/// Whether the verdict of a debate must stay with the sides swapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SwapWanted {
    /// It was asked again, and stayed.
    #[default]
    Same,
    /// It need not be asked again.
    Any,
}

const fn default_timeout_s() -> u64 {
    600
}

const fn default_debate_timeout_s() -> u64 {
    3_600
}

/// The longest that a gate may take: a day.
const MAX_TIMEOUT_S: u64 = 86_400;
/// The most bytes of a topic.
const MAX_TOPIC_BYTES: usize = 2_000;

/// Why a definition is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GateFault {
    /// A command without a program.
    #[error("a command needs a program")]
    NoProgram,
    /// A time limit that is none.
    #[error("its time limit is {0} s, from 1 s to {MAX_TIMEOUT_S} s are allowed")]
    Timeout(u64),
    /// A debate without a topic, or with a book for one.
    #[error("its topic has {0} bytes, 1 to {MAX_TOPIC_BYTES} are allowed")]
    Topic(usize),
    /// A variable that a gate cannot be given.
    #[error("it cannot be given the variable `{0}`: name one of your own, not one of Agon or git")]
    Variable(String),
    /// A file that is not in the work tree.
    #[error(transparent)]
    File(#[from] GlobError),
}

impl GateDefinition {
    /// Its kind, as it is called in files.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Command(_) => "command",
            Self::Debate(_) => "debate",
            Self::Evidence(_) => "evidence",
            Self::Context(_) => "context",
            Self::Review {} => "review",
        }
    }

    /// Checks what its types do not.
    ///
    /// # Errors
    ///
    /// If it has no program, topic or file of the tree, or no time to run.
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

/// Whether a gate may be given this variable: those of Agon and git would point it elsewhere.
fn is_own_variable(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && name.chars().all(is_plain) && !name.starts_with("AGON_") && !name.starts_with("GIT_")
}
