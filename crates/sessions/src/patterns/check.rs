//! The topics of a command, for recognizing statements about its outcome.

use std::collections::BTreeSet;

use super::act::{command, file_name};
use super::lexicon::Topic;
use super::shell::{Program, programs};
use crate::ToolCall;

mod table;

use table::{FILTERS, NO_VERBS, OF_ALL, PARTS, TABLE, TARGETS};
pub(super) use table::{KINDS_OF_CHECKS, QUERIES};

/// A command whose outcome people talk about.
#[derive(Clone, Debug)]
pub(super) struct Check {
    /// Its topics.
    pub(super) topics: Vec<Topic>,
    /// Whether it covers all topics, like a script that runs all checks.
    pub(super) is_of_all: bool,
    /// Whether it is a target defined by the project, as in `make sim`.
    pub(super) is_target: bool,
    /// Its program or script.
    pub(super) tool: String,
    /// Its names: the typed words or the script's name.
    pub(super) names: Vec<String>,
    /// Participles for its success, such as "seeded" for `npm run seed`.
    pub(super) participles: Vec<String>,
    /// The tests it selects; empty if it runs all.
    pub(super) filters: BTreeSet<String>,
    /// All its words, in lowercase.
    pub(super) words: BTreeSet<String>,
}

impl Check {
    /// Returns whether it checks the work.
    pub(super) fn checks_work(&self) -> bool {
        let is_one =
            |it: &Topic| matches!(it, Topic::Test | Topic::Build | Topic::Types | Topic::Lint);
        self.is_of_all || self.topics.iter().any(is_one)
    }

    /// Returns whether its purpose is known, so that its exit alone makes its output used.
    pub(super) fn is_known(&self) -> bool {
        self.is_of_all || !self.topics.is_empty()
    }

    pub(super) fn has_topic(&self, topic: Topic) -> bool {
        self.topics.contains(&topic)
    }

    /// Returns whether the two are about the same thing.
    pub(super) fn is_similar_to(&self, other: &Self) -> bool {
        self.is_of_all && other.checks_work()
            || self.topics.iter().any(|it| other.topics.contains(it))
            || self.names.iter().any(|it| other.names.contains(it))
    }

    /// Returns whether the two are of the same kind: not unit tests and end-to-end tests, or a
    /// formatter and a linter.
    pub(super) fn has_same_kind(&self, other: &Self) -> bool {
        let has = |of: &Self, words: &[&str]| words.iter().any(|it| of.words.contains(*it));
        self.is_of_all
            || !KINDS_OF_CHECKS
                .iter()
                .any(|words| has(self, words) && !has(other, words))
    }

    /// Returns whether it runs at least the other's tests.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.filters.iter().all(|mine| {
            other.filters.iter().any(|it| {
                it == mine || it.starts_with(mine.as_str()) || it.ends_with(mine.as_str())
            })
        })
    }
}

/// Returns the check of each program of a call, in order.
pub(super) fn checks(call: &ToolCall) -> Vec<Option<Check>> {
    let line = command(call).unwrap_or_default();
    programs(&line).iter().map(check).collect()
}

