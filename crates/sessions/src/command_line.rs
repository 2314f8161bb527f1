//! Splits shell command lines with regard to quotes.

/// A character of a command line, after quotes and escapes are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShellChar {
    /// Its byte offset in the line.
    pub(crate) at: usize,
    /// The character.
    pub(crate) c: char,
    /// Whether it is quoted or escaped, so that the shell gives it no meaning.
    pub(crate) is_quoted: bool,
}

/// Returns the characters of a line without the quotes and backslashes that the shell removes.
pub(crate) fn shell_chars(line: &str) -> impl Iterator<Item = ShellChar> + '_ {
    let mut quote: Option<char> = None;
    let mut chars = line.char_indices().peekable();
    std::iter::from_fn(move || {
        loop {
            let (at, c) = chars.next()?;
            match (quote, c) {
                (Some(open), c) if c == open => quote = None,
                (None, '"' | '\'') => quote = Some(c),
                (None, '\\') => match chars.next()? {
                    // An escaped line end continues the line.
                    (_, '\n') => {}
                    (at, c) => return Some(quoted(at, c)),
                },
                (Some('"'), '\\') => {
                    let is_escape = |it: &(usize, char)| matches!(it.1, '"' | '\\' | '$' | '`');
                    let (at, c) = chars.next_if(is_escape).unwrap_or((at, c));
                    return Some(quoted(at, c));
                }
                (Some(_), c) => return Some(quoted(at, c)),
                (None, c) => {
                    return Some(ShellChar {
                        at,
                        c,
                        is_quoted: false,
                    });
                }
            }
        }
    })
}

fn quoted(at: usize, c: char) -> ShellChar {
    ShellChar {
        at,
        c,
        is_quoted: true,
    }
}

/// Returns the characters outside quotes with their byte offsets.
pub(crate) fn unquoted(line: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    shell_chars(line)
        .filter(|it| !it.is_quoted)
        .map(|it| (it.at, it.c))
}

/// Returns the parts of a line between `&&` outside quotes.
pub(crate) fn split_at_and(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before: Option<usize> = None;
    for (at, c) in unquoted(line) {
        if c != '&' {
            continue;
        }
        match before {
            Some(first) if first >= start && first + 1 == at => {
                parts.push(&line[start..first]);
                start = at + 1;
            }
            _ => before = Some(at),
        }
    }
    parts.push(&line[start..]);
    parts
}

/// A command of a line without pipes and separators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SimpleCommand {
    /// Its words without quotes, and without redirections.
    pub(crate) words: Vec<String>,
    /// The files that its output goes to.
    pub(crate) targets: Vec<String>,
    /// Whether its output goes to a file.
    pub(crate) is_redirected: bool,
}

/// Splits a line at `&&`, `;`, `|`, parentheses and line ends outside quotes.
fn simple_commands(line: &str) -> Vec<SimpleCommand> {
    let mut splitter = Splitter::default();
    let mut chars = shell_chars(line).peekable();
    while let Some(ShellChar { c, is_quoted, .. }) = chars.next() {
        let next = chars.peek().filter(|it| !it.is_quoted).map(|it| it.c);
        match c {
            _ if is_quoted => splitter.word.push(c),
            '>' => {
                splitter.redirection.get_or_insert(splitter.word.len());
                splitter.word.push(c);
            }
            // These are one word: "2>&1", "&>log", ">|log". "&&" and "&" end a command.
            '&' | '|' if splitter.is_after_arrow() => splitter.word.push(c),
            '&' if next == Some('>') => splitter.word.push(c),
            ';' | '|' | '&' | '\n' | '(' | ')' => splitter.end_command(),
            c if c.is_whitespace() => splitter.end_word(),
            c => splitter.word.push(c),
        }
    }
    splitter.end_command();
    splitter.found
}

/// Words that may come before the name of a command.
const PREFIXES: &[&str] = &[
    "sudo", "env", "time", "nohup", "exec", "then", "do", "command",
];

/// Returns the simple commands of a line, without variables and words such as `sudo` before them.
pub(crate) fn plain_commands(line: &str) -> Vec<SimpleCommand> {
    let mut found = simple_commands(line);
    for command in &mut found {
        let is_before = |word: &&String| {
            PREFIXES.contains(&word.as_str())
                || (word.contains('=') && !word.starts_with(['-', '=']))
        };
        let before = command.words.iter().take_while(is_before).count();
        if before < command.words.len() {
            command.words.drain(..before);
        }
    }
    found
}

