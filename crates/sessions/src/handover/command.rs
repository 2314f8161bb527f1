//! What a command line does: whether it only looks at something, and whether it changes files.

use crate::patterns::{Program, programs};

/// Programs that only print something, with the options that change a file or run another program.
const LOOKING: &[(&str, &[&str])] = &[
    ("[", &[]),
    ("awk", &[]),
    ("basename", &[]),
    ("bat", &[]),
    ("cat", &[]),
    ("cd", &[]),
    ("column", &[]),
    ("cut", &[]),
    ("date", &[]),
    ("df", &[]),
    ("diff", &[]),
    ("dirname", &[]),
    ("du", &[]),
    ("echo", &[]),
    ("egrep", &[]),
    ("fd", &["-x", "-X", "--exec", "--exec-batch"]),
    ("fgrep", &[]),
    ("file", &[]),
    ("find", &["-delete", "-exec", "-execdir", "-ok", "-fprint"]),
    ("grep", &[]),
    ("head", &[]),
    ("hexdump", &[]),
    ("jq", &[]),
    ("less", &[]),
    ("ls", &[]),
    ("nl", &[]),
    ("od", &[]),
    ("printf", &[]),
    ("ps", &[]),
    ("pwd", &[]),
    ("readlink", &[]),
    ("realpath", &[]),
    ("rg", &[]),
    ("sed", &["-i", "--in-place"]),
    ("sleep", &[]),
    ("sort", &["-o"]),
    ("stat", &[]),
    ("tail", &[]),
    ("tr", &[]),
    ("tree", &[]),
    ("true", &[]),
    ("type", &[]),
    ("uname", &[]),
    ("uniq", &[]),
    ("wc", &[]),
    ("which", &[]),
    ("whoami", &[]),
    ("xxd", &[]),
];
/// Subcommands of Git that only print something.
const GIT_LOOKING: &[&str] = &[
    "blame",
    "cat-file",
    "describe",
    "diff",
    "grep",
    "log",
    "ls-files",
    "ls-tree",
    "merge-base",
    "reflog",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "status",
];
/// Subcommands of other programs that only print something.
const TOOLS_LOOKING: &[(&str, &[&str])] = &[
    ("cargo", &["metadata", "search", "tree"]),
    ("docker", &["images", "inspect", "logs", "ps"]),
    ("gh", &["checks", "diff", "list", "status", "view"]),
    ("go", &["doc", "env", "list", "version"]),
    ("kubectl", &["describe", "get", "logs"]),
    ("npm", &["list", "ls", "view"]),
    ("pip", &["freeze", "list", "show"]),
    ("systemctl", &["status"]),
];

/// Returns whether a command line only prints something, so that its result says nothing about
/// the work.
pub(super) fn only_looks(line: &str) -> bool {
    let programs = programs(line);
    !programs.is_empty() && programs.iter().all(looks)
}

fn looks(program: &Program) -> bool {
    let words = || program.rest.iter().map(String::as_str);
    let has_any =
        |options: &[&str]| words().any(|it| options.iter().any(|option| it.starts_with(option)));
    if is_redirected(program) || program.is_script {
        return false;
    }
    let plain: Vec<&str> = words().filter(|it| !it.starts_with('-')).collect();
    let is_listing = || plain.is_empty() || has_any(&["-l", "--list", "--show-current"]);
    match program.name.as_str() {
        "git" => match program.sub.as_str() {
            // These two are checks with an exit code.
            "diff" if has_any(&["--check", "--exit-code", "--quiet"]) => false,
            "branch" | "tag" | "remote" | "config" => {
                plain.len() == 1 || is_listing() || has_any(&["--get"])
            }
            "stash" | "worktree" => matches!(plain.get(1), Some(&("list" | "show"))),
            sub => GIT_LOOKING.contains(&sub),
        },
        name => match LOOKING.iter().find(|it| it.0 == name) {
            Some((_, changing)) => !has_any(changing),
            None => {
                let asks_itself = matches!(
                    program.rest.as_slice(),
                    [one] if matches!(one.as_str(), "--version" | "-V" | "--help" | "-h")
                );
                let mut tools = TOOLS_LOOKING.iter().filter(|it| it.0 == name);
                let subs = || plain.iter().take(2);
                asks_itself || tools.any(|(_, looking)| subs().any(|it| looking.contains(it)))
            }
        },
    }
}

