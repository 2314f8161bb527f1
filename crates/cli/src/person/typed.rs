//! A person who types line by line.

use std::path::PathBuf;
use std::time::Duration;

use agon_app::desk::{MAX_BYTES, SCISSORS, mark_finished, mark_unfinished};
use tokio::sync::oneshot;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::sitting::{AnswerWriter, print_prompt};
use crate::error::{Failure, FailureKind};
use crate::output::Out;

// Chosen, not measured: a paste of many lines comes within it and is written once; a kill costs at
// most the last tenth of a second.
/// How long what is typed waits for more before it is kept.
const KEPT_AFTER: Duration = Duration::from_millis(100);

/// What is typed, on its way into the folder.
#[derive(Debug, Default)]
struct Typed {
    text: String,
    /// Whether it takes the place of what was written before, which stays until this is ended.
    anew: bool,
    /// Where it is kept until then.
    beside: Option<PathBuf>,
    /// Whether some of it is not kept yet.
    dirty: bool,
    /// Whether it waits to be kept: a disk that took none of it is tried again after more.
    due: bool,
    /// Whether it was told that it cannot be kept.
    told: bool,
}

impl AnswerWriter<'_> {
    /// Takes lines until `.` or the end of input; each is kept as it comes.
    pub(super) async fn type_answer(
        &self,
        anew: bool,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<(), Failure> {
        let before = self.desk.read_written_answer()?.unwrap_or_default();
        let text = std::str::from_utf8(&before);
        let said = self.desk.check("", &before).is_some()
            || !text.is_ok_and(|text| self.desk.is_blank_form(text));
        let typed = match text {
            // Adding to what is not text would make other bytes of it.
            Err(_) if !anew => return Ok(()),
            Ok(text) if said && !anew => self.show_draft_and_begin(text, out),
            Ok(_) | Err(_) => self.show_draft_and_begin("", out),
        };
        let typed = Typed {
            anew: said && anew,
            ..typed
        };
        self.read_lines(typed, cancel, out).await
    }

    /// Shows what was written `before`, or the form, and begins with it.
    fn show_draft_and_begin(&self, before: &str, out: &mut Out) -> Typed {
        let mut text = String::new();
        if before.is_empty() {
            // What to answer comes before what to fill in, which stays in sight.
            let form = mark_finished(&self.desk.blank_form());
            let (places, told) = form.split_once(SCISSORS).unwrap_or((&form, ""));
            print_masked(told, out);
            print_masked(places, out);
        } else {
            let before = mark_finished(before);
            text = before
                .split(SCISSORS)
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned();
            text.push('\n');
            out.eprint_line("written so far:");
            print_masked(&text, out);
        }
        out.eprint_line(
            "type it as above, headings and all; a line with a dot alone, or Ctrl-D, ends it",
        );
        Typed {
            text,
            ..Typed::default()
        }
    }

    async fn read_lines(
        &self,
        mut typed: Typed,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<(), Failure> {
        loop {
            let next = self.read_line(cancel);
            tokio::pin!(next);
            let line = loop {
                tokio::select! {
                    line = &mut next => match line {
                        Err(stopped) => return Err(self.save_interrupted(&mut typed, stopped, out)),
                        Ok(line) => break line,
                    },
                    () = sleep(KEPT_AFTER), if typed.due => self.save_if_dirty(&mut typed, out),
                }
            };
            let Some(line) = line.filter(|line| line.trim() != ".") else {
                break;
            };
            let line = line.trim_end_matches(['\r', '\n']);
            if mark_unfinished(&typed.text).len() + line.len() >= MAX_BYTES {
                out.eprint_line(&format!(
                    "that is more than {MAX_BYTES} bytes, and no more is taken"
                ));
                break;
            }
            typed.text.push_str(line);
            typed.text.push('\n');
            (typed.dirty, typed.due) = (true, true);
        }
        self.save_finished(typed, cancel, out).await
    }

    /// Keeps what was typed to the end, in the place of what was written before.
    async fn save_finished(
        &self,
        mut typed: Typed,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<(), Failure> {
        if typed.text.trim().is_empty() {
            return Ok(());
        }
        (typed.dirty, typed.anew) = (typed.dirty || typed.anew, false);
        let beside = typed.beside.take();
        self.save_if_dirty(&mut typed, out);
        while typed.dirty {
            print_prompt("[t]ry to keep it again, [s]top here and see it: ");
            let line = match self.read_line(cancel).await {
                Ok(line) => line,
                Err(stopped) => return Err(self.save_interrupted(&mut typed, stopped, out)),
            };
            match line.as_deref().map(|line| line.trim().to_lowercase()) {
                Some(line) if line.is_empty() || line.starts_with('t') => {
                    typed.told = false;
                    self.save_if_dirty(&mut typed, out);
                }
                Some(line) if !line.starts_with('s') => {}
                Some(_) | None => {
                    let stopped = self.stopped_failure();
                    return Err(self.save_interrupted(&mut typed, stopped, out));
                }
            }
        }
        if let Some(beside) = beside {
            // It is kept in its own place now.
            self.desk.remove_beside_answer(&beside);
        }
        Ok(())
    }

    /// Keeps what was typed when it is broken off, or shows it where that cannot be.
    fn save_interrupted(&self, typed: &mut Typed, stopped: Failure, out: &mut Out) -> Failure {
        self.save_if_dirty(typed, out);
        if typed.dirty {
            print_masked(&typed.text, out);
            let message = "stopped; what you wrote could not be kept, and is shown above";
            return Failure::new(FailureKind::Store, "store", message);
        }
        if let Some(beside) = &typed.beside {
            out.eprint_line(&format!(
                "what you entered again is kept in {}",
                self.desk.display_path(beside)
            ));
        }
        stopped
    }

    /// Keeps what was typed, if there is more of it than is kept.
    fn save_if_dirty(&self, typed: &mut Typed, out: &mut Out) {
        typed.due = false;
        if !typed.dirty {
            return;
        }
        match self.write_to_desk(typed) {
            Ok(()) => (typed.dirty, typed.told) = (false, false),
            Err(failure) if !typed.told => {
                typed.told = true;
                out.eprint_line(&format!(
                    "{}; it is tried again with what you type next",
                    failure.message
                ));
            }
            Err(_) => {}
        }
    }

    fn write_to_desk(&self, typed: &mut Typed) -> Result<(), Failure> {
        let text = mark_unfinished(&typed.text);
        if typed.anew {
            let beside = typed.beside.clone();
            typed.beside = Some(self.desk.save_beside_answer(beside, text.as_bytes())?);
        } else {
            self.desk.save_answer(&text)?;
        }
        Ok(())
    }

    /// The next line that is typed; none at the end of input.
    pub(super) async fn read_line(
        &self,
        cancel: &CancellationToken,
    ) -> Result<Option<String>, Failure> {
        let (tell, told) = oneshot::channel();
        // The thread is not joined: stopping does not wait for a line.
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let read =
                std::io::BufRead::read_until(&mut std::io::stdin().lock(), b'\n', &mut bytes);
            let line =
                matches!(read, Ok(1..)).then(|| String::from_utf8_lossy(&bytes).into_owned());
            tell.send(line).unwrap_or_default();
        });
        tokio::select! {
            line = told => Ok(line.unwrap_or_default()),
            () = cancel.cancelled() => Err(self.stopped_failure()),
        }
    }
}

/// Shows a text as it is, without what a terminal would obey.
fn print_masked(text: &str, out: &mut Out) {
    for line in text.lines() {
        out.eprint_line(&agon_report::text::mask_hidden_characters(line));
    }
}
