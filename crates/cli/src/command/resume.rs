//! `agon resume`: continues a debate that was stopped or cut off.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use agon_debates::front::desk::MAX_BYTES;
use agon_debates::request::{ResumeRequest, WrittenAnswer};
use agon_debates::run::resume;

use crate::args::{ContinueOptions, Global, ResumeArgs};
use crate::error::{Code, Exit, Failure};
use crate::front::Terminal;
use crate::outcome;
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Runs `agon resume`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ResumeArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = ResumeRequest {
        debate: args.debate.clone(),
        is_handed: args.handed,
        ..request_from_args(&args.how)?
    };
    let outcome = resume::resume(edge, &request, &mut Terminal::new(edge, global, out)).await?;
    outcome::print_outcome(edge, global, outcome, args.how.exit.required(), out)
}

/// Builds the request to continue a debate.
///
/// # Errors
///
/// Returns an error if the file with an answer cannot be read.
pub(super) fn request_from_args(args: &ContinueOptions) -> Result<ResumeRequest, Failure> {
    Ok(ResumeRequest {
        answer: args.answer.as_deref().map(read_answer_file).transpose()?,
        seat: args.seat,
        as_is: args.as_is,
        ask_again: args.ask_again,
        detach: args.detach,
        transport: args.transport,
        replace: args.replace.clone(),
        substitute: args.substitute,
        bounds: args.limits.bounds(),
        ..ResumeRequest::default()
    })
}

/// Reads an answer from a file, or from stdin for `-`.
fn read_answer_file(source: &Path) -> Result<WrittenAnswer, Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        let message = format!("cannot read {}: {error}", source.display());
        Failure::new(Code::Answer, message).parameter("answer")
    };
    let mut bytes = Vec::new();
    let most = MAX_BYTES as u64 + 1;
    let is_stdin = source.as_os_str() == "-";
    let read = if is_stdin {
        std::io::stdin().take(most).read_to_end(&mut bytes)
    } else {
        let file = File::open(source).map_err(|error| failed(&error))?;
        file.take(most).read_to_end(&mut bytes)
    };
    read.map_err(|error| failed(&error))?;
    if bytes.len() > MAX_BYTES {
        return Err(failed(&format!("more than {MAX_BYTES} bytes")));
    }
    Ok(WrittenAnswer {
        name: source.display().to_string(),
        bytes,
        is_only_copy: is_stdin,
    })
}
