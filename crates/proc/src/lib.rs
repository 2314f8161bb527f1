//! Runs child processes; the only crate that starts any.
//!
//! [`run_program`] sends a program its input, reads its output and waits for it to end.
//! [`OpenChild`] keeps a program open and exchanges lines with it. Both start the program as the
//! leader of its own process group, with exactly the given environment, and guarantee that the
//! group has ended when they return, fail or are dropped.
//!
//! [`spawn_detached`] is the exception: it starts a program that outlives this process, and returns
//! only its identity.
//!
//! A killed process cannot end its children: [`Guarded`] starts a small process that does.
//!
//! [`run_in_terminal`] hands the terminal to an interactive program.
//!
//! A program's [`Watch`] learns its [`Group`] before the program receives any input. A caller that
//! records the group can end the survivors of a crash with [`end_survivor`].
//!
//! This crate knows nothing about tools, prompts or debates, only about bytes and exit statuses. It
//! needs a tokio runtime with I/O and time enabled. `system` has what differs between Linux and other
//! systems.
//!
//! ```
//! use agon_proc::{Ending, Limits, Program, Unwatched, find_program, run_program};
//! use tokio_util::sync::CancellationToken;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let path = find_program("cat", "/usr/bin:/bin".as_ref()).ok_or("no cat")?;
//! let program = Program { path, args: vec![], env: [].into(), cwd: "/".into() };
//! let cancel = CancellationToken::new();
//! let said = run_program(&program, b"hello", &Limits::probe(), &Unwatched, &cancel).await?;
//! assert_eq!(said.stdout, b"hello");
//! assert_eq!(said.ending, Ending::Exited { code: Some(0), signal: None });
//! # Ok(())
//! # }
//! ```

mod allow;
mod ancestry;
mod detach;
mod group;
mod guard;
mod leader;
mod mark;
mod open_child;
mod orphan;
mod owner;
mod pipe;
mod private;
mod program;
mod run;
mod stray;
mod stream;
mod survivor;
mod system;
mod terminal;
mod tree;
mod watch;

pub use allow::{
    NETWORK_VARIABLES, PLACE_VARIABLES, allowed_variables, allows_variable, names_secret,
};
pub use ancestry::{Ancestor, ancestors};
pub use detach::{is_leader_running, leave_terminal, spawn_detached, start_of_process};
pub use group::{Group, MARK};
pub use guard::{Guarded, become_guard, end_groups_on_close};
pub use leader::StartError;
pub use open_child::{ChildLine, OpenChild, SendError, StopTimeouts, Stopped};
pub use orphan::adopt_orphans;
pub use private::{NoPlace, PrivateFolder, PrivatePlaces};
pub use program::{Limits, Program, find_program};
pub use run::{Completion, Ending, Finished, run_program, run_until_complete};
pub use stream::stream_output;
pub use survivor::{Survivor, end_survivor};
pub use terminal::run_in_terminal;
pub use watch::{Unwatched, Watch};
