//! How a model's server is asked over HTTP, as data.

use serde::Deserialize;

use super::{Address, Profile, ProfileError};
use crate::ask::SchemaUse;
use crate::environment::Environment;

/// How to ask a model's server.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Http {
    /// What it speaks.
    pub adapter: Adapter,
    /// Where it is, up to what its adapter puts behind.
    pub url: Address,
    /// The model that is asked where none is chosen; empty: one has to be.
    #[serde(default)]
    pub model: String,
    /// Variables with the key, the first that is set winning; empty: it wants none.
    #[serde(default)]
    pub key_env: Vec<String>,
    /// Whether an answer can be held to a JSON Schema there.
    #[serde(default = "default_true")]
    pub schema: bool,
    /// When it is; none: always where the tokens are few, else when it is asked again.
    pub constrained: Option<ConstrainWhen>,
    /// Whether a schema has to be in the narrow form that OpenAI takes, with every key required.
    #[serde(default)]
    pub strict: bool,
    /// Whether it is told how hard to think.
    #[serde(default = "default_true")]
    pub effort: bool,
    /// The most tokens of an answer. None: what the prompt leaves of a small `budget`; without one
    /// nothing is asked for, and the server's default holds.
    pub max_tokens: Option<u32>,
    /// The tokens of a prompt and its answer together, where they are few; 0 for many. None: what
    /// a server on this machine says itself, and many for any other.
    pub budget: Option<u32>,
    /// Milliseconds until an answer begins.
    #[serde(default = "default_silence_limit_ms")]
    pub first_byte_ms: u64,
    /// Milliseconds in the middle of an answer in which nothing comes.
    #[serde(default = "default_silence_limit_ms")]
    pub between_bytes_ms: u64,
}

/// What a model's server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Adapter {
    /// OpenAI's chat completions.
    Openai,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
}

/// When answers are held to a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstrainWhen {
    /// When it is asked again.
    Again,
    /// Always.
    Always,
}

fn default_true() -> bool {
    true
}

fn default_silence_limit_ms() -> u64 {
    120_000
}

impl Adapter {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// The adapter with this name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Openai, Self::Anthropic, Self::Gemini]
            .into_iter()
            .find(|adapter| adapter.name() == name)
    }
}

impl Http {
    pub(super) fn check(&self) -> Result<(), ProfileError> {
        let is_name = |name: &String| {
            let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            !name.is_empty() && name.bytes().all(allowed)
        };
        match self.key_env.iter().find(|name| !is_name(name)) {
            // It may be the key itself: it is not said again.
            Some(_) => Err(ProfileError::KeyEnv),
            None => Ok(()),
        }
    }

    /// The key, and the variable it stands in; none where none is set.
    pub(crate) fn find_api_key<'a>(&'a self, here: &'a Environment) -> Option<(&'a str, &'a str)> {
        let mut names = self.key_env.iter();
        names.find_map(|name| {
            let key = here.var_text(name)?.trim();
            (!key.is_empty()).then_some((name.as_str(), key))
        })
    }

    /// When answers are held to a schema.
    pub(crate) fn schema_constraint(&self) -> SchemaUse {
        let few = self
            .small_token_budget()
            .map_or(ConstrainWhen::Again, |_| ConstrainWhen::Always);
        match self.constrained.unwrap_or(few) {
            _ if !self.schema => SchemaUse::Never,
            ConstrainWhen::Again => SchemaUse::Again,
            ConstrainWhen::Always => SchemaUse::Always,
        }
    }

    /// The tokens of a prompt and its answer together, where they are few.
    pub(crate) fn small_token_budget(&self) -> Option<u32> {
        self.budget.filter(|budget| *budget > 0)
    }
}

impl Profile {
    /// Whether it is a model's server on this machine.
    pub fn is_loopback(&self) -> bool {
        self.http
            .as_ref()
            .is_some_and(|http| http.url.is_loopback())
    }
}
