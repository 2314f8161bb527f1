//! Finds known paths in prose, whatever characters they contain.

use super::spelled_text::SpelledText;
use crate::known::{KnownPaths, PathStart, Tail};
use crate::normalize::is_spaced_script_word_char;

// The same as `MAX_BYTES` in `path.rs`, which leaves room for the folder that contains the project.
/// Maximum number of bytes before a known path that may belong to a longer path.
const MAX_PREFIX: usize = 300;
// Each position costs one hash of a folder, and a line of prose rarely names many absolute paths.
/// Maximum number of positions before a known path that are tried as the beginning of an absolute
/// path.
const MAX_ROOTS: usize = 6;

/// The source whose files prose may mention.
pub(crate) trait KnownFiles {
    /// Returns the name of the source.
    fn name(&self) -> &str;
    /// Returns the paths of the source.
    fn paths(&self) -> &KnownPaths;
    /// Returns whether this absolute folder is the source's own.
    fn is_root(&self, folder: &str) -> bool;
    /// Returns whether a path in prose refers to a file of the source.
    fn has(&self, path: &str) -> bool;
    /// Returns whether the source has a folder with this name, at any depth.
    fn has_folder(&self, name: &str) -> bool;
}

/// A known path that a text mentions.
#[derive(Debug)]
pub(super) struct PathMention {
    /// The path as the source spells it, after any folders that the text puts before it.
    pub(super) file: String,
    /// The byte range of the path in the text.
    pub(super) span: [usize; 2],
    /// The length of the part of `file` before the known path.
    prefix: usize,
    /// Whether the path is part of a page's address.
    pub(super) in_page: bool,
}

/// Returns the mentions of known paths in a text, in order and without overlaps.
///
/// Takes time linear in the length of the text, times at most the length of a path.
pub(super) fn find_mentions(text: &str, known: &impl KnownFiles) -> Vec<PathMention> {
    let mut found = Vec::new();
    for view in SpelledText::all(text) {
        find_in_spelling(&view, known, &mut found);
    }
    // If two spellings match at the same end, prefer the one with the longer known path.
    found.sort_by_key(|it: &PathMention| {
        let known = it.file.len() - it.prefix;
        (it.span[1], std::cmp::Reverse(known), it.prefix)
    });
    found.dedup_by_key(|it| it.span[1]);
    found.sort_by_key(|it: &PathMention| (it.span[0], std::cmp::Reverse(it.span[1])));
    let mut end = 0;
    found.retain(|it| {
        let is_free = it.span[0] >= end;
        if is_free {
            end = it.span[1];
        }
        is_free
    });
    found
}

fn find_in_spelling(view: &SpelledText, known: &impl KnownFiles, found: &mut Vec<PathMention>) {
    let folded = view.folded.as_bytes();
    let first = found.len();
    for end in 1..=folded.len() {
        let Some(at) = view.unfolded(end) else {
            continue;
        };
        if !path_can_end_at(&view.text, at) {
            continue;
        }
        let start_at = |start: usize| match view.unfolded(start) {
            Some(start) => start_at(&view.text, start),
            None => PathStart::InWord,
        };
        let Some(tail) = known.paths().longest_tail(folded, end, start_at) else {
            continue;
        };
        let Some(mention) = mention_from_tail(view, &tail, at, known) else {
            continue;
        };
        // A longer path ends later, so it replaces the shorter paths inside it.
        while found.len() > first && found.last().is_some_and(|it| it.span[0] >= mention.span[0]) {
            found.pop();
        }
        found.push(mention);
    }
}

fn mention_from_tail(
    view: &SpelledText,
    tail: &Tail,
    end: usize,
    known: &impl KnownFiles,
) -> Option<PathMention> {
    let start = view.unfolded(tail.start)?;
    let spelled = known.paths().spelling(tail, &view.text[start..end]);
    let (prefix, from) = match tail.begins {
        PathStart::InPath => read_path_prefix(&view.text, start, known),
        PathStart::Free | PathStart::InWord => (Prefix::Path(String::new()), start),
    };
    let (before, in_page) = match prefix {
        Prefix::Path(before) => (before, false),
        Prefix::Page => (String::new(), true),
    };
    Some(PathMention {
        prefix: before.len(),
        file: before + &spelled,
        span: [view.written(from), view.written(end)],
        in_page,
    })
}

/// The part of a path that precedes the known path.
enum Prefix {
    /// Folders before the known path.
    Path(String),
    /// The beginning of a page's address.
    Page,
}

/// Reads the text before the known path that begins at `start`. Also returns where the whole path
/// begins.
fn read_path_prefix(text: &str, start: usize, known: &impl KnownFiles) -> (Prefix, usize) {
    let from = path_run_start(text, start);
    let before = &text[from..start];
    if let Some(scheme) = text[..from].strip_suffix(':').map(trailing_scheme)
        && before.starts_with("//")
        && scheme.len() > 1
    {
        let at = from - 1 - scheme.len();
        if matches!(scheme, "http" | "https") {
            return (Prefix::Page, at);
        }
        return (Prefix::Path(uri_path(before)), at);
    }
    if let Some((drive, at)) = drive_before(text, from, before) {
        // In `vscode://file/C:/…`, the URL begins before the drive letter.
        let at = text[..at]
            .rfind("://")
            .filter(|it| at - it < 20)
            .map_or(at, |it| it - trailing_scheme(&text[..it]).len());
        return (Prefix::Path(format!("{drive}:{before}")), at);
    }
    if let Some(at) = find_root_before(text, from, start, known) {
        return (Prefix::Path(text[at..start].to_owned()), at);
    }
    let kept = if is_placeholder(before) { "" } else { before };
    (Prefix::Path(kept.to_owned()), from)
}

