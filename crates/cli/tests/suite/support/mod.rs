//! The real program in a home and a project of its own, and what it leaves behind.

pub(crate) mod biased;
pub(crate) mod published;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use agon_testkit::{Env, Sandbox};
use serde_json::Value;

/// What every debate of these suites is about.
pub(crate) const TOPIC: &str = "SQLite or plain files for the job store?";

/// The arguments that name the tools of proposer, challenger and judge.
pub(crate) fn seat_flags([proposer, challenger, judge]: [&str; 3]) -> [&str; 6] {
    [
        "--proposer",
        proposer,
        "--challenger",
        challenger,
        "--judge",
        judge,
    ]
}

/// Longer than any debate here takes.
const FOR_EVER: Duration = Duration::from_secs(400);

/// A home, an empty project, and an environment that is whole.
pub(crate) struct Place {
    sandbox: Sandbox,
    /// The environment the program is started with.
    pub(crate) env: Env,
}

impl Place {
    /// A place with this environment, and temporary files of its own.
    pub(crate) fn new(sandbox: Sandbox, mut env: Env) -> Self {
        let temporary = sandbox.home().with_file_name("temporary");
        fs::create_dir(&temporary).unwrap();
        env.insert("TMPDIR".into(), temporary.to_string_lossy().into_owned());
        // What a test says nothing of is the same for every tool.
        env.insert("AGON_TRANSPORT".into(), "cli".into());
        env.insert("AGON_FALLBACK".into(), "none".into());
        Self { sandbox, env }
    }

    /// The home.
    pub(crate) fn home(&self) -> PathBuf {
        self.sandbox.home()
    }

    /// The project, in which the program is started.
    pub(crate) fn project(&self) -> PathBuf {
        self.sandbox.project()
    }

    /// Where the private folders of its processes lie.
    pub(crate) fn private(&self) -> PathBuf {
        self.home().join(".cache/agon/private")
    }

    /// The folder of the debate `s`.
    pub(crate) fn folder(&self) -> PathBuf {
        self.project().join("debates/s")
    }

    /// The verdict of the debate `s`, if there is one.
    pub(crate) fn verdict(&self) -> Option<Value> {
        let bytes = fs::read(self.folder().join("verdict.json")).ok()?;
        Some(serde_json::from_slice(&bytes).unwrap())
    }

    /// The program with these arguments, ready to be started.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(args).current_dir(self.project());
        command.env_clear().envs(&self.env);
        command.stdin(Stdio::null());
        command
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Running::start(self.command(args)).end()
    }

    /// What was left behind: processes with this home, and our temporary files.
    pub(crate) fn left(&self) -> Vec<String> {
        let home = format!("HOME={}", self.home().display());
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let environ = fs::read(entry.path().join("environ")).unwrap_or_default();
            let ours = environ
                .split(|&byte| byte == 0)
                .any(|var| var == home.as_bytes());
            if ours && lives(&entry.path()) {
                let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
                let command = String::from_utf8_lossy(&command).replace('\0', " ");
                found.push(format!("{} {command}", entry.file_name().to_string_lossy()));
            }
        }
        let temporary = fs::read_dir(&self.env["TMPDIR"]).unwrap().flatten();
        let temporary = temporary.map(|entry| entry.file_name().to_string_lossy().into_owned());
        found.extend(temporary.filter(|name| name.starts_with("agon")));
        let private = fs::read_dir(self.private()).into_iter().flatten().flatten();
        found.extend(private.map(|entry| entry.path().display().to_string()));
        found
    }
}

pub(crate) fn lives(process: &Path) -> bool {
    let stat = fs::read_to_string(process.join("stat")).unwrap_or_default();
    let state = stat
        .rsplit(") ")
        .next()
        .and_then(|rest| rest.chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

/// A program that was started.
pub(crate) struct Running {
    /// Its process id.
    pub(crate) pid: u32,
    command: Command,
    ended: Receiver<(Output, Duration)>,
}

impl Running {
    /// Starts it; what it says is kept.
    pub(crate) fn start(mut command: Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = Instant::now();
        let child = command.spawn().unwrap();
        let pid = child.id();
        let (end, ended) = channel();
        std::thread::spawn(move || {
            let output = child.wait_with_output().unwrap();
            drop(end.send((output, started.elapsed())));
        });
        Self {
            pid,
            command,
            ended,
        }
    }

    /// Sends it what Ctrl-C sends.
    pub(crate) fn interrupt(&self) {
        signal("INT", self.pid);
    }

    /// Kills it, and waits until it is gone: what it held is free then.
    pub(crate) fn kill(&self) {
        signal("KILL", self.pid);
        while lives(Path::new(&format!("/proc/{}", self.pid))) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until `so`, while the program runs.
    pub(crate) fn until(&self, what: &str, so: impl Fn() -> bool) {
        let started = Instant::now();
        while !so() {
            if !lives(Path::new(&format!("/proc/{}", self.pid))) {
                let printed = self.ended.recv_timeout(FOR_EVER);
                panic!("the program ended while the test waited for {what}: {printed:?}");
            }
            assert!(started.elapsed() < FOR_EVER, "{what} never came about");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for its end.
    pub(crate) fn end(self) -> Ran {
        let Ok((output, took)) = self.ended.recv_timeout(FOR_EVER) else {
            signal("KILL", self.pid);
            panic!("it did not end within {FOR_EVER:?}");
        };
        let stdout = String::from_utf8(output.stdout).unwrap();
        published::check_printed_document(&self.command, &stdout);
        Ran {
            code: output.status.code(),
            stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
            took,
        }
    }
}

/// Sends a signal by its name, such as `KILL`.
pub(crate) fn signal(name: &str, pid: u32) {
    let kill = format!("kill -{name} {pid}");
    assert!(
        Command::new("/bin/sh")
            .args(["-c", &kill])
            .status()
            .unwrap()
            .success()
    );
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code; none after a signal.
    pub(crate) code: Option<i32>,
    /// What it wrote to stdout.
    pub(crate) stdout: String,
    /// What it wrote to stderr.
    pub(crate) stderr: String,
    /// How long it took.
    pub(crate) took: Duration,
}

impl Ran {
    /// The one JSON document on stdout.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|cause| {
            panic!(
                "no JSON document: {cause}\n{}\n{}",
                self.stdout, self.stderr
            )
        })
    }

    /// Exit code and, for a failure, the code in its document.
    pub(crate) fn ended(&self) -> (Option<i32>, String) {
        let code = self.json()["error"]["code"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        (self.code, code)
    }
}
