//! Ways to speak to a tool.

mod cli;
mod reach;

pub use cli::CliAgent;
