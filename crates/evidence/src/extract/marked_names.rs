//! Extends file names to the marks around them, whatever characters the names contain.

use super::lines;
use super::path::{NamedFiles, Path, is_common_extension};
use super::span::Span;

/// Extends a path to the whole content of the marks around it, if that is only a file name and its
/// lines. In `` `src/no such.rs:3` ``, the file is not `such.rs`.
///
/// Applies only if the name begins with a known folder; anything else may be a command or a
/// sentence. `paths` must be in order, and stay so.
pub(super) fn extend_to_marks(
    text: &str,
    spans: &[Span],
    paths: &mut Vec<Path>,
    known: &NamedFiles<'_>,
) {
    for span in spans.iter().filter(|it| !it.is_block) {
        let Some((name, start, end)) = file_name_in_marks(text, span, known) else {
            continue;
        };
        let from = paths.partition_point(|path| path.span[1] <= start);
        let inside = paths.iter().skip(from);
        let inside = inside.take_while(|path| path.span[0] < span.at[1]).count();
        let attached = lines::parse_attached_lines(text, end);
        let is_attached = attached.is_some();
        let after = attached.or_else(|| lines::parse_lines_after(text, end));
        let lowest = from.checked_sub(1).and_then(|at| paths.get(at));
        let lowest = lowest.map_or(0, |it| it.span[1]);
        let stop = after.as_ref().map_or(end, |it| it.at);
        let lines = after.or_else(|| lines::parse_lines_before(text, lowest, start));
        let has_lines = lines.is_some();
        let whole = Path {
            file: name.replace("\\ ", " "),
            lines,
            commit: None,
            span: [start, stop],
            name_start: start,
            name_end: end,
        };
        match paths.get_mut(from).filter(|_| inside == 1) {
            Some(path) => {
                // If other words precede a known path inside the marks, it may be the argument of a
                // command.
                let is_part = path.span[0] > start && path.span[1] >= end;
                let is_known = path.file.contains('/') && (known.has_file)(&path.file);
                if is_part && !is_known && (is_attached || !(known.has_file)(&path.file)) {
                    *path = whole;
                }
            }
            None if inside == 0 && (has_lines || ends_in_bracket(name)) => {
                paths.insert(from, whole);
            }
            None => {}
        }
    }
}

/// Returns whether a bracket precedes a common extension, as in `docs/plan (old).md`, so that no
/// part of the name looks like a file name.
fn ends_in_bracket(name: &str) -> bool {
    let parts = name.rsplit_once('.');
    parts.is_some_and(|(stem, ending)| {
        stem.ends_with([')', ']', '}']) && is_common_extension(ending)
    })
}

/// Returns the file name inside the marks of a span, and its byte range.
fn file_name_in_marks<'t>(
    text: &'t str,
    span: &Span,
    known: &NamedFiles<'_>,
) -> Option<(&'t str, usize, usize)> {
    let whole = text.get(span.at[0]..span.at[1])?;
    let inner = whole.trim_matches(|c: char| "`\"“”„«»".contains(c));
    let start = span.at[0] + whole.find(inner)?;
    if inner.contains('\n') || !inner.contains(' ') {
        return None;
    }
    let (folder, _) = inner.split_once('/')?;
    if !(known.has_folder)(folder) {
        return None;
    }
    // The last dot begins the extension, after which only line numbers may follow.
    let (stem, rest) = inner.rsplit_once('.')?;
    let ending = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let end = start + stem.len() + 1 + ending;
    let stop = lines::parse_attached_lines(text, end).map_or(end, |it| it.at);
    let is_whole = (1..=8).contains(&ending) && stop >= start + inner.len();
    is_whole.then(|| (&text[start..end], start, end))
}
