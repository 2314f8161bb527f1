//! `agon say`: adds a note or the output of a command to a debate.

use std::io::{IsTerminal, Read, Write};
use std::time::Duration;

use agon_debates::steer::{RunCommand, SaidDoc, SayInput, run_command, say};
use agon_report::text::count_with_noun;

use crate::args::{Global, SayArgs};
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::stop;
use crate::surroundings::Surroundings;

/// Runs `agon say`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &SayArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let saying = match &args.run {
        None => SayInput::Note(read_note_text(args)?),
        Some(line) => run_and_capture_command(edge, global, args, line, out).await?,
    };
    let said = say(edge, &args.debate, saying, out).await?;
    print_say_result(global, &said, out)?;
    Ok(Exit::Done)
}

fn read_note_text(args: &SayArgs) -> Result<String, Failure> {
    if args.text != ["-"] {
        return Ok(args.text.join(" "));
    }
    let mut text = String::new();
    let read = std::io::stdin().take(1 << 20).read_to_string(&mut text);
    read.map_err(|cause| {
        let message = format!("cannot read the note from stdin: {cause}");
        Failure::new(Code::InvalidParameter, message).parameter("text")
    })?;
    Ok(text)
}

/// Runs a command here and shows its output.
async fn run_and_capture_command(
    edge: &Surroundings,
    global: &Global,
    args: &SayArgs,
    line: &str,
    out: &mut Out,
) -> Result<SayInput, Failure> {
    let live = !global.json && std::io::stderr().is_terminal();
    let mut sink = |bytes: &[u8]| {
        if live {
            // A failure of stderr cannot be reported.
            drop(std::io::stderr().write_all(bytes));
        }
    };
    let cancel = stop::signal_cancellation_token();
    let command = RunCommand {
        line,
        timeout: Duration::from_secs(args.timeout),
        cancel: &cancel,
    };
    let run = run_command(edge, &args.debate, &command, &mut sink).await?;
    if !live && !global.json {
        out.eprint_line(run.output.trim_end());
    }
    Ok(SayInput::Run(run))
}

/// Prints the result of adding a note or an output.
fn print_say_result(global: &Global, said: &SaidDoc, out: &mut Out) -> Result<(), Failure> {
    if global.json {
        return out.write_json(said);
    }
    if let Some(run) = &said.run {
        let left = match run.left_out {
            0 => String::new(),
            left => format!(" ({left} bytes left out)"),
        };
        out.eprint_line(&format!("{} · {} bytes{left}", run.ended, run.bytes));
    }
    if said.redacted > 0 {
        let secrets = count_with_noun(said.redacted, "secret");
        out.eprint_line(&format!("{secrets} removed before storing"));
    }
    out.write_line(&format!("{} added; {}", said.id, said.heard))
}
