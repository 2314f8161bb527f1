//! The profile table for a model server over HTTP.

use serde::Deserialize;

use super::{Address, Profile, ProfileError};
use crate::ask::SchemaUse;
use crate::environment::Environment;

/// How to call a model server.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Http {
    /// The protocol of the server.
    pub adapter: Adapter,
    /// The server's base address, to which a path is appended.
    pub url: Address,
    /// The default model; if empty, the user must choose one.
    #[serde(default)]
    pub model: String,
    /// Variables with the API key; the first one that is set is used. Empty: no key is needed.
    #[serde(default)]
    pub key_env: Vec<String>,
    /// Whether the server can constrain an answer to a JSON schema.
    #[serde(default = "default_true")]
    pub schema: bool,
    /// When answers are constrained. `None`: always with a small token budget, otherwise only when
    /// the model is asked again.
    pub constrained: Option<ConstrainWhen>,
    /// Whether a schema must have OpenAI's strict form, with every key required.
    #[serde(default)]
    pub strict: bool,
    /// Whether the effort is sent to the server.
    #[serde(default = "default_true")]
    pub effort: bool,
    /// The maximum number of tokens in an answer. `None`: what the prompt leaves of a small
    /// `budget`; without a budget, no limit is sent and the server's default applies.
    pub max_tokens: Option<u32>,
    /// The token limit for a prompt and its answer together, if it is small; 0: large. `None`: as
    /// reported by a server on this machine; any other server is assumed to be large.
    pub budget: Option<u32>,
    /// The time limit until an answer begins, in milliseconds.
    #[serde(default = "default_silence_limit_ms")]
    pub first_byte_ms: u64,
    /// The time limit without data during an answer, in milliseconds.
    #[serde(default = "default_silence_limit_ms")]
    pub between_bytes_ms: u64,
}

/// The protocol of a model server.
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

/// When answers are constrained to a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstrainWhen {
    /// Only when the model is asked again.
    Again,
    /// In every call.
    Always,
}

fn default_true() -> bool {
    true
}

fn default_silence_limit_ms() -> u64 {
    120_000
}

impl Adapter {
    /// Returns the name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// Returns the adapter with this name.
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
            // The value may be the key itself, so the error does not quote it.
            Some(_) => Err(ProfileError::KeyEnv),
            None => Ok(()),
        }
    }

    /// Returns the variable with the API key, and the key; `None` if no variable is set.
    pub(crate) fn find_api_key<'a>(&'a self, here: &'a Environment) -> Option<(&'a str, &'a str)> {
        let mut names = self.key_env.iter();
        names.find_map(|name| {
            let key = here.var_text(name)?.trim();
            (!key.is_empty()).then_some((name.as_str(), key))
        })
    }

    /// Returns when answers are constrained to a JSON schema.
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

    /// Returns the token limit for a prompt and its answer together, if it is small.
    pub(crate) fn small_token_budget(&self) -> Option<u32> {
        self.budget.filter(|budget| *budget > 0)
    }
}

impl Profile {
    /// Returns whether the model server is on this machine.
    pub fn is_loopback(&self) -> bool {
        self.http
            .as_ref()
            .is_some_and(|http| http.url.is_loopback())
    }
}
