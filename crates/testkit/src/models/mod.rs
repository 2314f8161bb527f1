//! A fake model server speaking the four protocols of the real tools.

mod answer;
mod request;
mod server;
mod wire;

pub use answer::Answer;
pub use request::{Api, Request};
pub use server::{FakeModels, refused_url};
pub use wire::{CACHED_TOKENS, Counts, INPUT_TOKENS, OUTPUT_TOKENS};
