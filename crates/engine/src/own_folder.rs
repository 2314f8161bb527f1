//! What a tool says of files names them from the project's root, whatever folder it ran in.
//!
//! A tool that reads in a working copy often names a file by its whole path. That folder is
//! another one for each seat and each run, so it is taken out of the reply before anything else
//! sees it: the record then has the same paths everywhere, and none of this machine.

use std::borrow::Cow;
use std::path::Path;

/// `text`, in which paths below `folder` begin there; the folder itself is `.`.
///
/// Paths are known as they are and as they stand in JSON. Takes O(length) time.
pub(crate) fn without_folder<'a>(text: &'a str, folder: &Path) -> Cow<'a, str> {
    let Some(folder) = folder.to_str().map(|folder| folder.trim_end_matches('/')) else {
        return Cow::Borrowed(text);
    };
    // The root of the disk would be in every path.
    if folder.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut spellings = vec![folder.to_owned(), in_json(folder), in_ascii(folder)];
    spellings.dedup();
    let mut text = Cow::Borrowed(text);
    for spelling in spellings {
        if text.contains(&spelling) {
            text = Cow::Owned(replaced(&text, &spelling));
        }
    }
    text
}

fn replaced(text: &str, folder: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(folder) {
        let (before, found) = rest.split_at(at);
        let (found, after) = found.split_at(folder.len());
        rest = after;
        let head = before.strip_suffix("file://").unwrap_or(before);
        let begins = !head.ends_with(is_in_path) || ESCAPES.iter().any(|it| head.ends_with(it));
        let Some((left, names_more)) = remainder(after).filter(|_| begins) else {
            out.push_str(before);
            out.push_str(found);
            continue;
        };
        out.push_str(head);
        if !names_more {
            out.push('.');
        }
        rest = left;
    }
    out.push_str(rest);
    out
}

/// What stands after the folder's name and the `/` behind it, and whether it names something in
/// the folder; none where the name goes on, so that another folder is meant.
fn remainder(after: &str) -> Option<(&str, bool)> {
    if let Some(left) = after.strip_prefix('/') {
        let left = left.trim_start_matches('/');
        return Some((left, names_more(left)));
    }
    // A stop may end a sentence.
    let bare = after.trim_start_matches('.');
    (!bare.starts_with(is_in_path)).then_some((after, false))
}

/// Whether a path goes on with `left`, which stands behind the folder.
fn names_more(left: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || "\"'`)]}>,;:\\".contains(c);
    // In a text of JSON, any letter may be written so.
    left.starts_with("\\u") || !(left.is_empty() || left.starts_with(ends))
}

/// How a text of JSON writes what is no letter, before a path.
const ESCAPES: [&str; 3] = ["\\n", "\\t", "\\r"];

fn is_in_path(c: char) -> bool {
    c.is_alphanumeric() || "_-./~@+".contains(c)
}

/// As it stands in a text of JSON.
fn in_json(folder: &str) -> String {
    folder.replace('\\', "\\\\").replace('"', "\\\"")
}

/// As it stands in a text of JSON that is all ASCII.
fn in_ascii(folder: &str) -> String {
    let mut out = String::new();
    for c in in_json(folder).chars() {
        if c.is_ascii() {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        without_folder(text, Path::new("/home/é/.cache/agon/s/pro/project")).into_owned()
    }

    #[test]
    fn a_path_below_the_folder_begins_there() {
        for (said, expected) in [
            (
                r#"{"file": "/home/é/.cache/agon/s/pro/project/src/a.rs"}"#,
                r#"{"file": "src/a.rs"}"#,
            ),
            (
                r#"{"file": "/home/\u00e9/.cache/agon/s/pro/project/src/a.rs"}"#,
                r#"{"file": "src/a.rs"}"#,
            ),
            (
                "see file:///home/é/.cache/agon/s/pro/project/src/a.rs:12.",
                "see src/a.rs:12.",
            ),
            (
                "`/home/é/.cache/agon/s/pro/project//src` and (/home/é/.cache/agon/s/pro/project/b.rs)",
                "`src` and (b.rs)",
            ),
            ("in /home/é/.cache/agon/s/pro/project.", "in .."),
            ("in \"/home/é/.cache/agon/s/pro/project/\"", "in \".\""),
            ("/home/é/.cache/agon/s/pro/project/.gitignore", ".gitignore"),
            (
                "/home/é/.cache/agon/s/pro/project/(app)/[id]/page.tsx",
                "(app)/[id]/page.tsx",
            ),
            (
                r#""/home/\u00e9/.cache/agon/s/pro/project/\u00e9.rs""#,
                r#""\u00e9.rs""#,
            ),
            (
                r#""in \"/home/é/.cache/agon/s/pro/project/\",\n/home/é/.cache/agon/s/pro/project/a.rs""#,
                r#""in \".\",\na.rs""#,
            ),
        ] {
            assert_eq!(told(said), expected, "{said}");
        }
    }

    #[test]
    fn another_folder_stays_as_it_is() {
        for said in [
            "/home/é/.cache/agon/s/pro/project-2/a.rs",
            "/home/é/.cache/agon/s/pro/project.old/a.rs",
            "/mnt/home/é/.cache/agon/s/pro/project/a.rs",
            "/home/é/.cache/agon/s/cha/project/a.rs",
            "src/a.rs",
        ] {
            assert_eq!(told(said), said);
        }
        assert_eq!(without_folder("/etc/passwd", Path::new("/")), "/etc/passwd");
    }
}
