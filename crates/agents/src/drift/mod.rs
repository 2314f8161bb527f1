//! Whether a tool still is as its profile says: its help, and the form of what it prints.
//!
//! The form is looked at in one scripted exchange: the tool runs as it would for a debate, in a
//! home of its own, against a [responder](exchange) on the loopback that says one fixed thing.
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

pub use exchange::{ExchangeError, Exchanged, exchange};
pub use flags::{HelpError, Switch, help_lacks, switches};
pub use offer::offered;
pub use offers::{Offers, offers};
pub use recording::{Recording, RecordingError, recorded};
pub use shape::{Compared, Difference, What};
