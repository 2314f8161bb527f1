//! Parses the arguments strictly, so that mistakes of the caller are noticed.

use crate::dialect::Tool;

/// The request in the arguments.
pub(crate) enum Request {
    Version,
    Login,
    Prompt,
}

/// Options with a value, for all tools together.
const WITH_VALUE: &[&str] = &[
    "--add-dir",
    "--additional-mcp-config",
    "--admin-policy",
    "--agent",
    "--allow-tool",
    "--allowed-mcp-server-names",
    "--allowed-tools",
    "--allowedTools",
    "--append-system-prompt",
    "--approval-mode",
    "--available-tools",
    "--cd",
    "--color",
    "--config",
    "--deny-tool",
    "--dir",
    "--disable",
    "--disallowedTools",
    "--effort",
    "--enable",
    "--excluded-tools",
    "--extensions",
    "--fallback-model",
    "--format",
    "--image",
    "--include-directories",
    "--input-format",
    "--json-schema",
    "--local-provider",
    "--log-dir",
    "--log-level",
    "--max-budget-usd",
    "--max-turns",
    "--mcp-config",
    "--model",
    "--output-format",
    "--output-last-message",
    "--output-schema",
    "--permission-mode",
    "--policy",
    "--profile",
    "--reasoning-effort",
    "--resume",
    "--sandbox",
    "--session",
    "--session-id",
    "--setting-sources",
    "--settings",
    "--stream",
    "--system-prompt",
    "--title",
    "--tools",
    "--usage-output-file",
    "--variant",
    "-C",
    "-a",
    "-c",
    "-e",
    "-i",
    "-m",
    "-o",
    "-r",
    "-s",
];

/// Parses the arguments of one call.
///
/// # Errors
///
/// Describes the mistake: a prompt on the command line, a missing subcommand, an output format that
/// the fake does not support.
pub(crate) fn read(tool: Tool, args: &[String]) -> Result<Request, String> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    if words
        .iter()
        .any(|&word| word == "--version" || word == "-v" || word == "-V")
    {
        return Ok(Request::Version);
    }
    if let ["auth", "status" | "list" | "ls", ..] | ["login", "status", ..] = words.as_slice() {
        return Ok(Request::Login);
    }
    let positional = positional(tool, &words);
    let expected: &[&[&str]] = match tool {
        Tool::Codex => &[&["exec"], &["exec", "-"]],
        Tool::Opencode => &[&["run"]],
        Tool::Claude | Tool::Gemini | Tool::Copilot => &[&[]],
    };
    let resumes = matches!(
        positional.as_slice(),
        ["exec", "resume", _] | ["exec", "resume", _, "-"]
    );
    if !(expected.contains(&positional.as_slice()) || tool == Tool::Codex && resumes) {
        return Err(format!(
            "the prompt belongs on stdin, not among the arguments: {positional:?}"
        ));
    }
    let print = words
        .iter()
        .any(|&word| word == "-p" || word == "--print" || word == "--prompt");
    match tool {
        Tool::Claude if !print => Err("claude is not headless without -p".into()),
        Tool::Gemini | Tool::Copilot if print => {
            Err("-p takes the prompt from the arguments".into())
        }
        _ if words.iter().any(|word| word.ends_with("stream-json")) => {
            Err("the fake speaks the json form, not stream-json".into())
        }
        Tool::Claude | Tool::Codex | Tool::Gemini | Tool::Opencode | Tool::Copilot => {
            Ok(Request::Prompt)
        }
    }
}

/// Returns whether the caller asked for the JSON form of the output.
pub(crate) fn wants_json(args: &[String]) -> bool {
    args.iter()
        .any(|word| word == "json" || word == "--json" || word.ends_with("=json"))
}

fn positional<'a>(tool: Tool, words: &[&'a str]) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let valued = WITH_VALUE.contains(&word)
            || (word == "-p" && matches!(tool, Tool::Codex))
            || (word == "-s" && matches!(tool, Tool::Opencode));
        let valued = valued && !(word == "-s" && tool == Tool::Copilot);
        if valued {
            words.next();
        } else if word == "-" || !word.starts_with('-') {
            found.push(word);
        }
    }
    found
}
