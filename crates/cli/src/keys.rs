//! Reads single keys from a terminal while output is written to it.
//!
//! A [`Keys`] turns the terminal's line editing and echo off, and restores them when it is dropped.
//! Ctrl-C stays a signal. While another job has the terminal, nothing is read and no mode changed.

mod decode;
mod line;

use std::io::{PipeReader, PipeWriter, Write, stderr, stdin};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use decode::Decoder;
pub(crate) use decode::Key;
pub(crate) use line::{Edited, Typed};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Signal, getpgrp, kill_current_process_group};
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;

/// How long to wait for the rest of an escape sequence; an escape alone is the escape key.
const SEQUENCE: Duration = Duration::from_millis(40);
/// The sequences that turn bracketed paste on and off.
const MARK_PASTES: (&str, &str) = ("\x1b[?2004h", "\x1b[?2004l");

// Between two checks the terminal buffers keys, so none is lost; four checks per second cost almost
// nothing. Tested by `a_debate_in_the_background_leaves_the_keyboard_alone`.
/// The time between two checks while another job has the terminal.
const ANOTHER_JOB: Duration = Duration::from_millis(250);

/// The keyboard of the terminal on stdin.
#[derive(Debug)]
pub(crate) struct Keys {
    /// The bytes from the reading thread.
    typed: UnboundedReceiver<Vec<u8>>,
    /// The reading thread, and the pipe that ends it when closed.
    reading: Option<(JoinHandle<()>, PipeWriter)>,
    /// The terminal's modes before raw mode.
    before: Termios,
    /// Whether the terminal is in raw mode.
    ours: bool,
    decoder: Decoder,
}

impl Keys {
    /// Opens the keyboard; `None` if stdin is not a terminal with this job in the foreground.
    pub(crate) fn open() -> Option<Self> {
        if !is_foreground_job() {
            return None;
        }
        let before = tcgetattr(stdin()).ok()?;
        let (ended, end) = std::io::pipe().ok()?;
        let (sender, typed) = unbounded_channel();
        let mut keys = Self {
            typed,
            reading: None,
            before,
            ours: false,
            decoder: Decoder::default(),
        };
        keys.enter_raw_mode();
        if keys.ours {
            // Start the thread only in raw mode, where `read` cannot block and dropping `end` ends
            // it.
            let thread = thread::spawn(move || forward_typed_bytes(&ended, &sender));
            keys.reading = Some((thread, end));
        }
        keys.ours.then_some(keys)
    }

    /// Returns the next key. Dropping the future does not lose input.
    pub(crate) async fn next_key(&mut self) -> Key {
        loop {
            match self.decoder.next_key() {
                Some(Key::Suspend) => self.suspend_process(),
                Some(key) => return key,
                None if self.decoder.is_sequence_pending() => {
                    if timeout(SEQUENCE, self.receive_bytes()).await.is_err() {
                        self.decoder.mark_input_ended();
                    }
                }
                None => self.receive_bytes().await,
            }
        }
    }

    /// Waits for input.
    async fn receive_bytes(&mut self) {
        let Some(bytes) = self.typed.recv().await else {
            // The terminal was closed. That also sends SIGHUP, which stops the run, so just wait.
            return std::future::pending().await;
        };
        self.decoder.push(&bytes);
        if !self.ours && is_foreground_job() {
            self.enter_raw_mode();
        }
    }

    /// Turns the terminal's line editing and echo off.
    fn enter_raw_mode(&mut self) {
        let mut modes = self.before.clone();
        let editing = LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN;
        modes.local_modes.remove(editing);
        // Let `read` return at once; the reading thread waits in `poll` instead.
        modes.special_codes[SpecialCodeIndex::VMIN] = 0;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        // Deliver Ctrl-Z as a key and not as a signal, so that Agon can restore the terminal before
        // it stops.
        modes.special_codes[SpecialCodeIndex::VSUSP] = 0;
        self.ours = tcsetattr(stdin(), OptionalActions::Now, &modes).is_ok();
        write_paste_mode(MARK_PASTES.0);
    }

    /// Restores the terminal, if this job still has it.
    fn restore_terminal_mode(&mut self) {
        if self.ours && is_foreground_job() {
            write_paste_mode(MARK_PASTES.1);
            tcsetattr(stdin(), OptionalActions::Now, &self.before).unwrap_or_default();
        }
        self.ours = false;
    }

    /// Stops the process like Ctrl-Z, until the shell continues the job.
    fn suspend_process(&mut self) {
        self.restore_terminal_mode();
        kill_current_process_group(Signal::TSTP).unwrap_or_default();
        if is_foreground_job() {
            self.enter_raw_mode();
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        if let Some((thread, end)) = self.reading.take() {
            drop(end);
            // Ignore a panic of the thread: either way it no longer reads.
            thread.join().unwrap_or_default();
        }
        self.restore_terminal_mode();
    }
}

/// Sends input to `sender` until `ended` is closed or the receiver is dropped.
fn forward_typed_bytes(ended: &PipeReader, sender: &UnboundedSender<Vec<u8>>) {
    loop {
        let stdin = stdin();
        let mut ready = [
            PollFd::new(&stdin, PollFlags::IN),
            PollFd::new(ended, PollFlags::IN),
        ];
        if !matches!(poll(&mut ready, None), Ok(_) | Err(Errno::INTR)) {
            return;
        }
        let [typed, end] = ready.map(|fd| fd.revents());
        if !end.is_empty() || typed.intersects(PollFlags::HUP | PollFlags::ERR) {
            return;
        }
        if typed.is_empty() {
            continue;
        }
        // Leave the input to the job in the foreground; reading it would also stop this process.
        if !is_foreground_job() {
            thread::sleep(ANOTHER_JOB);
            continue;
        }
        let mut bytes = [0; 4_096];
        let Ok(count) = rustix::io::read(&stdin, &mut bytes) else {
            continue;
        };
        let bytes = bytes.get(..count).unwrap_or_default();
        if count > 0 && sender.send(bytes.to_vec()).is_err() {
            return;
        }
    }
}

/// Whether stdin is a terminal with this job in the foreground.
///
/// The system stops a background job that reads from the terminal or changes it.
fn is_foreground_job() -> bool {
    tcgetpgrp(stdin()).is_ok_and(|group| group == getpgrp())
}

fn write_paste_mode(pastes: &str) {
    let mut stderr = stderr();
    // Ignore errors: Agon would have to report them on stderr too.
    drop(
        stderr
            .write_all(pastes.as_bytes())
            .and_then(|()| stderr.flush()),
    );
}
