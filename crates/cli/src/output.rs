//! Where output goes: data to stdout, everything else to stderr.

use std::io::{self, IsTerminal, Write};

use agon_caller::hint::CommandLine;
use agon_caller::{CallFront, Notes};
use agon_report::screen::{Line, Style as Meaning};
use agon_report::text::{is_hidden, is_joiner};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::edge::Surroundings;
use crate::error::{Code, Failure, FailureKind};
use crate::stop;
use crate::wrap::wrap_lines;

/// What is wrong.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// What deserves a look.
pub(crate) const ODD: Style = AnsiColor::Yellow.on_default().bold();
/// What is as it should be.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// What is named or led by.
pub(crate) const STRONG: Style = Style::new().bold();
/// What stands back.
pub(crate) const DIM: Style = Style::new().dimmed();

/// Where a command writes.
///
/// Colours are dropped where they cannot be shown or are not wanted. Once a
/// pipe on stdout is broken, what is left to say is dropped too: that is
/// not a failure.
pub(crate) struct Out {
    stdout: Box<dyn Write>,
    stderr: Box<dyn Write>,
    /// Whether documents are laid out for a person.
    pretty: bool,
    gone: bool,
    /// What is gathered for a pager; none where stdout is written to at once.
    paged: Option<String>,
    /// The columns of stdout and of stderr, as far as they are terminals.
    columns: [Option<usize>; 2],
}

impl Out {
    /// The streams of this process.
    pub(crate) fn of_process() -> Self {
        Self {
            pretty: io::stdout().is_terminal(),
            stdout: Box::new(anstream::stdout()),
            stderr: Box::new(anstream::stderr()),
            gone: false,
            paged: None,
            columns: [None; 2],
        }
    }

    /// Breaks lines of prose at words from now on, where they are longer than a terminal is wide.
    /// Commands and quoted text stay whole.
    pub(crate) fn wrap_on_terminals(&mut self, edge: &Surroundings) {
        self.columns = [
            io::stdout().is_terminal().then_some(edge.table_width),
            io::stderr().is_terminal().then_some(edge.live_width),
        ];
    }

    /// Writes colours to stdout though it is not a terminal: for a host that shows them.
    pub(crate) fn keep_colours(&mut self) {
        self.stdout = Box::new(io::stdout());
    }

    /// Gathers what is written to stdout from now on, to be shown page by page.
    pub(crate) fn gather_pages(&mut self) {
        self.paged.get_or_insert_default();
    }

    /// What was gathered; what is written from now on goes to stdout at once.
    pub(crate) fn take_pages(&mut self) -> Option<String> {
        self.paged.take()
    }

    /// Writes `text` to stdout as it is.
    ///
    /// # Errors
    ///
    /// If it cannot be written, such as to a full disk.
    pub(crate) fn write_stdout(&mut self, text: &str) -> Result<(), Failure> {
        if self.gone {
            return Ok(());
        }
        if let Some(paged) = &mut self.paged {
            paged.push_str(text);
            return Ok(());
        }
        let written = self
            .stdout
            .write_all(text.as_bytes())
            .and_then(|()| self.stdout.flush());
        match written {
            Err(cause) if cause.kind() == io::ErrorKind::BrokenPipe => {
                self.gone = true;
                Ok(())
            }
            Err(cause) => {
                let message = format!("cannot write to stdout: {cause}");
                Err(Failure::new(Code::Stdout, message))
            }
            Ok(()) => Ok(()),
        }
    }

