//! A gate that runs a command in the work tree.

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_caller::environments::{gate_variables, withheld_from_gate};
use agon_caller::guard::with_guard;
use agon_caller::{CallFront, Caller, Code, Failure, Hint};
use agon_proc::{Ending, Limits, Program, Unwatched, find_program, stream_output};
use agon_team::gate::CommandGate;
use agon_team::id::GateName;

use super::GateOutcome;
use super::log::BoundedOutput;
use crate::text::{clean, clean_line};

/// How often to report that the command is still running.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
/// The time that a command gets to exit on its own after its time limit.
const GRACE: Duration = Duration::from_secs(2);

/// The most withheld variables that are listed.
const MAX_NAMED: usize = 40;
/// The number of example variables if the output mentions none of them.
const MAX_EXAMPLES: usize = 3;

/// A command to run in a work tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommandRun<'a> {
    pub(crate) root: &'a Path,
    pub(crate) of: RunOf<'a>,
    pub(crate) gate: &'a CommandGate,
}

/// The purpose of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RunOf<'a> {
    /// A gate.
    Gate(&'a GateName),
    /// The setup of a work tree.
    Setup,
}

impl RunOf<'_> {
    fn name(self) -> String {
        match self {
            Self::Gate(name) => name.to_string(),
            Self::Setup => "the setup".to_owned(),
        }
    }

    const fn noun(self) -> &'static str {
        match self {
            Self::Gate(_) => "gate",
            Self::Setup => "setup",
        }
    }

    const fn show_command(self) -> &'static str {
        match self {
            Self::Gate(_) => "team gate show",
            Self::Setup => "team worktree show",
        }
    }

    const fn retry_hint(self) -> &'static str {
        match self {
            Self::Gate(_) => "add the gate again with --env NAME",
            Self::Setup => "set it again with `agon team worktree set --env NAME`",
        }
    }

    const fn code(self) -> Code {
        match self {
            Self::Gate(_) => Code::GateNotStarted,
            Self::Setup => Code::TreeSetup,
        }
    }
}

/// Runs a command in a work tree. When it returns, every process that the command started has
/// ended.
///
/// # Errors
///
/// If it cannot be started, or is cancelled.
pub(crate) async fn run_command(
    caller: &Caller,
    order: &CommandRun<'_>,
    front: &mut dyn CallFront,
) -> Result<GateOutcome, Failure> {
    let CommandRun { of, gate, .. } = *order;
    let program = program(caller, order)?;
    let limits = Limits {
        deadline: Duration::from_secs(gate.timeout_s),
        output: usize::MAX,
        grace: GRACE,
        drain: GRACE,
        leaves_strays: false,
    };
    let cancel = front.cancel_token();
    let output = RefCell::new((BoundedOutput::default(), 0_u64));
    let mut sink = |bytes: &[u8]| {
        let (kept, lines) = &mut *output.borrow_mut();
        kept.push(bytes);
        *lines += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    };
    let begun = std::time::Instant::now();
    let watch = with_guard(caller, Arc::new(Unwatched));
    let ended = {
        let run = stream_output(&program, &limits, &watch, &cancel, &mut sink);
        let mut run = std::pin::pin!(run);
        loop {
            tokio::select! {
                biased;
                ended = &mut run => break ended,
                () = tokio::time::sleep(PROGRESS_INTERVAL) => {
                    let (lines, seconds) = (output.borrow().1, begun.elapsed().as_secs());
                    front.note(&format!("{}: running for {seconds} s, {lines} lines of output", of.name()));
                }
            }
        }
    };
    let (ending, _) = ended.map_err(|error| {
        let hint = Hint::new(format!("check the program of the {} with ", of.noun()));

        Failure::from_error(of.code(), &error).hint(hint.quoted(of.show_command()))
    })?;
    let (passed, outcome) = match ending {
        Ending::Cancelled => {
            return Err(Failure::new(
                Code::Cancelled,
                format!("{} was cancelled", of.name()),
            ));
        }
        Ending::Exited {
            code: Some(code), ..
        } => (code == gate.exit, format!("exit {code}")),
        Ending::Exited { signal, .. } => (
            false,
            format!("ended by signal {}", signal.unwrap_or_default()),
        ),
        Ending::TimedOut => (false, format!("timed out after {} s", gate.timeout_s)),
        Ending::Flooded | Ending::Complete => (false, "ended early".to_owned()),
    };
    let (kept, _) = output.into_inner();
    let mut output = clean(&kept.into_text());
    let withheld = withheld_from_gate(caller, &gate.env);
    if !passed && !withheld.is_empty() {
        if !output.is_empty() && !output.ends_with('\n') {
            output.push('\n');
        }
        let said = describe_withheld(&withheld, of, &output);
        output.push_str(&said);
    }
    Ok(GateOutcome {
        passed,
        outcome,
        output,
    })
}

fn program(caller: &Caller, order: &CommandRun<'_>) -> Result<Program, Failure> {
    let CommandRun { root, of, gate } = *order;
    let (word, args) = gate
        .argv
        .split_first()
        .map_or(("", &[][..]), |(word, args)| (word, args));
    let env = gate_variables(caller, &gate.env);
    let path_var = env
        .get(&OsString::from("PATH"))
        .cloned()
        .unwrap_or_default();
    // A program with a `/` is a path relative to the root of the repository.
    let found = match word.contains('/') {
        true => find_program(&root.join(word).to_string_lossy(), &path_var),
        false => find_program(word, &path_var),
    };
    let path = found.ok_or_else(|| {
        let (noun, word) = (of.noun(), word.escape_default());
        let message = format!("the {noun}'s program `{word}` was not found");
        let hint = Hint::new(format!("check the command of the {noun} with "));
        Failure::new(of.code(), message).hint(hint.quoted(of.show_command()))
    })?;
    Ok(Program {
        path,
        args: args.iter().map(OsString::from).collect(),
        env,
        cwd: root.to_owned(),
    })
}

/// Explains that a command may have failed because of withheld variables. Names the variables that
/// its output mentions, otherwise only their number: a full list would bury the cause.
fn describe_withheld(names: &[String], of: RunOf<'_>, output: &str) -> String {
    let named: Vec<&str> = names.iter().map(String::as_str).collect();
    let mentioned = named.iter().copied().filter(|name| output.contains(name));
    let mentioned: Vec<&str> = mentioned.take(MAX_NAMED).collect();
    let these = |names: &[&str]| {
        format!(
            "these variables from the {}: {}",
            of.noun(),
            names.join(", ")
        )
    };
    let which = match (mentioned.as_slice(), named.get(..MAX_EXAMPLES)) {
        ([], Some(examples)) if named.len() > MAX_EXAMPLES => format!(
            "{} variables of your environment from the {}, such as {}",
            named.len(),
            of.noun(),
            examples.join(", ")
        ),
        ([], _) => these(&named),
        (mentioned, _) => these(mentioned),
    };
    clean_line(&format!(
        "Agon withheld {which}. To pass one, {}.",
        of.retry_hint()
    ))
}
