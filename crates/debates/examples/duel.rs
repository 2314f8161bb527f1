//! Runs a quick duel between installed tools, and prints the result.
//!
//! ```sh
//! cargo run -p agon-debates --example duel -- "SQLite or plain files for the job store?"
//! ```
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example")]

use std::error::Error;

use agon_caller::hint::CommandLine;
use agon_caller::{Caller, Failure, Notes};
use agon_debates::front::{Beginning, FrontEnd};
use agon_debates::request::StartRequest;
use agon_debates::run::duel;
use agon_debates::status::outcome::Outcome;
use agon_debates::steer::observer::{Observer, Unwatched};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// Prints events to stderr.
#[derive(Default)]
struct Lines(Unwatched);

impl Notes for Lines {
    fn note(&mut self, note: &str) {
        eprintln!("{note}");
    }

    fn warn(&mut self, warning: &str) {
        eprintln!("warning: {warning}");
    }
}

#[cfg(feature = "local-model")]
impl agon_seats::model::PullFront for Lines {
    fn begin_pull(&mut self) -> (Box<dyn agon_seats::model::PullProgress>, CancellationToken) {
        (
            Box::new(agon_seats::model::UnwatchedPull),
            CancellationToken::new(),
        )
    }
}

#[async_trait(?Send)]
impl FrontEnd for Lines {
    fn begin_debate(&mut self, debate: &Beginning<'_>) -> Result<CancellationToken, Failure> {
        eprintln!("{}", debate.folder);
        Ok(CancellationToken::new())
    }

    fn observer(&mut self) -> &mut dyn Observer {
        &mut self.0
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let request = StartRequest {
        topic: std::env::args().nth(1).unwrap_or_default(),
        quick: true,
        ..StartRequest::default()
    };
    let caller = Caller::new(std::env::vars_os().collect(), std::env::current_dir()?);
    let mut lines = Lines::default();
    let local = tokio::task::LocalSet::new();
    match local
        .run_until(duel::start(&caller, &request, &mut lines))
        .await
    {
        Ok(Outcome::Ended(ended)) => println!("{}", serde_json::to_string(&ended.document())?),
        Ok(Outcome::Planned(_) | Outcome::Started(_)) => {}
        Err(failure) => println!(
            "{}",
            serde_json::to_string(&failure.document(&CommandLine))?
        ),
    }
    Ok(())
}
