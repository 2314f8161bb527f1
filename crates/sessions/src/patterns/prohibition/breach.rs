//! Determines whether a call is exactly a forbidden action.

use std::sync::LazyLock;

use regex::Regex;

use super::{Forbidden, Object};
use crate::patterns::act::{command, file_name, paths, simple_commands, written_text};
use crate::patterns::check::check;
use crate::patterns::lexicon::{Act, Noun, Topic};
use crate::patterns::shell::{Program, programs};
use crate::{ToolCall, ToolKind};

/// Returns the branch that a call switches to.
pub(super) fn branch_after(call: &ToolCall) -> Option<String> {
    let line = command(call)?;
    let all = programs(&line);
    let mut switches = all
        .iter()
        .rev()
        .filter(|it| it.name == "git" && matches!(it.sub.as_str(), "switch" | "checkout"));
    let words = switches.next()?.arguments();
    // `git checkout -- FILE` and `git checkout REF FILE` do not switch branches.
    let named: Vec<&String> = words.iter().filter(|it| !it.starts_with('-')).collect();
    match named.as_slice() {
        [one] if !words.iter().any(|it| it == "--") => Some(one.to_lowercase()),
        _ => None,
    }
}

/// Returns the words of a call that break the prohibition; `branch` is the current one, if known.
pub(super) fn breach(
    forbidden: &Forbidden,
    call: &ToolCall,
    branch: Option<&str>,
) -> Option<String> {
    match (forbidden.act, &forbidden.on) {
        (act @ (Act::Change | Act::Delete | Act::Rename | Act::Read), on) => {
            breach_in_edit(act, on, call)
        }
        (Act::Add, _) if call.kind == ToolKind::Edit => find_added_dependency(call),
        (Act::Use, Object::Name(name)) if call.kind == ToolKind::Edit => {
            find_forbidden_code(name, call)
        }
        (Act::Use, Object::Name(name)) => {
            let line = command(call)?;
            let is_used = simple_commands(&line).iter().any(|words| {
                let mut options = words.iter().filter(|_| name.starts_with('-'));
                words.first().is_some_and(|it| file_name(it) == name)
                    || options.any(|it| it == name || it.starts_with(&format!("{name}=")))
            });
            let is_sudo = name == "sudo" && line.split_whitespace().any(|it| it == "sudo");
            (is_used || is_sudo).then_some(line)
        }
        (Act::Drop, _) => {
            let line = command(call)?;
            DROPS
                .as_ref()
                .is_some_and(|it| it.is_match(&line))
                .then_some(line)
        }
        (act, on) => {
            let line = command(call)?;
            programs(&line)
                .iter()
                .any(|it| performs_act(act, on, it, branch))
                .then_some(line)
        }
    }
}

static DROPS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:drop\s+(?:table|database|schema|index|view)|truncate\s+(?:table\s+)?\w|dropdb)\b").ok()
});

