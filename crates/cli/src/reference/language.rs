//! How long the guides, sentences, paragraphs and cells of the pages that people write may be.

use std::fs;

use super::markdown::{LineKind, lines, paragraphs, without_code};
use super::{GENERATED, GUIDES, pages, root};

/// The most words of a guide, with its commands and their output.
const GUIDE_WORDS: usize = 1_500;
/// The most words of a sentence.
const SENTENCE_WORDS: usize = 30;
/// The most lines of a paragraph.
const PARAGRAPH_LINES: usize = 5;
/// The most words of a cell of a table.
const CELL_WORDS: usize = 15;
/// The most characters of a line outside of tables and blocks.
const LINE_CHARS: usize = 100;

/// A release gathers the entries of `changelog/` in it as they are.
const CHANGELOG: &str = "CHANGELOG.md";

/// The pages that people write.
fn written() -> Vec<(String, String)> {
    let is_generated = |name: &str| {
        let name = name.strip_prefix("docs/");
        name.is_some_and(|name| GENERATED.contains(&name))
    };
    let mut pages = pages();
    pages.retain(|(name, _)| !is_generated(name) && name != CHANGELOG);
    pages
}

/// The sentences of a paragraph.
fn sentences(text: &str) -> Vec<String> {
    let text = without_code(text);
    let mut found = vec![String::new()];
    for word in text.split_whitespace() {
        let last = found.last_mut().unwrap();
        last.push_str(word);
        last.push(' ');
        let bare = word.trim_end_matches(['*', ')', '"', '”']);
        if bare.ends_with(['.', ':', '?', '!']) {
            found.push(String::new());
        }
    }
    found
}

/// The entries of the changelog, which have a line each.
fn entries() -> Vec<(String, String)> {
    let mut entries = Vec::new();
    for file in fs::read_dir(root().join("changelog")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".md") && name != "README.md" {
            entries.push((
                format!("changelog/{name}"),
                fs::read_to_string(&path).unwrap(),
            ));
        }
    }
    entries.extend(pages().into_iter().filter(|(name, _)| name == CHANGELOG));
    entries
}

fn long_sentences(name: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, _, text) in paragraphs(text) {
        for sentence in sentences(&text) {
            let words = sentence.split_whitespace().count();
            if words > SENTENCE_WORDS {
                wrong.push(format!(
                    "{name}:{number}: a sentence of {words} words: {sentence}"
                ));
            }
        }
    }
    wrong
}

fn faults(name: &str, text: &str) -> Vec<String> {
    let mut wrong = long_sentences(name, text);
    for (number, count, _) in paragraphs(text) {
        if count > PARAGRAPH_LINES {
            wrong.push(format!("{name}:{number}: a paragraph of {count} lines"));
        }
    }
    let mut is_made = false;
    for line in lines(text) {
        // The table of variables in SECURITY.md is written by a test.
        is_made = match line.text {
            "<!-- environments: begin -->" => true,
            "<!-- environments: end -->" => false,
            _ => is_made,
        };
        match line.kind {
            LineKind::Row if !is_made => {
                let cells = without_code(line.text);
                let cells = cells.split('|').map(|cell| cell.split_whitespace().count());
                if let Some(words) = cells.max().filter(|&words| words > CELL_WORDS) {
                    wrong.push(format!("{name}:{}: a cell of {words} words", line.number));
                }
            }
            LineKind::Prose | LineKind::Entry if !is_made => {
                let chars = line.text.chars().count();
                if chars > LINE_CHARS {
                    wrong.push(format!(
                        "{name}:{}: a line of {chars} characters",
                        line.number
                    ));
                }
            }
            _ => {}
        }
    }
    wrong
}

#[test]
fn sentences_paragraphs_and_cells_are_short() {
    let wrong: Vec<_> = written()
        .iter()
        .flat_map(|(name, text)| faults(name, text))
        .chain(
            entries()
                .iter()
                .flat_map(|(name, text)| long_sentences(name, text)),
        )
        .collect();
    assert!(
        wrong.is_empty(),
        "{} places:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_guide_is_short() {
    for (name, text) in pages() {
        let is_guide = name
            .strip_prefix("docs/")
            .is_some_and(|name| GUIDES.contains(&name));
        let words = text.split_whitespace().count();
        assert!(
            !is_guide || words <= GUIDE_WORDS,
            "{name} has {words} words"
        );
    }
}

#[test]
fn what_is_too_long_is_found() {
    let long = "word ".repeat(31);
    assert_eq!(faults("here", &format!("{}.\n", "a ".repeat(31))).len(), 1);
    assert_eq!(faults("here", &"One line.\n".repeat(6)).len(), 1);
    assert_eq!(
        faults("here", &format!("| a | {} |\n", "b ".repeat(16))).len(),
        1
    );
    assert_eq!(faults("here", &format!("{}\n", long.trim_end())).len(), 2);
    assert_eq!(faults("here", &format!("```\n{long}\n```\n")).len(), 0);
    assert_eq!(
        faults("here", "A sentence. Another one: `agon list`.\n").len(),
        0
    );
}
