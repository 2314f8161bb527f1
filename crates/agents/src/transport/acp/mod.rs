//! One start of a tool for a whole conversation, over the Agent Client Protocol.

mod agent;
mod breach;
mod calls;
mod consent;
mod fault;
mod heard;
mod offer;
mod opening;
mod reply;
mod turn;
mod usage;
mod wire;

pub use agent::AcpAgent;
pub use breach::Breach;