fn performs_act(act: Act, on: &Object, program: &Program, branch: Option<&str>) -> bool {
    let is_git = |sub: &str| program.name == "git" && program.sub == sub;
    let is_about = |topic| check(program).is_some_and(|it| it.has_topic(topic));
    if program.is_dry_run() {
        return false;
    }
    let names = |name: &str| {
        program.rest.iter().any(|it| {
            let it = it.to_lowercase();
            it == name
                || it.ends_with(&format!("/{name}"))
                || it.ends_with(&format!(":{name}"))
                || it.ends_with(&format!("={name}"))
        })
    };
    let is_named = || match on {
        Object::Any | Object::Kind(_) => true,
        Object::Name(name) => names(name),
    };
    match act {
        Act::Push => is_git("push") && is_named(),
        Act::ForcePush => {
            let is_forced =
                |it: &String| it == "-f" || it.starts_with("--force") || it.starts_with('+');
            is_git("push") && program.rest.iter().any(is_forced)
        }
        // A commit command does not name its branch, so compare with the current one.
        Act::Commit => {
            let is_there = matches!(on, Object::Name(name) if Some(name.as_str()) == branch);
            is_git("commit") && (*on == Object::Any || is_there)
        }
        Act::Amend => is_git("commit") && program.has("--amend"),
        Act::Merge => {
            *on == Object::Any
                && (is_git("merge") || program.name == "gh" && program.has("merge"))
                && !program.has("--abort")
        }
        Act::Rebase => is_git("rebase") && !program.has("--abort"),
        Act::Tag => {
            is_git("tag")
                && program.arguments().iter().any(|it| !it.starts_with('-'))
                && !program
                    .rest
                    .iter()
                    .any(|it| matches!(it.as_str(), "-l" | "-d" | "--delete" | "-n" | "--contains"))
        }
        Act::Stash => is_git("stash") && !program.has("list") && !program.has("show"),
        Act::Reset => is_git("reset"),
        Act::Publish => is_about(Topic::Publish) && is_named(),
        Act::PullRequest => matches!(program.name.as_str(), "gh" | "glab") && program.has("create"),
        Act::Deploy => {
            is_about(Topic::Deploy)
                && is_named()
                && !program
                    .rest
                    .iter()
                    .any(|it| matches!(it.as_str(), "status" | "history" | "diff" | "plan"))
        }
        Act::Apply => program.sub == "apply" && program.name != "git" && is_named(),
        Act::Migrate => {
            is_about(Topic::Migrate)
                && !program.rest.iter().any(|it| {
                    matches!(
                        it.as_str(),
                        "--plan" | "status" | "--create-only" | "create" | "generate" | "make"
                    )
                })
        }
        Act::Install | Act::Add => adds_package(act, on, program),
        Act::Run => match on {
            Object::Kind(Noun::Tests) => is_about(Topic::Test),
            Object::Kind(Noun::Migrations) => is_about(Topic::Migrate),
            Object::Name(name) => {
                let mut words = name.split_whitespace();
                let first = words.next().map(file_name);
                first == Some(program.name.as_str()) && words.all(|it| program.has(it))
            }
            _ => false,
        },
        Act::Restart => {
            does(
                program,
                &["restart", "reload", "force-reload", "--force-recreate"],
            ) && names_service(on, program)
        }
        Act::Stop => {
            does(program, &["stop", "down", "kill", "pkill", "killall"])
                && (names_service(on, program) || ends_process(on, program))
        }
        _ => false,
    }
}

fn does(program: &Program, verbs: &[&str]) -> bool {
    verbs.contains(&program.name.as_str())
        || program.rest.iter().any(|it| verbs.contains(&it.as_str()))
}

/// Returns whether a program ends the named process, as `pkill -f train.py` ends "the training".
fn ends_process(on: &Object, program: &Program) -> bool {
    let Object::Name(name) = on else {
        return false;
    };
    matches!(program.name.as_str(), "pkill" | "killall")
        && program.rest.iter().any(|it| {
            let stem = file_name(it).split(['.', '_']).next().unwrap_or_default();
            stem.len() >= 4 && name.starts_with(stem)
        })
}

fn names_service(on: &Object, program: &Program) -> bool {
    match on {
        Object::Name(name) => {
            program.name == *name
                || program.rest.iter().any(|it| {
                    let it = it.trim_end_matches(".service");
                    // People say postgres for "postgresql@15-main" and smb for "smbd", so allow
                    // such endings.
                    let unit = it.split('@').next().unwrap_or(it);
                    let end = unit.strip_prefix(name.as_str());
                    it.eq_ignore_ascii_case(name)
                        || end.is_some_and(|it| matches!(it, "" | "d" | "ql" | "-server"))
                        || it.rsplit('/').next() == Some(name.as_str())
                })
        }
        _ => false,
    }
}

