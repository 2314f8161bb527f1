//! One start of a tool for a whole conversation, over the Agent Client Protocol.

mod agent;
mod calls;
mod consent;
mod fault;
mod heard;
mod live;
mod offer;
mod opening;
mod reply;
mod tool;
mod turn;
mod usage;
mod wire;

pub use agent::AcpAgent;
