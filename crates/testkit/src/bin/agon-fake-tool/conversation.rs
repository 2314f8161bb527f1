//! Which conversation a call belongs to, by its arguments.

/// The name of the conversation: the one that the arguments give it or go on with, else this.
pub(crate) fn session() -> String {
    resumed()
        .or_else(named)
        .unwrap_or_else(|| "5f0c8a52-7d1e-4a4b-9a43-1f3f0c7a9e10".to_owned())
}

/// The same for OpenCode, whose names have a form of their own.
pub(crate) fn opencode_session() -> String {
    resumed().unwrap_or_else(|| "ses_fake".to_owned())
}

/// The conversation that this call goes on with.
pub(crate) fn resumed() -> Option<String> {
    value_of(&["--resume", "-r", "--session", "resume"])
}

/// The name that this call gives the conversation.
fn named() -> Option<String> {
    value_of(&["--session-id"])
}

/// What follows one of these words, or stands behind its `=`.
fn value_of(words: &[&str]) -> Option<String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let behind = |arg: &String| {
        let (word, value) = arg.split_once('=')?;
        words.contains(&word).then(|| value.to_owned())
    };
    let after = args.iter().position(|arg| words.contains(&arg.as_str()));
    after
        .and_then(|at| args.get(at + 1).cloned())
        .or_else(|| args.iter().find_map(behind))
}
