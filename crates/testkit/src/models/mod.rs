//! A fake model server with the four protocols of the real tools.

mod answer;
mod capacity;
mod counts;
mod refused;
mod request;
mod server;
mod wire;

pub use answer::Answer;
pub use capacity::CapacityUse;
pub use counts::{CACHED_TOKENS, Counts, INPUT_TOKENS, OUTPUT_TOKENS};
pub use refused::refused_url;
pub use request::{Api, Request};
pub use server::FakeModels;
