//! Where the world enters: what this process was started in.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{IsTerminal, Read as _};
use std::ops::Deref;
use std::path::Path;

use agon_caller::Caller;
use agon_caller::settings::PROFILE_VAR;
use agon_report::screen::{Detail, UNLIMITED, WIDEST};

/// What another program says on stdin, at most so many bytes; what cannot be read is
/// left out.
pub(crate) fn read_stdin(most: u64) -> String {
    let mut said = String::new();
    std::io::stdin()
        .lock()
        .take(most)
        .read_to_string(&mut said)
        .ok();
    said
}

/// What the program was started in.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    caller: Caller,
    /// The words after the program's name.
    pub(crate) typed: Vec<String>,
    /// Whether a person reads stderr and types on stdin.
    pub(crate) terminal: bool,
    /// Columns of prose on stdout: without a terminal as many as a line has.
    pub(crate) width: usize,
    /// Whether `live_width` is the terminal's, and not one that was asked for.
    pub(crate) follows_terminal: bool,
    /// Columns of a table on stdout.
    pub(crate) table_width: usize,
    /// Columns of what is told on stderr while something runs.
    pub(crate) live_width: usize,
    /// How much of each turn is printed while a debate runs.
    pub(crate) live_detail: Detail,
}

// As narrow as screens are made for (`NARROWEST` in `report/src/screen.rs`), and as wide as four
// large screens side by side.
/// What `--width` takes.
pub(crate) const WIDTHS: std::ops::RangeInclusive<usize> = 40..=1_000;

/// Columns of the terminal that this process has; 80 where it does not say.
pub(crate) fn terminal_width() -> usize {
    textwrap::termwidth().max(*WIDTHS.start())
}

/// Columns of prose: those that are asked for, else those of the terminal as far as they are easy to
/// read, else all there is of a line.
fn prose_width(asked: Option<usize>, is_terminal: bool) -> usize {
    match (asked, is_terminal) {
        (Some(width), _) => width,
        (None, true) => terminal_width().min(WIDEST),
        (None, false) => UNLIMITED,
    }
}

impl Deref for Surroundings {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

impl Surroundings {
    /// The same, without the layers of the configuration that are not valid.
    pub(crate) fn without_broken_settings(&self) -> Self {
        let mut edge = self.clone();
        edge.caller.skips_broken_settings = true;
        edge
    }

    /// The edge of this process, with the folder of debates, the profile and the columns that are
    /// named.
    pub(crate) fn of_process(
        debates_dir: Option<&Path>,
        profile: Option<&str>,
        width: Option<usize>,
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
            follows_terminal: width.is_none(),
            width: prose_width(width, std::io::stdout().is_terminal()),
            table_width: match (width, std::io::stdout().is_terminal()) {
                (Some(width), _) => width,
                (None, true) => terminal_width(),
                (None, false) => UNLIMITED,
            },
            live_width: prose_width(width, std::io::stderr().is_terminal()),
            live_detail: Detail::default(),
        })
    }
}
