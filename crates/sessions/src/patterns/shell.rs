//! Splits command lines into the programs that they run.

use super::act::file_name;
use crate::command_line::plain_commands;

/// Shells, whose `-c` takes another command line.
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash"];
/// Programs that run the program after them.
const RUNNERS: &[&[&str]] = &[
    &["npx"],
    &["bunx"],
    &["pnpx"],
    &["pnpm", "exec"],
    &["pnpm", "dlx"],
    &["yarn", "dlx"],
    &["yarn", "exec"],
    &["npm", "exec"],
    &["bun", "x"],
    &["uv", "run"],
    &["uvx"],
    &["pipx", "run"],
    &["poetry", "run"],
    &["pipenv", "run"],
    &["rye", "run"],
    &["hatch", "run"],
    &["pdm", "run"],
    &["bundle", "exec"],
    &["python", "-m"],
    &["python3", "-m"],
    &["py", "-m"],
    &["xvfb-run"],
    &["nice"],
    &["stdbuf"],
    &["command"],
    &["caffeinate"],
    &["cross"],
    &["sudo"],
    &["env"],
    &["time"],
    &["nohup"],
    &["exec"],
];
/// The same with one argument before it.
const RUNNERS_WITH_ARGUMENT: &[&[&str]] = &[
    &["timeout"],
    &["docker", "compose", "exec"],
    &["docker", "compose", "run"],
    &["docker-compose", "exec"],
    &["docker-compose", "run"],
    &["docker", "exec"],
    &["direnv", "exec"],
];
const INTERPRETERS: &[&str] = &[
    "python", "python3", "node", "ruby", "php", "bash", "sh", "zsh", "perl", "tsx", "ts-node",
    "bun", "deno", "pwsh", "source", ".", "Rscript", "julia", "lua",
];
/// Options before a subcommand that take a value.
const VALUED: &[&str] = &[
    "-C",
    "-c",
    "--prefix",
    "-w",
    "--workspace",
    "--filter",
    "-F",
    "-f",
    "--file",
    "-R",
    "-n",
    "--namespace",
    "--context",
    "--cwd",
    "--manifest-path",
    "--project-directory",
    "--kubeconfig",
    "--profile",
    "--region",
    "--dir",
    "--repo",
    "-u",
];

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// The name of its file, or of the script that an interpreter runs.
    pub(crate) name: String,
    /// Whether it is a script of the project.
    pub(crate) is_script: bool,
    /// The subcommand: the first word that is not an option.
    pub(crate) sub: String,
    /// All words after the name.
    pub(crate) rest: Vec<String>,
    /// Whether its output goes to a file.
    pub(crate) is_redirected: bool,
    /// The place in `rest` after the subcommand.
    after_sub: usize,
}

impl Program {
    /// Returns the words after the subcommand; all words if there is none.
    pub(crate) fn arguments(&self) -> &[String] {
        self.rest.get(self.after_sub..).unwrap_or_default()
    }

    /// Returns the first word after the subcommand that is not an option, such as `list` in
    /// `gh -R a/b pr list`.
    pub(crate) fn second_sub(&self) -> &str {
        subcommand_of(self.arguments()).0
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.rest.iter().any(|it| it == word)
    }

    /// Returns whether it is a dry run.
    pub(crate) fn is_dry_run(&self) -> bool {
        let is_asked = |it: &String| matches!(it.as_str(), "--help" | "--check" | "--list");
        let is_lone = |it: &String| matches!(it.as_str(), "--version" | "-h");
        self.rest
            .iter()
            .any(|it| it.contains("dry-run") || is_asked(it))
            || matches!(self.rest.as_slice(), [one] if is_lone(one))
    }
}

/// Returns the programs of a line, in order.
pub(crate) fn programs(line: &str) -> Vec<Program> {
    let mut found = Vec::new();
    collect(line, false, 0, &mut found);
    found
}

/// Adds the programs of a line, whose output goes to a file if the line `is_redirected`.
fn collect(line: &str, is_redirected: bool, depth: usize, found: &mut Vec<Program>) {
    for command in plain_commands(line) {
        let is_redirected = is_redirected || command.is_redirected;
        let words = without_wrappers(&command.words);
        let Some((first, rest)) = words.split_first() else {
            continue;
        };
        let inner = rest
            .iter()
            .position(|it| it.starts_with('-') && it.ends_with('c'));
        let inner = inner.and_then(|at| rest.get(at + 1));
        if let Some(inner) = inner.filter(|_| SHELLS.contains(&file_name(first)) && depth < 3) {
            collect(inner, is_redirected, depth + 1, found);
            continue;
        }
        found.push(program(first, rest, is_redirected));
    }
}

