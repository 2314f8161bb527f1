//! Finds citations in prose.
//!
//! Takes time linear in the length of the text, whatever it is.

use agon_record::moves::Citation;

mod code;
mod commit;
mod lines;
mod page;
mod path;

pub(crate) use code::all_guesses as guesses;

// Four times what is looked up of one ground (`MOST` in `resolve/ground.rs`), as the same place may
// be named again and again.
/// Citations that are taken from one text.
const MOST: usize = 32;
// A reply has no more: a longer one is sent back. Held by `hostile_texts_take_little_time`.
/// Bytes of one text that are read.
const MAX_BYTES: usize = 64 << 10;

/// A citation found in prose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// The place; without words, since prose seldom says which words stand there.
    pub citation: Citation,
    /// Words near it that may be meant to stand there, the likeliest first.
    pub guesses: Vec<Guess>,
    /// Where in the text the place is named, in bytes.
    pub span: [usize; 2],
}

/// Words near a place that may be meant to stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The words.
    pub words: String,
    /// Whether they are a quotation, which must stand there, rather than a name, which may only
    /// be spoken of.
    pub quoted: bool,
}

/// The citations in a text, in its order; at most 32, of its first 64 KiB.
///
/// `knows` says whether a path is one of the source: it decides where a name alone is a file.
/// A path with lines, and one with a folder and a usual ending, counts without it.
///
/// ```
/// # use agon_evidence::extract_citations;
/// let found = extract_citations("See `src/retry.rs:41`, not 12:30 or std::fs.", |_| false);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].citation.file.as_deref(), Some("src/retry.rs"));
/// assert_eq!(found[0].citation.lines, Some([41, 41]));
/// ```
pub fn extract_citations(text: &str, knows: impl Fn(&str) -> bool) -> Vec<Extracted> {
    let text = truncate_to_max_bytes(text);
    let pages = page::find_pages(text);
    let commits = commit::find_commits(text);
    let spans = code::find_code_and_quotes(text);
    let mut found: Vec<Extracted> = Vec::new();
    for path in path::find_paths(text, &pages, &knows) {
        if found.len() == MOST {
            break;
        }
        let commit = path.commit.clone();
        let commit = commit.or_else(|| commit::commit_id_near_path(text, &commits, path.span));
        let citation = Citation {
            file: Some(path.file),
            lines: path.lines,
            commit,
            ..Citation::default()
        };
        found.push(Extracted {
            guesses: code::guesses_near_path(text, &spans, path.span),
            citation,
            span: path.span,
        });
    }
    if found.is_empty() {
        found.extend(commits.into_iter().take(MOST).map(|commit| Extracted {
            citation: Citation {
                commit: Some(commit.id),
                ..Citation::default()
            },
            guesses: Vec::new(),
            span: commit.span,
        }));
    }
    found.extend(pages.into_iter().map(|page| Extracted {
        citation: Citation {
            url: Some(page.url),
            ..Citation::default()
        },
        guesses: Vec::new(),
        span: page.span,
    }));
    found.sort_by_key(|it| it.span);
    found.dedup_by(|later, first| later.citation == first.citation);
    found.truncate(MOST);
    found
}

/// The beginning of a text, not cut within a character.
fn truncate_to_max_bytes(text: &str) -> &str {
    if text.len() <= MAX_BYTES {
        return text;
    }
    let ends = (0..=MAX_BYTES).rev();
    let end = ends.into_iter().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or(0)).unwrap_or("")
}

/// A pattern of this crate; one that does not parse matches nothing, which its tests would show.
fn compile_regex(text: &str) -> Option<regex::Regex> {
    regex::Regex::new(text).ok()
}

#[cfg(test)]
mod tests;
