//! Whether a tool still is as its profile says: its help, and the form of what it prints.
//!
//! The form is looked at in one scripted exchange: the tool runs as it would for a debate, in a
//! home of its own, against a [responder](run_scripted_exchange) on the loopback that says one fixed thing.
//! What it prints is held against a [`Recording`] of the version that was measured.

mod dialogue;
mod exchange;
mod flags;
mod offer;
mod offers;
mod recording;
mod responder;
mod script;
mod shape;
mod tool_name;
mod wire;

pub use exchange::{ExchangeError, Exchanged, run_scripted_exchange};
pub use flags::{HelpError, Switch, profile_switches, switches_missing_from_help};
pub use offer::offered_tool_names;
pub use offers::{Offers, READS_PROMPT, probe_offers};
pub use recording::{Recording, RecordingError, builtin_recording};
pub use shape::{Difference, FieldChange, ShapeComparison};