    /// Writes `text` and a line end to stdout.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn write_line(&mut self, text: &str) -> Result<(), Failure> {
        self.write_stdout(&format!("{text}\n"))
    }

    /// Writes lines of prose and a line end to stdout, broken at words on a terminal.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub(crate) fn write_prose(&mut self, text: &str) -> Result<(), Failure> {
        let text = wrap_lines(text, self.columns[0]);
        self.write_line(&text)
    }

    /// Writes one JSON document to stdout: in one line, or laid out on a terminal.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn write_json(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        let text = if self.pretty {
            serde_json::to_string_pretty(document)
        } else {
            serde_json::to_string(document)
        };
        let text = text.map_err(|cause| Failure::from_error(Code::Json, &cause))?;
        self.write_line(&escape_json_controls(&text))
    }

    /// Writes one JSON document to stdout in one line, as one of several.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn write_json_line(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(document);
        let text = text.map_err(|cause| Failure::from_error(Code::Json, &cause))?;
        self.write_line(&escape_json_controls(&text))
    }

    /// Writes `text` and a line end to stderr, broken at words on a terminal. A broken pipe is ignored.
    pub(crate) fn eprint_line(&mut self, text: &str) {
        let text = wrap_lines(text, self.columns[1]);
        self.eprint_unwrapped(&text);
    }

    fn eprint_unwrapped(&mut self, text: &str) {
        drop(writeln!(self.stderr, "{text}"));
    }

    /// Writes a line of prose to stderr, then its further lines as they are: they quote a file, or are
    /// to be copied.
    fn eprint_with_lines_to_copy(&mut self, text: &str) {
        match text.split_once('\n') {
            None => self.eprint_line(text),
            Some((prose, lines)) => {
                self.eprint_line(prose);
                self.eprint_unwrapped(lines);
            }
        }
    }

    /// Writes a warning to stderr.
    pub(crate) fn eprint_warning(&mut self, text: &str) {
        self.eprint_line(&format!("{ODD}warning{ODD:#}: {text}"));
    }

    /// Reports a failure: for programs as a document on stdout, for people on stderr.
    pub(crate) fn report_failure(&mut self, failure: &Failure, json: bool) {
        if json && self.write_json(&failure.document(&CommandLine)).is_ok() {
            return;
        }
        let text = match failure.kind {
            // Its user wished it so.
            FailureKind::Cancelled => failure.message.clone(),
            _ => format!("{BAD}error{BAD:#}: {}", failure.message),
        };
        self.eprint_with_lines_to_copy(&text);
        if let Some(hint) = &failure.hint {
            self.eprint_with_lines_to_copy(&format!("  {STRONG}hint{STRONG:#}: {}", hint.typed()));
        }
    }
}

impl Notes for Out {
    fn note(&mut self, note: &str) {
        Self::eprint_line(self, note);
    }

    fn warn(&mut self, warning: &str) {
        Self::eprint_warning(self, warning);
    }
}

impl CallFront for Out {
    fn cancel_token(&mut self) -> CancellationToken {
        stop::signal_cancellation_token()
    }
}

