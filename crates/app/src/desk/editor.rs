//! The form in the user's own editor.

use agon_proc::{Program, run_in_terminal};
use agon_report::text::plain_line;
use tokio::sync::oneshot;

use super::Desk;

impl Desk<'_> {
    /// The editor that the user has set.
    pub fn editor(&self) -> Option<&str> {
        let set = |name: &str| {
            let set = self.caller.vars.get(name)?;
            (!set.trim().is_empty()).then_some(set.as_str())
        };
        set("VISUAL").or_else(|| set("EDITOR"))
    }

    /// Opens the form in `editor`, which is given this process's terminal, and waits until it is
    /// closed.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or ends with an error: what a person is told of that.
    pub async fn edit(&self, editor: &str) -> Result<(), String> {
        let program = Program {
            path: "/bin/sh".into(),
            // The user's own words, with arguments and quotes as a shell takes them.
            args: vec![
                "-c".into(),
                format!("{editor} \"$@\"").into(),
                "agon".into(),
                self.answer_file().into(),
            ],
            env: self.caller.vars_os.clone(),
            cwd: self.caller.cwd.clone(),
        };
        let (sender, ending) = oneshot::channel();
        std::thread::spawn(move || {
            // The receiver is gone when the debate was told to stop.
            sender.send(run_in_terminal(&program)).unwrap_or_default();
        });
        match ending.await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err(format!("{} ended with an error", plain_line(editor))),
            Ok(Err(error)) => Err(format!("cannot open {}: {error}", plain_line(editor))),
            Err(_) => Err("the editor broke off".to_owned()),
        }
    }
}
