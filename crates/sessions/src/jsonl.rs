//! A reader of JSON Lines records.

use serde_json::Value;

use crate::json;
use crate::lines::{RecordLine, RecordLines};
use crate::problem::ProblemKind;
use crate::session::SessionRef;
use crate::stream::{Output, Stream};
use crate::{
    Entry, Location, PlanItem, ReadError, ReadProgress, RecordProblem, RecordedSession,
    SessionReader,
};

/// Interprets the lines of one host's records.
pub(crate) trait LineDialect {
    /// Emits the entries of one line.
    fn emit_entries(&mut self, line: Value, at: Location, out: &mut Output<'_>);

    /// Emits entries held back for a line that is still missing, since the record ends here for
    /// now.
    fn emit_held_entries(&mut self, _out: &mut Output<'_>) {}

    /// Returns the to-do list, if the host stores it outside the record.
    fn plan(&self, _session: &RecordedSession) -> Vec<PlanItem> {
        Vec::new()
    }
}

/// Reads a line-based file in the host's dialect.
pub(crate) struct JsonlReader<D> {
    lines: RecordLines,
    dialect: D,
    stream: Stream,
}

impl<D: LineDialect + 'static> JsonlReader<D> {
    /// Opens a session's file at a byte offset.
    pub(crate) fn open(found: &SessionRef, byte: u64, dialect: D) -> Box<dyn SessionReader> {
        let mut session = RecordedSession::new(found.host, &found.id, &found.file);
        session.project.clone_from(&found.project);
        session.origin.clone_from(&found.origin);
        Box::new(Self {
            lines: RecordLines::starting_at(&found.file, byte),
            dialect,
            stream: Stream::new(session),
        })
    }
}

impl<D: LineDialect> SessionReader for JsonlReader<D> {
    fn session(&self) -> &RecordedSession {
        &self.stream.session
    }

    fn read(&mut self, give: &mut dyn FnMut(Entry)) -> Result<ReadProgress, ReadError> {
        let before = self.stream.next_index();
        let Self {
            lines,
            dialect,
            stream,
        } = self;
        let unfinished = lines.read(&mut |start, line| {
            let at = Location::Line {
                line: start.line,
                byte: start.byte,
            };
            let bytes = match line {
                RecordLine::Whole(bytes) => bytes,
                RecordLine::TooLong => return stream.note(ProblemKind::TooLong, &at, None),
            };
            if bytes.iter().all(u8::is_ascii_whitespace) {
                return;
            }
            match json::parse(bytes) {
                Some(value) if value.is_object() => {
                    let mut out = Output { stream, give };
                    dialect.emit_entries(value, at, &mut out);
                }
                Some(_) | None => stream.note(ProblemKind::Damaged, &at, None),
            }
        })?;
        dialect.emit_held_entries(&mut Output { stream, give });
        Ok(ReadProgress {
            entries: self.stream.next_index() - before,
            bytes: self.lines.offset(),
            unfinished,
        })
    }

    fn problems(&self) -> &[RecordProblem] {
        &self.stream.problems
    }

    fn plan(&self) -> Vec<PlanItem> {
        self.dialect.plan(&self.stream.session)
    }
}
