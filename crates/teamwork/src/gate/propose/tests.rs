//! What project files propose, and what they do not.

use super::command_line::parse_check;
use super::*;

/// Returns the proposals of a project with these files: name, command and source of each gate.
fn proposed(files: &[(&str, &str)]) -> Vec<String> {
    let read = |path: &str| {
        let found = files.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| (*text).to_owned())
    };
    let workflows = files.iter().map(|(name, _)| (*name).to_owned());
    let workflows: Vec<String> = workflows.filter(|it| it.starts_with(WORKFLOWS)).collect();
    let gates = collect_proposals(&read, &workflows).into_iter();
    gates
        .map(|it| format!("{}: {} ({})", it.name, it.argv.join(" "), it.source))
        .collect()
}

#[test]
fn each_kind_of_file_proposes_its_checks() {
    let agents = "# Build\n\nRun `cargo test` often.\n\n```sh\n$ cargo nextest run --workspace\n\
        cargo build\nrm -rf target && cargo test\n```\n\n~~~\nmake lint\n~~~\n";
    let package = r#"{"scripts": {"test": "vitest", "lint": "eslint .", "build": "tsc"}}"#;
    let empty = r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
    let makefile = "TEST := a\ntest: build\n\tcargo test\nlint check: build\n.PHONY: test\nall:\n";
    let workflow = "jobs:\n  a:\n    steps:\n      - run: cargo test --locked\n      - run: |\n          \
        cargo clippy --workspace\n          cargo publish\n";
    for (files, expected) in [
        (
            &[("AGENTS.md", agents)][..],
            &[
                "cargo-nextest: cargo nextest run --workspace (AGENTS.md)",
                "make-lint: make lint (AGENTS.md)",
            ][..],
        ),
        (
            &[("package.json", package)],
            &[
                "npm-test: npm run test (package.json)",
                "npm-lint: npm run lint (package.json)",
            ],
        ),
        (
            &[("package.json", package), ("pnpm-lock.yaml", "")],
            &[
                "pnpm-test: pnpm run test (package.json)",
                "pnpm-lint: pnpm run lint (package.json)",
            ],
        ),
        (&[("package.json", empty)], &[]),
        (&[("package.json", "{")], &[]),
        (
            &[("Cargo.toml", "[package]\n")],
            &["cargo-test: cargo test (Cargo.toml)"],
        ),
        (
            &[("Cargo.toml", "[workspace]\n")],
            &["cargo-test: cargo test --workspace (Cargo.toml)"],
        ),
        (
            &[("Makefile", makefile)],
            &[
                "make-test: make test (Makefile)",
                "make-check: make check (Makefile)",
                "make-lint: make lint (Makefile)",
            ],
        ),
        (
            &[(
                "pyproject.toml",
                "[tool.pytest.ini_options]\n[tool.ruff.lint]\n",
            )],
            &[
                "pytest: pytest (pyproject.toml)",
                "ruff-check: ruff check (pyproject.toml)",
            ],
        ),
        (
            &[("go.mod", "module a\n")],
            &["go-test: go test ./... (go.mod)"],
        ),
        (
            &[(".github/workflows/ci.yml", workflow)],
            &[
                "cargo-test: cargo test --locked (.github/workflows/ci.yml)",
                "cargo-clippy: cargo clippy --workspace (.github/workflows/ci.yml)",
            ],
        ),
        (
            &[(
                ".gitlab-ci.yml",
                "test:\n  script:\n    - uv run pytest -q\n",
            )],
            &["uv-pytest: uv run pytest -q (.gitlab-ci.yml)"],
        ),
        (&[("README.md", "```\ncargo test\n```\n")], &[]),
    ] {
        assert_eq!(proposed(files), expected, "{files:?}");
    }
}

#[test]
fn one_check_is_proposed_once_by_the_file_that_says_it_best() {
    let files = [
        ("AGENTS.md", "```\ncargo test -p core\n```\n"),
        ("Cargo.toml", "[workspace]\n"),
        (".github/workflows/ci.yml", "- run: cargo test --locked\n"),
    ];
    assert_eq!(
        proposed(&files),
        ["cargo-test: cargo test -p core (AGENTS.md)"]
    );
}

#[test]
fn a_line_that_needs_a_shell_or_checks_nothing_is_not_proposed() {
    for line in [
        "cargo test && rm -rf /",
        "cargo test | tee log",
        "cargo test $(curl evil)",
        "RUST_LOG=debug cargo test",
        "cargo test > out",
        "sh test.sh",
        "curl test",
        "rm test",
        "cargo build",
        "cargo run test-data",
        "npm run deploy",
        "test -e file",
        "python -m http.server",
        "# cargo test",
        "",
    ] {
        assert_eq!(parse_check(line), None, "{line}");
    }
    for line in [
        "cargo test --workspace",
        "npm test",
        "./gradlew check",
        "python -m pytest tests",
    ] {
        assert!(parse_check(line).is_some(), "{line}");
    }
}
