//! `cargo xtask words`: the language of strings, help, comments and documents.
//!
//! The table lists phrases that a stranger to Agon stumbles over. A new one is a row there, with
//! the words to write instead and an example that its test finds.

mod exceptions;
mod markdown;
mod names;
mod rust;
mod table;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use regex::Regex;

use crate::{
    files::{self, SourceFile},
    print_violations,
    source::{self, SourceText},
};
use exceptions::{EXCEPTIONS, Exception};
use table::{AFTER_IS_NO, BEFORE_IS_NO, IS_NO, PHRASES};
use text::{Kind, Text};

/// Columns of a line of help that is wrapped by hand: clap wraps at 100, and indents by up to 2.
const MAX_HELP_COLUMNS: usize = 98;

/// Words of a table's cell.
const MAX_CELL_WORDS: usize = 25;

/// Words of a sentence in a document.
const MAX_SENTENCE_WORDS: usize = 40;

/// Checks the workspace's language and prints what is wrong.
pub(crate) fn run() -> Result<bool> {
    let files = files::read()?;
    let sources = source::production(&files);
    let mut good = print_violations("names", &names::violations(&sources)?);
    let (counts, violations) = check(&files, &read_sources(&files), EXCEPTIONS)?;
    let counts: Vec<String> = counts
        .iter()
        .map(|(kind, count)| format!("{count} {}", kind.plural()))
        .collect();
    println!("words: read {}", counts.join(", "));
    good &= print_violations("words", &violations);
    Ok(good)
}

impl Kind {
    const fn plural(self) -> &'static str {
        match self {
            Self::String => "strings",
            Self::Comment => "comments",
            Self::Prose => "paragraphs",
            Self::Cell => "table cells",
        }
    }
}

/// A refused text, before exceptions.
struct Violation {
    path: String,
    line: usize,
    text: String,
}

/// Counts the texts of each kind and returns what is wrong with them, and exceptions without a use.
fn check(
    files: &[SourceFile],
    sources: &[SourceText],
    exceptions: &[Exception],
) -> Result<(BTreeMap<Kind, usize>, Vec<String>)> {
    let phrases = Phrases::new()?;
    let mut counts = BTreeMap::new();
    let mut found = Vec::new();
    let mut add = |path: &str, texts: Vec<Text>| {
        for text in texts {
            *counts.entry(text.kind).or_default() += 1;
            let refused = phrases.refusals(&text).into_iter();
            let long = too_long(path, &text);
            found.extend(refused.chain(long).map(|reason| Violation {
                path: path.to_owned(),
                line: text.line,
                text: reason,
            }));
        }
    };
    for source in sources {
        add(&source.path, rust::texts(source)?);
    }
    for file in files.iter().filter(|it| is_prose(&it.path)) {
        add(&file.path, markdown::texts(&file.text));
    }
    let mut used = BTreeSet::new();
    found.retain(|it| {
        let covers = |except: &Exception| except.covers(&it.path, &it.text);
        let exception = exceptions.iter().position(covers);
        used.extend(exception);
        exception.is_none()
    });
    let mut violations: Vec<String> = found
        .iter()
        .map(|it| format!("{}:{}: {}", it.path, it.line, it.text))
        .collect();
    let unused = (0..exceptions.len()).filter(|at| !used.contains(at));
    violations.extend(unused.map(|at| {
        let Exception { path, text, .. } = &exceptions[at];
        format!("the exception for `{text}` in {path} has no use: remove it")
    }));
    Ok((counts, violations))
}

impl Exception {
    fn covers(&self, path: &str, text: &str) -> bool {
        let is_there = match self.path.ends_with('/') {
            true => path.starts_with(self.path),
            false => path == self.path,
        };
        is_there && text.contains(self.text)
    }
}

