//! Questions to a person, one line each.

use std::io::{BufRead, Write};

use agon_app::topic::one_line;

use crate::error::Failure;

/// A person who is asked.
pub(crate) struct Asker<R, W> {
    input: R,
    output: W,
    /// What it is when the input has ended.
    gone: fn() -> Failure,
}

impl<R: BufRead, W: Write> Asker<R, W> {
    /// Prompts on `output` and reads answers from `input`; `gone` makes the failure returned when
    /// the input ends.
    pub(crate) fn new(input: R, output: W, gone: fn() -> Failure) -> Self {
        Self {
            input,
            output,
            gone,
        }
    }

    /// The answer to `question`; none for an empty one.
    ///
    /// # Errors
    ///
    /// If the input has ended.
    pub(crate) fn ask_line(&mut self, question: &str) -> Result<Option<String>, Failure> {
        let asked = write!(self.output, "{question}").and_then(|()| self.output.flush());
        let mut bytes = Vec::new();
        let read = asked.and_then(|()| self.input.read_until(b'\n', &mut bytes));
        match read {
            Ok(0) | Err(_) => Err((self.gone)()),
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes).trim().to_owned();
                Ok((!line.is_empty()).then_some(line))
            }
        }
    }

    /// As [`Asker::ask_line`], repeated until the answer is valid as one line; `what` names the
    /// parameter in the message.
    pub(crate) fn ask_valid_line(
        &mut self,
        question: &str,
        what: &str,
    ) -> Result<Option<String>, Failure> {
        loop {
            let Some(line) = self.ask_line(question)? else {
                return Ok(None);
            };
            match one_line(&line, what) {
                Ok(line) => return Ok(Some(line)),
                Err(failure) => self.report_failure(&failure),
            }
        }
    }

    /// As [`Asker::ask_valid_line`], asked again until there is an answer.
    pub(crate) fn ask_required_line(
        &mut self,
        question: &str,
        what: &str,
    ) -> Result<String, Failure> {
        loop {
            if let Some(given) = self.ask_valid_line(question, what)? {
                return Ok(given);
            }
        }
    }

    /// Says why an answer was not taken. A broken pipe is ignored.
    pub(crate) fn report_failure(&mut self, failure: &Failure) {
        let hint = failure.hint.as_deref().unwrap_or_default();
        self.print_line(&format!("  {}; {hint}", failure.message));
    }

    /// Prints a line. A broken pipe is ignored.
    pub(crate) fn print_line(&mut self, text: &str) {
        drop(writeln!(self.output, "{text}"));
    }
}
