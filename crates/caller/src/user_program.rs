//! The user's programs that show or edit a file.

use std::path::Path;

use agon_proc::{Program, run_in_terminal};
use agon_report::text::plain_line;
use tokio::sync::oneshot;

use crate::Caller;
use crate::environments::terminal_variables;

/// Returns the editor that the user configured.
pub fn set_editor(caller: &Caller) -> Option<&str> {
    let set = |name: &str| {
        let set = caller.vars.get(name)?;
        (!set.trim().is_empty()).then_some(set.as_str())
    };
    set("VISUAL").or_else(|| set("EDITOR"))
}

/// Returns the configured editor, or else `vi` or `nano` if installed.
pub fn find_editor(caller: &Caller) -> Option<String> {
    if let Some(set) = set_editor(caller) {
        return Some(set.to_owned());
    }
    let path = caller.vars_os.get(std::ffi::OsStr::new("PATH"))?;
    let has = |name: &&str| std::env::split_paths(path).any(|dir| dir.join(name).is_file());
    ["vi", "nano"]
        .iter()
        .find(|name| has(name))
        .map(|name| (*name).to_owned())
}

/// Opens `file` with `command` in this process's terminal, and waits until the command ends.
///
/// # Errors
///
/// Returns a message for the user if the command cannot start or fails.
pub async fn open_file_with(caller: &Caller, command: &str, file: &Path) -> Result<(), String> {
    let program = Program {
        path: "/bin/sh".into(),
        // Let a shell parse the command, which may contain arguments and quotes.
        args: vec![
            "-c".into(),
            format!("{command} \"$@\"").into(),
            "agon".into(),
            file.into(),
        ],
        env: terminal_variables(caller),
        cwd: caller.cwd.clone(),
    };
    let (sender, ending) = oneshot::channel();
    std::thread::spawn(move || {
        // Ignore a failed send: the receiver is gone if the debate was stopped.
        sender.send(run_in_terminal(&program)).unwrap_or_default();
    });
    match ending.await {
        Ok(Ok(true)) => Ok(()),
        Ok(Ok(false)) => Err(format!("{} ended with an error", plain_line(command))),
        Ok(Err(error)) => Err(format!("cannot open {}: {error}", plain_line(command))),
        Err(_) => Err("the program ended unexpectedly".to_owned()),
    }
}
