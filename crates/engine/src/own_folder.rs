//! Makes paths in a tool's reply relative to the project, whatever folder the tool ran in.
//!
//! A tool that reads in a working copy often uses absolute paths. That folder differs for each seat
//! and each run, so it is removed from the reply before anything else processes it. The record then
//! contains the same paths everywhere, and none of this machine.

use std::borrow::Cow;
use std::path::Path;

use agon_proc::PrivatePlaces;

/// Makes paths below `folder` in `text` relative to it; the folder itself becomes `.`.
///
/// Finds paths as they are and as escaped in JSON. Takes O(length) time.
pub(crate) fn strip_folder_paths<'a>(text: &'a str, folder: &Path) -> Cow<'a, str> {
    strip_folder_spellings(Cow::Borrowed(text), folder, |_| 0)
}

/// Makes paths in `text` below a private folder relative to that folder, and other paths in a place
/// of private folders relative to that place.
///
/// A tool without a context still runs in a folder below the user's cache, whose path may contain
/// the user's name. Takes O(length) time.
pub(crate) fn strip_private_paths<'a>(text: &'a str, places: &PrivatePlaces) -> Cow<'a, str> {
    let spellings = places.paths_and_real_paths();
    let text = Cow::Borrowed(text);
    spellings.iter().fold(text, |text, place| {
        strip_folder_spellings(text, place, private_folder_len)
    })
}

/// Returns the length of the part after a private place that belongs to the tool's folder.
fn private_folder_len(after: &str) -> usize {
    let is_of_name = |c: char| c.is_ascii_hexdigit() || c == '-';
    let Some(left) = SLASHES.iter().find_map(|it| after.strip_prefix(it)) else {
        return 0;
    };
    let inner = left.trim_start_matches(is_of_name);
    if !PrivatePlaces::is_folder_name(&left[..left.len() - inner.len()]) {
        return 0;
    }
    // Subfolders of the tool's folder: the project that it reads, and its temporary files.
    let ends =
        |left: &str| left.is_empty() || !left.starts_with(|c: char| c != '/' && is_path_char(c));
    let below = SLASHES.iter().find_map(|it| inner.strip_prefix(it));
    let deeper = below.and_then(|below| {
        let mut known = ["empty", "tmp"].iter();
        known.find_map(|it| below.strip_prefix(it).filter(|left| ends(left)))
    });
    after.len() - deeper.unwrap_or(inner).len()
}

/// Removes every spelling of `folder` from `text`. `more` returns how many bytes after the folder's
/// path belong to it too.
fn strip_folder_spellings<'a>(
    text: Cow<'a, str>,
    folder: &Path,
    more: fn(&str) -> usize,
) -> Cow<'a, str> {
    let Some(folder) = folder.to_str().map(|folder| folder.trim_end_matches('/')) else {
        return text;
    };
    // The root directory is a prefix of every path, so removing it would break other paths.
    if folder.is_empty() {
        return text;
    }
    let mut text = text;
    for spelling in path_spellings(folder) {
        if text.contains(&spelling) {
            text = Cow::Owned(strip_folder(&text, &spelling, more));
        }
    }
    text
}

/// Returns a path in all its spellings: plain and escaped in JSON.
fn path_spellings(folder: &str) -> Vec<String> {
    let json = escape_json(folder);
    let lower = escape_non_ascii(&json, |unit| format!("\\u{unit:04x}"));
    let upper = escape_non_ascii(&json, |unit| format!("\\u{unit:04X}"));
    let mut all: Vec<String> = Vec::new();
    for spelling in [folder.to_owned(), json, lower, upper] {
        for spelling in [spelling.replace('/', "\\/"), spelling] {
            if !all.contains(&spelling) {
                all.push(spelling);
            }
        }
    }
    all
}

fn strip_folder(text: &str, folder: &str, more: fn(&str) -> usize) -> String {
    let mut out = String::with_capacity(text.len());
    // The number of bytes of `text` that are already processed.
    let mut done = 0;
    for (at, found) in text.match_indices(folder) {
        // Skip a match that overlaps the previous one.
        if at < done {
            continue;
        }
        let before = &text[..at];
        let head = SCHEMES.iter().find_map(|it| before.strip_suffix(it));
        let head = head.unwrap_or(before);
        let begins = !head.ends_with(is_path_char) || ESCAPES.iter().any(|it| head.ends_with(it));
        let after = &text[at + found.len()..];
        let Some((left, names_more)) = rest_after_folder(&after[more(after)..]).filter(|_| begins)
        else {
            continue;
        };
        out.push_str(text.get(done..head.len()).unwrap_or(""));
        if !names_more {
            out.push('.');
        }
        done = text.len() - left.len();
    }
    out.push_str(&text[done..]);
    out
}

/// Returns the part after the folder's name and the following `/`, and whether it names something
/// in the folder. Returns `None` if the name continues, since that is another folder.
fn rest_after_folder(after: &str) -> Option<(&str, bool)> {
    let mut left = after;
    while let Some(next) = SLASHES.iter().find_map(|it| left.strip_prefix(it)) {
        left = next;
    }
    if left.len() < after.len() {
        return Some((left, continues_path(left)));
    }
    // Ignore full stops, because they may end a sentence.
    let bare = after.trim_start_matches('.');
    (!bare.starts_with(is_path_char)).then_some((after, false))
}

