//! Runs processes and measures their CPU time.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;
use wait4::Wait4;

use crate::workspace;

const DRIVER: &str = include_str!("peers.py");

/// The output of a process, and the CPU time of it and its children in milliseconds.
pub(super) struct Ran {
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) cpu: f64,
}

/// Runs a process to its end.
///
/// Its output must be short, because it is read after the process has ended.
pub(super) fn run(command: &mut Command) -> Result<Ran> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {command:?}"))?;
    let (mut stdout, mut stderr) = (String::new(), String::new());
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_string(&mut stdout)?;
    }
    if let Some(mut pipe) = child.stderr.take() {
        pipe.read_to_string(&mut stderr)?;
    }
    let used = child.wait4()?;
    if !used.status.success() {
        bail!("{command:?} failed with {}: {}", used.status, stderr.trim());
    }
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok(Ran {
        stdout,
        stderr,
        cpu: cpu.as_secs_f64() * 1e3,
    })
}

/// The example of Agon that solves a file.
pub(super) struct Ours(pub(super) PathBuf);

impl Ours {
    /// Generates an instance; the same arguments give the same instance on every machine.
    pub(super) fn generate(&self, file: &Path, args: &[&str]) -> Result<()> {
        let out = File::create(file)?;
        let status = Command::new(&self.0)
            .arg("generate")
            .args(args)
            .stdout(out)
            .status()?;
        if !status.success() {
            bail!("cannot generate instance {args:?}: {status}");
        }
        Ok(())
    }

    pub(super) fn run(&self, args: &[&str], file: &Path, rest: &[&str]) -> Result<Ran> {
        run(Command::new(&self.0).args(args).arg(file).args(rest))
    }

    /// The CPU milliseconds of one phase that the example reports.
    pub(super) fn phase(ran: &Ran, name: &str) -> Result<f64> {
        let laps: Value = serde_json::from_str(&ran.stderr).context("no report of phases")?;
        let micros = laps.get(format!("{name}_us")).and_then(Value::as_f64);
        Ok(micros.with_context(|| format!("no phase {name}"))? / 1e3)
    }
}

/// The competitions' solver.
pub(super) struct Scalop(PathBuf);

impl Scalop {
    pub(super) const VARIABLE: &str = "PEER_SCALOP";
    pub(super) const HOW: &str = "PEER_SCALOP names no program; `cargo install scalop --version 2.1.0 --root DIR` makes DIR/bin/scalop";

    pub(super) fn named() -> Option<Self> {
        std::env::var_os(Self::VARIABLE).map(|it| Self(it.into()))
    }

    pub(super) fn run(&self, problem: &str, file: &Path, asked: Option<u32>) -> Result<Ran> {
        let mut command = Command::new(&self.0);
        command.args(["solve", "--logging-level", "off", "-p", problem, "-f"]);
        command.arg(file);
        if let Some(asked) = asked {
            command.args(["-a", &asked.to_string()]);
        }
        run(&mut command)
    }
}

/// A Python with other argumentation packages.
pub(super) struct Python {
    program: PathBuf,
    pub(super) packages: Vec<String>,
}

/// The CPU time of a package, in milliseconds.
#[derive(Deserialize)]
pub(super) struct Solved {
    pub(super) build: f64,
    pub(super) solve: f64,
    pub(super) sum: f64,
}

impl Python {
    pub(super) const VARIABLE: &str = "PEER_PYTHON";

    pub(super) fn named() -> Result<Option<Self>> {
        let Some(program) = std::env::var_os(Self::VARIABLE) else {
            return Ok(None);
        };
        let mut which = Command::new(&program);
        let packages = workspace::stdout_of(which.args(["-c", DRIVER, "which"]))?;
        Ok(Some(Self {
            program: program.into(),
            packages: packages.lines().map(str::to_owned).collect(),
        }))
    }

    /// Explains how to install a missing package.
    pub(super) fn install_hint(package: &str) -> String {
        let install = match package {
            "qbaf" => "is installed from a checkout of QBAF-Py with `pip install .`".to_owned(),
            other => format!("is installed with `pip install {other}`"),
        };
        format!(
            "{} names no Python with {package}, which {install}",
            Self::VARIABLE
        )
    }

    pub(super) fn solve(&self, package: &str, semantics: &str, file: &Path) -> Result<Solved> {
        let mut command = Command::new(&self.program);
        command.args(["-c", DRIVER, package, semantics]).arg(file);
        let ran = run(&mut command)?;
        serde_json::from_str(&ran.stdout).with_context(|| format!("{package} gave no figures"))
    }
}
