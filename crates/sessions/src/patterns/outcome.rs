//! What a command is for, so that words about its outcome can be told from other words.

use super::act::{command, file_name, is_path, simple_commands};
use crate::prose::{is_stop_word, parts, stem};
use crate::{ToolCall, ToolKind};

/// Commands of one purpose and the words by which their outcome is spoken of.
struct Purpose {
    name: &'static str,
    /// First words of a command, or a word that stands anywhere in it where it begins with `*`.
    commands: &'static [&'static str],
    /// Stems of words for what came of it.
    subjects: &'static [&'static str],
}

const PURPOSES: &[Purpose] = &[
    Purpose {
        name: "test",
        commands: &[
            "cargo test",
            "cargo nextest",
            "pytest",
            "python -m pytest",
            "python3 -m pytest",
            "python -m unittest",
            "python3 -m unittest",
            "node --test",
            "npm test",
            "npm run test",
            "pnpm test",
            "pnpm run test",
            "yarn test",
            "go test",
            "make test",
            "make check",
            "just test",
            "jest",
            "npx jest",
            "vitest",
            "npx vitest",
            "mvn test",
            "gradle test",
            "./gradlew test",
            "ctest",
            "tox",
            "rspec",
            "bundle exec rspec",
            "phpunit",
            "dotnet test",
            "bun test",
            "deno test",
        ],
        subjects: &["test", "tests", "suite", "everything"],
    },
    Purpose {
        name: "lint",
        commands: &[
            "cargo clippy",
            "cargo fmt",
            "eslint",
            "npx eslint",
            "npm run lint",
            "pnpm lint",
            "ruff",
            "mypy",
            "flake8",
            "golangci-lint",
            "make lint",
            "just lint",
            "shellcheck",
            "prettier",
            "npx prettier",
            "rubocop",
            "pylint",
        ],
        subjects: &[
            "lint",
            "linter",
            "fmt",
            "formatted",
            "clippy",
            "formatting",
            "eslint",
            "ruff",
            "mypy",
        ],
    },
    Purpose {
        name: "install",
        commands: &[
            "npm install",
            "npm i",
            "npm ci",
            "pnpm install",
            "pnpm add",
            "pnpm i",
            "yarn add",
            "yarn install",
            "pip install",
            "pip3 install",
            "python -m pip install",
            "uv add",
            "uv pip install",
            "poetry add",
            "cargo add",
            "cargo install",
            "apt install",
            "apt-get install",
            "brew install",
            "go get",
            "go install",
            "bundle install",
            "gem install",
            "rustup",
            "dotnet add",
            "make install",
            "just install",
        ],
        subjects: &[
            "install",
            "installation",
            "installed",
            "dependency",
            "package",
        ],
    },
    Purpose {
        name: "migrate",
        commands: &[
            "*migrate",
            "*migration",
            "alembic",
            "diesel",
            "flyway",
            "prisma",
            "liquibase",
        ],
        subjects: &["migration", "migrate", "migrated", "schema"],
    },
    Purpose {
        name: "deploy",
        commands: &[
            "*deploy",
            "kubectl apply",
            "kubectl rollout",
            "terraform apply",
            "helm upgrade",
            "helm install",
            "ansible-playbook",
            "fly launch",
        ],
        subjects: &[
            "deploy",
            "deployment",
            "deployed",
            "rollout",
            "released",
            "live",
        ],
    },
    Purpose {
        name: "push",
        commands: &["git push"],
        subjects: &["push", "pushed", "remote", "origin", "upstream"],
    },
    Purpose {
        name: "commit",
        commands: &["git commit"],
        subjects: &["commit", "committed"],
    },
    Purpose {
        name: "tag",
        commands: &["git tag"],
        subjects: &["tag", "tagged"],
    },
    Purpose {
        name: "copy",
        commands: &["cp", "mv", "scp", "rsync"],
        subjects: &["copy", "copied", "upload", "uploaded"],
    },
    Purpose {
        name: "merge",
        commands: &["git merge", "git rebase", "git cherry-pick", "git pull"],
        subjects: &["merge", "merged", "rebase", "rebased"],
    },
    Purpose {
        name: "publish",
        commands: &[
            "cargo publish",
            "npm publish",
            "twine upload",
            "docker push",
        ],
        subjects: &["publish", "published", "publication"],
    },
    Purpose {
        name: "start",
        commands: &[
            "docker compose up",
            "docker-compose up",
            "docker run",
            "systemctl start",
            "systemctl restart",
            "npm start",
            "npm run dev",
            "service",
            "podman run",
        ],
        subjects: &["server", "service", "container", "stack"],
    },
    Purpose {
        name: "download",
        commands: &["wget", "curl", "git clone"],
        subjects: &["download", "downloaded", "clone", "cloned", "fetched"],
    },
    Purpose {
        name: "build",
        commands: &[
            "cargo build",
            "cargo check",
            "make",
            "npm run build",
            "pnpm build",
            "pnpm run build",
            "yarn build",
            "go build",
            "tsc",
            "npx tsc",
            "gcc",
            "g++",
            "cmake",
            "ninja",
            "mvn package",
            "mvn compile",
            "gradle build",
            "./gradlew build",
            "docker build",
            "dotnet build",
            "swift build",
            "bazel build",
            "just build",
        ],
        subjects: &[
            "everything",
            "build",
            "built",
            "compile",
            "compilation",
            "image",
        ],
    },
];

