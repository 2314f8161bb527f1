//! The engine of built-in models.

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

/// Generates answers.
pub trait Engine: Send {
    /// Answers one request.
    ///
    /// # Errors
    ///
    /// If no answer is possible. A truncated or halted answer is not an error.
    fn generate(&mut self, request: &Request<'_>) -> Result<Generated, EngineError>;
}

/// A request to a model.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The messages, oldest first.
    pub messages: &'a [Message<'a>],
    /// Maximum number of tokens in the answer.
    pub max_tokens: usize,
    /// The seed: the same request with the same seed has the same answer.
    pub seed: u64,
    /// The temperature, above 0. With a low value, the model picks the likeliest tokens.
    pub temperature: f32,
    /// The only allowed answers, of which the model picks the likelier one; empty for any text.
    pub choices: &'a [&'a str],
    /// Returns whether the answer so far is enough. If so, it ends there and counts as complete.
    pub is_enough: &'a (dyn Fn(&str) -> bool + Sync),
    /// Called with each new piece of the answer.
    pub said: &'a (dyn Fn(&str) + Sync),
    /// Returns whether to stop early; called several times per token.
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
    /// The role: `system`, `user` or `assistant`.
    pub role: &'a str,
    /// The text.
    pub text: &'a str,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The text.
    pub text: String,
    /// The reason why it ended.
    pub finish: Finish,
    /// Number of tokens in the request.
    pub prompt_tokens: usize,
    /// Number of request tokens that were still cached from the previous request.
    pub cached_tokens: usize,
    /// Number of tokens in the answer.
    pub generated_tokens: usize,
    /// The time until the first token.
    pub prompt_took: Duration,
    /// The time from the first token to the end.
    pub generate_took: Duration,
}

/// The reason why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It is complete.
    Stop,
    /// It reached the maximum number of tokens.
    Length,
    /// It was halted.
    Halted,
}

/// The reason why a model cannot be loaded or cannot answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The model's file cannot be read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: std::path::PathBuf,
        /// The operating system's reason.
        #[source]
        cause: std::io::Error,
    },
    /// The file does not contain a supported model.
    #[error("not a supported model: {0}")]
    Model(String),
    /// The request leaves no room for an answer.
    #[error("the prompt is too long: {tokens} tokens, the limit including the answer is {most}")]
    TooLong {
        /// Number of tokens in the request.
        tokens: usize,
        /// Maximum number of tokens in request and answer together.
        most: usize,
    },
    /// A bug: an invariant of the engine is broken.
    #[error("the model failed: {0}")]
    Failed(String),
}
