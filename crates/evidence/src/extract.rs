//! Finds citations in prose.
//!
//! Takes time linear in the length of the text.

use agon_record::moves::Citation;

use crate::known::KnownPaths;
use path::Path;
pub(crate) use project_owner::ProjectOwner;

mod claim;
mod code;
mod commit;
mod lines;
mod marked_names;
mod mention;
mod page;
mod path;
mod project_owner;
mod quote_block;
mod ranges;
mod span;
mod spelled_text;
mod table;

pub(crate) use commit::is_commit_id;
pub(crate) use mention::KnownFiles;
pub(crate) use path::starts_with_host_name;
use span::Span;

// Four times the places looked up for one ground (`MAX_PLACES` in `resolve/ground.rs`), because a
// text may name the same place several times.
/// Maximum number of citations taken from one text.
const MAX_CITATIONS: usize = 32;
// Agon rejects longer replies. Tested by `hostile_texts_take_little_time`.
/// Maximum number of bytes of a text that are searched.
const MAX_BYTES: usize = 64 << 10;

/// A citation found in prose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// The place. It has no words, because prose rarely says which words it quotes.
    pub citation: Citation,
    /// Nearby words that may be quoted from the place, the likeliest first.
    pub guesses: Vec<Guess>,
    /// The byte range that names the place.
    pub span: [usize; 2],
    /// The lines that are certain if the cited ones are ambiguous: the first line of `a.rs:10,20`,
    /// where 20 may be a column, or the first range of `a.rs:10 and 20`.
    pub(crate) certain_lines: Option<[u32; 2]>,
    /// All ranges of the list that contains these lines, as in `a.rs:8-9,55-60`; empty for a single
    /// range. Words quoted from the list may be in any of its ranges.
    pub(crate) list: Vec<[u32; 2]>,
    /// Whether the lines are approximate.
    pub(crate) is_approximate: bool,
    /// Whether the text says that the file belongs to another project.
    pub(crate) owner: ProjectOwner,
}

/// Words near a place that may be quoted from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The words.
    pub words: String,
    /// Whether the text says that the place contains these words. If not, they may be a mere name,
    /// or a quotation of another speaker.
    pub quoted: bool,
}

/// Returns the citations in a text, in order: at most 32, from its first 64 KiB.
///
/// The longest path of `known` at a place counts, whatever characters it contains. An unknown path
/// counts if it has line numbers, or a folder and a common extension.
///
/// ```
/// # use agon_evidence::{KnownPaths, extract_citations};
/// let known = KnownPaths::new(["app/[id]/page.tsx"]);
/// let found = extract_citations("See app/[id]/page.tsx:41, not 12:30 or std::fs.", &known);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].citation.file.as_deref(), Some("app/[id]/page.tsx"));
/// assert_eq!(found[0].citation.lines, Some([41, 41]));
/// ```
pub fn extract_citations(text: &str, known: &KnownPaths) -> Vec<Extracted> {
    extract_known(text, &OnlyPaths(known)).citations
}

struct OnlyPaths<'a>(&'a KnownPaths);

impl KnownFiles for OnlyPaths<'_> {
    fn paths(&self) -> &KnownPaths {
        self.0
    }

    fn is_root(&self, _: &str) -> bool {
        false
    }

    fn has(&self, path: &str) -> bool {
        self.0.has_full_path(path)
    }

    fn name(&self) -> &str {
        ""
    }

    fn has_folder(&self, name: &str) -> bool {
        self.0.has_folder(name)
    }
}

/// The citations and quotations found in prose.
#[derive(Debug)]
pub(crate) struct Prose {
    pub(crate) citations: Vec<Extracted>,
    /// Words that may be quoted from a place that another text names.
    pub(crate) guesses: Vec<Guess>,
}

