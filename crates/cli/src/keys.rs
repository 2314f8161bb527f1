//! The keys of a terminal, one by one, while lines are written to it.
//!
//! The terminal's own line editing and echo are off as long as a [`Keys`] lives,
//! and come back when it is dropped, however that comes about. Ctrl-C stays a
//! signal. Nothing is read, and no mode changed, while another job has the terminal.

mod decode;
mod line;

use std::io::{Write, stderr, stdin};
use std::os::fd::OwnedFd;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use decode::Decoder;
pub(crate) use decode::Key;
pub(crate) use line::{Edited, Typed};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Signal, getpgrp, kill_current_process_group};
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;

/// How long the rest of a key's sequence may take; what comes alone is the escape key.
const SEQUENCE: Duration = Duration::from_millis(40);
/// Tells the terminal to mark what is pasted, and to stop that.
const MARK_PASTES: (&str, &str) = ("\x1b[?2004h", "\x1b[?2004l");

// Keys wait in the terminal meanwhile, so nothing is lost; four looks a second cost nothing. Held
// by `a_debate_in_the_background_leaves_the_keyboard_alone`.
/// How long another job keeps the terminal before it is looked again.
const ANOTHER_JOB: Duration = Duration::from_millis(250);

/// The keyboard of the terminal on stdin.
#[derive(Debug)]
pub(crate) struct Keys {
    /// What the thread that reads has read.
    typed: UnboundedReceiver<Vec<u8>>,
    /// The thread, and what ends it when it is closed.
    reading: Option<(JoinHandle<()>, OwnedFd)>,
    /// The modes before.
    before: Termios,
    /// Whether the modes are ours.
    ours: bool,
    decoder: Decoder,
}

impl Keys {
    /// Takes the keyboard; none where stdin is not a terminal of ours.
    pub(crate) fn open() -> Option<Self> {
        if !is_foreground_job() {
            return None;
        }
        let before = tcgetattr(stdin()).ok()?;
        let (ended, end) = pipe_with(PipeFlags::CLOEXEC).ok()?;
        let (tell, typed) = unbounded_channel();
        let mut keys = Self {
            typed,
            reading: None,
            before,
            ours: false,
            decoder: Decoder::default(),
        };
        keys.enter_raw_mode();
        if keys.ours {
            // The modes are ours by now: reading does not wait.
            let thread = thread::spawn(move || forward_typed_bytes(&ended, &tell));
            keys.reading = Some((thread, end));
        }
        keys.ours.then_some(keys)
    }

    /// The next key. Nothing is lost when it is dropped before there is one.
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

    /// Waits for something that was typed.
    async fn receive_bytes(&mut self) {
        let Some(bytes) = self.typed.recv().await else {
            // The terminal is gone, which comes as a signal too.
            return std::future::pending().await;
        };
        self.decoder.push(&bytes);
        if !self.ours && is_foreground_job() {
            self.enter_raw_mode();
        }
    }

    /// Switches the terminal's own editing and echo off.
    fn enter_raw_mode(&mut self) {
        let mut modes = self.before.clone();
        let editing = LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN;
        modes.local_modes.remove(editing);
        // Reading never waits: that it can be read is known before.
        modes.special_codes[SpecialCodeIndex::VMIN] = 0;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        // Ctrl-Z comes as a key, so that the terminal is as before when we stand still.
        modes.special_codes[SpecialCodeIndex::VSUSP] = 0;
        self.ours = tcsetattr(stdin(), OptionalActions::Now, &modes).is_ok();
        write_paste_mode(MARK_PASTES.0);
    }

    /// Gives the terminal back as it was, if it is still ours.
    fn restore_terminal_mode(&mut self) {
        if self.ours && is_foreground_job() {
            write_paste_mode(MARK_PASTES.1);
            tcsetattr(stdin(), OptionalActions::Now, &self.before).unwrap_or_default();
        }
        self.ours = false;
    }

    /// Stops the process as Ctrl-Z does, until the shell continues the job.
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
            // One that panicked reads no more, and that is all that matters.
            thread.join().unwrap_or_default();
        }
        self.restore_terminal_mode();
    }
}

/// Reads what is typed until `ended` is closed or the receiver is dropped.
fn forward_typed_bytes(ended: &OwnedFd, tell: &UnboundedSender<Vec<u8>>) {
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
        // What is typed for another job is not ours to read.
        if !is_foreground_job() {
            thread::sleep(ANOTHER_JOB);
            continue;
        }
        let mut bytes = [0; 4_096];
        let Ok(count) = rustix::io::read(&stdin, &mut bytes) else {
            continue;
        };
        let bytes = bytes.get(..count).unwrap_or_default();
        if count > 0 && tell.send(bytes.to_vec()).is_err() {
            return;
        }
    }
}

/// Whether stdin is a terminal, and we are the job that it is for.
///
/// A job that reads from it or changes it otherwise is stopped by the system.
fn is_foreground_job() -> bool {
    tcgetpgrp(stdin()).is_ok_and(|group| group == getpgrp())
}

fn write_paste_mode(pastes: &str) {
    let mut stderr = stderr();
    // That stderr is gone cannot be reported.
    drop(
        stderr
            .write_all(pastes.as_bytes())
            .and_then(|()| stderr.flush()),
    );
}
