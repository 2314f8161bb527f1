//! Splits command lines, and determines whether one run includes another.

use crate::command_line::plain_commands;

/// Commands that are never the purpose of a line.
const BESIDES: &[&str] = &[
    "cd", "echo", "printf", "export", "source", ".", "set", "sleep", "mkdir", "pushd", "popd",
    "tail", "head", "grep", "tee", "cat", "sed", "awk", "true", "wc", "sort", "uniq", "cut",
    "exit",
];

/// Returns the words of each simple command of a line, without the words before the actual command.
pub(super) fn simple_commands(line: &str) -> Vec<Vec<String>> {
    let commands = plain_commands(line).into_iter().map(|it| it.words);
    commands.filter(|words| !words.is_empty()).collect()
}

/// Returns the main commands of a line; all commands if none stands out.
pub(super) fn main_commands(line: &str) -> Vec<Vec<String>> {
    let all = simple_commands(line);
    let is_main = |words: &&Vec<String>| {
        words
            .first()
            .is_some_and(|it| !BESIDES.contains(&it.as_str()))
    };
    let main: Vec<Vec<String>> = all.iter().filter(is_main).cloned().collect();
    match main.is_empty() {
        true => all,
        false => main,
    }
}

/// The purpose of a command. Commands with the same purpose can replace each other, such as
/// `cargo nextest run` and `cargo test`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Test,
    Build,
    Lint,
    Types,
    Format,
    Install,
}

fn command_purpose(words: &[String]) -> Option<Work> {
    let program = words.first()?.rsplit('/').next()?;
    let of_program = match program {
        "pytest" | "jest" | "vitest" | "rspec" | "phpunit" | "mocha" | "ctest" | "tox" | "nox"
        | "playwright" => Some(Work::Test),
        "tsc" | "mypy" | "pyright" => Some(Work::Types),
        "eslint" | "ruff" | "flake8" | "pylint" | "rubocop" | "shellcheck" | "golangci-lint" => {
            Some(Work::Lint)
        }
        "prettier" | "black" | "gofmt" | "rustfmt" => Some(Work::Format),
        "cmake" | "gcc" | "g++" | "clang" => Some(Work::Build),
        _ => None,
    };
    let of_word = |word: &String| {
        let word = word.rsplit(['/', ':', '=']).next().unwrap_or(word);
        match word {
            "test" | "tests" | "nextest" | "pytest" | "vitest" | "jest" | "spec" | "unittest"
            | "phpunit" | "rspec" => Some(Work::Test),
            "build" | "compile" | "assemble" | "assembleDebug" | "package" | "publish" => {
                Some(Work::Build)
            }
            "lint" | "clippy" | "vet" | "eslint" | "ruff" => Some(Work::Lint),
            "typecheck" | "type-check" | "tsc" | "mypy" => Some(Work::Types),
            "fmt" | "format" => Some(Work::Format),
            "install" | "ci" | "add" | "sync" => Some(Work::Install),
            _ => None,
        }
    };
    of_program.or_else(|| words.iter().skip(1).take(4).find_map(of_word))
}

/// Returns the group of a tool. Tools of a group can test the same thing.
fn tool_group(words: &[String]) -> &str {
    let program = words.first().map(String::as_str).unwrap_or_default();
    match program.rsplit('/').next().unwrap_or(program) {
        "npm" | "npx" | "yarn" | "pnpm" | "bun" | "bunx" | "node" | "jest" | "vitest" | "mocha"
        | "tsc" | "eslint" | "prettier" | "playwright" => "node",
        "python" | "python3" | "pytest" | "tox" | "nox" | "uv" | "poetry" | "pipenv" | "hatch"
        | "ruff" | "mypy" | "black" | "flake8" | "pyright" | "pylint" => "python",
        "mvn" | "mvnw" | "gradle" | "gradlew" => "jvm",
        "bundle" | "rspec" | "rake" | "rails" | "rubocop" => "ruby",
        "php" | "composer" | "phpunit" | "artisan" | "pest" => "php",
        "go" | "golangci-lint" | "gofmt" | "gotestsum" => "go",
        "make" | "just" | "task" | "nx" | "turbo" | "bazel" => "any",
        other => other,
    }
}

