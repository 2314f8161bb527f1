//! What has a value: by which words one thing is told from another.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::prose::{content_stems, stem};

/// Words that tell one thing from another of the same name.
const QUALIFIERS: &[&str] = &[
    "staging",
    "production",
    "prod",
    "dev",
    "development",
    "test",
    "tests",
    "local",
    "remote",
    "old",
    "new",
    "default",
    "max",
    "maximum",
    "min",
    "minimum",
    "first",
    "second",
    "third",
    "read",
    "write",
    "input",
    "output",
    "primary",
    "replica",
    "client",
    "server",
    "connect",
    "idle",
    "request",
    "internal",
    "external",
    "admin",
    "public",
    "private",
    "source",
    "target",
    "debug",
    "release",
    "upper",
    "lower",
    "soft",
    "hard",
    "initial",
    "final",
    "previous",
    "current",
    "next",
    "http",
    "https",
    "grpc",
    "metrics",
    "health",
    "windows",
    "linux",
    "macos",
    "ci",
    "total",
    "other",
    "backup",
];

pub(super) fn is_same_subject(one: &[String], two: &[String]) -> bool {
    if one == two {
        return true;
    }
    let (small, large) = if one.len() < two.len() {
        (one, two)
    } else {
        (two, one)
    };
    let is_within = small.iter().all(|it| large.contains(it));
    let is_qualified = large
        .iter()
        .filter(|it| !small.contains(it))
        .any(|it| QUALIFIER_STEMS.contains(it));
    is_within && small.len() >= 2 && large.len() - small.len() <= 1 && !is_qualified
}

static QUALIFIER_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| QUALIFIERS.iter().map(|it| stem(it)).collect());

/// Words for what is counted or measured: it changes without anybody's saying so.
static MEASURED: LazyLock<HashSet<String>> = LazyLock::new(|| {
    "test tests error errors warning failure failures fail failed pass passed line lines file files match matches result exit code \
     duration elapsed total count number size coverage progress step steps commit hash branch head pid status output date day answer \
     problem cause issue reason change changes diff item items row rows byte bytes token tokens call calls turn page \
     percent second seconds minute minutes hour hours attempt part round section example case cases run runs difference sum average speed \
     name names length loop index offset column char chars version1 todo task tasks left function functions crate crates module modules match"
        .split_whitespace()
        .map(stem)
        .collect()
});

/// Verbs that join a thing with its value and say nothing of which thing it is.
static VERBS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    "run runs running listen listens live lives set sets default defaults store stored use uses equal equals stay stays remain remains configure configured \
     expect expects expected require requires required goes live lives capped limited bind binds bound serve serves serving keep keeps \
     pin pinned fixed exactly currently agreed value setting important remember note please always reminder fyi remains decided confirmed chosen \
     located called named work works working connect connects speak speaks write writes read reads documented says"
        .split_whitespace()
        .map(stem)
        .collect()
});

/// Stems of words for a bound.
const BOUNDS: &[&str] = &[
    "max",
    "maximum",
    "min",
    "minimum",
    "limit",
    "default",
    "cap",
    "threshold",
    "budget",
    "quota",
    "allow",
];

/// The stems of what has a value; nothing where it is not told from others, or changes by itself.
pub(super) fn subject(clause: &str) -> Option<Vec<String>> {
    let mut stems: Vec<String> = content_stems(&clause.replace(['_', '-', '`'], " "))
        .into_iter()
        .filter(|it| !VERBS.contains(it) && !it.chars().all(|c| c.is_ascii_digit()))
        .collect();
    // What is counted changes; a bound of it is a setting.
    let is_bound = stems.iter().any(|it| BOUNDS.contains(&it.as_str()));
    let is_measured = !is_bound && stems.iter().any(|it| MEASURED.contains(it));
    let is_named = stems.iter().any(|it| !QUALIFIER_STEMS.contains(it));
    if stems.is_empty() || stems.len() > 5 || is_measured || !is_named {
        return None;
    }
    stems.sort();
    stems.dedup();
    Some(stems)
}