fn program(first: &str, rest: &[String], is_redirected: bool) -> Program {
    let name = file_name(first);
    let script = INTERPRETERS.contains(&name).then(|| {
        let at = rest.iter().position(|it| !it.starts_with('-'))?;
        let is_file = rest[at].contains(['.', '/'])
            && rest[..at].iter().all(|it| !is_check_only_option(it))
            && rest[..at].iter().all(|it| it != "-c" && it != "-e");
        is_file.then(|| (file_name(&rest[at]), &rest[at + 1..]))
    });
    let (name, rest, is_script) = match script.flatten() {
        Some((name, rest)) => (name, rest, true),
        None => (name, rest, is_project_script(first)),
    };
    let (sub, after_sub) = subcommand_of(rest);
    Program {
        name: name.trim_end_matches(".exe").to_owned(),
        is_script,
        sub: sub.to_owned(),
        rest: rest.to_vec(),
        is_redirected,
        after_sub,
    }
}

/// Returns whether a program is a script of the user or the project.
fn is_project_script(path: &str) -> bool {
    let is_path = path.starts_with("./") || path.contains('/');
    is_path
        && !["node_modules", "/usr/bin/", "/bin/", ".venv", "venv/"]
            .iter()
            .any(|it| path.contains(it) && !path.contains("/usr/local/bin/"))
        || path.starts_with("bin/")
}

/// Returns whether an interpreter's option only checks a script.
fn is_check_only_option(option: &str) -> bool {
    matches!(option, "-n" | "-l" | "--check" | "-wc")
}

/// Returns the first word that is neither an option nor the value of one, and the place after it.
fn subcommand_of(rest: &[String]) -> (&str, usize) {
    let mut words = rest.iter().enumerate();
    while let Some((at, word)) = words.next() {
        if VALUED.contains(&word.as_str()) {
            words.next();
        } else if !word.starts_with(['-', '+']) {
            return (word, at + 1);
        }
    }
    ("", 0)
}

/// Returns the words without programs that only run others.
fn without_wrappers(words: &[String]) -> &[String] {
    let mut rest = words;
    loop {
        let starts = |runner: &[&str]| {
            runner.len() < rest.len() && runner.iter().zip(rest).all(|(it, word)| it == word)
        };
        let (length, has_argument) = match (
            RUNNERS_WITH_ARGUMENT.iter().find(|it| starts(it)),
            RUNNERS.iter().find(|it| starts(it)),
        ) {
            (Some(it), _) => (it.len(), true),
            (None, Some(it)) => (it.len(), false),
            (None, None) => return rest,
        };
        let mut inner = &rest[length..];
        let skip = |inner: &[String]| {
            let is_option = |it: &&String| it.starts_with('-') || it.contains('=');
            inner.iter().take_while(is_option).count()
        };
        inner = &inner[skip(inner)..];
        if has_argument {
            inner = inner.get(1..).unwrap_or(&[]);
            inner = &inner[skip(inner)..];
        }
        if inner.is_empty() {
            return rest;
        }
        rest = inner;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(line: &str) -> Vec<(String, String)> {
        programs(line)
            .into_iter()
            .map(|it| (it.name, it.sub))
            .collect()
    }

    #[test]
    fn a_program_is_found_behind_those_that_run_it() {
        for (line, name, sub) in [
            ("npx --yes playwright test a", "playwright", "test"),
            ("TZ=UTC uv run pytest -q tests", "pytest", "tests"),
            ("python -m pytest", "pytest", ""),
            ("bash -lc 'git -C a push'", "git", "push"),
            (
                "docker compose run --rm web python manage.py migrate",
                "manage.py",
                "migrate",
            ),
            ("timeout 60 ./gradlew test", "gradlew", "test"),
            ("sh check.sh", "check.sh", ""),
            ("sudo systemctl restart nginx", "systemctl", "restart"),
        ] {
            assert_eq!(names(line), [(name.to_owned(), sub.to_owned())], "{line}");
        }
    }
}
