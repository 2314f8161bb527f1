//! A person in their editor.

use agon_proc::{Program, attend};
use agon_report::text::plain;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::sitting::Writer;
use crate::error::Failure;
use crate::output::Out;

impl Writer<'_> {
    /// The editor that the user has set.
    pub(super) fn editor(&self) -> Option<String> {
        let set = |name: &str| {
            self.desk
                .caller()
                .vars
                .get(name)
                .filter(|set| !set.trim().is_empty())
        };
        set("VISUAL").or_else(|| set("EDITOR")).cloned()
    }

    /// Opens the form in the editor, and waits until it is closed; whether it ended well.
    pub(super) async fn edit(
        &self,
        editor: &str,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<bool, Failure> {
        let program = Program {
            path: "/bin/sh".into(),
            // The user's own words, with arguments and quotes as a shell takes them.
            args: vec![
                "-c".into(),
                format!("{editor} \"$@\"").into(),
                "agon".into(),
                self.desk.file().into(),
            ],
            env: self.desk.caller().vars_os.clone(),
            cwd: self.desk.caller().cwd.clone(),
        };
        let (tell, told) = oneshot::channel();
        std::thread::spawn(move || {
            // Nobody listens any more when the debate was told to stop.
            tell.send(attend(&program)).unwrap_or_default();
        });
        // Ctrl-C is the editor's too: who stops does so when it has given the terminal back.
        let wrong = match told.await {
            Ok(Ok(true)) => None,
            Ok(Ok(false)) => Some(format!("{} ended with an error", plain(editor))),
            Ok(Err(error)) => Some(format!("cannot open {}: {error}", plain(editor))),
            Err(_) => Some("the editor broke off".to_owned()),
        };
        if let Some(wrong) = &wrong {
            out.note(wrong);
        }
        match cancel.is_cancelled() {
            true => Err(self.stopped()),
            false => Ok(wrong.is_none()),
        }
    }
}