/// Returns whether the output goes to a file.
fn is_redirected(program: &Program) -> bool {
    let mut words = program.rest.iter().map(String::as_str).peekable();
    while let Some(word) = words.next() {
        let Some((stream, target)) = word.split_once('>') else {
            continue;
        };
        let is_stream = stream.chars().all(|c| c.is_ascii_digit() || c == '&');
        let target = match target.trim_start_matches('>') {
            "" => words.peek().copied().unwrap_or_default(),
            target => target,
        };
        if is_stream && !target.starts_with('&') && target != "/dev/null" {
            return true;
        }
    }
    false
}

/// Programs that change the files they name.
const CHANGING: &[&str] = &[
    "cp", "ln", "mv", "patch", "rm", "rustfmt", "tee", "touch", "truncate", "unlink",
];
/// Subcommands of Git that change files of the work tree.
const GIT_CHANGING: &[&str] = &[
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "clean",
    "merge",
    "mv",
    "pull",
    "rebase",
    "reset",
    "restore",
    "revert",
    "rm",
    "stash",
    "switch",
];

/// Returns whether a command line changes files by itself, as far as its words say so.
pub(super) fn changes_files(line: &str) -> bool {
    programs(line).iter().any(|program| {
        let has = |options: &[&str]| {
            program
                .rest
                .iter()
                .any(|it| options.iter().any(|of| it.starts_with(of)))
        };
        let name = program.name.as_str();
        let sub = program.sub.as_str();
        is_redirected(program)
            || CHANGING.contains(&name)
            || matches!(name, "sed" | "perl") && has(&["-i", "--in-place", "-pi"])
            || name == "git" && GIT_CHANGING.contains(&sub) && !looks(program)
            || name == "cargo"
                && matches!(sub, "add" | "fix" | "fmt" | "remove" | "update")
                && !has(&["--check"])
            || has(&["--fix", "--write"])
    })
}

/// Returns the command without a leading `cd` and without output redirections and pipes.
pub(super) fn core_command(command: &str) -> String {
    let mut rest = command.trim();
    while let Some((first, after)) = rest.split_once("&&")
        && first.trim_start().starts_with("cd ")
    {
        rest = after.trim_start();
    }
    let end = pipe_start(rest).unwrap_or(rest.len());
    let words = rest[..end].split_whitespace();
    let words = words.filter(|it| !matches!(*it, "2>&1" | "2>/dev/null"));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns whether a command line has a pipe, whose last program sets the exit code.
pub(super) fn has_pipe(line: &str) -> bool {
    pipe_start(line).is_some() && !line.contains("pipefail")
}

/// Returns the byte offset of the first pipe outside quotes.
fn pipe_start(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let mut quote = None;
    for (at, byte) in line.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'|') => {
                let is_or = bytes.get(at + 1) == Some(&b'|')
                    || at.checked_sub(1).and_then(|it| bytes.get(it)) == Some(&b'|');
                if !is_or {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_only_looks_is_told_from_one_that_checks_or_changes() {
        for line in [
            "git shortlog -sn -- crates/lex | head -2",
            "git diff --stat",
            "cd /p && ls -la 2>/dev/null; cat a.rs 2>&1",
            "grep -rn 'a' src | wc -l",
            "git branch --show-current",
            "git stash list",
            "gh pr view 3",
            "cargo --version",
            "sed -n 1,20p TODO.md",
        ] {
            assert!(only_looks(line) && !changes_files(line), "{line}");
        }
        for line in [
            "cargo test",
            "git commit -m x",
            "git diff --check",
            "git branch new",
            "git stash",
            "ls && make",
            "find . -name a -delete",
            "./cat",
            "python -c 'print(1)'",
            "",
        ] {
            assert!(!only_looks(line), "{line}");
        }
        for line in [
            "sed -i s/a/b/ a.rs",
            "cat > a.rs <<'EOF'",
            "echo a >> a.rs",
            "git checkout a.rs",
            "cargo fmt",
            "npx eslint --fix src",
        ] {
            assert!(!only_looks(line) && changes_files(line), "{line}");
        }
        assert!(!changes_files("cargo fmt --check") && !changes_files("cargo test 2> /dev/null"));
    }
}
