//! `agon hook`: answers an AI tool before and after its model's acts.

use agon_report::text::plain_line;
use agon_teamwork::{hook, precommit};

use crate::args::{Global, HookArgs};
use crate::edge::{Surroundings, read_stdin};
use crate::error::{Code, Exit, Failure, FailureKind};
use crate::output::Out;

// The content of a file that is written whole is in it.
/// The most bytes that a host may say.
const MAX_BYTES: u64 = 64 << 20;

/// Reads what the host says on stdin, and prints what it takes for an answer. Git says nothing, and
/// takes exit code 1 for a refusal.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &HookArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    global.refuse_json("what an AI tool reads", "leave --json out")?;
    if args.host == "git" {
        return Ok(before_commit(edge, out).await);
    }
    // What cannot be read, or is too long, cannot be parsed either: that is said, and the act passes.
    let said = read_stdin(MAX_BYTES);
    // A tool takes some exit codes for a refusal, and a hook that fails refuses nothing.
    let output = match hook::answer(edge, &args.host, &args.event, &said).await {
        Ok(output) => output,
        Err(failure) => {
            out.report_failure(&failure, false);
            return Ok(Exit::Done);
        }
    };
    if let Some(warning) = &output.warning {
        out.eprint_warning(warning);
    }
    if let Some(serde_json::Value::String(text)) = &output.answer {
        out.write_line(&plain_line(text))?;
    } else if let Some(answer) = &output.answer {
        let line = serde_json::to_string(answer)
            .map_err(|error| Failure::from_error(Code::Bug, &error))?;
        out.write_line(&line)?;
    }
    Ok(Exit::Done)
}

/// Whether a commit may be made; one that cannot be judged may.
async fn before_commit(edge: &Surroundings, out: &mut Out) -> Exit {
    match precommit::refusal(edge).await {
        Ok(None) => Exit::Done,
        Ok(Some(why)) => {
            out.eprint_line(&plain_line(&why));
            Exit::Failed(FailureKind::NoVerdict)
        }
        Err(failure) => {
            out.report_failure(&failure, false);
            Exit::Done
        }
    }
}
