//! Where the world enters: environment, folders, clock and entropy.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use directories::ProjectDirs;
use ulid::Ulid;

use crate::error::{Exit, Failure};

/// What the program was started in.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    /// The environment, as far as it is text.
    pub(crate) vars: BTreeMap<String, String>,
    /// The environment, whole.
    pub(crate) vars_os: BTreeMap<OsString, OsString>,
    /// The words after the program's name.
    pub(crate) typed: Vec<String>,
    /// The folder it was started in.
    pub(crate) cwd: PathBuf,
    /// Whether a person reads stderr and types on stdin.
    pub(crate) terminal: bool,
    /// Columns of that terminal.
    pub(crate) width: usize,
    /// The time there is to tell which tools are here and logged in, where it is bounded.
    pub(crate) probe_within: Option<Duration>,
}

impl Edge {
    /// The edge of this process.
    pub(crate) fn of_process() -> std::io::Result<Self> {
        use std::io::IsTerminal;
        let vars_os: BTreeMap<_, _> = std::env::vars_os().collect();
        let text = |(name, value): (&OsString, &OsString)| {
            Some((name.to_str()?.to_owned(), value.to_str()?.to_owned()))
        };
        Ok(Self {
            vars: vars_os.iter().filter_map(text).collect(),
            vars_os,
            typed: std::env::args_os()
                .skip(1)
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
            cwd: std::env::current_dir()?,
            terminal: std::io::stderr().is_terminal() && std::io::stdin().is_terminal(),
            width: if std::io::stderr().is_terminal() {
                textwrap::termwidth().clamp(60, 110)
            } else {
                110
            },
            probe_within: None,
        })
    }

    /// The user's configuration file.
    pub(crate) fn user_file(&self) -> Option<PathBuf> {
        if let Some(dir) = self.vars.get("AGON_CONFIG_DIR") {
            return Some(Path::new(dir).join("config.toml"));
        }
        let dirs = ProjectDirs::from("", "", "agon")?;
        Some(dirs.config_dir().join("config.toml"))
    }

    /// Where what the user need not look at is kept from one run to the next.
    pub(crate) fn state_dir(&self) -> Option<PathBuf> {
        let dirs = ProjectDirs::from("", "", "agon")?;
        dirs.state_dir().map(Path::to_owned)
    }

    /// The project: the nearest folder upwards with `agon.toml` or `.git`, else the current one.
    pub(crate) fn project(&self) -> PathBuf {
        let marked = |dir: &&Path| dir.join("agon.toml").is_file() || dir.join(".git").exists();
        self.cwd
            .ancestors()
            .find(marked)
            .unwrap_or(&self.cwd)
            .to_owned()
    }

    /// How many debates this process runs inside of.
    pub(crate) fn depth(&self) -> u32 {
        let depth = self.vars.get("AGON_DEPTH");
        depth.map_or(0, |text| text.trim().parse().unwrap_or(u32::MAX))
    }
}

/// Milliseconds since 1970, UTC.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The file of this program.
///
/// # Errors
///
/// If the system does not say.
pub(crate) fn this_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| {
        Failure::new(
            Exit::Bug,
            "program",
            format!("cannot tell where agon is: {error}"),
        )
    })
}

/// 128 bits that nobody can guess.
///
/// # Errors
///
/// If the system has no entropy.
pub(crate) fn new_bits() -> Result<u128, Failure> {
    let mut bytes = [0; 16];
    fill(&mut bytes)?;
    Ok(u128::from_le_bytes(bytes))
}

fn fill(bytes: &mut [u8]) -> Result<(), Failure> {
    getrandom::fill(bytes)
        .map_err(|error| Failure::new(Exit::Bug, "entropy", format!("no entropy: {error}")))
}

/// A new unique name.
pub(crate) fn new_ulid() -> Ulid {
    Ulid::generate()
}

/// 64 hexadecimal digits that nobody can guess.
///
/// # Errors
///
/// If the system has no entropy.
pub(crate) fn new_salt() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
