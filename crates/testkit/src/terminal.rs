//! Runs a program in a pseudo-terminal.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::Env;

/// Maximum time to wait for an expected event.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program in a terminal of 110 columns, which is its only input and output.
#[derive(Debug)]
pub struct Terminal {
    master: File,
    child: Child,
    screen: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    /// Starts a program as the session of a new terminal, with exactly this environment.
    ///
    /// # Panics
    ///
    /// If there is no pseudo-terminal, or no `setsid` that can assign one to a session.
    pub fn start(program: &Path, args: &[&str], cwd: &Path, env: &Env) -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        set_size(&master, 110);
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        options.custom_flags((OFlags::NOCTTY | OFlags::CLOEXEC).bits().cast_signed());
        let slave = options.open(name.to_str().unwrap()).unwrap();
        let stdio = || Stdio::from(slave.try_clone().unwrap());
        let mut command = Command::new("setsid");
        command
            .arg("--ctty")
            .arg(program)
            .args(args)
            .current_dir(cwd);
        command.env_clear().envs(env).env("TERM", "xterm");
        command.stdin(stdio()).stdout(stdio()).stderr(stdio());
        let child = command.spawn().unwrap();
        let master = File::from(master);
        let screen = Arc::new(Mutex::new(Vec::new()));
        let (mut reader, written) = (master.try_clone().unwrap(), Arc::clone(&screen));
        std::thread::spawn(move || {
            let mut bytes = [0; 8_192];
            // The loop ends when the program closes the terminal, because reading then fails.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                written.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        Self {
            master,
            child,
            screen,
        }
    }

    /// Sets the width in columns.
    ///
    /// # Panics
    ///
    /// If the terminal is closed.
    pub fn resize(&self, columns: u16) {
        set_size(&self.master, columns);
    }

    /// The id of the process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Types these keys.
    pub fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// Everything written to the screen so far, with its control sequences.
    pub fn screen(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().unwrap()).into_owned()
    }

    /// Waits until `text` has been written to the screen.
    ///
    /// # Panics
    ///
    /// If that does not happen in time.
    pub fn until(&self, text: &str) {
        self.wait_until(text, || self.screen().contains(text));
    }

    /// Waits until `so` returns true.
    ///
    /// # Panics
    ///
    /// If that does not happen in time.
    pub fn wait_until(&self, what: &str, so: impl Fn() -> bool) {
        let started = Instant::now();
        while !so() {
            let waited = started.elapsed();
            assert!(waited < PATIENCE, "no `{what}`:\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Returns whether the terminal edits and echoes lines itself, as it does for a shell.
    pub fn is_in_line_mode(&self) -> bool {
        let modes = tcgetattr(&self.master).unwrap().local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// Waits for the end of the program, and returns its exit code and everything written to the
    /// screen.
    ///
    /// # Panics
    ///
    /// If it does not end.
    pub fn end(&mut self) -> (Option<i32>, String) {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                // Wait for the reader thread, which may not have received the last output yet.
                std::thread::sleep(Duration::from_millis(100));
                return (status.code(), self.screen());
            }
            if started.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("it does not end:\n{}", self.screen());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn set_size(master: &impl std::os::fd::AsFd, columns: u16) {
    let size = Winsize {
        ws_row: 50,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(master, size).unwrap();
}

impl Drop for Terminal {
    /// Ends the program, so that a failed test does not leave it running.
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            drop(self.child.kill());
            drop(self.child.wait());
        }
    }
}
