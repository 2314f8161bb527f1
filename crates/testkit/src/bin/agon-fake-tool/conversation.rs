//! Determines the session of a call from its arguments.

/// The id of the session: the one that the arguments set or resume, or else a default.
pub(crate) fn session() -> String {
    resumed()
        .or_else(named)
        .unwrap_or_else(|| "5f0c8a52-7d1e-4a4b-9a43-1f3f0c7a9e10".to_owned())
}

/// The same for OpenCode, whose ids have another format.
pub(crate) fn opencode_session() -> String {
    resumed().unwrap_or_else(|| "ses_fake".to_owned())
}

/// The session that this call resumes.
pub(crate) fn resumed() -> Option<String> {
    value_of(&["--resume", "-r", "--session", "resume"])
}

/// The id that this call sets for the session.
fn named() -> Option<String> {
    value_of(&["--session-id"])
}

/// The word after one of these options, or after its `=`.
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
