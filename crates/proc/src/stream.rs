//! Runs a program and forwards its output as it arrives.

use std::os::unix::process::ExitStatusExt;
use std::pin::pin;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::process::{ChildStderr, ChildStdout};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::leader::{Leader, Pipes};
use crate::pipe::PipeSource;
use crate::{Ending, Limits, Program, StartError, Watch};

/// Runs `program` without input and passes the output of both streams to `sink` in chunks, in the
/// order of arrival. Keeps none of it.
///
/// It ends like a [`run_program`](crate::run_program), but ignores [`Limits::output`]. Processes it
/// starts in a session of their own keep running. Returns how it ended and how long it took.
///
/// # Errors
///
/// If the program could not be started, or `watch` refused it.
pub async fn stream_output(
    program: &Program,
    limits: &Limits,
    watch: &dyn Watch,
    cancel: &CancellationToken,
    sink: &mut dyn FnMut(&[u8]),
) -> Result<(Ending, Duration), StartError> {
    let begun = Instant::now();
    if cancel.is_cancelled() {
        return Ok((Ending::Cancelled, begun.elapsed()));
    }
    let (mut leader, pipes) = Leader::start(program, watch)?;
    let Pipes {
        stdin,
        stdout,
        stderr,
    } = pipes;
    drop(stdin);
    leader.spare_strays();
    let mut said = OutputPipes {
        stdout: PipeSource::new(stdout),
        stderr: PipeSource::new(stderr),
        sink,
    };
    let ending = {
        let mut deadline = pin!(sleep(limits.deadline));
        let mut cancelled = pin!(cancel.cancelled());
        loop {
            tokio::select! {
                biased;
                () = &mut cancelled => break Some(Ending::Cancelled),
                () = &mut deadline => break Some(Ending::TimedOut),
                () = leader.wait_for_exit() => break None,
                () = said.forward_chunk() => {}
            }
        }
    };
    if ending.is_none() {
        // After the timeout, the output forwarded so far is used.
        timeout(limits.drain, said.forward_rest()).await.ok();
    } else {
        leader.signal_group(Signal::TERM);
        let quiet = async {
            tokio::join!(leader.wait_for_exit(), said.forward_rest());
        };
        timeout(limits.grace, quiet).await.ok();
    }
    let status = leader.kill_and_reap().await;
    let ending = ending.unwrap_or_else(|| Ending::Exited {
        code: status.and_then(|status| status.code()),
        signal: status.and_then(|status| status.signal()),
    });
    Ok((ending, begun.elapsed()))
}

/// Both output pipes, and the destination of their output.
struct OutputPipes<'a> {
    stdout: PipeSource<ChildStdout>,
    stderr: PipeSource<ChildStderr>,
    sink: &'a mut dyn FnMut(&[u8]),
}

impl OutputPipes<'_> {
    /// Forwards one chunk from either pipe; never resolves once both are closed.
    async fn forward_chunk(&mut self) {
        tokio::select! {
            bytes = self.stdout.next_chunk() => (self.sink)(bytes),
            bytes = self.stderr.next_chunk() => (self.sink)(bytes),
        }
    }

    /// Forwards output until both pipes are closed.
    async fn forward_rest(&mut self) {
        while self.stdout.is_open() || self.stderr.is_open() {
            self.forward_chunk().await;
        }
    }
}
