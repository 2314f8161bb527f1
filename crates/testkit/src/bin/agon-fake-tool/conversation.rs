//! Determines the session of a call from its arguments.

/// The id of the session: the one that the arguments set or resume, or else a default.
pub(crate) fn session() -> String {
    resumed_session_id()
        .or_else(named)
        .unwrap_or_else(|| "5f0c8a52-7d1e-4a4b-9a43-1f3f0c7a9e10".to_owned())
}

/// The id of the session for OpenCode, whose ids have another format.
pub(crate) fn opencode_session_id() -> String {
    resumed_session_id().unwrap_or_else(|| "ses_fake".to_owned())
}

/// The session that this call resumes.
pub(crate) fn resumed_session_id() -> Option<String> {
    option_value(&["--resume", "-r", "--session", "resume"])
}

/// The id that this call sets for the session.
fn named() -> Option<String> {
    option_value(&["--session-id"])
}

/// The word after one of these options, or after its `=`.
fn option_value(words: &[&str]) -> Option<String> {
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
