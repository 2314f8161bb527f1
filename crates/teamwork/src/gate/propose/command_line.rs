//! Recognizes lines that are commands which check something.

/// Programs that only run tests or find problems.
const CHECKERS: &[&str] = &[
    "pytest",
    "ruff",
    "mypy",
    "eslint",
    "jest",
    "vitest",
    "tox",
    "nox",
    "rspec",
    "phpunit",
    "ctest",
    "golangci-lint",
];
/// Programs whose next word says what they do.
const RUNNERS: &[&str] = &[
    "cargo", "npm", "pnpm", "yarn", "bun", "deno", "go", "make", "just", "mvn", "gradle", "dotnet",
    "mix", "swift", "rake", "composer",
];
/// Programs whose word `run` is followed by a script name.
const RUN_SCRIPTS: &[&str] = &["npm", "pnpm", "yarn", "bun", "composer"];
/// Prefixes that start another program.
const STARTERS: &[&[&str]] = &[
    &["uv", "run"],
    &["poetry", "run"],
    &["bundle", "exec"],
    &["python", "-m"],
    &["python3", "-m"],
    &["npx"],
];
/// The beginnings of words that name a check.
const CHECKS: &[&str] = &[
    "test",
    "check",
    "lint",
    "clippy",
    "vet",
    "verify",
    "nextest",
    "typecheck",
];
/// Characters with which a line needs a shell.
const OF_SHELLS: &[char] = &[
    '|', '&', ';', '<', '>', '$', '`', '"', '\'', '\\', '(', ')', '{', '}', '*', '?', '#', '!',
    '=', '~',
];

/// Returns whether a word names a check.
pub(super) fn names_check(word: &str) -> bool {
    CHECKS.iter().any(|check| word.starts_with(check)) || CHECKERS.contains(&word)
}

/// Parses a line as a command that checks something. Returns its program and arguments, or `None`
/// if it needs a shell or is not a check.
pub(super) fn parse_check(line: &str) -> Option<Vec<String>> {
    let line = line.trim();
    let line = line.strip_prefix("$ ").unwrap_or(line);
    if line.contains(OF_SHELLS) || line.len() > 200 {
        return None;
    }
    let argv: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    let started = STARTERS.iter().find_map(|start| words.strip_prefix(*start));
    let words = started.unwrap_or(&words);
    let (program, rest) = words.split_first()?;
    let verb = match rest {
        ["run", verb, ..] if RUN_SCRIPTS.contains(program) => Some(verb),
        [verb, ..] => Some(verb),
        [] => None,
    };
    let is_check = CHECKERS.contains(program)
        || (is_runner(program) && verb.is_some_and(|verb| names_check(verb)));
    is_check.then_some(argv)
}

fn is_runner(program: &str) -> bool {
    RUNNERS.contains(&program) || matches!(program, "./gradlew" | "./mvnw")
}
