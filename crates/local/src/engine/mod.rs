//! A model that answers, behind one trait.

mod candle;
mod choice;
mod linear;
mod llama;
mod shared;
mod threads;
mod vocabulary;

use std::fmt;
use std::time::Duration;

pub use candle::CandleEngine;
pub use shared::{Shared, shared_model};

/// What answers.
pub trait Engine: Send {
    /// Answers one request.
    ///
    /// # Errors
    ///
    /// If there can be no answer; that it was cut short, or halted, is none.
    fn generate(&mut self, request: &Request<'_>) -> Result<Generated, EngineError>;
}

/// What a model is asked.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// What it is told, oldest first.
    pub messages: &'a [Message<'a>],
    /// The most tokens of the answer.
    pub max_tokens: usize,
    /// Where chance begins: the same request with the same seed has the same answer.
    pub seed: u64,
    /// How freely tokens are chosen, above 0: the lower, the more the likeliest one is preferred.
    pub temperature: f32,
    /// The answers between which the model chooses, the likelier one; none: any text.
    pub choices: &'a [&'a str],
    /// Whether the answer so far says enough; it then ends there, and counts as whole.
    pub is_enough: &'a (dyn Fn(&str) -> bool + Sync),
    /// Hears the answer as it comes.
    pub said: &'a (dyn Fn(&str) + Sync),
    /// Whether to end before the answer is there; looked at several times for each token.
    pub halted: &'a (dyn Fn() -> bool + Sync),
}

impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("messages", &self.messages)
            .field("max_tokens", &self.max_tokens)
            .finish_non_exhaustive()
    }
}

/// One message of a conversation.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// Who says it: `system`, `user` or `assistant`.
    pub role: &'a str,
    /// What is said.
    pub text: &'a str,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The text.
    pub text: String,
    /// Why it ends there.
    pub finish: Finish,
    /// Tokens of the request.
    pub prompt_tokens: usize,
    /// Those of them that were still in mind from the request before.
    pub cached_tokens: usize,
    /// Tokens of the answer.
    pub generated_tokens: usize,
    /// The time until the first token.
    pub prompt_took: Duration,
    /// The time from there to the end.
    pub generate_took: Duration,
}

/// Why an answer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It is whole.
    Stop,
    /// It has as many tokens as it may have.
    Length,
    /// It was halted.
    Halted,
}

/// Why there is no answer, or no model.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: std::path::PathBuf,
        /// The system's reason.
        #[source]
        cause: std::io::Error,
    },
    /// What the file holds is not a model that is known.
    #[error("not a model that can be used: {0}")]
    Model(String),
    /// The request leaves no room for an answer.
    #[error("the prompt has {tokens} tokens, and the model bears {most} with the answer")]
    TooLong {
        /// Tokens of the request.
        tokens: usize,
        /// Tokens that request and answer may have together.
        most: usize,
    },
    /// A broken invariant of ours.
    #[error("the model failed: {0}")]
    Failed(String),
}
