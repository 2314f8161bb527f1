//! `agon web`: serves the debates of this folder to a browser.

mod qr_code;

use agon_web::{PublicOrigin, Server, WebOptions};

use crate::args::{Global, WebArgs};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::stop;
use crate::surroundings::Surroundings;

/// Prints the addresses, opens the first on a terminal, and serves until Ctrl-C.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &WebArgs,
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
        share: args.share,
        listen: args.listen,
        origin: args
            .origin
            .as_deref()
            .map(PublicOrigin::parse)
            .transpose()?,
        token_file: args.token_file.clone(),
    };
    // As in `agon mcp`: no person sees the cost of a call.
    let hosted = agon_caller::Caller {
        is_hosted: true,
        ..caller.clone()
    };
    let tools = agon_mcp::http_service(hosted, stop.clone());
    let server = Server::bind(caller, options).await?.mount(tools);
    // The output of a service is kept in a log, and its user knows the token already.
    if edge.terminal || args.token_file.is_none() {
        out.write_line(&server.address())?;
        out.eprint_line(
            "Keep this address private. Press Ctrl-C to end; running debates continue.",
        );
    } else {
        out.write_line(&server.origin())?;
        out.eprint_line("Add /?key= and your token to this address. Press Ctrl-C to end; running debates continue.");
    }
    if !server.is_local() {
        out.eprint_warning(&exposure(&server, args.read_only));
    }
    if let Some(address) = server.watching_address() {
        print_watching(edge, &server, &address, out)?;
    }
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

/// Says what a server that other computers can reach lets them do.
fn exposure(server: &Server, is_read_only: bool) -> String {
    let origin = server.origin();
    let may = match is_read_only {
        true => "read every debate and session of this project",
        false => "start debates as you, with your logins, and read every debate and session",
    };
    let encrypted = match origin.starts_with("https://") {
        true => "",
        false => ". The connection is not encrypted: anyone on the network can read the key",
    };
    format!(
        "other computers can reach this server at {origin}. Anyone with its key can {may}{encrypted}"
    )
}

/// Prints the address for people who may only watch, on a terminal also as a picture for a phone.
fn print_watching(
    edge: &Surroundings,
    server: &Server,
    address: &str,
    out: &mut Out,
) -> Result<(), Failure> {
    out.write_line("")?;
    out.write_line(address)?;
    out.eprint_line("This second address only shows the debates, decisions, usage and the team.");
    if server.is_local() {
        out.eprint_line(
            "It works on this computer only; add --listen ADDR to show it on other computers.",
        );
    } else if edge.terminal {
        for line in qr_code::draw(address) {
            out.eprint_line(&line);
        }
    }
    Ok(())
}
