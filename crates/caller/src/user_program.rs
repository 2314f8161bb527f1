//! Programs of the user's own that show or edit a file.

use std::path::Path;

use agon_proc::{Program, run_in_terminal};
use agon_report::text::plain_line;
use tokio::sync::oneshot;

use crate::Caller;
use crate::environments::terminal_variables;

/// The editor that the user has set.
pub fn set_editor(caller: &Caller) -> Option<&str> {
    let set = |name: &str| {
        let set = caller.vars.get(name)?;
        (!set.trim().is_empty()).then_some(set.as_str())
    };
    set("VISUAL").or_else(|| set("EDITOR"))
}

/// The editor that the user has set, else one that every system has.
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

/// Opens `file` with `command`, which is given this process's terminal, and waits until it is closed.
///
/// # Errors
///
/// If it cannot be opened, or ends with an error: what a person is told of that.
pub async fn open_file_with(caller: &Caller, command: &str, file: &Path) -> Result<(), String> {
    let program = Program {
        path: "/bin/sh".into(),
        // The user's own words, with arguments and quotes as a shell takes them.
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
        // The receiver is gone when the debate was told to stop.
        sender.send(run_in_terminal(&program)).unwrap_or_default();
    });
    match ending.await {
        Ok(Ok(true)) => Ok(()),
        Ok(Ok(false)) => Err(format!("{} ended with an error", plain_line(command))),
        Ok(Err(error)) => Err(format!("cannot open {}: {error}", plain_line(command))),
        Err(_) => Err("it broke off".to_owned()),
    }
}
