//! Puts a note, or what a command printed, into a debate.

use std::time::Duration;

use agon_caller::environments::command_variables;
use agon_caller::{Caller, Code, Failure, Notes, depth, find};
use agon_proc::{Ending, Limits, Program, Unwatched};
use agon_record::user::{CommandRun, UserRequest, WordId};
use agon_rules::steer::{check_not_closed, describe_listeners};
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::ends::OutputEnds;
use super::{Submitted, clean_and_redact, note, submit, wish_refusal};

/// A word that is said into a debate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saying {
    /// What the user says.
    Note(String),
    /// What a command printed.
    Run(CommandRun),
}

/// A word that was said into a debate: `agon.said/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SaidDoc {
    schema: &'static str,
    debate: String,
    /// Its number in the debate.
    #[schemars(with = "String")]
    pub id: WordId,
    /// Whether the debate runs.
    pub runs: bool,
    /// Who hears it, in words.
    pub heard: String,
    /// Secrets that were taken out.
    pub redacted: u32,
    /// The command that printed it.
    pub run: Option<RunSaid>,
}

/// A command that was run into a debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunSaid {
    command: String,
    exit: Option<i32>,
    /// How it ended, in words.
    pub ended: String,
    /// Bytes that it printed.
    pub bytes: u64,
    /// Bytes of them that are not kept.
    pub left_out: u64,
    took_ms: u64,
}

/// Says a word into the debate `debate`.
///
/// # Errors
///
/// If no later prompt would have it, or the writer does not take it in time.
pub async fn say(
    caller: &Caller,
    debate: &str,
    saying: Saying,
    notes: &mut dyn Notes,
) -> Result<SaidDoc, Failure> {
    depth::refuse_nested(caller)?;
    let path = find::find_debate_folder(caller, debate)?;
    find::refuse_damaged(caller, &path)?;
    let wish = match saying {
        Saying::Note(text) => note(&text),
        Saying::Run(run) => UserRequest::Run(run),
    };
    submit(&path, wish, notes).await.map(SaidDoc::of)
}

impl SaidDoc {
    fn of(submitted: Submitted) -> Self {
        let Submitted { state, runs, item } = submitted;
        let word = state.words.iter().find(|word| word.request_id() == item.id);
        let (redacted, run) = match item.wish {
            UserRequest::Note { redacted, .. } => (redacted, None),
            UserRequest::Run(run) => (run.redacted, Some(RunSaid::of(run))),
            UserRequest::Order(_) | UserRequest::Stop => (0, None),
        };
        Self {
            schema: "agon.said/1",
            id: word.map_or(WordId::Note(0), |word| word.id()),
            runs,
            heard: describe_listeners(&state).to_owned(),
            redacted,
            run,
            debate: state.spec.slug,
        }
    }
}

impl RunSaid {
    fn of(run: CommandRun) -> Self {
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

/// Runs a command for the debate `debate`; `sink` has what it prints as it comes, and what is kept
/// has no secrets.
///
/// # Errors
///
/// If no later prompt would have it, it cannot be started, or it is cancelled.
pub async fn run_command(
    caller: &Caller,
    debate: &str,
    command: &RunCommand<'_>,
    sink: &mut dyn FnMut(&[u8]),
) -> Result<CommandRun, Failure> {
    depth::refuse_nested(caller)?;
    // A command whose output no prompt would have is not waited for.
    let path = find::find_debate_folder(caller, debate)?;
    check_not_closed(&find::read(&path)?.state).map_err(wish_refusal)?;
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
            let message = "the command was stopped; nothing of it is kept";
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

/// A command that is run for a debate.
#[derive(Clone, Copy, Debug)]
pub struct RunCommand<'a> {
    /// What a shell reads.
    pub line: &'a str,
    /// How long it may take.
    pub timeout: Duration,
    /// Cancelling it stops the command.
    pub cancel: &'a CancellationToken,
}
