//! A terminal with a program in it.

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

/// How long something that must come about is waited for.
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
    /// If there is no pseudo-terminal, or no `setsid` that gives one to a session.
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
            // It ends with an error when nobody has the other end any more.
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

    /// Makes it as many columns wide.
    ///
    /// # Panics
    ///
    /// If the terminal is gone.
    pub fn resize(&self, columns: u16) {
        set_size(&self.master, columns);
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Types.
    pub fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// All that was written to the screen, with its control sequences.
    pub fn screen(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().unwrap()).into_owned()
    }

    /// Waits until `text` was written to the screen.
    ///
    /// # Panics
    ///
    /// If that does not come about.
    pub fn until(&self, text: &str) {
        self.until_so(text, || self.screen().contains(text));
    }

    /// Waits until `so`.
    ///
    /// # Panics
    ///
    /// If that does not come about.
    pub fn until_so(&self, what: &str, so: impl Fn() -> bool) {
        let started = Instant::now();
        while !so() {
            let waited = started.elapsed();
            assert!(waited < PATIENCE, "no `{what}`:\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Whether the terminal edits lines itself and shows what is typed, as it does for a shell.
    pub fn is_as_a_shell_has_it(&self) -> bool {
        let modes = tcgetattr(&self.master).unwrap().local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// Waits for the end of the program, and gives its exit code and all that was on the screen.
    ///
    /// # Panics
    ///
    /// If it does not end.
    pub fn end(&mut self) -> (Option<i32>, String) {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                // What was written last may still be on its way.
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
    /// A test that fails leaves no program behind.
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            drop(self.child.kill());
            drop(self.child.wait());
        }
    }
}