/// Returns the check that a program makes; `None` if its outcome is never discussed.
pub(super) fn check(program: &Program) -> Option<Check> {
    let mut name = program.name.as_str();
    if matches!(name, "gradlew" | "mvnw") {
        name = name.trim_end_matches('w');
    }
    // Listing or printing a dump does not create a backup, so it is not a check.
    let is_listing = name == "pg_restore" && (program.has("-l") || program.has("-f"))
        || name == "aws" && program.has("ls");
    if is_listing
        || program.is_dry_run() && !matches!(name, "cargo" | "black" | "prettier" | "ruff")
    {
        return None;
    }
    let row = TABLE.iter().find(|(of, subs, _)| {
        *of == name && (subs.is_empty() || subs.contains(&program.sub.as_str()))
    });
    let is_run = matches!(name, "npm" | "pnpm" | "yarn" | "bun")
        && matches!(program.sub.as_str(), "run" | "run-script");
    let is_yarn = matches!(name, "yarn" | "pnpm") && row.is_none() && !program.sub.is_empty();
    let target = if is_run {
        program
            .arguments()
            .iter()
            .find(|it| !it.starts_with('-'))
            .map(String::as_str)
    } else if is_yarn || TARGETS.contains(&name) || name == "mvn" {
        Some(program.sub.as_str())
    } else {
        None
    };
    let mut topics: Vec<Topic> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut is_of_all = false;
    if let Some((_, _, of)) = row {
        topics.extend(*of);
        names.push(name.to_owned());
        if !program.sub.is_empty() && !program.sub.contains(['/', '.']) {
            names = vec![format!("{name} {}", program.sub)];
        }
        if topics.contains(&Topic::Test)
            || topics.contains(&Topic::Lint)
            || topics.contains(&Topic::Types)
        {
            names.push(name.to_owned());
        }
        names.retain(|it| {
            !matches!(
                it.as_str(),
                "cargo"
                    | "go"
                    | "npm"
                    | "pnpm"
                    | "yarn"
                    | "bun"
                    | "mvn"
                    | "gradle"
                    | "deno"
                    | "dotnet"
                    | "manage.py"
                    | "mix"
                    | "swift"
            )
        });
    } else if let Some(target) = target {
        (topics, is_of_all) = topics_by_name(target);
        if topics.is_empty() && !is_of_all && target.is_empty() {
            // `make` without a target usually builds.
            topics = if name == "make" {
                vec![Topic::Build]
            } else {
                return None;
            };
        }
        names.push(format!("{name} {target}").trim_end().to_owned());
        if is_run {
            names.push(format!("{name} run {target}"));
        }
        if target.contains(['-', ':', '_']) || target.chars().any(|it| it.is_ascii_uppercase()) {
            names.push(target.to_owned());
        }
    } else if program.is_script || name.contains('.') {
        (topics, is_of_all) = topics_by_name(name);
        names.push(name.to_owned());
        let stem = name.split('.').next().unwrap_or(name);
        if stem.len() >= 6 && topics.is_empty() {
            names.push(stem.to_owned());
            names.extend(
                stem.split(['_', '-'])
                    .filter(|it| it.len() >= 6)
                    .map(str::to_owned),
            );
        }
    } else if QUERIES.contains(&name) || name.len() < 2 {
        return None;
    } else {
        let named = match program.sub.is_empty() || program.sub.contains(['/', '.', '=']) {
            true => name.to_owned(),
            false => format!("{name} {}", program.sub),
        };
        names.push(named);
    }
    if topics.is_empty() && !is_of_all && row.is_none() && target.is_none() {
        // An unknown program is known by its subcommand, as in `pio test` and `idf.py flash`.
        let verbs = program.rest.iter().filter(|it| {
            it.len() >= 3
                && it
                    .chars()
                    .all(|c| c.is_ascii_alphabetic() || matches!(c, '-' | '_' | ':'))
        });
        for verb in verbs.filter(|it| !it.starts_with('-')).take(2) {
            topics.extend(topics_by_name(verb).0);
        }
    }
    names.iter_mut().for_each(|it| *it = it.to_lowercase());
    names.dedup();
    let filters = match topics.contains(&Topic::Test) {
        true => filters(program, is_run),
        false => BTreeSet::new(),
    };
    let of = target.unwrap_or(if program.is_script {
        &program.name
    } else {
        &program.sub
    });
    let participles = match topics.contains(&Topic::Test) {
        true => Vec::new(),
        false => participles(of),
    };
    Some(Check {
        topics,
        is_of_all,
        is_target: target.is_some(),
        tool: name.to_owned(),
        names,
        filters,
        words: words(program),
        participles,
    })
}

