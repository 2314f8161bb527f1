//! The built-in model: downloads it and generates answers.
//!
//! This crate knows nothing of debates or tools: text in, text out.

pub mod engine;

mod cache;
mod manifest;
mod pull;

pub use cache::{Cache, CacheError, VARIABLE};
pub use manifest::{ManifestError, Model, ModelSource, Models};
pub use pull::{Indexes, PullError, PullStep, Pulled, Watch, pull};