/// The JSON in `text`, with what a terminal must not get written as escapes.
pub(crate) fn escape_json_controls(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        // Nearly all of a document, which may have some megabytes.
        if matches!(c, ' '..='~') {
            out.push(c);
            continue;
        }
        // Readers line by line take the separators for ends of lines.
        let is_unseen = c.is_control() || is_hidden(c) || is_joiner(c);
        let harms = is_unseen || matches!(c, '\u{2028}' | '\u{2029}');
        if c != '\n' && harms {
            let units = &mut [0; 2];
            let units = c.encode_utf16(units).iter();
            out.extend(units.map(|unit| format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// `text` in `style`.
pub(crate) fn apply_style(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// `line` in the colours of a terminal.
pub(crate) fn line_to_ansi(line: &Line) -> String {
    let part = |style: Meaning, text: &str| match style {
        Meaning::Plain => text.to_owned(),
        Meaning::Strong => apply_style(STRONG, text),
        Meaning::Name => apply_style(AnsiColor::Cyan.on_default(), text),
        Meaning::Dim => apply_style(DIM, text),
        Meaning::Good => apply_style(GOOD, text),
        Meaning::Warn => apply_style(ODD, text),
        Meaning::Bad => apply_style(BAD, text),
        Meaning::For => apply_style(AnsiColor::Green.on_default(), text),
        Meaning::Against => apply_style(AnsiColor::Red.on_default(), text),
    };
    let mut spans = line.spans.clone();
    if let Some(last) = spans.last_mut() {
        last.text.truncate(last.text.trim_end().len());
    }
    spans
        .iter()
        .map(|span| part(span.style, &span.text))
        .collect()
}

/// Rows in columns two spaces apart; the last column is wrapped at `width` columns, beside the others
/// where they leave it room.
pub(crate) fn align_columns(rows: &[impl AsRef<[String]>], width: usize) -> String {
    use unicode_width::UnicodeWidthStr;
    let mut widths: Vec<usize> = Vec::new();
    for row in rows.iter().map(AsRef::as_ref) {
        widths.resize(row.len().max(widths.len()), 0);
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = cell.width().max(*widest);
        }
    }
    let mut out = String::new();
    for row in rows.iter().map(AsRef::as_ref) {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width - cell.width() + 2));
        }
        let beside = widths.iter().rev().skip(1).map(|width| width + 2).sum();
        let line = Line::default().with(Meaning::Plain, line);
        for line in line.wrap_to_width(beside, width) {
            out.push_str(&format!("{line}\n"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Gone;

    impl Write for Gone {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Full;

    impl Write for Full {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn out(stdout: impl Write + 'static) -> Out {
        let stderr = Box::new(io::sink());
        Out {
            stdout: Box::new(stdout),
            stderr,
            pretty: false,
            gone: false,
            paged: None,
            columns: [None; 2],
        }
    }

    #[test]
    fn a_reader_that_goes_away_is_no_failure() {
        let mut out = out(Gone);
        assert!(out.write_line("one").is_ok());
        assert!(out.write_line("two").is_ok());
    }

    /// What is kept of stderr.
    #[derive(Clone, Default)]
    struct Kept(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn reported(failure: &Failure, columns: Option<usize>) -> String {
        let kept = Kept::default();
        let mut out = Out {
            stderr: Box::new(kept.clone()),
            columns: [None, columns],
            ..out(io::sink())
        };
        out.report_failure(failure, false);
        let bytes = kept.0.borrow().clone();
        let text = String::from_utf8(bytes).unwrap();
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn what_is_to_be_copied_from_a_failure_stays_whole() {
        let line =
            "if command -v agon >/dev/null 2>&1; then agon hook git pre-commit || exit 1; fi";
        let message = "cannot read the file config.toml of the project:\n3 | a line that is quoted from there";
        let failure = Failure::new(Code::Usage, message).hint(format!(
            "add this line to the hook and commit it:\n    {line}"
        ));
        let whole = format!(
            "error: {message}\n  hint: add this line to the hook and commit it:\n    {line}\n"
        );
        assert_eq!(reported(&failure, None), whole);
        assert_eq!(
            reported(&failure, Some(40)),
            format!(
                "error: cannot read the file config.toml\nof the project:\n\
                 3 | a line that is quoted from there\n  hint: add this line to the hook and\n  commit it:\n    {line}\n"
            )
        );
        let command = "agon resume \"Should we use tabs, or spaces?\" --substitute";
        let failure = Failure::new(Code::Usage, "no turn came back")
            .hint(format!("let another tool take the seat: {command}"));
        assert_eq!(
            reported(&failure, Some(40)),
            format!(
                "error: no turn came back\n  hint: let another tool take the seat:\n  {command}\n"
            )
        );
        assert_eq!(reported(&failure, None).lines().count(), 2);
    }

    #[test]
    fn a_full_disk_is_one() {
        let failure = out(Full).write_line("one").unwrap_err();
        assert_eq!(
            (failure.kind, failure.code),
            (FailureKind::Store, Code::Stdout)
        );
    }

    #[test]
    fn json_is_the_same_with_nothing_that_moves_or_hides() {
        let value = serde_json::json!({"a": "x\u{202e}y\u{9b}2J\u{e0041}\u{1b}[0m\n", "b": 1});
        let text = escape_json_controls(&serde_json::to_string_pretty(&value).unwrap());
        assert_eq!(
            text,
            "{\n  \"a\": \"x\\u202ey\\u009b2J\\udb40\\udc41\\u001b[0m\\n\",\n  \"b\": 1\n}"
        );
        let same: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(same, value);
    }

    #[test]
    fn colours_are_those_of_the_table_in_the_docs() {
        let docs = include_str!("../../../docs/terminal.md");
        let rows = docs.lines().filter_map(|line| {
            let mut cells = line.split('|').map(str::trim);
            let (_, colour, meaning) = (cells.next()?, cells.next()?, cells.next()?);
            let code = match colour {
                "bold" => "\u{1b}[1m",
                "cyan" => "\u{1b}[36m",
                "green" => "\u{1b}[32m",
                "red" => "\u{1b}[31m",
                "bold green" => "\u{1b}[1m\u{1b}[32m",
                "bold yellow" => "\u{1b}[1m\u{1b}[33m",
                "bold red" => "\u{1b}[1m\u{1b}[31m",
                "dim" => "\u{1b}[2m",
                _ => return None,
            };
            Some((code, meaning.split([' ', ':']).next()?))
        });
        let meant = [
            (Meaning::Strong, "the"),
            (Meaning::Name, "labels,"),
            (Meaning::For, "the"),
            (Meaning::Against, "the"),
            (Meaning::Good, "as"),
            (Meaning::Warn, "look"),
            (Meaning::Bad, "wrong"),
            (Meaning::Dim, "less"),
        ];
        let printed: Vec<_> = meant
            .iter()
            .map(|(style, word)| {
                let text = line_to_ansi(&Line::default().with(*style, "x"));
                (text.split('x').next().unwrap_or_default().to_owned(), *word)
            })
            .collect();
        let documented: Vec<_> = rows.map(|(code, word)| (code.to_owned(), word)).collect();
        assert_eq!(printed, documented);
    }

    #[test]
    fn columns_line_up_by_what_is_seen() {
        let rows = [
            ["火".to_owned(), "a".to_owned()],
            ["abc".to_owned(), "b".to_owned()],
        ];
        assert_eq!(align_columns(&rows, 40), "火   a\nabc  b\n");
        let rows = [["abc".to_owned(), "one two three".to_owned()]];
        assert_eq!(align_columns(&rows, 16), "abc  one two\n     three\n");
    }
}