/// Returns the participles of the long words of a name: "seeded" for `seed`, "applied" for `apply`.
fn participles(name: &str) -> Vec<String> {
    let small = name.to_lowercase();
    let stem = small.split('.').next().unwrap_or_default();
    let words = stem.split(|c: char| !c.is_ascii_alphabetic());
    let verbs = words.filter(|it| it.len() >= 4 && !NO_VERBS.contains(it));
    verbs
        .map(|it| match (it.strip_suffix('y'), it.ends_with('e')) {
            (Some(stem), _) if !stem.ends_with(['a', 'e', 'o']) => format!("{stem}ied"),
            (_, true) => format!("{it}d"),
            _ => format!("{it}ed"),
        })
        .collect()
}

fn topics_by_name(name: &str) -> (Vec<Topic>, bool) {
    let mut small = String::new();
    for (at, c) in name.char_indices() {
        // Split camel case: "connectedAndroidTest" has three words.
        let is_inner = name[..at].ends_with(|it: char| it.is_ascii_lowercase());
        if c.is_ascii_uppercase() && is_inner {
            small.push('-');
        }
        small.extend(c.to_lowercase());
    }
    let mut stem = small.as_str();
    if let Some((before, end)) = small.rsplit_once('.')
        && end.len() <= 4
    {
        stem = before;
    }
    let parts: Vec<&str> = stem.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let has = |words: &[&str]| parts.iter().any(|it| words.contains(it));
    let topics = PARTS.iter().filter(|(words, _)| has(words));
    (topics.map(|(_, topic)| *topic).collect(), has(OF_ALL))
}

/// Returns the tests that a command selects.
fn filters(program: &Program, is_run: bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let has_sub = TABLE
        .iter()
        .any(|(of, subs, _)| *of == program.name && subs.contains(&program.sub.as_str()));
    let skip = usize::from(is_run);
    let words: &[String] = if has_sub || is_run {
        program.arguments()
    } else {
        &program.rest
    };
    let mut words = words.iter().skip(skip);
    while let Some(word) = words.next() {
        let (option, value) = word
            .split_once('=')
            .map_or((word.as_str(), None), |(it, value)| (it, Some(value)));
        if FILTERS.contains(&option) {
            let value = value.map(str::to_owned).or_else(|| words.next().cloned());
            found.insert(format!("{option} {}", value.unwrap_or_default()));
        } else if word.starts_with("-Dtest") {
            found.insert(word.clone());
        } else if !word.starts_with('-')
            && !matches!(word.as_str(), "run" | "./..." | "." | "test")
            && word.parse::<u64>().is_err()
        {
            found.insert(word.trim_start_matches("./").to_owned());
        }
    }
    found
}

pub(super) fn words(program: &Program) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for word in program.rest.iter().chain([&program.name, &program.sub]) {
        let small = word.to_lowercase();
        found.extend(
            small
                .split(|c: char| !c.is_alphanumeric())
                .filter(|it| it.len() > 1)
                .map(str::to_owned),
        );
        found.insert(file_name(&small).to_owned());
        found.insert(small);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Check {
        programs(line).iter().find_map(check).unwrap()
    }

    #[test]
    fn commands_are_told_by_what_they_are_about() {
        for (line, topic) in [
            ("cargo nextest run", Topic::Test),
            ("npm run test:unit", Topic::Test),
            ("./gradlew test --tests A", Topic::Test),
            ("python manage.py migrate", Topic::Migrate),
            ("make", Topic::Build),
            ("./scripts/deploy_staging.sh", Topic::Deploy),
            ("git push -u origin a", Topic::Push),
        ] {
            assert_eq!(of(line).topics, [topic], "{line}");
        }
    }

    #[test]
    fn a_run_of_all_tests_covers_one_of_some_and_not_the_other_way_round() {
        let (all, some) = (of("pytest -q"), of("pytest tests/test_a.py -q"));
        assert!(all.covers(&some) && !some.covers(&all));
        let (all, some) = (of("npm test"), of("npm test -- src/a.test.ts"));
        assert!(all.covers(&some) && !some.covers(&all));
    }

    #[test]
    fn what_a_query_finds_is_no_outcome() {
        assert!(
            programs("grep -r x src | head; git diff --exit-code")
                .iter()
                .all(|it| check(it).is_none())
        );
    }
}
