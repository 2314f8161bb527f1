//! Output: data goes to stdout, everything else to stderr.

use std::io::{self, IsTerminal, Write};

use agon_caller::hint::CommandLine;
use agon_caller::{CallFront, Notes};
use agon_report::screen::{Line, Style as Meaning};
use agon_report::text::{is_hidden, is_joiner};
use anstyle::{AnsiColor, Style};
use async_trait::async_trait;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::asking::confirm_on_terminal;
use crate::error::{Code, Failure, FailureKind};
use crate::stop;
use crate::surroundings::Surroundings;
use crate::wrap::wrap_lines;

/// Errors.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// Warnings.
pub(crate) const ODD: Style = AnsiColor::Yellow.on_default().bold();
/// Success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Names and headings.
pub(crate) const STRONG: Style = Style::new().bold();
/// Secondary text.
pub(crate) const DIM: Style = Style::new().dimmed();

/// The output streams of a command.
///
/// Colors are dropped if the terminal cannot show them or the user does not want them. After a
/// broken pipe on stdout, further output is dropped too, which is not a failure.
pub(crate) struct Out {
    stdout: Box<dyn Write>,
    stderr: Box<dyn Write>,
    /// Whether to print JSON on several lines, for a person.
    pretty: bool,
    gone: bool,
    /// Output collected for a pager; `None` to write to stdout directly.
    paged: Option<String>,
    /// The widths of stdout and stderr in columns; `None` for a stream that is not a terminal.
    columns: [Option<usize>; 2],
    /// Whether a person can be asked.
    asks: bool,
}

impl Out {
    /// Returns the streams of this process.
    pub(crate) fn of_process() -> Self {
        Self {
            pretty: io::stdout().is_terminal(),
            stdout: Box::new(anstream::stdout()),
            stderr: Box::new(anstream::stderr()),
            gone: false,
            paged: None,
            columns: [None; 2],
            asks: false,
        }
    }

    /// From now on, asks the person at the terminal what the user must decide.
    pub(crate) fn enable_questions(&mut self) {
        self.asks = true;
    }

    /// From now on, wraps prose at the width of the terminal; commands and quoted text stay whole.
    pub(crate) fn enable_wrapping(&mut self, edge: &Surroundings) {
        self.columns = [
            io::stdout().is_terminal().then_some(edge.table_width),
            io::stderr().is_terminal().then_some(edge.live_width),
        ];
    }

    /// Keeps colors on stdout even without a terminal, for AI tools that display them.
    pub(crate) fn force_colors(&mut self) {
        self.stdout = Box::new(io::stdout());
    }

    /// From now on, collects output to stdout instead of writing it, for the pager.
    pub(crate) fn start_buffering_stdout(&mut self) {
        self.paged.get_or_insert_default();
    }

    /// Returns the collected output and stops collecting.
    pub(crate) fn take_buffered_stdout(&mut self) -> Option<String> {
        self.paged.take()
    }

    /// Writes `text` to stdout unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written, for example to a full disk.
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
    /// Returns an error if it cannot be written.
    pub(crate) fn write_line(&mut self, text: &str) -> Result<(), Failure> {
        self.write_stdout(&format!("{text}\n"))
    }

    /// Writes prose and a line end to stdout, wrapped on a terminal.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be written.
    pub(crate) fn write_prose(&mut self, text: &str) -> Result<(), Failure> {
        let text = wrap_lines(text, self.columns[0]);
        self.write_line(&text)
    }

    /// Writes one JSON document to stdout, on one line or, on a terminal, on several.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written.
    pub(crate) fn write_json(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        let text = if self.pretty {
            serde_json::to_string_pretty(document)
        } else {
            serde_json::to_string(document)
        };
        let text = text.map_err(|cause| Failure::from_error(Code::Json, &cause))?;
        self.write_line(&escape_json_controls(&text))
    }

