//! Fake tools, a fake model server and a hermetic environment for tests.
//!
//! - [`Script`]: what the fakes answer, by turn.
//! - [`FakeTools`]: a folder with `claude`, `codex`, `gemini`, `opencode` and `copilot`, each the
//!   one real binary `agon-fake-tool` speaking that tool's dialect over stdio.
//! - [`acp::FakeAgent`]: what such a tool does when it is spoken to over the Agent Client Protocol.
//! - [`FakeModels`]: a model server for the real tools, in four protocols.
//! - [`Sandbox`]: a private home and project, and what points each real tool at the server.
//! - [`Collector`]: what receives traces over OTLP/HTTP.
//! - [`gguf`]: a model of a few kilobytes, in the form that real ones have.
//! - [`plants`]: repositories that name a program wherever git takes one.
//! - [`GitLog`]: a git that writes down how it was started.
//! - [`sample`]: how much of a long test runs.
//! - [`browser`]: a real browser without a window, where one is installed.
//!
//! It knows no other crate of the workspace, so that any of them can use it in its tests.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test helper fails the test by panicking"
)]

pub mod acp;
pub mod behaviour;
pub mod browser;
mod collector;
pub mod gguf;
mod git_calls;
mod keys;
pub mod models;
mod plants;
mod sample;
mod sandbox;
mod script;
mod terminal;
mod tools;

pub use behaviour::Behaviour;
pub use collector::{Answers, Collector, Received};
pub use git_calls::{GitCall, GitLog};
pub use keys::{OWN_KEYS, key_variables};
pub use models::{Answer, FakeModels, refused_url};
pub use plants::{Plant, PlantedRepository, plants};
pub use sample::{is_full, pick, sample};
pub use sandbox::{
    Env, Sandbox, add, git, git_has_reftable, protocol_clients, real_cli, real_clis,
    sandbox_has_reftable,
};
pub use script::{Cue, Script};
pub use terminal::Terminal;
pub use tools::{Call, FakeTools, TOOLS};
