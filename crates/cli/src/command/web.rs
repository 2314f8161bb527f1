//! `agon web`: serves the debates of this folder to a browser.

use agon_web::{Server, WebOptions};

use crate::args::{Global, WebArgs};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::stop;
use crate::surroundings::Surroundings;

/// Prints the address, opens it on a terminal, and serves until Ctrl-C.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: WebArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    global.refuse_json("a server", "leave out --json; each page has a JSON form")?;
    let stop = stop::signal_cancellation_token();
    // No person watches a request of a program. The forms of a page show the cost first.
    let caller = agon_caller::Caller {
        is_watched: false,
        ..agon_caller::Caller::clone(edge)
    };
    let options = WebOptions {
        port: args.port,
        read_only: args.read_only,
    };
    let server = Server::bind(caller, options).await?;
    out.write_line(&server.address())?;
    out.eprint_line("Keep this address private. Press Ctrl-C to end; running debates continue.");
    if edge.terminal
        && !args.no_open
        && let Err(failure) = server.open_browser().await
    {
        // The pages work without it.
        out.eprint_warning(&format!("{}; open the address yourself", failure.message));
    }
    server.serve(stop).await;
    Ok(Exit::Done)
}
