//! Reads project files that show how the project is checked.

use super::Proposal;
use super::command_line::parse_check;

/// Returns the text of another file of the project.
type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A file, and the function that finds its proposals.
type Source = (&'static str, fn(&str, Read<'_>) -> Vec<Proposal>);

/// The files to read, the most reliable first.
pub(super) const SOURCES: &[Source] = &[
    ("AGENTS.md", |text, _| propose_from_markdown(text)),
    ("package.json", propose_from_package_json),
    ("Cargo.toml", |text, _| propose_from_cargo(text)),
    ("Makefile", |text, _| propose_from_makefile(text)),
    ("pyproject.toml", |text, _| propose_from_pyproject(text)),
    ("go.mod", |_, _| vec![command_proposal("go test ./...")]),
];
/// The folder of GitHub's workflows.
pub(super) const WORKFLOWS: &str = ".github/workflows";
/// The CI files of other services.
pub(super) const CI_FILES: &[&str] = &[".gitlab-ci.yml", ".circleci/config.yml", ".woodpecker.yml"];

fn command_proposal(line: &str) -> Proposal {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Finds commands in fenced code blocks.
fn propose_from_markdown(text: &str) -> Vec<Proposal> {
    let mut fence: Option<&str> = None;
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        match fence {
            Some(end) if line.starts_with(end) => fence = None,
            Some(_) => found.extend(parse_check(line)),
            None => fence = ["```", "~~~"].into_iter().find(|it| line.starts_with(it)),
        }
    }
    found
}

/// Finds the scripts `test` and `lint`; the lock file decides which package manager runs them.
fn propose_from_package_json(text: &str, read: Read<'_>) -> Vec<Proposal> {
    let Ok(package) = serde_json::from_str::<serde_json::Value>(text) else {
        return Vec::new();
    };
    let locks = [
        ("pnpm", "pnpm-lock.yaml"),
        ("yarn", "yarn.lock"),
        ("bun", "bun.lock"),
    ];
    let manager = locks.into_iter().find(|(_, lock)| read(lock).is_some());
    let manager = manager.map_or("npm", |(name, _)| name);
    let scripts = ["test", "lint"].into_iter().filter(|script| {
        let line = package
            .get("scripts")
            .and_then(|scripts| scripts.get(script))
            .and_then(serde_json::Value::as_str);
        // Leave out the default test script of `npm init`, which always fails.
        line.is_some_and(|line| !line.contains("no test specified"))
    });
    scripts
        .map(|script| command_proposal(&format!("{manager} run {script}")))
        .collect()
}

fn propose_from_cargo(text: &str) -> Vec<Proposal> {
    let is_workspace = text.lines().any(|line| line.trim() == "[workspace]");
    vec![command_proposal(match is_workspace {
        true => "cargo test --workspace",
        false => "cargo test",
    })]
}

/// Finds the targets `test`, `check` and `lint`.
fn propose_from_makefile(text: &str) -> Vec<Proposal> {
    let targets: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with(['\t', ' ', '#', '.']))
        .filter_map(|line| line.split_once(':'))
        .filter(|(_, after)| !after.starts_with('='))
        .flat_map(|(targets, _)| targets.split_whitespace())
        .collect();
    let named = ["test", "check", "lint"].into_iter();
    named
        .filter(|target| targets.contains(target))
        .map(|target| command_proposal(&format!("make {target}")))
        .collect()
}

fn propose_from_pyproject(text: &str) -> Vec<Proposal> {
    let mut found = Vec::new();
    if text.contains("pytest") {
        found.push(command_proposal("pytest"));
    }
    if text.contains("[tool.ruff") {
        found.push(command_proposal("ruff check"));
    }
    found
}

/// Finds the commands of CI steps: `run: …`, and lines of lists and blocks.
pub(super) fn propose_from_ci(text: &str) -> Vec<Proposal> {
    let lines = text.lines().map(|line| {
        let line = line.trim();
        let line = line.strip_prefix("- ").unwrap_or(line);
        line.strip_prefix("run:").unwrap_or(line)
    });
    lines.filter_map(parse_check).collect()
}
