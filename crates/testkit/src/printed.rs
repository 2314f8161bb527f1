//! Finds the commands that a page or an output prints.

/// Texts that end a command within a line.
const ENDS: [&str; 12] = [
    "·", "`", "  ", " #", ";", ", ", " (", ")", " then", " |", " < ", " \\",
];

/// Returns the commands in a line: each `agon` that begins a word, with the words after it. Prose
/// may follow a command.
///
/// ```
/// # use agon_testkit::printed_commands;
/// let line = "run `agon show job-store`, or agon list (see agon-mcp)";
/// assert_eq!(printed_commands(line), ["agon show job-store", "agon list"]);
/// ```
pub fn printed_commands(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices("agon ") {
        let before = line[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || "/-_.'".contains(c)) {
            continue;
        }
        let rest = &line[at..];
        let end = ENDS.iter().filter_map(|end| rest.find(end)).min();
        let command = &rest[..end.unwrap_or(rest.len())];
        found.push(command.trim_end_matches(['.', ':', ',', '"', '\'', '\\']));
    }
    found
}

/// Splits a command into words. Quoted words stay together; an ellipsis and the placeholders
/// `[OPTIONS]` and `[COMMAND]` are left out.
///
/// ```
/// # use agon_testkit::command_words;
/// let words = command_words("agon debate [OPTIONS] \"Tabs or spaces?\" …");
/// assert_eq!(words, ["agon", "debate", "Tabs or spaces?"]);
/// ```
pub fn command_words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match c {
            '"' | '\'' if quote.is_none() => quote = Some(c),
            c if quote == Some(c) => quote = None,
            ' ' if quote.is_none() => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    let is_left_out = |word: &str| ["", "…", "...", "[OPTIONS]", "[COMMAND]"].contains(&word);
    words.retain(|word| !is_left_out(word));
    words
}