/// Finds the citations and quotations in a text.
pub(crate) fn extract_known(text: &str, known: &impl KnownFiles) -> Prose {
    let text = truncate_to_max_bytes(text);
    let mut pages = page::find_pages(text);
    let commits = commit::find_commits(text);
    let mut spans = code::find_code_and_quotes(text);
    let (mut paths, names) = find_paths(text, &mut pages, &spans, known);
    // A file name in quotation marks is not a quotation, so drop it.
    code::drop_names(text, &mut spans, &names);
    claim::mark_claims(text, &mut spans, &merge_places(&paths, names));
    drop_paths_in_quotes(&mut paths, &spans);
    let mut found: Vec<Extracted> = Vec::new();
    for path in paths.into_iter().take(MAX_CITATIONS) {
        let commit = path.commit.clone();
        let commit = commit.or_else(|| commit::commit_id_near_path(text, &commits, path.span));
        let place = Extracted {
            guesses: code::guesses_near_path(text, &spans, path.span),
            citation: Citation {
                file: Some(path.file.clone()),
                commit,
                ..Citation::default()
            },
            span: path.span,
            certain_lines: None,
            list: Vec::new(),
            is_approximate: path.lines.as_ref().is_some_and(|it| it.is_approximate),
            owner: project_owner::find_project_owner(text, [path.name_start, path.span[1]], known),
        };
        found.extend(divide_by_ranges(place, &path));
    }
    let is_link = |commit: &commit::Commit| {
        let mut pages = pages.iter().map(|page| page.span);
        pages.any(|it| it[0] <= commit.span[0] && commit.span[1] <= it[1])
    };
    if found.is_empty() {
        let commits = commits.into_iter().filter(|it| !is_link(it));
        found.extend(commits.take(MAX_CITATIONS).map(|commit| Extracted {
            citation: Citation {
                commit: Some(commit.id),
                ..Citation::default()
            },
            guesses: Vec::new(),
            span: commit.span,
            certain_lines: None,
            list: Vec::new(),
            is_approximate: false,
            owner: ProjectOwner::Open,
        }));
    }
    found.extend(pages.into_iter().map(|page| Extracted {
        guesses: match page.has_known_path {
            true => code::guesses_near_path(text, &spans, page.span),
            false => Vec::new(),
        },
        citation: Citation {
            url: Some(page.url),
            ..Citation::default()
        },
        span: page.span,
        certain_lines: None,
        list: Vec::new(),
        is_approximate: false,
        owner: ProjectOwner::Open,
    }));
    found.sort_by_key(|it| it.span);
    found.dedup_by(|later, first| later.citation == first.citation);
    found.truncate(MAX_CITATIONS);
    Prose {
        citations: found,
        guesses: code::collect_guesses(spans),
    }
}

/// Makes one citation for each line range of its path; returns the place unchanged if there is
/// none.
fn divide_by_ranges(place: Extracted, path: &Path) -> Vec<Extracted> {
    let ranges = path.ranges();
    let is_ambiguous = path.lines.as_ref().is_some_and(|it| it.is_ambiguous);
    let Some(first) = ranges.first().copied() else {
        return vec![place];
    };
    let list = match ranges.len() {
        1 => Vec::new(),
        _ => ranges.clone(),
    };
    let certain = |at: usize| match (at, list.len()) {
        (0, 0) => Some([first[0]; 2]),
        (0, _) => None,
        _ => Some(first),
    };
    let places = ranges.iter().enumerate().map(|(at, lines)| Extracted {
        citation: Citation {
            lines: Some(*lines),
            ..place.citation.clone()
        },
        certain_lines: certain(at).filter(|_| is_ambiguous),
        list: list.clone(),
        ..place.clone()
    });
    places.collect()
}

/// Returns the byte ranges that name places, in order: the paths, and names outside of them.
fn merge_places(paths: &[Path], names: Vec<[usize; 2]>) -> Vec<[usize; 2]> {
    let mut places: Vec<[usize; 2]> = paths.iter().map(|path| path.span).collect();
    let apart = names.into_iter().filter(|name| {
        let at = paths.partition_point(|path| path.span[1] <= name[0]);
        paths.get(at).is_none_or(|path| name[1] <= path.span[0])
    });
    places.extend(apart);
    places.sort_unstable();
    places.dedup_by(|later, first| later[0] < first[1]);
    places
}

