//! Reads the input files of a step.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use agon_caller::{Code, Failure};
use agon_redact::{Redactor, unescape_printable};
use agon_rules::ops::SubmittedReply;
use rustix::fs::OFlags;

// The same limit as that of the parser (`MAX_REPLY` in `rules/src/parse.rs`).
/// Maximum size of an input, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// A redacted input.
pub(super) struct Input {
    bytes: Vec<u8>,
    redacted: u32,
    /// Device and inode number of the file.
    pub(super) place: (u64, u64),
}

impl Input {
    /// Reads the file `path`.
    ///
    /// # Errors
    ///
    /// If it is not a regular file, cannot be read or is too large.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let failed = |error: &std::io::Error| {
            let message = format!("cannot read {}: {error}", path.display());
            Failure::new(Code::Input, message)
        };
        let mut bytes = Vec::new();
        let file = open(path).map_err(|error| failed(&error))?;
        let meta = file.metadata().map_err(|error| failed(&error))?;
        if !meta.is_file() {
            let message = format!("{} is not a file", path.display());
            return Err(Failure::new(Code::Input, message)
                .hint("write the input to a file, which Agon removes once the step is recorded"));
        }
        let read = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|error| failed(&error))?;
        if bytes.len() as u64 > MAX_BYTES {
            let message = format!(
                "{} is too large: the limit is {MAX_BYTES} bytes",
                path.display()
            );
            return Err(Failure::new(Code::Input, message));
        }
        let redacted = std::str::from_utf8(&bytes).ok().map(|text| {
            let clean = unescape_printable(text);
            let clean = Redactor::new().redact(&clean);
            let hits = u32::try_from(clean.hits.len()).unwrap_or(u32::MAX);
            (clean.text.into_owned().into_bytes(), hits)
        });
        let (bytes, redacted) = redacted.unwrap_or((bytes, 0));
        Ok(Self {
            bytes,
            redacted,
            place: (meta.dev(), meta.ino()),
        })
    }

    /// Returns the input as submitted.
    pub(super) fn brought(&self) -> SubmittedReply<'_> {
        SubmittedReply {
            reply: &self.bytes,
            redacted: self.redacted,
        }
    }
}

/// Opens without blocking, since a named pipe may never get a writer.
fn open(path: &Path) -> std::io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::CLOEXEC;
    OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
}
