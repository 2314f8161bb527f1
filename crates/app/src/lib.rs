//! What can be asked of Agon: one function a use case, a typed request in, a typed document out.
//!
//! A front end makes a [`Caller`] of its surroundings and a request of its user's words, and shows
//! what comes back. What happens while a debate runs goes to its [`FrontEnd`], which also speaks
//! for the person behind it. There is no terminal and no command line in here.

mod alone;
mod bounds;
mod call_front;
mod caller;
pub mod check;
pub mod choose;
pub mod configuration;
pub mod consult;
mod context;
mod default_context;
pub mod demo;
mod depth;
pub mod desk;
mod detach;
pub mod duel;
pub mod ending;
pub mod evidence;
pub mod extend;
#[cfg(feature = "failpoints")]
pub mod failpoints;
mod failure;
mod fallback;
pub mod find;
mod findings;
pub mod formal;
mod front;
pub mod graph;
pub mod guard;
pub mod heard;
mod history;
pub mod hosts;
pub mod inquiry;
mod last_debate;
pub mod list;
mod lost;
pub mod model;
mod notes;
pub mod observer;
mod open;
pub mod ops;
mod options;
pub mod outcome;
pub mod page;
mod person;
pub mod playback;
pub mod precedents;
pub mod recall;
pub mod remove;
mod replace;
pub mod replay;
mod repo;
pub mod report;
pub mod request;
pub mod resume;
mod reuse;
pub mod rules;
mod run;
pub mod schema;
pub mod search;
mod seating;
pub mod section;
pub mod settings;
pub mod show;
mod similar;
mod single_tool;
mod sources;
pub mod spans;
pub mod standing;
pub mod steer;
mod system;
pub mod tools;
pub mod topic;
pub mod usage;
mod user_program;
pub mod wait;

pub use agon_config::{default, parse_seconds};
pub use call_front::CallFront;
pub use caller::Caller;
pub use failure::{Failure, FailureKind, error_chain, run_failure, store_failure};
pub use front::{AfterLoss, Beginning, FrontEnd, LostSeat};
pub use notes::{IgnoreNotes, Notes};
pub use options::RunOptions;