    /// Writes one JSON document of several to stdout, on one line.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written.
    pub(crate) fn write_json_line(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(document);
        let text = text.map_err(|cause| Failure::from_error(Code::Json, &cause))?;
        self.write_line(&escape_json_controls(&text))
    }

    /// Writes `text` and a line end to stderr, wrapped on a terminal; ignores a broken pipe.
    pub(crate) fn eprint_line(&mut self, text: &str) {
        let text = wrap_lines(text, self.columns[1]);
        self.eprint_unwrapped(&text);
    }

    fn eprint_unwrapped(&mut self, text: &str) {
        drop(writeln!(self.stderr, "{text}"));
    }

    /// Writes the first line to stderr as prose. Leaves further lines unwrapped, because they quote
    /// a file or are commands to copy.
    fn eprint_wrapping_first_line(&mut self, text: &str) {
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

    /// Reports a failure: as a document on stdout for programs, on stderr for people.
    pub(crate) fn report_failure(&mut self, failure: &Failure, json: bool) {
        if json && self.write_json(&failure.document(&CommandLine)).is_ok() {
            return;
        }
        let text = match failure.kind {
            // Printed without the word `error`, because the user cancelled.
            FailureKind::Cancelled => failure.message.clone(),
            _ => format!("{BAD}error{BAD:#}: {}", failure.message),
        };
        self.eprint_wrapping_first_line(&text);
        if let Some(hint) = &failure.hint {
            self.eprint_wrapping_first_line(&format!("  {STRONG}hint{STRONG:#}: {}", hint.typed()));
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

#[async_trait(?Send)]
impl CallFront for Out {
    fn cancel_token(&mut self) -> CancellationToken {
        stop::signal_cancellation_token()
    }

    fn can_ask(&self) -> bool {
        self.asks
    }

    async fn is_agreed(&mut self, question: &str) -> bool {
        self.asks && confirm_on_terminal(question).await
    }
}

/// Returns a document as JSON on several lines, with a line end.
///
/// # Errors
///
/// If it cannot be written as JSON.
pub(crate) fn pretty_json(document: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(document)
        .map_err(|cause| Failure::from_error(Code::Json, &cause))?;
    Ok(escape_json_controls(&text) + "\n")
}

/// Escapes the characters of the JSON text that a terminal would hide or interpret.
pub(crate) fn escape_json_controls(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        // Copy printable ASCII without the checks below, because a document may have several
        // megabytes.
        if matches!(c, ' '..='~') {
            out.push(c);
            continue;
        }
        // Also escape U+2028 and U+2029, because line-based readers treat them as line ends.
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

/// Returns `text` in `style`.
pub(crate) fn apply_style(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Returns `line` in the colors of a terminal.
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

/// Aligns rows in columns, two spaces apart; wraps the last column at `width`, next to the others
/// if there is room.
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
            asks: false,
            columns: [None; 2],
        }
    }

    #[test]
    fn a_broken_pipe_is_not_a_failure() {
        let mut out = out(Gone);
        assert!(out.write_line("one").is_ok());
        assert!(out.write_line("two").is_ok());
    }

    /// Captured stderr.
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
    fn lines_to_copy_in_a_failure_are_not_wrapped() {
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
    fn a_full_disk_is_a_failure() {
        let failure = out(Full).write_line("one").unwrap_err();
        assert_eq!(
            (failure.kind, failure.code),
            (FailureKind::Store, Code::Stdout)
        );
    }

    #[test]
    fn json_keeps_its_value_without_control_or_hidden_characters() {
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
    fn colors_match_the_table_in_the_docs() {
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
    fn columns_align_by_display_width() {
        let rows = [
            ["火".to_owned(), "a".to_owned()],
            ["abc".to_owned(), "b".to_owned()],
        ];
        assert_eq!(align_columns(&rows, 40), "火   a\nabc  b\n");
        let rows = [["abc".to_owned(), "one two three".to_owned()]];
        assert_eq!(align_columns(&rows, 16), "abc  one two\n     three\n");
    }
}