/// Returns the words that narrow a run, without the program, its subcommand and switches.
fn filters(words: &[String]) -> Vec<&str> {
    let is_of_head = |word: &str| {
        matches!(
            word,
            "run"
                | "exec"
                | "test"
                | "tests"
                | "nextest"
                | "build"
                | "lint"
                | "clippy"
                | "check"
                | "fmt"
                | "format"
                | "install"
                | "ci"
                | "vet"
                | "pytest"
                | "vitest"
                | "jest"
                | "mypy"
                | "tsc"
                | "ruff"
                | "eslint"
                | "unittest"
                | "-m"
                | "--"
                | "."
                | "./..."
                | "..."
                | "2>&1"
                | "&1"
                | "all"
        )
    };
    let mut skips_value = false;
    let mut found = Vec::new();
    for word in words.iter().skip(1) {
        if std::mem::take(&mut skips_value) {
            continue;
        }
        match word.as_str() {
            "-j" | "--jobs" | "--profile" | "--color" | "--reporter" | "--maxfail" | "-n"
            | "--timeout" => skips_value = true,
            word if word.starts_with('-') => {
                // `--filter=x` narrows a run like `--filter x`, so keep its value.
                let value = word.split_once('=').map(|(_, value)| value);
                found.extend(value.filter(|_| !word.starts_with("--color")));
            }
            word if is_of_head(word) || word.starts_with('>') || word.starts_with("2>") => {}
            word => found.push(word),
        }
    }
    found
}

/// Returns whether a passed run of `later` shows that the failed command `failed` works now.
///
/// `output` is the output of the failed run, `later_output` that of the later one.
pub(super) fn includes(later: &str, later_output: &str, failed: &str, output: &str) -> bool {
    let later_commands = main_commands(later);
    main_commands(failed).iter().any(|failed| {
        later_commands
            .iter()
            .any(|later| includes_command(later, failed, output))
            || is_named_in(later_output, failed)
    })
}

fn includes_command(later: &[String], failed: &[String], output: &str) -> bool {
    if later == failed {
        return true;
    }
    let (later_work, failed_work) = (command_purpose(later), command_purpose(failed));
    let (later_group, failed_group) = (tool_group(later), tool_group(failed));
    let is_same_work = failed_work.is_some()
        && later_work == failed_work
        && (later_group == failed_group || [later_group, failed_group].contains(&"any"));
    let has = |words: &[&str]| later.iter().any(|it| words.contains(&it.as_str()));
    let is_whole =
        has(&["check", "all", "verify", "validate"]) || (later_group == "jvm" && has(&["build"]));
    let skips = later.iter().any(|it| it.to_lowercase().contains("skip"));
    let is_check_of_all = is_whole
        && (later_work.is_none() || later_work == Some(Work::Build))
        && !skips
        && (later_group == failed_group || later_group == "any")
        && (failed_work.is_some() || failed.iter().any(|it| it.to_lowercase().contains("check")));
    let is_same_head = later.first() == failed.first() && later.get(1) == failed.get(1);
    if is_check_of_all {
        return true;
    }
    if !is_same_work && !is_same_head {
        return false;
    }
    let before = filters(failed);
    filters(later).iter().all(|it| {
        let it = it.trim_end_matches('/');
        before.iter().any(|before| before.starts_with(it))
            || (failed_work == Some(Work::Test) && it.len() > 2 && is_in_failure_line(output, it))
    })
}

/// Returns whether a failure line of the output names `what`.
fn is_in_failure_line(output: &str, what: &str) -> bool {
    output.lines().any(|line| {
        let lower = line.to_lowercase();
        let tells = ["fail", "error", "panicked", "✗", "✕", "×", "not ok"];
        tells.iter().any(|it| lower.contains(it)) && line.contains(what)
    })
}

/// Returns whether a larger command printed that it ran this one.
fn is_named_in(later_output: &str, failed: &[String]) -> bool {
    let whole = failed.join(" ");
    whole.len() > 5
        && whole.contains(' ')
        && later_output.lines().any(|line| {
            line.trim_start_matches(['+', '$', '>', ' '])
                .starts_with(&whole)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_includes_a_narrower_one() {
        let yes = [
            ("cargo test", "cargo test -p store"),
            ("cargo fmt && cargo nextest run --workspace", "cargo test"),
            ("npm test", "npx vitest run src/a.test.ts"),
            ("pytest -q", "pytest tests/test_a.py::test_x"),
            ("pytest tests", "pytest tests/test_a.py"),
            ("make check", "pytest"),
            ("cd web && npm test", "npm ci && npm test"),
        ];
        for (later, failed) in yes {
            assert!(includes(later, "", failed, ""), "{later} | {failed}");
        }
        let no = [
            ("cargo test -p wire", "cargo test -p store"),
            ("cargo build", "cargo test"),
            ("npm test", "cargo test"),
            ("pytest tests/test_b.py", "pytest"),
            ("git status", "git push"),
        ];
        for (later, failed) in no {
            assert!(!includes(later, "", failed, ""), "{later} | {failed}");
        }
    }

    #[test]
    fn a_narrower_run_of_what_failed_counts() {
        let output = "FAILED tests/test_b.py::test_sum - assert 1 == 2";
        assert!(includes("pytest tests/test_b.py", "", "pytest", output));
        assert!(!includes("pytest tests/test_a.py", "", "pytest", output));
    }
}
