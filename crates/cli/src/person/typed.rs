//! A person who types line by line.

use std::time::Duration;

use agon_debate::human::{self, MOST_BYTES, SCISSORS};
use agon_store::{RealDisk, keep_answer, kept_answer};
use tokio::sync::oneshot;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::checked::Checked;
use super::sitting::Sitting;
use super::unkept;
use crate::error::Failure;
use crate::output::Out;

/// How long what is typed waits for more before it is kept.
const KEPT_AFTER: Duration = Duration::from_millis(100);

impl Sitting<'_> {
    /// Takes lines until `.` or the end of input; each is kept as it comes.
    pub(super) async fn type_in(
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
    pub(super) async fn line(&self, cancel: &CancellationToken) -> Result<Option<String>, Failure> {
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
}

/// Shows a text as it is, without what a terminal would obey.
fn note(text: &str, out: &mut Out) {
    for line in text.lines() {
        out.note(&agon_debate::text::masked(line));
    }
}
