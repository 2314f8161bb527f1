//! A child process that stays open and exchanges lines with the caller.

use std::os::unix::process::ExitStatusExt;
use std::sync::{Arc, Mutex as StdMutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::Signal;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::leader::Leader;
use crate::pipe::{PipeSource, Tail};
use crate::{Group, Program, StartError, Watch};

/// One line of an open child's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChildLine {
    /// A line, without its `\n` or `\r\n`.
    Text(Vec<u8>),
    /// A line longer than the limit. The rest of it is skipped.
    TooLong,
    /// The child has closed its output for good.
    Eof,
}

/// Why a line was not sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The child has closed its input, or this side has closed it.
    #[error("the program no longer reads its input")]
    Closed,
    /// The line contains a line break.
    #[error("a line cannot contain a line break")]
    LineBreak,
}

/// The timeouts for stopping an open child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopTimeouts {
    /// From closing its input to TERM.
    pub close: Duration,
    /// From TERM to KILL.
    pub grace: Duration,
    /// How long its remaining standard error is read after that.
    pub drain: Duration,
}

/// How an open child ended. Its group has ended, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Its exit code, unless a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// The last 64 KiB of its standard error.
    pub stderr_tail: Vec<u8>,
}

/// A child process that stays open.
///
/// [`send_line`](Self::send_line) and [`next_line`](Self::next_line) may be awaited concurrently,
/// so neither direction can block the other. A separate task reads standard error. Dropping the
/// child kills its group.
pub struct OpenChild {
    leader: Leader<Arc<dyn Watch>>,
    stdin: Mutex<Option<ChildStdin>>,
    lines: Mutex<Lines>,
    stderr: Stderr,
}

impl OpenChild {
    /// Starts `program`; a line of its output may have at most `line_cap` bytes.
    ///
    /// `watch` learns the group before anything can be sent, and again when the group has ended.
    ///
    /// # Errors
    ///
    /// If the program could not be started, or `watch` refused it.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime with I/O and time enabled.
    pub fn start(
        program: &Program,
        line_cap: usize,
        watch: Arc<dyn Watch>,
    ) -> Result<Self, StartError> {
        let (leader, pipes) = Leader::start(program, watch)?;
        Ok(Self {
            leader,
            stdin: Mutex::new(Some(pipes.stdin)),
            lines: Mutex::new(Lines::new(pipes.stdout, line_cap)),
            stderr: Stderr::spawn_collector(pipes.stderr),
        })
    }

    /// The child's process group.
    pub fn group(&self) -> &Group {
        self.leader.group()
    }

    /// Sends one line, given without its line break.
    ///
    /// If the future is dropped, half a line may have been sent; stop the child then.
    ///
    /// # Errors
    ///
    /// If the child no longer reads, or `line` contains a line break.
    pub async fn send_line(&self, line: &[u8]) -> Result<(), SendError> {
        if line.contains(&b'\n') {
            return Err(SendError::LineBreak);
        }
        let framed = [line, b"\n"].concat();
        let mut stdin = self.stdin.lock().await;
        let pipe = stdin.as_mut().ok_or(SendError::Closed)?;
        pipe.write_all(&framed).await.map_err(|_| SendError::Closed)
    }

    /// Returns the next line of its output. Dropping the future loses nothing.
    pub async fn next_line(&self) -> ChildLine {
        self.lines.lock().await.next_line().await
    }

    /// Returns the last 64 KiB of its standard error so far.
    pub fn stderr_tail(&self) -> Vec<u8> {
        self.stderr.tail()
    }