#[derive(Default)]
struct Splitter {
    found: Vec<SimpleCommand>,
    command: SimpleCommand,
    word: String,
    /// The length of the word before its first `>` outside quotes.
    redirection: Option<usize>,
    /// Whether the next word is the target of a redirection.
    expects_target: bool,
}

impl Splitter {
    fn is_after_arrow(&self) -> bool {
        self.redirection.is_some() && self.word.ends_with('>')
    }

    fn end_word(&mut self) {
        let redirection = self.redirection.take();
        if self.word.is_empty() {
            return;
        }
        let word = std::mem::take(&mut self.word);
        if std::mem::take(&mut self.expects_target) {
            self.add_target(&word);
            return;
        }
        let Some(at) = redirection else {
            self.command.words.push(word);
            return;
        };
        match word[at..].trim_start_matches(['>', '|']) {
            "" | "&" => self.expects_target = true,
            target => self.add_target(target),
        }
        // `2>` names a stream and `&>` both; `a>b` also has the word `a`.
        let before = &word[..at];
        if before != "&" && !before.chars().all(|c| c.is_ascii_digit()) {
            self.command.words.push(before.to_owned());
        }
    }

    fn add_target(&mut self, target: &str) {
        if is_file(target) {
            self.command.is_redirected = true;
            self.command.targets.push(target.to_owned());
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.expects_target = false;
        let command = std::mem::take(&mut self.command);
        if !command.words.is_empty() || !command.targets.is_empty() {
            self.found.push(command);
        }
    }
}

/// Returns whether the target of a redirection is a file, not another stream or the terminal.
fn is_file(target: &str) -> bool {
    let is_stream = target.strip_prefix('&').is_some_and(|it| {
        let digits = it.trim_end_matches('-');
        digits.chars().all(|c| c.is_ascii_digit())
    });
    let is_device = matches!(
        target,
        "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty"
    );
    !is_stream && !is_device
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<Vec<String>> {
        simple_commands(line)
            .into_iter()
            .map(|it| it.words)
            .collect()
    }

    #[test]
    fn separators_count_only_outside_quotes() {
        assert_eq!(
            words("cd a && FOO=1 cargo test 2>&1 | tail; git commit -m 'a; b'"),
            [
                vec!["cd", "a"],
                vec!["FOO=1", "cargo", "test"],
                vec!["tail"],
                vec!["git", "commit", "-m", "a; b"]
            ]
        );
        assert_eq!(
            words("echo \"a \\\" && b\" c\\;d \\\n e"),
            [vec!["echo", "a \" && b", "c;d", "e"]]
        );
        assert_eq!(
            split_at_and("git commit -m 'a && b' && make & wait"),
            ["git commit -m 'a && b' ", " make & wait"]
        );
        assert_eq!(split_at_and("a &&& b"), ["a ", "& b"]);
    }

    #[test]
    fn output_goes_to_a_file_only_through_an_arrow_outside_quotes() {
        let is_redirected = |line: &str| simple_commands(line).iter().any(|it| it.is_redirected);
        for line in [
            "cat > a.rs <<'EOF'",
            "echo a >> 'a b.rs'",
            "echo a>b",
            "make &> log",
            "make >& log",
            "make >|log",
            "make 2>errors",
        ] {
            assert!(is_redirected(line), "{line}");
        }
        for line in [
            "grep '>' a.rs",
            "grep \">x\" a.rs",
            "echo a \\> b",
            "cargo test 2>&1",
            "cargo test 2> /dev/null >&2",
            "cargo test 2>&-",
            "echo a >/dev/stderr",
            "tee >(cat) x",
            "echo >",
        ] {
            assert!(!is_redirected(line), "{line}");
        }
        assert_eq!(
            words("make &> log 2>errors a>b && ls >/dev/null -a"),
            [vec!["make", "a"], vec!["ls", "-a"]]
        );
        let targets = |line: &str| -> Vec<_> {
            let commands = simple_commands(line).into_iter();
            commands.map(|it| it.targets).collect()
        };
        assert_eq!(
            targets("make &> log 2>errors a>b; > empty; ls 2>&1 >/dev/null"),
            [vec!["log", "errors", "b"], vec!["empty"], vec![]]
        );
    }
}
