//! Ways to speak to a tool.

mod acp;
mod call;
mod cli;
mod reach;

pub(crate) use call::Places;

pub use acp::{AcpAgent, Breach};
pub use cli::CliAgent;
