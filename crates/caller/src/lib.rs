//! The caller of a request, its settings, its failures, and helpers that every use case needs.
//!
//! A front end creates a [`Caller`] from its surroundings. Each use case takes a caller and returns
//! a document or a [`Failure`].

pub mod background;
pub mod bounds;
mod call_front;
mod caller;
mod code;
pub mod depth;
pub mod documents;
pub mod environments;
pub mod errors;
mod failure;
pub mod file_uri;
pub mod find;
pub mod guard;
pub mod history;
pub mod host_ancestry;
pub mod host_sign;
mod listing;
pub mod live_sockets;
pub mod moment;
mod notes;
pub mod orphans;
pub mod profiles;
pub mod settings;
pub mod settings_file;
pub mod similar;
pub mod system;
pub mod usage;
mod user_folders;
pub mod user_program;

pub use agon_hint as hint;
pub use agon_hint::Hint;
pub use call_front::CallFront;
pub use caller::Caller;
pub use code::{Code, CodeFamily, CodePage, FailureKind};
pub use failure::{ErrorBody, ErrorDoc, Failure, error_chain, write_failure};
pub use notes::{IgnoreNotes, Notes};
