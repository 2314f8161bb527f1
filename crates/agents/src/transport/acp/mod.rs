//! The Agent Client Protocol transport: one process per conversation.

mod agent;
mod calls;
mod consent;
mod fault;
mod live;
mod message;
mod offer;
mod opening;
mod reply;
mod tool;
mod turn;
mod usage;
mod wire;

pub use agent::AcpAgent;
