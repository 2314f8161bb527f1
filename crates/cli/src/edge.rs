//! Where the world enters: what this process was started in.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::ops::Deref;
use std::path::Path;

use agon_app::Caller;
use agon_app::settings::PROFILE_VAR;

/// What the program was started in.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    caller: Caller,
    /// The words after the program's name.
    pub(crate) typed: Vec<String>,
    /// Whether a person reads stderr and types on stdin.
    pub(crate) terminal: bool,
    /// Columns of that terminal.
    pub(crate) width: usize,
}

impl Deref for Surroundings {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

impl Surroundings {
    /// The edge of this process, with the folder of debates and the profile that are named.
    pub(crate) fn of_process(
        debates_dir: Option<&Path>,
        profile: Option<&str>,
    ) -> std::io::Result<Self> {
        let terminal = std::io::stderr().is_terminal() && std::io::stdin().is_terminal();
        // A process whose file is gone can be started from what the system still has of it.
        let program = std::env::current_exe().unwrap_or_else(|_| "/proc/self/exe".into());
        let mut vars: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
        if let Some(profile) = profile {
            vars.insert(PROFILE_VAR.into(), profile.into());
        }
        let caller = Caller {
            debates_dir: debates_dir.map(Path::to_owned),
            is_watched: terminal,
            program: Some(program),
            ..Caller::new(vars, std::env::current_dir()?)
        };
        Ok(Self {
            caller,
            typed: std::env::args_os()
                .skip(1)
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
            terminal,
            width: if std::io::stderr().is_terminal() {
                textwrap::termwidth().clamp(60, 110)
            } else {
                110
            },
        })
    }
}