/// Returns whether a command adds a package.
fn adds_package(act: Act, on: &Object, program: &Program) -> bool {
    let is_of_project = matches!(
        (program.name.as_str(), program.sub.as_str()),
        (
            "cargo"
                | "uv"
                | "poetry"
                | "yarn"
                | "pnpm"
                | "bun"
                | "npm"
                | "pdm"
                | "rye"
                | "bundle"
                | "deno",
            "add"
        ) | ("npm" | "pnpm" | "bun", "install" | "i")
            | ("pip" | "pip3", "install")
            | ("go", "get")
            | ("composer", "require")
            | ("dotnet", "add")
            | ("pipenv", "install")
    );
    let is_of_system = matches!(
        (program.name.as_str(), program.sub.as_str()),
        (
            "apt"
                | "apt-get"
                | "brew"
                | "gem"
                | "cargo"
                | "go"
                | "apk"
                | "dnf"
                | "yum"
                | "uv"
                | "pipx",
            "install" | "add" | "pip" | "tool"
        )
    );
    let is_aside = program.rest.iter().any(|it| {
        matches!(
            it.as_str(),
            "-g" | "--global"
                | "--no-save"
                | "-r"
                | "--requirement"
                | "-e"
                | "--editable"
                | "--target"
        )
    });
    let packages: Vec<&String> = program
        .arguments()
        .iter()
        .filter(|it| !it.starts_with('-') && *it != "." && !it.starts_with(['/', '>']))
        .collect();
    match on {
        Object::Name(name) => {
            (is_of_project || is_of_system)
                && packages.iter().any(|it| {
                    it.to_lowercase().split(['@', '=', '>', '<', '[']).next() == Some(name)
                })
        }
        Object::Any => (is_of_project || is_of_system) && !packages.is_empty(),
        Object::Kind(_) => {
            (is_of_project || act == Act::Install && is_of_system)
                && !packages.is_empty()
                && !is_aside
        }
    }
}

/// Programs that change their file arguments.
const CHANGING: &[&str] = &["rm", "mv", "tee", "truncate", "unlink", "shred"];
const READING: &[&str] = &[
    "cat", "head", "tail", "less", "more", "bat", "grep", "rg", "source",
];

fn breach_in_edit(act: Act, on: &Object, call: &ToolCall) -> Option<String> {
    match call.kind {
        ToolKind::Read => paths(call)
            .into_iter()
            .find(|it| act == Act::Read && matches_path(on, it)),
        ToolKind::Edit => {
            let (is_deleting, is_moving) = (
                has_line(call, "*** Delete File: "),
                has_line(call, "*** Move to: "),
            );
            let is_meant = match act {
                Act::Change => true,
                Act::Delete => is_deleting,
                Act::Rename => is_moving,
                _ => false,
            };
            // Creating a test or migration does not change the existing ones.
            let is_new =
                has_line(call, "*** Add File: ") || call.arguments.get("content").is_some();
            let is_kind = matches!(on, Object::Kind(_));
            let mut all = paths(call).into_iter();
            all.find(|it| is_meant && !(is_kind && is_new) && matches_path(on, it))
        }
        ToolKind::Run => {
            let line = command(call)?;
            let is_done = simple_commands(&line)
                .iter()
                .any(|words| is_changed(act, on, words) || changes_table(on, words));
            is_done.then_some(line)
        }
        _ => None,
    }
}

fn has_line(call: &ToolCall, start: &str) -> bool {
    crate::patterns::all_strings(&call.arguments)
        .any(|text| text.lines().any(|it| it.starts_with(start)))
}

