//! The table agrees with the rules, and excludes no text that they would match.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "reads the rules where the registry has them"
)]

mod pattern;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use proptest::prelude::*;
use veloci::Glob;
use veloci::detect::BETTERLEAKS_RULESET;

use super::prefilter::{ANYWHERE, NEVER, REACH, TABLE, may_match};
use super::{EXCLUDED, blank_punctuation, find_vendor_tokens, scan_with_ruleset};
use crate::hit::Hit;
use crate::runs::{LONG, LongRuns};

/// Returns whether the prefilter lets the text pass, if it may have any of the keywords.
fn matches(text: &str) -> bool {
    may_match(text, &LongRuns::of(text.as_bytes(), LONG), true)
}

fn find_tokens(text: &str) -> Vec<Hit> {
    find_vendor_tokens(text, &LongRuns::of(text.as_bytes(), LONG), true)
}

/// The data for the table.
struct Source {
    id: String,
    keywords: Vec<String>,
    /// The pattern, if the rule matches alone.
    pattern: Option<String>,
}

fn excluded(id: &str) -> bool {
    EXCLUDED.iter().any(|glob| Glob::flat(glob).is_match(id))
}

/// The folder of the crate with the rules.
fn origin() -> Option<PathBuf> {
    // Without the host, cargo needs the packages of every platform, which may not be here.
    let rustc = Command::new("rustc").arg("-vV").output().ok()?;
    let rustc = String::from_utf8(rustc.stdout).ok()?;
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: "))?;
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--offline", "--locked"])
        .args(["--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split('"')
        .filter(|part| part.ends_with("Cargo.toml"))
        .map(|part| Path::new(part).parent().unwrap().to_path_buf())
        .find(|folder| {
            let name = folder.file_name().unwrap().to_string_lossy();
            name.starts_with("veloci-")
        })
}

/// The rules that are not excluded, in order; `None` if their source is not installed.
fn sources() -> Option<Vec<Source>> {
    let file = origin()?.join("vendor/betterleaks/betterleaks.toml");
    let text = std::fs::read_to_string(file).ok()?;
    let all: toml::Table = text.parse().unwrap();
    let mut sources: Vec<_> = all["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| {
            let words = rule.get("keywords").and_then(|words| words.as_array());
            let words = words.map_or(&[][..], Vec::as_slice).iter();
            let mut keywords: Vec<_> = words
                .map(|word| word.as_str().unwrap().to_lowercase())
                .collect();
            keywords.sort();
            keywords.dedup();
            let silent = rule.get("path").is_some()
                || rule.get("skipReport").and_then(toml::Value::as_bool) == Some(true);
            let pattern = rule.get("regex").filter(|_| !silent);
            Source {
                id: rule["id"].as_str().unwrap().to_owned(),
                keywords,
                pattern: pattern.map(|pattern| pattern.as_str().unwrap().to_owned()),
            }
        })
        .filter(|rule| !excluded(&rule.id))
        .collect();
    sources.sort_by(|a, b| a.id.cmp(&b.id));
    Some(sources)
}

#[test]
fn the_table_has_a_line_for_every_rule_that_is_not_left_out() {
    let listed: Vec<_> = TABLE
        .lines()
        .map(|line| line.split('\t').next().unwrap())
        .collect();
    let known: BTreeSet<_> = BETTERLEAKS_RULESET
        .rule_ids()
        .filter(|id| !excluded(id))
        .collect();
    assert_eq!(listed, known.into_iter().collect::<Vec<_>>());
}

#[test]
fn the_table_is_what_the_rules_say() {
    let Some(sources) = sources() else {
        eprintln!("SKIPPED: the source of the rules is not in the registry's folder");
        return;
    };
    let mut table = String::new();
    for rule in sources {
        let Some(pattern) = &rule.pattern else {
            writeln!(table, "{}\t{NEVER}", rule.id).unwrap();
            continue;
        };
        // Without a keyword, a rule would run on every text.
        assert_ne!(rule.keywords, Vec::<String>::new(), "{}", rule.id);
        assert!(!rule.keywords.iter().any(|word| word.contains(['\t', '\n'])));
        let (run, words) = (pattern::run(pattern), rule.keywords.join("\t"));
        let mark = match pattern::has_word_nearby(pattern, &searched_words(&rule)) {
            true => String::new(),
            false => ANYWHERE.to_string(),
        };
        writeln!(table, "{}\t{mark}{run}\t{words}", rule.id).unwrap();
    }
    if std::env::var_os("AGON_BLESS").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/vendor/keywords.txt");
        std::fs::write(file, table).unwrap();
        return;
    }
    assert_eq!(table, TABLE);
}

