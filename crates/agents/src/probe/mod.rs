//! Checks whether a tool still matches its profile: the flags in its help, and the tools that it
//! offers to its model.
//!
//! The offered tools are read from its requests: it runs as in a debate, in a separate home folder,
//! against a server on the loopback interface that always gives the same reply.

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
