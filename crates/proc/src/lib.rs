//! Runs and holds child processes; the only crate that starts any.
//!
//! [`run_program`] gives a program its input, reads what it says and waits for its
//! end; [`OpenChild`] keeps one open and talks with it line by line.
//! Both start the program as the leader of its own process group, with exactly
//! the environment they are given, and promise that the group is gone when
//! they return, fail or are dropped.
//!
//! [`spawn_detached`] is the exception: it starts the one program that is meant to
//! outlive us, and keeps nothing of it but how it is known again.
//!
//! A process that is killed outright ends nothing: [`Guarded`] has a small process do it then.
//!
//! [`run_in_terminal`] leaves the terminal to a program that a person works in.
//!
//! Before a program gets a byte of input its [`Watch`] is told the [`Group`];
//! a caller that writes that down can end what a crash left behind with
//! [`end_survivor`].
//!
//! This crate knows nothing of tools, prompts or debates: bytes in, bytes out,
//! and how it ended. It needs Linux (`/proc` and pidfds), and a tokio runtime
//! with I/O and time enabled.
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
mod attend;
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
mod tree;
mod watch;

pub use allow::{
    NETWORK_VARIABLES, PLACE_VARIABLES, allowed_variables, allows_variable, names_secret,
};
pub use ancestry::{Ancestor, ancestors};
pub use attend::run_in_terminal;
pub use detach::{is_leader_running, leave_terminal, spawn_detached};
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
pub use watch::{Unwatched, Watch};