/// The sources whose language is checked: all but tests.
fn read_sources(files: &[SourceFile]) -> Vec<SourceText> {
    const BESIDE_PRODUCTION: [&str; 3] =
        ["xtask/src/", "crates/testkit/src/", "crates/samples/src/"];
    let is_tool = |path: &str| {
        let is_test = path.ends_with("/tests.rs") || path.contains("/tests/");
        BESIDE_PRODUCTION.iter().any(|it| path.starts_with(it)) && !is_test
    };
    files
        .iter()
        .filter(|it| it.path.ends_with(".rs"))
        .filter(|it| SourceText::is_production(&it.path) || is_tool(&it.path))
        .map(|it| SourceText::new(it.path.clone(), &it.text))
        .collect()
}

/// Returns whether a file is prose by Agon's authors, not a generated copy or test data.
fn is_prose(path: &str) -> bool {
    let is_text = path.ends_with(".md") || path.ends_with(".txt");
    let is_data = path.starts_with("plugins/")
        || path.starts_with("fuzz/")
        || path.starts_with("crates/testkit/")
        || path.contains("/tests/")
        || path.contains("/models/");
    is_text && !is_data
}

/// The compiled table.
struct Phrases {
    rows: Vec<(Regex, &'static str)>,
    is_no: Regex,
}

impl Phrases {
    fn new() -> Result<Self> {
        let rows = PHRASES
            .iter()
            .map(|it| Ok((Regex::new(it.pattern)?, it.instead)))
            .collect::<Result<_>>()?;
        let is_no = Regex::new(r"(\w+ )?\bis no (\w+)")?;
        Ok(Self { rows, is_no })
    }

    /// Returns the refused phrases in a text, with their replacements.
    fn refusals(&self, text: &Text) -> Vec<String> {
        let words = text.normalized();
        let rows = self.rows.iter().flat_map(|(pattern, instead)| {
            let found = pattern.find_iter(&words);
            found.map(move |it| format!("`{}`: {instead}", it.as_str()))
        });
        let is_no = self.is_no.captures_iter(&words).filter_map(|found| {
            let before = found.get(1).map_or("", |it| it.as_str().trim());
            let after = found.get(2).map_or("", |it| it.as_str());
            let is_plain = BEFORE_IS_NO.contains(&before) || AFTER_IS_NO.contains(&after);
            (!is_plain).then(|| format!("`is no {after}`: {IS_NO}"))
        });
        rows.chain(is_no).collect()
    }
}

/// The limit that a text exceeds.
fn too_long(path: &str, text: &Text) -> Option<String> {
    let is_doc = path.starts_with("docs/") || !path.contains('/');
    match text.kind {
        Kind::String if path.starts_with("crates/cli/src/args") => {
            let lines = text.words.lines();
            let columns = lines.map(|line| line.chars().count()).max()?;
            let is_wrapped_by_hand = text.words.contains('\n');
            (is_wrapped_by_hand && columns > MAX_HELP_COLUMNS)
                .then(|| format!("a line of help has {columns} columns, {MAX_HELP_COLUMNS} fit"))
        }
        Kind::Cell if is_doc => {
            // Possible values do not count: readers look them up instead of reading them all.
            let words = text.words.split("[possible values:").next()?;
            let prose = words.split('`').step_by(2);
            let words = prose.flat_map(str::split_whitespace);
            let words = words
                .filter(|it| it.starts_with(char::is_alphanumeric))
                .count();
            (words > MAX_CELL_WORDS)
                .then(|| format!("a table's cell has {words} words, {MAX_CELL_WORDS} fit"))
        }
        Kind::Prose if is_doc => {
            let sentences = markdown::sentences(text).into_iter();
            let words = |it: &String| it.split_whitespace().count();
            let longest = sentences.max_by_key(words)?;
            let count = words(&longest);
            let start: String = longest.chars().take(40).collect();
            (count > MAX_SENTENCE_WORDS).then(|| {
                format!("the sentence `{start}…` has {count} words, {MAX_SENTENCE_WORDS} fit")
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
