//! A model's server, asked over HTTP through the crate `genai`.
//!
//! The crate puts a question into the form of its adapter and reads the stream of its answer. What
//! it is not left to decide: which adapter and address, which key goes along, how long and how much
//! is waited for, and what is said of a failure, since its own errors hold what the server wrote.

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