fn is_changed(act: Act, on: &Object, words: &[String]) -> bool {
    let program = words.first().map(|it| file_name(it)).unwrap_or_default();
    let is_git = |subs: &[&str]| {
        program == "git" && words.get(1).is_some_and(|it| subs.contains(&it.as_str()))
    };
    let files = || words.iter().skip(1).filter(|it| !it.starts_with('-'));
    let in_place = words
        .iter()
        .any(|it| it.starts_with("-i") || it == "--in-place" || it.starts_with("-pi"));
    let is_any = files().any(|it| matches_path(on, it));
    match act {
        Act::Read => READING.contains(&program) && is_any,
        Act::Delete if *on == Object::Any => removes(words),
        Act::Delete => {
            let verbs = ["rm", "delete", "remove", "destroy", "-D", "--delete"];
            let does = words.iter().skip(1).any(|it| verbs.contains(&it.as_str()));
            (matches!(program, "rm" | "unlink" | "rmdir") || does) && is_any
        }
        Act::Rename => (program == "mv" || is_git(&["mv"])) && is_any,
        Act::Change => {
            let mut pairs = words.iter().zip(words.iter().skip(1));
            let is_redirected =
                pairs.any(|(to, file)| to == ">" && matches_path(on, file)) && *on != Object::Any;
            let is_edited = matches!(program, "sed" | "perl") && in_place
                || CHANGING.contains(&program)
                || is_git(&["mv", "rm"]);
            let is_copied = program == "cp"
                && words.last().is_some_and(|it| matches_path(on, it))
                && *on != Object::Any;
            let is_broad = *on == Object::Any && !(matches!(program, "sed" | "perl") && in_place);
            is_redirected || is_copied || is_edited && is_any && !is_broad
        }
        _ => false,
    }
}

