//! Runs a program once: one input, one output.

use std::os::unix::process::ExitStatusExt;
use std::pin::pin;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::leader::{Leader, Pipes};
use crate::pipe::{OutputHead, PipeSource, Tail};
use crate::{Limits, Program, StartError, Watch};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The program ended on its own.
    Exited {
        /// Its exit code, unless a signal ended it.
        code: Option<i32>,
        /// The signal that ended it, if one did.
        signal: Option<i32>,
    },
    /// The deadline passed, and the group was ended.
    TimedOut,
    /// The run was cancelled, and the group was ended.
    Cancelled,
    /// The output exceeded its limit, and the group was ended.
    Flooded,
    /// The output was complete, but the program kept running, and the group was ended.
    Complete,
}

/// Detects complete output, for programs that may not end after it.
#[derive(Clone, Copy)]
pub struct Completion<'a> {
    /// Whether the output so far is complete.
    pub is_complete: &'a (dyn Fn(&[u8]) -> bool + Sync),
    /// How long the program then has to end on its own.
    pub grace: Duration,
}

impl std::fmt::Debug for Completion<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Completion")
            .field("grace", &self.grace)
            .finish_non_exhaustive()
    }
}

// Chosen, not measured: a tool that does not end is detected this much later. Checking each chunk
// would scan long output many times.
/// Delay between new output and its check: output arrives in many chunks, and a check reads all of
/// it.
const CHECK_DELAY: Duration = Duration::from_millis(500);
// The capacity of a pipe on Linux (`man 7 pipe`): a program that fills it is still printing.
/// The most new output with which the whole output is checked: a program that printed more since
/// the last check is not done.
const MAX_FRESH_BYTES: usize = 64 * 1024;

/// The result of a run. The group has ended, whatever the ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// Its standard output, up to [`Limits::output`]; kept for every ending.
    pub stdout: Vec<u8>,
    /// The last 64 KiB of its standard error.
    pub stderr_tail: Vec<u8>,
    /// Whether standard output exceeded the limit.
    pub truncated: bool,
    /// Time from the start to the return.
    pub took: Duration,
}

/// Runs `program` with `stdin` as its input and reads its output.
///
/// `watch` learns the group before any input is written, and again when the group has ended. Input
/// is written while output is read, so neither can block the other. A program that ends without
/// reading its input is not an error. When the leader ends, other processes that hold its pipes
/// have [`Limits::drain`] to finish before the whole group is killed. At the deadline, or when
/// cancelled, the group gets TERM, and KILL after [`Limits::grace`]. Excessive output causes an
/// immediate KILL. Dropping the future kills the group. A run that is already cancelled starts
/// nothing.
///
/// # Errors
///
/// If the program could not be started, or `watch` refused it.
pub async fn run_program(
    program: &Program,
    stdin: &[u8],
    limits: &Limits,
    watch: &dyn Watch,
    cancel: &CancellationToken,
) -> Result<Finished, StartError> {
    run_until_complete(program, stdin, limits, watch, cancel, None).await
}