    /// Stops the child: closes its input, waits, sends TERM, waits, sends KILL.
    ///
    /// Further standard output is discarded.
    pub async fn stop(mut self, ladder: &StopTimeouts) -> Stopped {
        self.stdin.get_mut().take();
        let lines = self.lines.get_mut();
        if !drain_until_exit(&self.leader, lines, ladder.close).await {
            self.leader.signal_group(Signal::TERM);
            drain_until_exit(&self.leader, lines, ladder.grace).await;
        }
        let status = self.leader.kill_and_reap().await;
        self.stderr.wait_for_end(ladder.drain).await;
        Stopped {
            code: status.and_then(|status| status.code()),
            signal: status.and_then(|status| status.signal()),
            stderr_tail: self.stderr.tail(),
        }
    }
}

impl std::fmt::Debug for OpenChild {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Held")
            .field("group", self.group())
            .finish_non_exhaustive()
    }
}

/// Waits until the leader has ended or the time is over, and discards output meanwhile so that a
/// full pipe does not block it.
async fn drain_until_exit(
    leader: &Leader<Arc<dyn Watch>>,
    lines: &mut Lines,
    limit: Duration,
) -> bool {
    let reading = async {
        while lines.next_line().await != ChildLine::Eof {}
        leader.wait_for_exit().await;
    };
    let gone = async {
        tokio::select! {
            () = leader.wait_for_exit() => {}
            () = reading => {}
        }
    };
    timeout(limit, gone).await.is_ok()
}

/// Standard output, split into lines of limited length.
struct Lines {
    reader: BufReader<ChildStdout>,
    line: Vec<u8>,
    cap: usize,
    skipping: bool,
}

impl Lines {
    fn new(stdout: ChildStdout, cap: usize) -> Self {
        Self {
            reader: BufReader::with_capacity(64 * 1024, stdout),
            line: Vec::new(),
            cap,
            skipping: false,
        }
    }

    async fn next_line(&mut self) -> ChildLine {
        loop {
            // The only await. All state is in `self`, so a future dropped here loses nothing.
            let chunk = self.reader.fill_buf().await.unwrap_or_default();
            if chunk.is_empty() {
                self.skipping = false;
                return if self.line.is_empty() {
                    ChildLine::Eof
                } else {
                    self.take_line()
                };
            }
            let line_break = chunk.iter().position(|&byte| byte == b'\n');
            let piece = line_break.map_or(chunk, |at| &chunk[..at]);
            let taken = piece.len() + usize::from(line_break.is_some());
            let is_too_long = !self.skipping && self.line.len() + piece.len() > self.cap;
            if !self.skipping && !is_too_long {
                self.line.extend_from_slice(piece);
            }
            self.reader.consume(taken);

            let was_skipping = self.skipping;
            self.skipping = line_break.is_none() && (was_skipping || is_too_long);
            if is_too_long {
                self.line = Vec::new();
                return ChildLine::TooLong;
            }
            if line_break.is_some() && !was_skipping {
                return self.take_line();
            }
        }
    }

    fn take_line(&mut self) -> ChildLine {
        let mut line = std::mem::take(&mut self.line);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        ChildLine::Text(line)
    }
}

/// Standard error, collected by a separate task.
struct Stderr {
    tail: Arc<StdMutex<Tail>>,
    task: JoinHandle<()>,
}

impl Stderr {
    fn spawn_collector(stderr: ChildStderr) -> Self {
        let tail = Arc::<StdMutex<Tail>>::default();
        let kept = Arc::clone(&tail);
        let task = tokio::spawn(async move {
            let mut source = PipeSource::new(stderr);
            while source.is_open() {
                let bytes = source.next_chunk().await;
                lock(&kept).push(bytes);
            }
        });
        Self { tail, task }
    }

    fn tail(&self) -> Vec<u8> {
        lock(&self.tail).bytes()
    }

    async fn wait_for_end(&mut self, limit: Duration) {
        // After the timeout, the output read so far is used.
        timeout(limit, &mut self.task).await.ok();
    }
}

impl Drop for Stderr {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock(tail: &StdMutex<Tail>) -> MutexGuard<'_, Tail> {
    tail.lock().unwrap_or_else(PoisonError::into_inner)
}
