//! Finds mentions of known paths in prose, whatever characters they contain.

use super::spelled_text::SpelledText;
use crate::known::{KnownPaths, PathStart, Tail};
use crate::normalize::is_spaced_script_word_char;

// `MAX_BYTES` in `path.rs`, which leaves room for the folder that contains the project.
/// Bytes before a known path that may belong to a longer one.
const MAX_PREFIX: usize = 300;
// Each position costs one hash of a folder, and a line rarely names many absolute paths.
/// Positions before a known path at which an absolute path may begin.
const MAX_ROOTS: usize = 6;

/// What is known about a source whose files prose may mention.
pub(crate) trait KnownFiles {
    /// The name of the source.
    fn name(&self) -> &str;
    /// The paths of the source.
    fn paths(&self) -> &KnownPaths;
    /// Whether this absolute folder is the source's own.
    fn is_root(&self, folder: &str) -> bool;
    /// Whether a path in prose refers to a file of the source.
    fn has(&self, path: &str) -> bool;
    /// Whether the source has a folder of this name, at any depth.
    fn has_folder(&self, name: &str) -> bool;
}

/// A known path in a text.
#[derive(Debug)]
pub(super) struct PathMention {
    /// The path as the source spells it, with the text written before it.
    pub(super) file: String,
    /// Its byte range in the text.
    pub(super) span: [usize; 2],
    /// How much of `file` precedes the known path.
    prefix: usize,
    /// Whether it is part of a page's address, which extends to the end.
    pub(super) in_page: bool,
}

/// Returns the mentions of known paths in a text, in order and without overlaps.
///
/// Takes time linear in the length of the text, times at most the length of a path.
pub(super) fn find_mentions(text: &str, known: &impl KnownFiles) -> Vec<PathMention> {
    let mut found = Vec::new();
    for view in SpelledText::all(text) {
        find_in_view(&view, known, &mut found);
    }
    // Of two readings of one place, prefer the one with the longer known path.
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

fn find_in_view(view: &SpelledText, known: &impl KnownFiles, found: &mut Vec<PathMention>) {
    let folded = view.folded.as_bytes();
    let first = found.len();
    for end in 1..=folded.len() {
        let Some(at) = view.unfolded(end) else {
            continue;
        };
        if !can_end_at(&view.text, at) {
            continue;
        }
        let start_at = |start: usize| match view.unfolded(start) {
            Some(start) => start_at(&view.text, start),
            None => PathStart::InWord,
        };
        let Some(tail) = known.paths().longest_tail(folded, end, start_at) else {
            continue;
        };
        let Some(mention) = mention_of_tail(view, &tail, at, known) else {
            continue;
        };
        // A longer path ends later and replaces those that end within it.
        while found.len() > first && found.last().is_some_and(|it| it.span[0] >= mention.span[0]) {
            found.pop();
        }
        found.push(mention);
    }
}

fn mention_of_tail(
    view: &SpelledText,
    tail: &Tail,
    end: usize,
    known: &impl KnownFiles,
) -> Option<PathMention> {
    let start = view.unfolded(tail.start)?;
    let spelled = known.paths().spelling(tail, &view.text[start..end]);
    let (prefix, from) = match tail.begins {
        PathStart::InPath => path_before(&view.text, start, known),
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

/// The text directly before a known path, which is part of the path.
enum Prefix {
    /// The folders before it.
    Path(String),
    /// The address of a page.
    Page,
}

/// Reads the text before the known path that begins at `start`, and where the whole path begins.
fn path_before(text: &str, start: usize, known: &impl KnownFiles) -> (Prefix, usize) {
    let from = path_chars_before(text, start);
    let before = &text[from..start];
    if let Some(scheme) = text[..from].strip_suffix(':').map(last_word)
        && before.starts_with("//")
        && scheme.len() > 1
    {
        let at = from - 1 - scheme.len();
        if matches!(scheme, "http" | "https") {
            return (Prefix::Page, at);
        }
        return (Prefix::Path(path_of_uri(before)), at);
    }
    if let Some((drive, at)) = drive_before(text, from, before) {
        // `vscode://file/C:/…`: the drive is the first folder of the address.
        let at = text[..at]
            .rfind("://")
            .filter(|it| at - it < 20)
            .map_or(at, |it| it - last_word(&text[..it]).len());
        return (Prefix::Path(format!("{drive}:{before}")), at);
    }
    if let Some(at) = root_before(text, from, start, known) {
        return (Prefix::Path(text[at..start].to_owned()), at);
    }
    let kept = if is_placeholder(before) { "" } else { before };
    (Prefix::Path(kept.to_owned()), from)
}

/// Where the run of path characters that ends at `end` begins; brackets count in pairs.
pub(super) fn path_chars_before(text: &str, end: usize) -> usize {
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
            // A bracket counts only at the end of a folder: `](` is a link.
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
    // Marks of a list or a diff are not part of it.
    let run = &text[from..end];
    let kept = run.trim_start_matches(['-', '+']);
    if kept.len() < run.len() && kept.starts_with(['/', '.']) || run.starts_with("- ") {
        end - kept.len()
    } else {
        from
    }
}

/// The path in the address of a file that an editor opens, without the host name.
fn path_of_uri(before: &str) -> String {
    let rest = before.trim_start_matches('/');
    let host_is_empty = before.starts_with("///");
    let path = match rest.split_once('/') {
        _ if host_is_empty => rest,
        Some((_, path)) => path,
        None => "",
    };
    // `file:///C:/…` has the drive as its first folder.
    match path.as_bytes().get(1) {
        Some(b':') => path.to_owned(),
        _ => format!("/{path}"),
    }
}

fn last_word(text: &str) -> &str {
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let rest = text.trim_end_matches(is_scheme);
    &text[rest.len()..]
}

/// The drive letter before `:/`, and its position.
fn drive_before(text: &str, from: usize, before: &str) -> Option<(char, usize)> {
    if !before.starts_with('/') {
        return None;
    }
    let rest = text[..from].strip_suffix(':')?;
    let drive = rest.chars().next_back().filter(char::is_ascii_alphabetic)?;
    let joined = rest[..rest.len() - 1].chars().next_back();
    // `【F:/…` has a mark, not a drive.
    (!joined.is_some_and(|c| c.is_alphanumeric() || c == '【')).then_some((drive, rest.len() - 1))
}

/// Where the path of the source's own folder begins, if it ends at `start`; it may contain spaces.
fn root_before(text: &str, from: usize, start: usize, known: &impl KnownFiles) -> Option<usize> {
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

/// Whether the text before a path is a placeholder for a folder: `@/`, `$lib/`, `<root>/`,
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

/// How a path can begin at this position.
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

/// Whether a path can end at this position.
fn can_end_at(text: &str, at: usize) -> bool {
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
