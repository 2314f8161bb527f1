//! Adds a note, or the output of a command, to a debate.

use std::time::Duration;

use agon_caller::environments::command_variables;
use agon_caller::{Caller, Code, Failure, Notes, depth, find};
use agon_proc::{Ending, Limits, Program, Unwatched};
use agon_record::user::{CommandRun, UserRequest, WordId};
use agon_rules::steer::{check_not_closed, describe_input_recipients};
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::output_ends::OutputEnds;
use super::{Submitted, clean_and_redact, note, request_refusal, submit};

/// Something to add to a debate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SayInput {
    /// A note by the user.
    Note(String),
    /// The output of a command.
    Run(CommandRun),
}

/// A note or output that was added to a debate: `agon.said/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SaidDoc {
    schema: &'static str,
    debate: String,
    /// Its number in the debate.
    #[schemars(with = "String")]
    pub id: WordId,
    /// Whether the debate is running.
    pub runs: bool,
    /// Who will see it, in words.
    pub heard: String,
    /// Secrets that were removed.
    pub redacted: u32,
    /// The command that printed it.
    pub run: Option<RunSaid>,
}

/// A command that was run for a debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunSaid {
    command: String,
    exit: Option<i32>,
    /// How it ended, in words.
    pub ended: String,
    /// Bytes that it printed.
    pub bytes: u64,
    /// Bytes left out of the record.
    pub left_out: u64,
    took_ms: u64,
}

/// Adds a note or command output to the debate `debate`.
///
/// # Errors
///
/// If no later prompt would include it, or the writer does not take it in time.
pub async fn say(
    caller: &Caller,
    debate: &str,
    saying: SayInput,
    notes: &mut dyn Notes,
) -> Result<SaidDoc, Failure> {
    depth::refuse_nested(caller)?;
    let path = find::find_debate_folder(caller, debate)?;
    find::refuse_damaged(caller, &path)?;
    let wish = match saying {
        SayInput::Note(text) => note(&text),
        SayInput::Run(run) => UserRequest::Run(run),
    };
    submit(&path, wish, notes)
        .await
        .map(SaidDoc::from_submitted)
}

impl SaidDoc {
    fn from_submitted(submitted: Submitted) -> Self {
        let Submitted { state, runs, item } = submitted;
        let word = state.words.iter().find(|word| word.request_id() == item.id);
        let (redacted, run) = match item.wish {
            UserRequest::Note { redacted, .. } => (redacted, None),
            UserRequest::Run(run) => (run.redacted, Some(RunSaid::from_run(run))),
            UserRequest::Order(_) | UserRequest::Decide(_) | UserRequest::Stop => (0, None),
        };
        Self {
            schema: "agon.said/1",
            id: word.map_or(WordId::Note(0), |word| word.id()),
            runs,
            heard: describe_input_recipients(&state).to_owned(),
            redacted,
            run,
            debate: state.spec.slug,
        }
    }
}

impl RunSaid {
    fn from_run(run: CommandRun) -> Self {
        Self {
            ended: run.ending(),
            command: run.command,
            exit: run.exit,
            bytes: run.bytes,
            left_out: run.left_out,
            took_ms: run.took_ms,
        }
    }
}

/// Runs a command for the debate `debate`. Its output goes to `sink` as it arrives. Secrets are
/// redacted in the recorded output.
///
/// # Errors
///
/// If no later prompt would include it, it cannot be started, or it is cancelled.
pub async fn run_command(
    caller: &Caller,
    debate: &str,
    command: &RunCommand<'_>,
    sink: &mut dyn FnMut(&[u8]),
) -> Result<CommandRun, Failure> {
    depth::refuse_nested(caller)?;
    // Check the debate first, so that no command is run in vain.
    let path = find::find_debate_folder(caller, debate)?;
    check_not_closed(&find::read(&path)?.state).map_err(request_refusal)?;
    let program = Program {
        path: "/bin/sh".into(),
        args: vec!["-c".into(), command.line.into()],
        env: command_variables(caller),
        cwd: caller.cwd.clone(),
    };
    let limits = Limits {
        deadline: command.timeout,
        output: 0,
        grace: Duration::from_secs(2),
        drain: Duration::from_secs(2),
        leaves_strays: true,
    };
    let mut ends = OutputEnds::default();
    let mut both = |bytes: &[u8]| {
        ends.push(bytes);
        sink(bytes);
    };
    let cancel = command.cancel;
    let streamed = agon_proc::stream_output(&program, &limits, &Unwatched, cancel, &mut both).await;
    let (ending, took) =
        streamed.map_err(|error| Failure::from_error(Code::Run, &error).parameter("run"))?;
    let (exit, ended) = match ending {
        Ending::Exited { code, signal } => (code, signal.map(|signal| format!("signal {signal}"))),
        Ending::TimedOut => {
            let seconds = command.timeout.as_secs();
            (None, Some(format!("stopped after {seconds} s")))
        }
        Ending::Cancelled | Ending::Flooded | Ending::Complete => {
            let message = "the command was cancelled; its output was not saved";
            return Err(Failure::new(Code::Cancelled, message));
        }
    };
    let kept = ends.finish();
    let (line, secrets) = clean_and_redact(command.line);
    Ok(CommandRun {
        command: line.trim().to_owned(),
        exit,
        ended,
        output: kept.text,
        bytes: kept.bytes,
        left_out: kept.left_out,
        took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        redacted: kept.redacted.saturating_add(secrets),
    })
}

/// A command to run for a debate.
#[derive(Clone, Copy, Debug)]
pub struct RunCommand<'a> {
    /// The shell command.
    pub line: &'a str,
    /// The time limit.
    pub timeout: Duration,
    /// Cancelling it stops the command.
    pub cancel: &'a CancellationToken,
}