/// Returns whether a path continues with `left`, the part after the folder.
fn continues_path(left: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || "\"'`)]}>,;:\\".contains(c);
    // In JSON, `\u` can encode any character, so the path may continue there.
    left.starts_with("\\u") || !(left.is_empty() || left.starts_with(ends))
}

/// JSON escapes of whitespace, which may precede a path.
const ESCAPES: [&str; 3] = ["\\n", "\\t", "\\r"];
/// Separators between the parts of a path, plain and escaped in JSON.
const SLASHES: [&str; 2] = ["/", "\\/"];
/// The beginnings of a file URL.
const SCHEMES: [&str; 2] = ["file://", "file:\\/\\/"];

fn is_path_char(c: char) -> bool {
    c.is_alphanumeric() || "_-./~@+".contains(c)
}

/// Escapes a path as in JSON.
fn escape_json(folder: &str) -> String {
    folder.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Escapes a path as in ASCII-only JSON.
fn escape_non_ascii(json: &str, escape: impl Fn(u16) -> String) -> String {
    let mut out = String::new();
    for c in json.chars() {
        if c.is_ascii() {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&escape(*unit));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        strip_folder_paths(text, Path::new("/srv/é/.cache/agon/s/pro/project")).into_owned()
    }

    #[test]
    fn a_path_below_the_folder_begins_there() {
        for (said, expected) in [
            (
                r#"{"file": "/srv/é/.cache/agon/s/pro/project/src/a.rs"}"#,
                r#"{"file": "src/a.rs"}"#,
            ),
            (
                r#"{"file": "/srv/\u00e9/.cache/agon/s/pro/project/src/a.rs"}"#,
                r#"{"file": "src/a.rs"}"#,
            ),
            (
                "see file:///srv/é/.cache/agon/s/pro/project/src/a.rs:12.",
                "see src/a.rs:12.",
            ),
            (
                "`/srv/é/.cache/agon/s/pro/project//src` and (/srv/é/.cache/agon/s/pro/project/b.rs)",
                "`src` and (b.rs)",
            ),
            (
                r#"{"file": "\/srv\/\u00E9\/.cache\/agon\/s\/pro\/project\/src\/a.rs"}"#,
                r#"{"file": "src\/a.rs"}"#,
            ),
            (
                r#""file:\/\/\/srv\/\u00e9\/.cache\/agon\/s\/pro\/project\/""#,
                r#"".""#,
            ),
            ("in /srv/é/.cache/agon/s/pro/project.", "in .."),
            ("in \"/srv/é/.cache/agon/s/pro/project/\"", "in \".\""),
            ("/srv/é/.cache/agon/s/pro/project/.gitignore", ".gitignore"),
            (
                "/srv/é/.cache/agon/s/pro/project/(app)/[id]/page.tsx",
                "(app)/[id]/page.tsx",
            ),
            (
                r#""/srv/\u00e9/.cache/agon/s/pro/project/\u00e9.rs""#,
                r#""\u00e9.rs""#,
            ),
            (
                r#""in \"/srv/é/.cache/agon/s/pro/project/\",\n/srv/é/.cache/agon/s/pro/project/a.rs""#,
                r#""in \".\",\na.rs""#,
            ),
        ] {
            assert_eq!(told(said), expected, "{said}");
        }
    }

    #[test]
    fn another_folder_stays_as_it_is() {
        for said in [
            "/srv/é/.cache/agon/s/pro/project-2/a.rs",
            "/srv/é/.cache/agon/s/pro/project.old/a.rs",
            "/mnt/srv/é/.cache/agon/s/pro/project/a.rs",
            "/mnt/srv/é/.cache/agon/s/pro/project/srv/é/.cache/agon/s/pro/project/a.rs",
            r"\/mnt\/srv\/é\/.cache\/agon\/s\/pro\/project\/a.rs",
            "/srv/é/.cache/agon/s/cha/project/a.rs",
            "src/a.rs",
        ] {
            assert_eq!(told(said), said);
        }
        assert_eq!(
            strip_folder_paths("/etc/passwd", Path::new("/")),
            "/etc/passwd"
        );
    }

    #[test]
    fn a_folder_that_a_tool_ran_in_is_in_no_text() {
        let places = PrivatePlaces::new(
            Some(Path::new("/srv/ann lee/.cache")),
            Path::new("/nowhere/tmp"),
        );
        let mine = "/srv/ann lee/.cache/agon/private/42-7-0a1b2c3d-00ff00ff";
        let temp = places.paths()[1].display().to_string();
        for (said, expected) in [
            (
                format!("I looked in {mine}/empty, it is empty."),
                "I looked in ., it is empty.",
            ),
            (format!("{mine}/empty/a.rs and {mine}/tmp/b"), "a.rs and b"),
            (format!("{mine}/usage.json"), "usage.json"),
            (format!("{mine}/emptyish/a"), "emptyish/a"),
            (
                format!(
                    r#"{{"file": "{}"}}"#,
                    format!("{mine}/empty/a.rs").replace('/', r"\/")
                ),
                r#"{"file": "a.rs"}"#,
            ),
            (format!("(`{temp}/42-7-0a1b2c3d-00ff00ff/empty/`)"), "(`.`)"),
            (
                "in /srv/ann lee/.cache/agon/private/other and /srv/ann lee/.cache/agon/private"
                    .to_owned(),
                "in other and .",
            ),
            (
                "/srv/ann lee/.cache/agon/privately".to_owned(),
                "/srv/ann lee/.cache/agon/privately",
            ),
        ] {
            assert_eq!(strip_private_paths(&said, &places), expected, "{said}");
        }
    }
}
