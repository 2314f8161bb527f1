//! What a command line does: whether it only prints something, and whether it changes files.

mod options;
mod table;

use options::{has_option, options};
use table::{
    CHANGING, FIXING, GIT_CHANGING, GIT_LOOKING, GROUPS, LOOKING, Looking, PRINTING_SUBCOMMANDS,
};

use super::shell::{Program, programs};

/// Returns whether a command line only prints something, so that its result says nothing about
/// the work.
pub(crate) fn only_looks(line: &str) -> bool {
    is_each(line, looks)
}

/// The same, but a dry run may also be of a program that is not known.
pub(crate) fn only_reads(line: &str) -> bool {
    let is_dry = |it: &Program| {
        let mut options = options(it);
        !it.is_redirected && options.any(|it| matches!(it, "--dry-run" | "--help" | "--version"))
    };
    is_each(line, |it| looks(it) || is_dry(it))
}

fn is_each(line: &str, test: impl Fn(&Program) -> bool) -> bool {
    let programs = programs(line);
    !programs.is_empty() && programs.iter().all(test)
}

/// Returns whether a command line changes files by itself, as far as its words say so.
pub(crate) fn changes_files(line: &str) -> bool {
    programs(line).iter().any(|program| {
        let name = program.name.as_str();
        let sub = program.sub.as_str();
        if program.is_redirected {
            return true;
        }
        if let Some(looking) = find_looking(program) {
            return writes(program, looking);
        }
        if name == "git" {
            return GIT_CHANGING.contains(&sub) && !looks(program) || writes_output(program);
        }
        !program.is_dry_run()
            && (CHANGING.contains(&name)
                || name == "perl" && has_option(program, &["-i"], "0123456789lnpaws")
                || name == "cargo" && matches!(sub, "add" | "fix" | "fmt" | "remove" | "update")
                || has_option(program, FIXING, ""))
    })
}

fn looks(program: &Program) -> bool {
    if program.is_redirected || program.is_script {
        return false;
    }
    if program.name == "git" {
        return git_looks(program);
    }
    if let Some(looking) = find_looking(program) {
        return !writes(program, looking) && !has_option(program, looking.running, looking.flags);
    }
    let asks_itself = matches!(
        program.rest.as_slice(),
        [one] if matches!(one.as_str(), "--version" | "-V" | "--help" | "-h")
    );
    let name = program.name.as_str();
    let sub = match GROUPS.iter().find(|it| it.0 == name) {
        Some((_, groups)) if groups.contains(&program.sub.as_str()) => program.second_sub(),
        _ => program.sub.as_str(),
    };
    let mut tools = PRINTING_SUBCOMMANDS.iter().filter(|it| it.0 == name);
    asks_itself || tools.any(|(_, printing)| printing.contains(&sub))
}

fn git_looks(program: &Program) -> bool {
    let has = |options: &[&str]| has_option(program, options, "");
    let second = program.second_sub();
    let words = program.arguments().iter();
    let count = words.filter(|it| !it.starts_with('-')).count();
    match program.sub.as_str() {
        // These two are checks with an exit code.
        "diff" if has(&["--check", "--exit-code", "--quiet"]) => false,
        "branch" | "tag" => {
            let lists = ["-l", "--list", "--show-current", "--contains", "--merged"];
            let changes = [
                "--set-upstream-to",
                "--unset-upstream",
                "--edit-description",
            ];
            (count == 0 || has(&lists)) && !has(&changes)
        }
        "remote" => matches!(second, "" | "show" | "get-url"),
        "config" => {
            let reads = ["-l", "--list", "--get", "--get-all", "--get-regexp"];
            let changes = ["--unset", "--unset-all", "--edit", "-e"];
            // With a name it prints that setting, with a value too it writes it.
            (count <= 1 || has(&reads) || matches!(second, "get" | "list")) && !has(&changes)
        }
        "stash" | "worktree" => matches!(second, "list" | "show"),
        "reflog" => !matches!(second, "expire" | "delete"),
        sub => GIT_LOOKING.contains(&sub) && !writes_output(program),
    }
}

/// Returns whether Git writes its output to a file that an option names.
fn writes_output(program: &Program) -> bool {
    has_option(program, &["--output"], "")
}