/// Finds the paths in a text, in order: the known ones, and everything else that looks like one.
///
/// Extends a page address to a known path in it. Also returns the byte ranges that name places.
fn find_paths(
    text: &str,
    pages: &mut [page::PageMention],
    spans: &[Span],
    known: &impl KnownFiles,
) -> (Vec<Path>, Vec<[usize; 2]>) {
    let mut paths: Vec<Path> = Vec::new();
    let mut taken: Vec<[usize; 2]> = Vec::new();
    // A known path that is the text of a link. It is kept until the link's target is read.
    let mut link: Option<Path> = None;
    let mut last_end = 0;
    for mention in mention::find_mentions(text, known) {
        if mention.in_page {
            page::widen(text, pages, mention.span);
        }
        let in_page = pages
            .iter()
            .any(|page| page.span[0] < mention.span[1] && mention.span[0] < page.span[1]);
        if in_page || mention.span[0] < last_end {
            if !in_page || link.is_none() {
                continue;
            }
            // The target of a link is more precise than its text, so drop the text.
            paths.retain(|path| Some(path.span) != link.as_ref().map(|it| it.span));
            link = None;
            continue;
        }
        let Some(mut path) = path::known_path(text, last_end, mention.file, mention.span) else {
            continue;
        };
        last_end = path.span[1];
        taken.push(path.span);
        if let Some(label) = link.take()
            && path.span[0] - label.span[1] <= LINK_GAP
        {
            paths.retain(|path| path.span != label.span);
            path.lines = path.lines.or(label.lines);
        }
        if is_link_text(text, path.span[1]) {
            link = Some(path.clone());
        }
        paths.push(path);
    }
    taken.extend(pages.iter().map(|page| page.span));
    taken.sort_unstable();
    let looks = path::NamedFiles {
        has_file: &|path| known.has(path),
        has_folder: &|name| known.has_folder(name),
    };
    let unknown = path::find_unknown_paths(text, &taken, &looks);
    paths.extend(unknown);
    paths.sort_by_key(|path| path.span);
    marked_names::extend_to_marks(text, spans, &mut paths, &looks);
    path::move_lines_to_next_path(text, &mut paths);
    table::assign_table_lines(text, &mut paths);
    path::widen_to_lines_before(&mut paths);
    taken.extend(paths.iter().map(|path| path.span));
    (paths, taken)
}

// The longest gap, `"](<` after a mark of emphasis or code, is shorter.
/// Maximum number of bytes between the text of a link and its target.
const LINK_GAP: usize = 8;

/// Returns whether the text of a link ends here.
fn is_link_text(text: &str, end: usize) -> bool {
    let rest = text[end..].trim_start_matches(['`', '*', '_', '"', ')']);
    rest.starts_with("](")
}

/// Drops paths without lines that are inside quoted code, if there are other paths: the code only
/// mentions them.
fn drop_paths_in_quotes(paths: &mut Vec<Path>, spans: &[Span]) {
    let is_in_quote = |path: &Path| {
        let at = spans.partition_point(|span| span.at[1] < path.span[1]);
        let span = spans.get(at);
        path.lines.is_none() && span.is_some_and(|it| it.quoted && it.at[0] <= path.span[0])
    };
    if !paths.iter().all(is_in_quote) {
        paths.retain(|path| !is_in_quote(path));
    }
}

/// Reads the line numbers at the beginning of a text, as in `#L10-L20`.
pub(crate) fn attached_lines(text: &str) -> Option<[u32; 2]> {
    lines::parse_attached_lines(text, 0).map(|it| it.lines)
}

/// Truncates a text to `MAX_BYTES`, at a character boundary.
fn truncate_to_max_bytes(text: &str) -> &str {
    if text.len() <= MAX_BYTES {
        return text;
    }
    let ends = (0..=MAX_BYTES).rev();
    let end = ends.into_iter().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or(0)).unwrap_or("")
}

/// Compiles a pattern of this crate. If it were invalid, it would match nothing, and a test would
/// fail.
fn compile_regex(text: &str) -> Option<regex::Regex> {
    regex::Regex::new(text).ok()
}

#[cfg(test)]
mod tests;