/// Programs whose exit code says what they found rather than whether they worked.
const QUERIES: &[&str] = &[
    "grep",
    "rg",
    "egrep",
    "fgrep",
    "diff",
    "cmp",
    "test",
    "[",
    "[[",
    "which",
    "command",
    "type",
    "ls",
    "find",
    "cat",
    "head",
    "tail",
    "sed",
    "awk",
    "cd",
    "echo",
    "true",
    "false",
    "exit",
    "pgrep",
    "git diff",
    "git grep",
    "git status",
    "git log",
    "git show",
    "stat",
    "wc",
    "sort",
    "export",
    "set",
    "source",
    ".",
    "sleep",
    "kill",
    "bash",
    "sh",
    "tee",
    "xargs",
    "file",
    "pwd",
];

/// What a command is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct CommandTask {
    /// What commands for the same have in common.
    pub(super) name: String,
    /// Stems of words by which its outcome is spoken of.
    pub(super) subjects: Vec<String>,
    /// The command's own first two words.
    pub(super) spoken: String,
}

impl CommandTask {
    /// How the command itself is spoken of: as it is typed, or as a target.
    pub(super) fn own_names(&self) -> Vec<String> {
        if self.spoken.len() <= 4 {
            return Vec::new();
        }
        let target = self.spoken.split_once(' ').filter(|_| self.has_own_name());
        let target = target.into_iter().flat_map(|(_, it)| {
            ["target", "script", "task", "run"].map(|kind| format!("{it} {kind}"))
        });
        [self.spoken.clone()].into_iter().chain(target).collect()
    }

    /// Whether it is a target of a project's own, which no other command of its kind stands for.
    pub(super) fn has_own_name(&self) -> bool {
        let words: Vec<&str> = self.spoken.split(' ').collect();
        matches!(words.as_slice(), ["make" | "just" | "task" | "rake", target] if !target.starts_with('-'))
    }

    /// Whether words about the one would be taken for words about the other.
    pub(super) fn is_spoken_of_as(&self, other: &Self) -> bool {
        // "Everything passes" is said of whatever was run last.
        let everything = stem("everything");
        self.subjects
            .iter()
            .any(|it| *it != everything && other.subjects.contains(it))
    }
}

/// What a call's command is for; of several the last, on which the exit code rests.
pub(super) fn tasks(call: &ToolCall) -> Vec<CommandTask> {
    match call.kind {
        ToolKind::Run => command(call)
            .iter()
            .flat_map(|line| simple_commands(line))
            .filter_map(|words| task(&words))
            .collect(),
        ToolKind::Other => {
            let subjects = name_stems(&call.name);
            if subjects.is_empty() {
                return Vec::new();
            }
            vec![CommandTask {
                name: call.name.clone(),
                subjects,
                spoken: String::new(),
            }]
        }
        _ => Vec::new(),
    }
}

/// Whether a word is a version such as `v9` or `1.2.0`.
fn is_version(word: &str) -> bool {
    let digits = word.trim_start_matches('v');
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
}