/// As [`run_program`], but ends a program that has printed everything and keeps running, after
/// [`Completion::grace`] or at the deadline. Output during the end is discarded.
///
/// # Errors
///
/// As [`run_program`].
pub async fn run_until_complete(
    program: &Program,
    stdin: &[u8],
    limits: &Limits,
    watch: &dyn Watch,
    cancel: &CancellationToken,
    completion: Option<Completion<'_>>,
) -> Result<Finished, StartError> {
    let begun = Instant::now();
    if cancel.is_cancelled() {
        return Ok(Finished {
            ending: Ending::Cancelled,
            stdout: Vec::new(),
            stderr_tail: Vec::new(),
            truncated: false,
            took: begun.elapsed(),
        });
    }
    let (mut leader, pipes) = Leader::start(program, watch)?;
    if limits.leaves_strays {
        leader.spare_strays();
    }
    let Pipes {
        stdin: pipe,
        stdout,
        stderr,
    } = pipes;
    let mut output = Output::new(stdout, stderr, limits.output);
    let is_complete =
        |printed: &[u8]| completion.is_some_and(|completion| (completion.is_complete)(printed));
    let grace = completion.map_or(Duration::ZERO, |completion| completion.grace);

    let cause = {
        let mut feed = pin!(write_input(pipe, stdin));
        let mut fed = false;
        let mut deadline = pin!(sleep(limits.deadline));
        let mut cancelled = pin!(cancel.cancelled());
        let mut look = pin!(sleep(CHECK_DELAY));
        // Whether there is unchecked output, and whether the checked output is complete.
        let (mut unseen, mut complete) = (false, false);
        let mut looked_upto = 0;
        loop {
            tokio::select! {
                biased;
                () = &mut cancelled => break Cause::Cancelled,
                () = leader.wait_for_exit() => break Cause::Left,
                () = &mut deadline => break match is_complete(output.head.bytes()) {
                    true => Cause::Complete,
                    false => Cause::TimedOut,
                },
                () = &mut look, if unseen || complete => {
                    let was_complete = complete;
                    let printed = output.head.bytes();
                    let fresh = printed.len() - std::mem::replace(&mut looked_upto, printed.len());
                    if unseen && fresh <= MAX_FRESH_BYTES {
                        complete = is_complete(printed);
                        unseen = false;
                    }
                    if was_complete && complete && !unseen {
                        break Cause::Complete;
                    }
                    let next = if complete { grace } else { CHECK_DELAY };
                    look.as_mut().reset(tokio::time::Instant::now() + next);
                }
                () = &mut feed, if !fed => fed = true,
                () = output.read_chunk() => {
                    if output.head.has_overflowed() {
                        break Cause::Flooded;
                    }
                    if completion.is_some() && !unseen {
                        unseen = true;
                        if !complete {
                            look.as_mut().reset(tokio::time::Instant::now() + CHECK_DELAY);
                        }
                    }
                }
            }
        }
    };

    let printed = output.head.bytes().len();
    match cause {
        Cause::Left => {
            // After the timeout, the output read so far is used.
            timeout(limits.drain, output.read_all()).await.ok();
        }
        Cause::TimedOut | Cause::Cancelled | Cause::Complete => {
            leader.signal_group(Signal::TERM);
            let quiet = async {
                tokio::join!(leader.wait_for_exit(), output.read_all());
            };
            timeout(limits.grace, quiet).await.ok();
        }
        Cause::Flooded => {}
    }
    let status = leader.kill_and_reap().await;

    let mut truncated = output.head.has_overflowed();
    let mut stdout = output.head.into_bytes();
    let ending = match cause {
        Cause::Left if truncated => Ending::Flooded,
        Cause::Left => Ending::Exited {
            code: status.and_then(|status| status.code()),
            signal: status.and_then(|status| status.signal()),
        },
        Cause::TimedOut => Ending::TimedOut,
        Cause::Cancelled => Ending::Cancelled,
        Cause::Flooded => Ending::Flooded,
        Cause::Complete => {
            stdout.truncate(printed);
            truncated = false;
            Ending::Complete
        }
    };
    Ok(Finished {
        ending,
        stdout,
        stderr_tail: output.tail.bytes(),
        truncated,
        took: begun.elapsed(),
    })
}

/// Why reading stopped.
#[derive(Clone, Copy)]
enum Cause {
    Left,
    TimedOut,
    Cancelled,
    Flooded,
    Complete,
}

/// Writes all input and closes the pipe. A closed pipe is not an error here, because the exit
/// status says more.
async fn write_input(mut pipe: ChildStdin, input: &[u8]) {
    pipe.write_all(input).await.ok();
}

/// Both output pipes and the output kept.
struct Output {
    stdout: PipeSource<ChildStdout>,
    stderr: PipeSource<ChildStderr>,
    head: OutputHead,
    tail: Tail,
}

impl Output {
    fn new(stdout: ChildStdout, stderr: ChildStderr, cap: usize) -> Self {
        Self {
            stdout: PipeSource::new(stdout),
            stderr: PipeSource::new(stderr),
            head: OutputHead::new(cap),
            tail: Tail::default(),
        }
    }

    /// Reads one chunk from either pipe; never resolves once both are closed.
    async fn read_chunk(&mut self) {
        tokio::select! {
            bytes = self.stdout.next_chunk() => self.head.push(bytes),
            bytes = self.stderr.next_chunk() => self.tail.push(bytes),
        }
    }

    /// Reads until both pipes are closed or the output exceeds its limit.
    async fn read_all(&mut self) {
        while (self.stdout.is_open() || self.stderr.is_open()) && !self.head.has_overflowed() {
            self.read_chunk().await;
        }
    }
}
