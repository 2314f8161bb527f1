//! Limits the length of guides, and of paragraphs and lines in handwritten pages. `cargo xtask words`
//! limits sentences and table cells.

use super::markdown::{LineKind, lines, paragraphs};
use super::{GENERATED, GUIDES, pages};

/// The maximum number of words in a guide, including its commands and their output.
const GUIDE_WORDS: usize = 1_500;
/// The maximum number of lines in a paragraph.
const PARAGRAPH_LINES: usize = 5;
/// The maximum length of a line outside tables and code blocks, in characters.
const LINE_CHARS: usize = 100;

/// Not checked, because a release copies the entries of `changelog/` into it unchanged.
const CHANGELOG: &str = "CHANGELOG.md";

/// Returns the handwritten pages, without the changelog.
fn handwritten_pages() -> Vec<(String, String)> {
    let is_generated = |name: &str| {
        let name = name.strip_prefix("docs/");
        name.is_some_and(|name| GENERATED.contains(&name))
    };
    let mut pages = pages();
    pages.retain(|(name, _)| !is_generated(name) && name != CHANGELOG);
    pages
}

fn length_faults(name: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, count, _) in paragraphs(text) {
        if count > PARAGRAPH_LINES {
            wrong.push(format!("{name}:{number}: a paragraph of {count} lines"));
        }
    }
    let mut is_made = false;
    for line in lines(text) {
        // Skip the table of variables in SECURITY.md, which a test generates.
        is_made = match line.text {
            "<!-- environments: begin -->" => true,
            "<!-- environments: end -->" => false,
            _ => is_made,
        };
        match line.kind {
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
fn paragraphs_and_lines_are_short() {
    let pages = handwritten_pages();
    let wrong: Vec<_> = pages
        .iter()
        .flat_map(|(name, text)| length_faults(name, text))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
fn long_paragraphs_and_lines_are_found() {
    let long = "word ".repeat(21);
    assert_eq!(length_faults("here", &"One line.\n".repeat(6)).len(), 1);
    assert_eq!(
        length_faults("here", &format!("{}\n", long.trim_end())).len(),
        1
    );
    assert_eq!(
        length_faults("here", &format!("```\n{long}\n```\n")).len(),
        0
    );
    assert_eq!(
        length_faults("here", "A sentence. Another one: `agon list`.\n").len(),
        0
    );
}