fn find_looking(program: &Program) -> Option<&'static Looking> {
    let is_plain = !program.is_script;
    LOOKING
        .iter()
        .find(|it| is_plain && it.name == program.name)
}

/// Returns whether a program that usually only prints changes files.
fn writes(program: &Program, looking: &Looking) -> bool {
    let words = &program.rest;
    let is_in_place = program.name.ends_with("awk")
        && (words.windows(2).any(|it| {
            matches!(it, [option, value] if matches!(option.as_str(), "-i" | "--include") && value == "inplace")
        }) || has_option(program, &["-iinplace", "--include=inplace"], ""));
    is_in_place || has_option(program, looking.writing, looking.flags)
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

    #[test]
    fn an_option_is_compared_as_a_whole() {
        for line in [
            "git commit --fixup HEAD~1",
            "curl --write-out '%{http_code}' localhost",
            "npx eslint --fix-dry-run src",
            "rustfmt --check src/lib.rs",
            "grep -rn -- --fix src",
            "rg -e '--write' src",
            "sed -ne 's/i/o/p' a.rs",
        ] {
            assert!(!changes_files(line), "{line}");
        }
        assert!(changes_files("npx eslint --fix=true src"));
    }

    #[test]
    fn the_value_of_an_option_is_not_a_subcommand() {
        for line in [
            "git -C sub stash list",
            "git -C sub branch",
            "gh --repo a/b pr view 3",
            "gh -R a/b pr list",
            "git branch -a 2>/dev/null",
            "git remote -v 2> /dev/null",
            "gh pr --repo a/b list",
            "npm --prefix web ls",
            "docker compose -f a.yml ps",
            "kubectl -n test get pods",
            "git config user.name",
        ] {
            assert!(only_looks(line), "{line}");
        }
        for line in [
            "npm run list",
            "npm install view",
            "docker run ps",
            "git -C list stash",
            "git -C show worktree add x",
            "git config user.name list-me",
            "git remote add show url",
            "git branch -u origin/main",
            "git branch --set-upstream-to=origin/main",
            "git config --unset user.name",
            "git reflog expire",
        ] {
            assert!(!only_looks(line), "{line}");
        }
    }

    #[test]
    fn a_quoted_arrow_is_no_redirection() {
        for line in [
            "grep -rn '>' src",
            "rg \"> 3\" src",
            "git log --format='%h > %s'",
            "awk '$1 > 2' sizes",
        ] {
            assert!(only_looks(line) && !changes_files(line), "{line}");
        }
        for line in ["bash -c 'ls' > out", "ls &> out", "echo a>out"] {
            assert!(!only_looks(line) && changes_files(line), "{line}");
        }
    }

    #[test]
    fn an_option_that_writes_a_file_is_found() {
        for line in [
            "awk -i inplace '{print $1}' a",
            "gawk -iinplace '{print $1}' a",
            "awk --include=inplace '{print $1}' a",
            "sort -o a a",
            "sort -uo a a",
            "sort --output=a a",
            "sort --output a a",
            "find . -name a -fls list",
            "find . -fprintf list %p",
            "find . -name a -delete",
            "sed -ni.bak s/a/b/p a",
            "sed --in-place=.bak s/a/b/ a",
            "perl -0pi -e s/a/b/ a",
            "tree -o list",
            "git diff --output=a.patch",
        ] {
            assert!(!only_looks(line) && changes_files(line), "{line}");
        }
        for line in ["find . -exec rm {} +", "fd -Hx rm", "rg --pre ./run x"] {
            assert!(!only_looks(line), "{line}");
        }
        for line in ["sort -k1,1no a", "awk -f include.awk a", "find . -ls"] {
            assert!(only_looks(line) && !changes_files(line), "{line}");
        }
    }

    #[test]
    fn a_dry_run_of_any_program_only_reads() {
        for line in ["cat a | head -5", "git log -3", "git push --dry-run"] {
            assert!(only_reads(line), "{line}");
        }
        for line in [
            "sed -i s/a/b/ x",
            "git commit -m x",
            "cat a > b",
            "ls && rm b",
        ] {
            assert!(!only_reads(line), "{line}");
        }
    }
}
