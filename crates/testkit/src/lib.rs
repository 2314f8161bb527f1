//! Fake tools, a fake model server and a hermetic environment for tests.
//!
//! - [`Script`]: the answers of the fakes, by turn.
//! - [`FakeTools`]: a folder with `claude`, `codex`, `gemini`, `opencode` and `copilot`, all of
//!   which are the binary `agon-fake-tool`, which imitates each tool's output over stdio.
//! - [`acp::FakeAgent`]: the behaviour of such a tool as an agent of the Agent Client Protocol.
//! - [`FakeModels`]: a model server for the real tools, in four protocols.
//! - [`Sandbox`]: a private home and project, and the settings that connect real tools to the
//!   server.
//! - [`Collector`]: a receiver of traces over OTLP/HTTP.
//! - [`gguf`]: a model of a few kilobytes, in the format of real ones.
//! - [`plants`]: repositories that name a program in every place where git accepts one.
//! - [`GitLog`]: a git that records its calls.
//! - [`printed_commands`]: the commands that a page or an output prints.
//! - [`sample`]: samples of the cases of a long test.
//! - [`browser`]: a real headless browser, if one is installed.
//!
//! It depends on no other crate of the workspace, so that any of them can use it in its tests.
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
mod printed;
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
pub use printed::{command_words, printed_commands};
pub use sample::{is_full, pick, sample};
pub use sandbox::{
    Env, Sandbox, add, git, git_has_reftable, protocol_clients, real_cli, real_clis,
    sandbox_has_reftable,
};
pub use script::{Cue, Script};
pub use terminal::Terminal;
pub use tools::{Call, FakeTools, TOOLS};