fn task(words: &[String]) -> Option<CommandTask> {
    let plain: Vec<&str> = words.iter().map(String::as_str).collect();
    let starts = |command: &str| {
        command.split(' ').enumerate().all(|(at, word)| {
            plain
                .get(at)
                .is_some_and(|it| file_name(it) == word || *it == word)
        })
    };
    let purpose = PURPOSES.iter().find(|purpose| {
        purpose
            .commands
            .iter()
            .any(|it| match it.strip_prefix('*') {
                Some(word) => plain
                    .iter()
                    .any(|plain| parts(plain).any(|part| part.split('_').any(|it| it == word))),
                None => starts(it),
            })
    });
    let spoken = plain.iter().take(2).copied().collect::<Vec<_>>().join(" ");
    if let Some(purpose) = purpose {
        let mut subjects: Vec<String> = purpose.subjects.iter().map(|it| stem(it)).collect();
        match purpose.name {
            // A tag is spoken of by itself, what is copied by its name and its place.
            "tag" => subjects.extend(plain.iter().filter(|it| is_version(it)).map(|it| stem(it))),
            "copy" => subjects.extend(
                plain
                    .iter()
                    .skip(1)
                    .filter(|it| !it.starts_with('-'))
                    .flat_map(|it| parts(it))
                    .filter(|it| it.len() >= 3 && !is_stop_word(it))
                    .map(stem),
            ),
            "install" => {
                subjects.extend(
                    plain
                        .iter()
                        .skip(2)
                        .filter(|it| !it.starts_with('-'))
                        .map(|it| stem(it)),
                );
            }
            _ => {}
        }
        return Some(CommandTask {
            name: purpose.name.to_owned(),
            subjects,
            spoken,
        });
    }
    if QUERIES.iter().any(|it| starts(it)) {
        return None;
    }
    // A script is spoken of by its name and by those of the files that it is given.
    let mut subjects = Vec::new();
    for (at, word) in plain.iter().enumerate() {
        let is_subcommand = at <= 2 && !word.starts_with('-');
        if at == 0 || is_subcommand || is_path(word) {
            subjects.extend(name_stems(file_name(word)));
        }
    }
    subjects.dedup();
    let name = plain.iter().take(3).copied().collect::<Vec<_>>().join(" ");
    (!subjects.is_empty()).then_some(CommandTask {
        name,
        subjects,
        spoken,
    })
}

/// Programs that run others, and ends of names: they say nothing of the task.
const NO_NAMES: &[&str] = &[
    "python", "python3", "node", "bash", "cargo", "docker", "make", "just", "npx", "exec",
    "script", "scripts", "main", "test", "tests", "file", "tool", "server", "json", "toml", "yaml",
    "psql", "sqlite3", "mysql", "perl", "ruby", "java", "deno", "xtask", "target", "debug",
    "release", "src", "git",
];

fn name_stems(name: &str) -> Vec<String> {
    let mut stems = Vec::new();
    for part in name.split(|c: char| !c.is_alphanumeric()) {
        let small = part.to_lowercase();
        let says = small.len() >= 4
            && !small.chars().all(|c| c.is_ascii_digit())
            && !NO_NAMES.contains(&small.as_str())
            && !is_stop_word(&small);
        if says {
            stems.push(stem(&small));
        }
    }
    stems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(line: &str) -> Vec<String> {
        simple_commands(line)
            .iter()
            .filter_map(|it| task(it))
            .map(|it| it.name)
            .collect()
    }

    #[test]
    fn commands_for_the_same_have_one_name() {
        assert_eq!(names("cargo test -p a"), names("cargo nextest run"));
        assert_eq!(names("cd a && ./node_modules/.bin/jest x"), ["test"]);
        assert_eq!(names("python manage.py migrate"), ["migrate"]);
    }

    #[test]
    fn what_a_query_finds_is_not_an_outcome() {
        assert_eq!(names("grep -r x src | head; git diff --exit-code"), [""; 0]);
    }

    #[test]
    fn a_script_is_spoken_of_by_its_name() {
        let words: Vec<String> = ["./scripts/backfill_orders.sh", "--fast"]
            .map(str::to_owned)
            .to_vec();
        let subjects = task(&words).unwrap().subjects;
        assert_eq!(subjects, [stem("backfill"), stem("orders")]);
    }
}
