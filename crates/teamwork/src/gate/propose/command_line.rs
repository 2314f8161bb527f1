//! Which lines of a file are commands that check something.

/// Programs that run tests or look for faults, and do nothing else.
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
/// Programs that do what their next word says.
const RUNNERS: &[&str] = &[
    "cargo", "npm", "pnpm", "yarn", "bun", "deno", "go", "make", "just", "mvn", "gradle", "dotnet",
    "mix", "swift", "rake", "composer",
];
/// Programs whose word `run` is followed by the name of a script.
const RUN_SCRIPTS: &[&str] = &["npm", "pnpm", "yarn", "bun", "composer"];
/// Programs that start another one.
const STARTERS: &[&[&str]] = &[
    &["uv", "run"],
    &["poetry", "run"],
    &["bundle", "exec"],
    &["python", "-m"],
    &["python3", "-m"],
    &["npx"],
];
/// What a word begins with that says that something is checked.
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
/// Characters by which a shell would do more than start one program.
const OF_SHELLS: &[char] = &[
    '|', '&', ';', '<', '>', '$', '`', '"', '\'', '\\', '(', ')', '{', '}', '*', '?', '#', '!',
    '=', '~',
];

/// Whether a word says that something is checked.
pub(super) fn names_check(word: &str) -> bool {
    CHECKS.iter().any(|check| word.starts_with(check)) || CHECKERS.contains(&word)
}

/// The program and its arguments, if a line is one command without a shell's work that checks
/// something.
pub(super) fn check_of(line: &str) -> Option<Vec<String>> {
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