/// Returns where the run of path characters begins that ends at `end`; brackets count in pairs.
pub(super) fn path_run_start(text: &str, end: usize) -> usize {
    let mut open = Vec::new();
    let mut from = end;
    let lowest = end.saturating_sub(MAX_PREFIX);
    for (at, c) in text[..end].char_indices().rev() {
        let opening = match c {
            ']' => Some('['),
            ')' => Some('('),
            '}' => Some('{'),
            '>' => Some('<'),
            _ => None,
        };
        if at < lowest || c == '\n' {
            break;
        }
        if let Some(opening) = opening {
            // A bracket is part of a path only at the end of a folder; `](` is a link.
            if open.is_empty() && !text[at + 1..].starts_with('/') {
                break;
            }
            open.push(opening);
        } else if open.last() == Some(&c) {
            open.pop();
            from = at;
        } else if open.is_empty() {
            if !is_spaced_script_word_char(c) && !"./-+@~$%…".contains(c) {
                break;
            }
            from = at;
        }
    }
    // Do not include the mark of a list or a diff.
    let run = &text[from..end];
    let kept = run.trim_start_matches(['-', '+']);
    if kept.len() < run.len() && kept.starts_with(['/', '.']) || run.starts_with("- ") {
        end - kept.len()
    } else {
        from
    }
}

/// Returns the path in a URI such as `file://host/…`, without the host name.
fn uri_path(before: &str) -> String {
    let rest = before.trim_start_matches('/');
    let host_is_empty = before.starts_with("///");
    let path = match rest.split_once('/') {
        _ if host_is_empty => rest,
        Some((_, path)) => path,
        None => "",
    };
    // In `file:///C:/…`, the first folder is the drive.
    match path.as_bytes().get(1) {
        Some(b':') => path.to_owned(),
        _ => format!("/{path}"),
    }
}

fn trailing_scheme(text: &str) -> &str {
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let rest = text.trim_end_matches(is_scheme);
    &text[rest.len()..]
}

/// Returns the drive letter before `:/`, and its position.
fn drive_before(text: &str, from: usize, before: &str) -> Option<(char, usize)> {
    if !before.starts_with('/') {
        return None;
    }
    let rest = text[..from].strip_suffix(':')?;
    let drive = rest.chars().next_back().filter(char::is_ascii_alphabetic)?;
    let joined = rest[..rest.len() - 1].chars().next_back();
    // In `【F:/…`, the `F` is a citation mark and not a drive.
    (!joined.is_some_and(|c| c.is_alphanumeric() || c == '【')).then_some((drive, rest.len() - 1))
}

/// Returns where an absolute path begins that ends at `start` and is the source's own folder. It
/// may contain spaces.
fn find_root_before(
    text: &str,
    from: usize,
    start: usize,
    known: &impl KnownFiles,
) -> Option<usize> {
    let lowest = start.saturating_sub(MAX_PREFIX);
    let folder_end = start.checked_sub(1)?;
    let mut tries = 0;
    for (at, c) in text[..from].char_indices().rev() {
        if at < lowest || c == '\n' || tries == MAX_ROOTS {
            return None;
        }
        if c != '/' || start_at(text, at) != PathStart::Free {
            continue;
        }
        tries += 1;
        if known.is_root(&text[at..folder_end]) {
            return Some(at);
        }
    }
    None
}

/// Returns whether the text before a path is a placeholder for a folder: `@/`, `$lib/`, `<root>/`,
/// `${workspaceFolder}/`, `…/`.
fn is_placeholder(before: &str) -> bool {
    let Some(name) = before.strip_suffix('/') else {
        return false;
    };
    if name.contains('/') {
        return false;
    }
    matches!(name, "@" | "~" | "#" | "..." | "…") || name.starts_with(['$', '<', '{', '%'])
}

/// Returns whether a path can begin at this position.
fn start_at(text: &str, at: usize) -> PathStart {
    let before = text.get(..at).unwrap_or("");
    let mut before = before.chars().rev();
    let Some(c) = before.next() else {
        return PathStart::Free;
    };
    let is_apart = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || "`'\"([".contains(c));
    match c {
        '/' => PathStart::InPath,
        '.' | '%' => PathStart::InWord,
        '@' if before.clone().next().is_some_and(char::is_alphanumeric) => PathStart::InWord,
        '_' if is_apart(before.next()) => PathStart::Free,
        '\'' | '’' if before.next().is_some_and(char::is_alphanumeric) => PathStart::InWord,
        '-' | '+' if !is_apart(before.next()) => PathStart::InWord,
        c if c == '_' || is_spaced_script_word_char(c) => PathStart::InWord,
        _ => PathStart::Free,
    }
}

/// Returns whether a path can end at this position.
fn path_can_end_at(text: &str, at: usize) -> bool {
    let mut after = text.get(at..).unwrap_or("").chars();
    let Some(c) = after.next() else {
        return true;
    };
    let next = after.next();
    let goes_on = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    match c {
        '/' => false,
        '.' | '-' | '+' | '~' | '$' | '_' => !goes_on(next) && next != Some('/'),
        c => !is_spaced_script_word_char(c),
    }
}
