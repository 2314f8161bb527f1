//! Parses cited and recorded paths lexically, without looking at the disk.

use std::path::{Component, Path};

/// A cited path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CitedPath {
    /// A path inside the source, with `/` between its parts.
    Inside(String),
    /// The root folder of the source.
    Root,
    /// A path that leads out of the source.
    Outside,
}

/// Parses a path in the form of any operating system, without looking at the disk.
///
/// `root` returns whether an absolute folder is the source's own. If so, the rest of the path is
/// one of the source.
pub(crate) fn parse_cited_path(text: &str, root: impl Fn(&str) -> bool) -> CitedPath {
    let text = normalize_path_text(text);
    let drive = has_drive(&text);
    if text.starts_with('/') {
        return parse_absolute(&text, root);
    }
    if text.starts_with('~') || drive || text.contains('\0') || text.contains("://") {
        return CitedPath::Outside;
    }
    parse_relative(&text)
}

/// Returns whether a cited path is absolute.
pub(crate) fn is_absolute(text: &str) -> bool {
    normalize_path_text(text).starts_with('/')
}

/// Removes the marks around a cited path.
fn normalize_path_text(text: &str) -> String {
    let text = text.trim().trim_matches(['`', '"', '\'', '<', '>']);
    let text = text.strip_prefix("file://").unwrap_or(text);
    // In `file:///C:/…`, the slash before the drive is not part of the path.
    let drive = text.strip_prefix('/').filter(|it| has_drive(it));
    drive.unwrap_or(text).replace('\\', "/")
}

fn has_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.get(1) == Some(&b':') && bytes.first().is_some_and(u8::is_ascii_alphabetic)
}

/// Returns whether a cited path is a Windows path, which has no meaning on other systems.
pub(crate) fn is_windows_path(text: &str) -> bool {
    let text = normalize_path_text(text);
    has_drive(&text) || text.starts_with("//")
}

/// A path that begins in a folder of another machine, such as a drive or a home folder.
pub(crate) struct Foreign {
    pub(crate) parts: Vec<String>,
    pub(crate) is_windows_path: bool,
    /// Whether the path begins with a single `/`, so that its root may be that of the project.
    pub(crate) is_rooted: bool,
}

/// Splits a path like `C:\repo\a.cs`, `/c/repo/a.cs`, `~/repo/a.cs` or `/src/a.cs` into its parts;
/// `None` for any other path.
pub(crate) fn parse_foreign_path(text: &str) -> Option<Foreign> {
    let text = normalize_path_text(text);
    let is_letter = |it: &str| it.len() == 1 && it.bytes().all(|b| b.is_ascii_alphabetic());
    let mut parts: Vec<&str> = text
        .split('/')
        .filter(|it| !matches!(*it, "" | "."))
        .collect();
    let first = *parts.first()?;
    if parts.contains(&"..") || text.contains("://") || parts.len() > MAX_FOLDERS {
        return None;
    }
    let is_rooted = text.starts_with('/') && !text.starts_with("//");
    let is_mounted = first == "mnt" && parts.get(1).is_some_and(|it| is_letter(it));
    let is_windows_path =
        has_drive(&text) || text.starts_with("//") || is_rooted && (is_letter(first) || is_mounted);
    if has_drive(&text) || first == "~" {
        parts.remove(0);
    } else if !text.starts_with('/') {
        return None;
    }
    Some(Foreign {
        parts: parts.into_iter().map(str::to_owned).collect(),
        is_windows_path,
        is_rooted,
    })
}

/// Removes the leading `../` of a path; `None` if it has none.
pub(crate) fn strip_parent_prefix(text: &str) -> Option<String> {
    let text = normalize_path_text(text);
    let mut rest = text.as_str();
    while let Some(after) = rest.strip_prefix("../").or(rest.strip_prefix("./")) {
        rest = after;
    }
    match parse_relative(rest) {
        CitedPath::Inside(path) if rest.len() < text.len() => Some(path),
        _ => None,
    }
}

