//! Whether a tool still is as its profile says: the switches in its help, and the tools that it
//! offers its model.
//!
//! What it offers is read from its requests: it runs as it would for a debate, in a home of its own,
//! against a responder on the loopback that says one fixed thing.

mod dialogue;
mod flags;
mod home;
mod offer;
mod offers;
mod responder;
mod script;
mod tool_name;
mod wire;

pub use flags::{HelpError, Switch, profile_switches, switches_missing_from_help};
pub use home::ProbeError;
pub use offer::offered_tool_names;
pub use offers::{Offers, READS_PROMPT, probe_offers};
