//! Calls a model server over HTTP with the crate `genai`.
//!
//! The crate converts a request for its adapter and reads the streamed answer. This module decides the
//! adapter, the address, the key, the time and size limits, and the error messages, because the crate's
//! own errors contain text from the server.

mod agent;
mod client;
mod extras;
mod fault;
mod halves;
mod meter;
mod question;
mod refusal;
mod reply;
mod retry;
mod schema;
mod service;
mod silence;
mod whole;

pub use agent::HttpAgent;
pub(crate) use client::base_client_builder;