/// The parts of the keywords that the prefilter searches for.
fn searched_words(rule: &Source) -> Vec<&str> {
    let words = rule.keywords.iter();
    words.map(|word| word.split(' ').next().unwrap()).collect()
}

#[test]
fn a_match_is_shorter_than_the_reach() {
    let Some(sources) = sources() else {
        eprintln!("SKIPPED: the source of the rules is not in the registry's folder");
        return;
    };
    let mut near = 0;
    for rule in sources {
        let pattern = rule.pattern.as_deref().unwrap_or_default();
        if pattern::has_word_nearby(pattern, &searched_words(&rule)) {
            let longest = pattern::longest_bounded(pattern).unwrap();
            assert!(longest < REACH, "{}: {longest}", rule.id);
            near += 1;
        }
    }
    assert!(near > 300, "only {near} rules");
}

#[test]
fn the_shortest_match_of_every_rule_passes_with_each_keyword() {
    let Some(sources) = sources() else {
        eprintln!("SKIPPED: the source of the rules is not in the registry's folder");
        return;
    };
    for rule in sources {
        let Some(pattern) = &rule.pattern else {
            continue;
        };
        let shortest = pattern::shortest(pattern);
        for word in &rule.keywords {
            let text = format!("{} . {shortest}", word.to_uppercase());
            assert!(matches(&text), "{}: {text}", rule.id);
        }
    }
}

#[test]
fn prose_with_common_words_is_skipped_and_a_token_is_not() {
    let prose =
        r#"{"api-key":"the session_id of linear time","sat.":"key, storage and stability"}"#;
    assert!(!matches(&blank_punctuation(prose)));
    let token = "npm_q7r2k9z4m1x8w3v6p5t0n2b7c4d9f1g8h3j6";
    assert!(matches(&blank_punctuation(&format!("{prose} {token}"))));
    assert!(!matches(&token[4..]));
}

#[test]
fn the_texts_of_the_tests_give_the_same_with_and_without_the_table() {
    let mut found = 0;
    let texts = include_str!("../../tests/suite/redact.rs");
    for text in texts.split('"').chain(texts.lines()).chain([texts]) {
        let expected = scan_with_ruleset(&blank_punctuation(text));
        assert_eq!(find_tokens(text), expected, "{text}");
        found += expected.len();
    }
    assert!(found > 5, "only {found} finds");
}

/// Keywords, separators and values in any combination.
fn mixed() -> impl Strategy<Value = String> {
    let keywords: Vec<_> = TABLE
        .lines()
        .flat_map(|line| line.split('\t').skip(2))
        .collect();
    let part = prop_oneof![
        3 => prop::sample::select(keywords).prop_map(str::to_owned),
        3 => prop::sample::select(vec!["=", ": ", "\"", " ", "_key = ", "_token=\"", "\\n", "é", "."])
            .prop_map(str::to_owned),
        1 => "[A-Za-z0-9]{15,17}|[a-z0-9]{20}|[a-z0-9]{32}|[a-f0-9]{32}|[a-f0-9]{40}",
        1 => "[A-Za-z0-9_-]{36}|[a-z0-9]{64}|[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(part, 0..16).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_the_same_with_and_without_the_table(text in mixed()) {
        prop_assert_eq!(find_tokens(&text), scan_with_ruleset(&blank_punctuation(&text)));
    }
}
