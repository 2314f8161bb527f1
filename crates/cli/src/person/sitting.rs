//! A person at a terminal: in their editor, or line by line.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use agon_debate::finding::Severity;
use agon_debate::human::{self, MOST_BYTES, SCISSORS};
use agon_debate::id::AskKey;
use agon_debate::state::State;
use agon_proc::{Program, attend};
use agon_report::text::plain;
use agon_store::{RealDisk, answer_path, keep_answer, kept_answer};
use tokio::sync::oneshot;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::checked::Checked;
use super::{laid, unkept};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::running::{Place, shown};
use crate::stop;

/// How long what is typed waits for more before it is kept.
const KEPT_AFTER: Duration = Duration::from_millis(100);

/// A person who is asked at the terminal.
pub(super) struct Sitting<'a> {
    pub(super) place: Place<'a>,
    pub(super) path: &'a Path,
    pub(super) state: &'a State,
    pub(super) key: AskKey,
}

/// What came of it.
pub(super) enum Came {
    /// They hand in this.
    HandedIn(Checked),
    /// They stop here, and the debate waits.
    Left,
}

/// What they want done with what they wrote.
enum Then {
    Edit,
    Add,
    HandIn,
    Leave,
}

impl Sitting<'_> {
    /// Lets them write until they hand it in or leave.
    ///
    /// # Errors
    ///
    /// If it cannot be kept, or they stop it with Ctrl-C.
    pub(super) async fn sit(&self, out: &mut Out) -> Result<Came, Failure> {
        let cancel = CancellationToken::new();
        let stopping = stop::on_signal(cancel.clone());
        let came = self.write(&cancel, out).await;
        stopping.abort();
        came
    }

    async fn write(&self, cancel: &CancellationToken, out: &mut Out) -> Result<Came, Failure> {
        let file = laid(self.path, self.state, self.key)?;
        let name = shown(self.place.edge, &file);
        let editor = self.editor();
        let seat = self.key.turn.seat;
        out.note(&format!(
            "your turn as {seat} ({}), kept in {name}",
            self.key
        ));
        let mut then = Then::Add;
        loop {
            match &editor {
                Some(editor) => self.edit(editor, cancel, out).await?,
                None => {
                    self.type_in(matches!(then, Then::Edit), cancel, out)
                        .await?
                }
            }
            let bytes = kept_answer(&RealDisk, self.path, self.key).map_err(|error| unkept(&error));
            let checked = match bytes {
                Ok(bytes) => Checked::of(self.state, self.key, (&name, &bytes.unwrap_or_default())),
                Err(failure) => {
                    out.note(&format!("{}; make it shorter", plain(&failure.message)));
                    None
                }
            };
            let worst = match &checked {
                None => {
                    out.note("nothing is written yet");
                    Some(Severity::Fatal)
                }
                Some(checked) => {
                    checked.show(out);
                    checked.worst()
                }
            };
            then = match worst {
                None => Then::HandIn,
                Some(worst) => self.then(editor.is_some(), worst, cancel, out).await?,
            };
            match (then, checked) {
                (Then::Leave, _) => return Ok(Came::Left),
                (Then::HandIn, Some(checked)) => {
                    out.note(&format!("handed in as {seat}"));
                    return Ok(Came::HandedIn(checked));
                }
                (other, _) => then = other,
            }
        }
    }

    /// Asks what is to be done with what is written.
    async fn then(
        &self,
        editor: bool,
        worst: Severity,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<Then, Failure> {
        let edit = if editor {
            "[e]dit again"
        } else {
            "[a]dd to it, [e]nter it again from the start"
        };
        let hand_in = match worst {
            Severity::Fatal => "",
            Severity::Error | Severity::Warning => ", [h]and it in as it is",
        };
        loop {
            prompt(&format!("{edit}{hand_in}, [s]top here: "));
            let Some(line) = self.line(cancel).await? else {
                out.note("");
                return Ok(Then::Leave);
            };
            match line.trim().to_lowercase().chars().next() {
                None | Some('e') if editor => return Ok(Then::Edit),
                None | Some('a') => return Ok(Then::Add),
                Some('e') => return Ok(Then::Edit),
                Some('h') if !hand_in.is_empty() => return Ok(Then::HandIn),
                Some('s') => return Ok(Then::Leave),
                Some(_) => {}
            }
        }
    }

    /// The editor that the user has set.
    fn editor(&self) -> Option<String> {
        let set = |name: &str| {
            self.place
                .edge
                .vars
                .get(name)
                .filter(|set| !set.trim().is_empty())
        };
        set("VISUAL").or_else(|| set("EDITOR")).cloned()
    }

    /// Opens the form in the editor, and waits until it is closed.
    async fn edit(
        &self,
        editor: &str,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<(), Failure> {
        let program = Program {
            path: "/bin/sh".into(),
            // The user's own words, with arguments and quotes as a shell takes them.
            args: vec![
                "-c".into(),
                format!("{editor} \"$@\"").into(),
                "agon".into(),
                answer_path(self.path, self.key).into(),
            ],
            env: self.place.edge.vars_os.clone(),
            cwd: self.place.edge.cwd.clone(),
        };
        let (tell, told) = oneshot::channel();
        std::thread::spawn(move || {
            // Nobody listens any more when the debate was told to stop.
            tell.send(attend(&program)).unwrap_or_default();
        });
        // Ctrl-C is the editor's too: who stops does so when it has given the terminal back.
        match told.await {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => out.note(&format!("{} ended with an error", plain(editor))),
            Ok(Err(error)) => out.note(&format!("cannot open {}: {error}", plain(editor))),
            Err(_) => out.note("the editor broke off"),
        }
        match cancel.is_cancelled() {
            true => Err(self.stopped()),
            false => Ok(()),
        }
    }

    /// Takes lines until `.` or the end of input; each is kept as it comes.
    async fn type_in(
        &self,
        anew: bool,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<(), Failure> {
        let before = kept_answer(&RealDisk, self.path, self.key).map_err(|error| unkept(&error))?;
        let before = String::from_utf8_lossy(&before.unwrap_or_default()).into_owned();
        let said = Checked::of(self.state, self.key, ("", before.as_bytes())).is_some();
        let mut text = String::new();
        if said && !anew {
            text = before
                .split(SCISSORS)
                .next()
                .unwrap_or_default()
                .trim_end()
                .to_owned();
            text.push('\n');
            out.note("written so far:");
            note(&text, out);
        } else {
            // What to answer comes before what to fill in, which stays in sight.
            let form = human::form(self.state, self.key);
            let (places, told) = form.split_once(SCISSORS).unwrap_or((&form, ""));
            note(told, out);
            out.note("");
            note(places, out);
        }
        out.note("type it as above, headings and all; a line with a dot alone, or Ctrl-D, ends it");
        let mut dirty = false;
        loop {
            let next = self.line(cancel);
            tokio::pin!(next);
            let line = loop {
                tokio::select! {
                    line = &mut next => match line {
                        Err(stopped) => {
                            self.keep(&text)?;
                            return Err(stopped);
                        }
                        Ok(line) => break line,
                    },
                    () = sleep(KEPT_AFTER), if dirty => {
                        self.keep(&text)?;
                        dirty = false;
                    }
                }
            };
            match line {
                Some(line) if line.trim() != "." => {
                    text.push_str(line.trim_end_matches(['\r', '\n']));
                    text.push('\n');
                    dirty = true;
                }
                Some(_) | None => break,
            }
            if text.len() > MOST_BYTES {
                out.note(&format!(
                    "that is more than {MOST_BYTES} bytes, and no more is taken"
                ));
                break;
            }
        }
        self.keep(&text)
    }

    fn keep(&self, text: &str) -> Result<(), Failure> {
        let kept = keep_answer(&RealDisk, self.path, self.key, text);
        kept.map(drop).map_err(|error| unkept(&error))
    }

    /// The next line that is typed; none at the end of input.
    async fn line(&self, cancel: &CancellationToken) -> Result<Option<String>, Failure> {
        let (tell, told) = oneshot::channel();
        // Nobody waits for the thread: who stops does not hang on the line.
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
            () = cancel.cancelled() => Err(self.stopped()),
        }
    }

    fn stopped(&self) -> Failure {
        let slug = plain(&self.state.spec.slug);
        Failure::new(
            Exit::Cancelled,
            "cancelled",
            "stopped; what you wrote is kept",
        )
        .hint(format!("agon resume {slug} goes on"))
    }
}

/// Shows a text as it is, without what a terminal would obey.
fn note(text: &str, out: &mut Out) {
    for line in text.lines() {
        out.note(&agon_debate::text::masked(line));
    }
}

/// Nobody could be told that stderr is gone.
fn prompt(text: &str) {
    let mut stderr = anstream::stderr();
    drop(write!(stderr, "{text}").and_then(|()| stderr.flush()));
}