// Chosen, not measured: each prefix of the path costs one hash. Projects are not this deep, but a
// path of 4,096 bytes could have 2,000 folders.
/// Maximum number of folders of a path that are compared.
const MAX_FOLDERS: usize = 64;

/// Converts an absolute path to one in the source; `root` returns whether a folder is the source's.
fn parse_absolute(text: &str, root: impl Fn(&str) -> bool) -> CitedPath {
    let CitedPath::Inside(whole) = parse_relative(text) else {
        return CitedPath::Outside;
    };
    let whole = format!("/{whole}");
    if whole.contains('\0') {
        return CitedPath::Outside;
    }
    if root(&whole) {
        return CitedPath::Root;
    }
    let ends = whole.match_indices('/').map(|(at, _)| at).skip(1);
    let mut ends = ends.take(MAX_FOLDERS);
    match ends.find(|end| root(&whole[..*end])) {
        Some(end) => CitedPath::Inside(whole[end + 1..].to_owned()),
        None => CitedPath::Outside,
    }
}

/// Returns the path to which the link at `at` leads, if it has this target.
pub(crate) fn resolve_link(at: &str, target: &str) -> CitedPath {
    if target.starts_with('/') {
        return CitedPath::Outside;
    }
    let folder = at.rsplit_once('/').map_or("", |(folder, _)| folder);
    parse_relative(&format!("{folder}/{target}"))
}

fn parse_relative(text: &str) -> CitedPath {
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return CitedPath::Outside;
                }
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        CitedPath::Root
    } else {
        CitedPath::Inside(parts.join("/"))
    }
}

/// Returns whether a path stays below the folder that it is joined to.
pub(crate) fn stays_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    !path.is_empty()
        && !path.contains('\0')
        && parts.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse_cited(text: &str) -> CitedPath {
        super::parse_cited_path(text, |folder| folder == "/srv/a/project")
    }

    fn is(path: &str) -> CitedPath {
        CitedPath::Inside(path.into())
    }

    #[test]
    fn a_path_is_read_in_the_ways_of_every_system() {
        for (text, expected) in [
            ("src/a.rs", is("src/a.rs")),
            ("./src//a.rs", is("src/a.rs")),
            ("src\\store\\a.rs", is("src/store/a.rs")),
            ("`src/a.rs`", is("src/a.rs")),
            ("src/../lib/a.rs", is("lib/a.rs")),
            (".", CitedPath::Root),
            ("src/..", CitedPath::Root),
            ("/srv/a/project/src/a.rs", is("src/a.rs")),
            ("file:///srv/a//project/./lib/../src/a.rs", is("src/a.rs")),
            ("/srv/a/project/", CitedPath::Root),
        ] {
            assert_eq!(parse_cited(text), expected, "{text}");
        }
    }

    #[test]
    fn what_leads_out_is_outside() {
        for text in [
            "/etc/passwd",
            "../a.rs",
            "src/../../a.rs",
            "C:\\a.rs",
            "c:/a.rs",
            "\\\\host\\a.rs",
            "~/.ssh/config",
            "file:///etc/passwd",
            "a\0b",
            "/srv/a/projects/src/a.rs",
            "/srv/a/project/../other/a.rs",
            "/srv/a/project/a\0b",
            "/../../..",
        ] {
            assert_eq!(parse_cited(text), CitedPath::Outside, "{text:?}");
        }
        assert_eq!(resolve_link("a/b/link", "../../x"), is("x"));
        assert_eq!(resolve_link("a/b/link", "../../../x"), CitedPath::Outside);
        assert_eq!(resolve_link("link", "/etc/passwd"), CitedPath::Outside);
    }

    proptest! {
        #[test]
        fn no_text_gives_a_path_that_climbs(text in "[a./\\\\~:]{0,24}") {
            if let CitedPath::Inside(path) = parse_cited(&text) {
                prop_assert!(!path.starts_with('/'));
                prop_assert!(path.split('/').all(|it| !matches!(it, "" | "." | "..")));
            }
        }
    }
}
