//! The surroundings of this process: environment, folders and terminal.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{IsTerminal, Read as _};
use std::ops::Deref;
use std::path::Path;

use agon_caller::Caller;
use agon_caller::settings::PROFILE_VAR;
use agon_report::screen::{Detail, UNLIMITED, WIDEST};

/// Reads at most `most` bytes of text from stdin; ignores errors.
pub(crate) fn read_stdin(most: u64) -> String {
    let mut said = String::new();
    std::io::stdin()
        .lock()
        .take(most)
        .read_to_string(&mut said)
        .ok();
    said
}

/// The surroundings of this process.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    caller: Caller,
    /// The arguments that the user typed.
    pub(crate) typed: Vec<String>,
    /// Whether a person reads stderr and types on stdin.
    pub(crate) terminal: bool,
    /// The width of prose on stdout, unlimited without a terminal.
    pub(crate) width: usize,
    /// Whether `live_width` is the terminal's width and not a width that the user chose.
    pub(crate) follows_terminal: bool,
    /// The width of a table on stdout.
    pub(crate) table_width: usize,
    /// The width of progress output on stderr.
    pub(crate) live_width: usize,
    /// How much of each turn is printed while a debate runs.
    pub(crate) live_detail: Detail,
}

// 40 is the narrowest supported screen (`NARROWEST` in `report/src/screen.rs`); 1,000 is about four
// large screens side by side.
/// The valid values of `--width`.
pub(crate) const WIDTHS: std::ops::RangeInclusive<usize> = 40..=1_000;

/// Returns the width of the terminal; 80 if it is unknown.
pub(crate) fn terminal_width() -> usize {
    textwrap::termwidth().max(*WIDTHS.start())
}

/// Returns the width of prose: the requested one or else the terminal's, limited for easy reading;
/// unlimited without a terminal.
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
    /// Returns these surroundings without the invalid layers of the configuration.
    pub(crate) fn without_invalid_settings(&self) -> Self {
        let mut edge = self.clone();
        edge.caller.skips_broken_settings = true;
        edge
    }

    /// Returns the surroundings of this process, with the given folder of debates, profile and
    /// width.
    pub(crate) fn of_process(
        debates_dir: Option<&Path>,
        profile: Option<&str>,
        width: Option<usize>,
    ) -> std::io::Result<Self> {
        let terminal = std::io::stderr().is_terminal() && std::io::stdin().is_terminal();
        // If the path of the program is unknown, use the kernel's link to the running program.
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