static CHANGES_TABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:truncate(?:\s+table)?|drop\s+table(?:\s+if\s+exists)?|delete\s+from|update|alter\s+table|insert\s+into)\s+(?:only\s+)?[`\x22]?(?:\w+\.)?(?P<table>\w+)").ok()
});

/// Returns whether a word of a command is SQL that changes the given table.
fn changes_table(on: &Object, words: &[String]) -> bool {
    let Object::Name(name) = on else {
        return false;
    };
    let mut tables = words
        .iter()
        .flat_map(|word| CHANGES_TABLE.iter().flat_map(|it| it.captures_iter(word)));
    tables.any(|it| {
        it.name("table")
            .is_some_and(|it| it.as_str().eq_ignore_ascii_case(name))
    })
}

/// Folders that the next build recreates.
const PASSING: &[&str] = &[
    "/tmp",
    "node_modules",
    "target",
    "dist",
    "build",
    "__pycache__",
    ".cache",
    "out",
    "coverage",
    "tmp",
];

/// Returns whether a command removes files that no build recreates.
fn removes(words: &[String]) -> bool {
    let program = words.first().map(|it| file_name(it)).unwrap_or_default();
    let has = |option: &str| words.iter().any(|it| it == option);
    let is_passing = |it: &String| {
        PASSING
            .iter()
            .any(|of| it.split('/').any(|part| part == *of) || it.starts_with(of))
    };
    let files: Vec<&String> = words
        .iter()
        .skip(1)
        .filter(|it| !it.starts_with('-'))
        .collect();
    match program {
        "rm" | "unlink" | "shred" => !files.is_empty() && !files.iter().all(|it| is_passing(it)),
        "git" => has("rm") && !has("--cached"),
        "find" => has("-delete"),
        "fdupes" => words.iter().any(|it| {
            it.starts_with('-') && !it.starts_with("--") && it.contains('d') || it == "--delete"
        }),
        _ => false,
    }
}

/// Returns whether a path is the forbidden one or inside it.
pub(super) fn matches_path(on: &Object, path: &str) -> bool {
    let small = path.to_lowercase();
    let inner = format!("/{}/", small.trim_start_matches("./").trim_matches('/'));
    let has = |part: &str| inner.contains(&format!("/{part}/"));
    let name = file_name(&small);
    match on {
        Object::Any => true,
        Object::Name(of) => {
            let of = of
                .trim_start_matches("./")
                .trim_end_matches(['*', '/'])
                .trim_start_matches('/');
            match of.strip_prefix('*') {
                Some(end) => end.len() > 1 && small.ends_with(end),
                None => !of.is_empty() && has(of),
            }
        }
        Object::Kind(Noun::Tests) => {
            ["tests", "test", "__tests__", "spec", "specs"]
                .iter()
                .any(|it| has(it))
                || name.starts_with("test_")
                || [".test.", ".spec.", "_test.", "_spec."]
                    .iter()
                    .any(|it| name.contains(it))
        }
        Object::Kind(Noun::Migrations) => has("migrations") || has("migrate"),
        Object::Kind(Noun::Lockfile) => matches!(
            name,
            "cargo.lock"
                | "package-lock.json"
                | "pnpm-lock.yaml"
                | "yarn.lock"
                | "poetry.lock"
                | "uv.lock"
                | "gemfile.lock"
                | "composer.lock"
                | "go.sum"
        ),
        Object::Kind(Noun::Workflows) => {
            has(".github/workflows") || matches!(name, ".gitlab-ci.yml" | "jenkinsfile")
        }
        Object::Kind(Noun::Changelog) => name.starts_with("changelog"),
        Object::Kind(Noun::Readme) => name.starts_with("readme"),
        Object::Kind(_) => false,
    }
}

/// Returns a new line of code with a forbidden name that an edit writes.
fn find_forbidden_code(name: &str, call: &ToolCall) -> Option<String> {
    let is_text = paths(call).iter().any(|it| {
        [".md", ".txt", ".rst", ".adoc"]
            .iter()
            .any(|end| it.ends_with(end))
    });
    let bare = name.trim_end_matches("()");
    let has = |line: &str| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        line.match_indices(bare).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + bare.len()..].chars().next();
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
    };
    let was = crate::patterns::all_strings(&call.arguments)
        .flat_map(str::lines)
        .any(|it| it.starts_with('-') && has(it))
        || ["old_string", "oldString", "old_str"]
            .iter()
            .filter_map(|it| call.arguments.get(it)?.as_str())
            .any(has);
    if is_text || was || bare.len() < 3 {
        return None;
    }
    let text = written_text(call);
    text.lines()
        .find(|it| has(&it.to_lowercase()))
        .map(|it| it.trim().to_owned())
}

static PACKAGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"["']?(?P<name>[A-Za-z@][A-Za-z0-9_@/.-]*)["']?\s*[:=]\s*(?:["'][\^~><=v]*\d[^"']*["']|\{ ?version)|^\s*["']?(?P<pin>[A-Za-z][A-Za-z0-9_-]*)\s*[=~><]=\s*\d"#).ok()
});

/// Returns a package that an edit adds to a manifest.
fn find_added_dependency(call: &ToolCall) -> Option<String> {
    let is_list = paths(call).iter().any(|it| {
        matches!(
            file_name(it),
            "Cargo.toml"
                | "package.json"
                | "pyproject.toml"
                | "requirements.txt"
                | "go.mod"
                | "Gemfile"
        )
    });
    // If the call writes the whole file, the new lines are unknown.
    if !is_list || call.arguments.get("content").is_some() {
        return None;
    }
    let taken: String = ["old_string", "oldString", "old_str"]
        .iter()
        .filter_map(|it| call.arguments.get(it)?.as_str())
        .collect();
    let taken_lines: Vec<&str> = crate::patterns::all_strings(&call.arguments)
        .flat_map(str::lines)
        .filter_map(|it| it.strip_prefix('-'))
        .collect();
    let text = written_text(call);
    let line = text.lines().find(|line| {
        let captures = PACKAGE.as_ref().and_then(|it| it.captures(line));
        captures.is_some_and(|it| {
            let name = it
                .name("name")
                .or_else(|| it.name("pin"))
                .map_or("", |it| it.as_str());
            let is_own = matches!(
                name,
                "version"
                    | "edition"
                    | "rust-version"
                    | "requires-python"
                    | "node"
                    | "engines"
                    | "name"
                    | "npm"
                    | "go"
                    | "resolver"
                    | "packageManager"
            );
            // Another version of an existing package is not a new dependency.
            let is_there = taken.contains(name) || taken_lines.iter().any(|it| it.contains(name));
            !is_own && !is_there
        })
    })?;
    Some(line.trim().to_owned())
}
