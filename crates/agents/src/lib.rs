//! Runs agent tools: profiles as data, transports and dialects.
//!
//! A [`Profile`] defines how a tool is found and started and how its output is read. The
//! [`Toolbox`] detects the tools on this machine and creates an [`Agent`] for each. A [`Session`]
//! sends prompts and returns the tool's text unchanged, or an [`AgentError`] with a cause for
//! people and a class for the retry policy.
//!
//! This crate has no knowledge of turns, rules or verdicts, and reads only the environment that is
//! passed to it. It stores nothing but what programs said about themselves, in a [`ProbeMemory`].
//!
//! ```
//! use agon_agents::{Environment, Profiles, SeatError, Toolbox};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let bare = Environment::new([("PATH", "/nonexistent"), ("HOME", "/nonexistent")]);
//! let tools = Toolbox::detect(&Profiles::builtin()?, &bare).await;
//! let missing = tools.agent(&"claude".parse()?).err().ok_or("claude was found")?;
//! assert_eq!(missing.hint().typed(), "install it: npm install -g @anthropic-ai/claude-code");
//! # Ok(())
//! # }
//! ```

mod agent;
mod ask;
mod breach;
mod call_limits;
mod conversation;
mod detect;
pub mod dialect;
mod environment;
mod host_text;
mod limited_agent;
pub mod probe;
mod probe_memory;
pub mod profile;
mod receiver;
#[cfg(feature = "testing")]
pub mod scripted;
pub mod servers;
mod toolbox;
mod transport;
mod work;

pub use agent::{Agent, AgentAnswer, AgentError, CallFailure, Session};
pub use ask::{Ask, OutputListener, SchemaUse};
pub use breach::Breach;
pub use call_limits::{AccountUse, CallLimits};
pub use conversation::{ConversationId, ConversationIdError, SavedConversation};
pub use detect::{DetectedTool, Login};
pub use environment::{DEPTH, Environment};
pub use probe_memory::ProbeMemory;
pub use profile::{Profile, ProfileError, Profiles, ProfilesError};
pub use toolbox::{SeatError, Toolbox};
pub use transport::{AcpAgent, CliAgent, HttpAgent, Missing, is_model_name};
pub use work::{HostActivity, HostSigns, WorkError, WorkFailure, WorkOrder, WorkOutcome, Worker};
