//! `agon hook`: the hook entry point, which AI tools call before and after each tool use.

use agon_debates::{plan_review, suggest};
use agon_install::hosts::require_host;
use agon_report::text::plain_line;
use agon_teamwork::{hook, precommit};

use crate::args::{Global, HookArgs};
use crate::error::{Code, Exit, Failure, FailureKind};
use crate::output::Out;
use crate::surroundings::{Surroundings, read_stdin};

// Large, because an event can contain the whole content of a written file.
/// The maximum size of an event, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Reads the host's event from stdin and prints the answer in the host's format. Git does not send
/// an event, and treats exit code 1 as a refusal.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &HookArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    global.refuse_json("a hook's answer", "leave out --json")?;
    if args.host == "git" {
        return Ok(run_pre_commit_hook(edge, out).await);
    }
    // An unreadable or too long event fails to parse; the hook then warns and allows the action.
    let event = read_stdin(MAX_BYTES);
    // Exit with 0 on a failure, because AI tools treat some other exit codes as a refusal.
    let output = match answer(edge, args, &event).await {
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

/// Answers a call of an AI tool. A member of a team has the lead to review its plan and to write its
/// prompts.
async fn answer(
    edge: &Surroundings,
    args: &HookArgs,
    event: &str,
) -> Result<hook::HookOutput, Failure> {
    let is_in_team = |cwd: &std::path::Path| hook::is_in_team(edge, cwd);
    match args.event.as_str() {
        plan_review::EVENT => {
            let host = require_host(&args.host)?;
            Ok(plan_review::answer(edge, host, event, is_in_team).await)
        }
        suggest::EVENT => {
            let host = require_host(&args.host)?;
            Ok(suggest::answer(edge, host, event, is_in_team))
        }
        _ => hook::answer(edge, &args.host, &args.event, event).await,
    }
}

/// Decides whether git may commit; on a failure it may.
async fn run_pre_commit_hook(edge: &Surroundings, out: &mut Out) -> Exit {
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
