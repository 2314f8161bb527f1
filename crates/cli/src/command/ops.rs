//! `agon ops`: one step of a formal debate, for programs that bring the arguments.
//!
//! Its answers are fixed: one JSON object, and exit 0 or 1.

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use agon_engine::host::Host;
use agon_redact::{Redactor, unescaped};
use agon_rules::ops::{self, Answer, Brought, Step};
use rustix::fs::OFlags;
use serde::Serialize;
use serde_json::json;

use crate::args::{Global, OpsCommand};
use crate::command::which;
use crate::edge::{self, Edge};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::{opening, running};

/// The longest input that is read, in bytes.
const MOST_BYTES: u64 = 4 << 20;

/// Runs `agon ops`; what goes wrong is told as its callers expect it.
pub(crate) fn run(edge: &Edge, global: &Global, command: &OpsCommand, out: &mut Out) -> Exit {
    let told = match step(edge, global, command, out) {
        Ok(told) => told,
        Err(failure) => Told::failure(&failure),
    };
    told.tell(matches!(command, OpsCommand::ProcessExchange { .. }), out)
}

/// What cannot be read as a command of `agon ops`, told as its callers expect it.
pub(crate) fn usage(error: &clap::Error, out: &mut Out) -> Exit {
    let text = error.to_string();
    let what: Vec<_> = text
        .trim_start_matches("error: ")
        .lines()
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .collect();
    let failure = Failure::new(Exit::Usage, "usage", what.join(" "))
        .hint("`agon ops --help` says what can be typed");
    Told::failure(&failure).tell(true, out)
}

/// What is told, and whether it is a success.
struct Told {
    text: String,
    good: bool,
}

impl Told {
    fn of(document: &impl Serialize, good: bool) -> Self {
        let text = serde_json::to_string_pretty(document).unwrap_or_default();
        Self { text, good }
    }

    fn failure(failure: &Failure) -> Self {
        let hint = failure.hint.iter().map(|hint| format!("; {hint}"));
        let error = format!("{}{}", failure.message, hint.collect::<String>());
        Self::of(&json!({ "success": false, "error": error }), false)
    }

    /// Prints it; a failure also where callers of an exchange look for it.
    fn tell(self, to_stderr: bool, out: &mut Out) -> Exit {
        let text = crate::output::escaped(&self.text);
        if !self.good && to_stderr {
            out.note(&text);
        }
        match (out.line(&text), self.good) {
            (Ok(()), true) => Exit::Done,
            (Ok(()) | Err(_), _) => Exit::NoVerdict,
        }
    }
}

fn step(
    edge: &Edge,
    global: &Global,
    command: &OpsCommand,
    out: &mut Out,
) -> Result<Told, Failure> {
    let (debate, paths) = match command {
        OpsCommand::ProcessExchange {
            debate,
            prop_file,
            opp_file,
            ..
        } => (debate, vec![prop_file, opp_file]),
        OpsCommand::ProcessJudge { debate, json_file } => (debate, vec![json_file]),
    };
    let inputs = paths.iter().map(|path| input(path));
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    if let [one, other] = inputs.as_slice()
        && one.place == other.place
    {
        let message = "both sides' inputs are the same file";
        return Err(Failure::new(Exit::Usage, "input", message));
    }
    let path = which::find(edge, global, Some(debate))?;
    let mut host = opening::open(&path, out)?;
    let brought: Vec<_> = inputs.iter().map(Input::brought).collect();
    let step = match (command, brought.as_slice()) {
        (OpsCommand::ProcessExchange { exchange, .. }, &[proposition, opposition]) => {
            Step::Exchange {
                exchange: *exchange,
                proposition,
                opposition,
            }
        }
        (OpsCommand::ProcessJudge { .. }, &[scores]) => Step::Judgment(scores),
        (OpsCommand::ProcessExchange { .. } | OpsCommand::ProcessJudge { .. }, _) => {
            return Err(Failure::new(Exit::Bug, "bug", "a step without its inputs"));
        }
    };
    let store = |error: &agon_engine::host::FolderError| running::store_failure(error);
    // What would be refused when a step is recorded is refused before.
    host.settle().map_err(|error| store(&error))?;
    let told = match ops::take(host.state(), step, edge::now_ms()) {
        Answer::Taken { events, told } => {
            host.record(&events).map_err(|error| store(&error))?;
            told
        }
        Answer::Repeated(told) => told,
        Answer::Refused(refused) => return Ok(Told::of(&refused, false)),
        Answer::Untimely(why) => return Err(Failure::new(Exit::Usage, "untimely", why)),
    };
    host.publish().map_err(|error| store(&error))?;
    for path in paths {
        // It is part of the debate now; an input that stays is answered as before.
        fs::remove_file(path).unwrap_or_default();
    }
    Ok(Told::of(&told, true))
}

/// An input, redacted.
struct Input {
    bytes: Vec<u8>,
    redacted: u32,
    /// Device and number of the file.
    place: (u64, u64),
}

impl Input {
    fn brought(&self) -> Brought<'_> {
        Brought {
            reply: &self.bytes,
            redacted: self.redacted,
        }
    }
}

fn input(path: &Path) -> Result<Input, Failure> {
    let failed = |error: &std::io::Error| {
        let message = format!("cannot read {}: {error}", path.display());
        Failure::new(Exit::Usage, "input", message)
    };
    let mut bytes = Vec::new();
    let file = open(path).map_err(|error| failed(&error))?;
    let meta = file.metadata().map_err(|error| failed(&error))?;
    if !meta.is_file() {
        let message = format!("{} is no file", path.display());
        return Err(Failure::new(Exit::Usage, "input", message).hint(
            "write the input into a file: it is removed once its step is part of the debate",
        ));
    }
    let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| failed(&error))?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("{} has more than {MOST_BYTES} bytes", path.display());
        return Err(Failure::new(Exit::Usage, "input", message));
    }
    let redacted = std::str::from_utf8(&bytes).ok().map(|text| {
        let clean = unescaped(text);
        let clean = Redactor::new().redact(&clean);
        let hits = u32::try_from(clean.hits.len()).unwrap_or(u32::MAX);
        (clean.text.into_owned().into_bytes(), hits)
    });
    let (bytes, redacted) = redacted.unwrap_or((bytes, 0));
    Ok(Input {
        bytes,
        redacted,
        place: (meta.dev(), meta.ino()),
    })
}

/// Opens without waiting: nobody may ever write into a pipe of that name.
fn open(path: &Path) -> std::io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::CLOEXEC;
    OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
}
