//! Checks that every link of a page leads to an existing file and heading.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::markdown::{anchors, links};
use super::{pages, root};

/// Returns the README pages of the crates, `content/` and `changelog/`.
fn crate_pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    let mut push = |name: String| {
        if let Ok(text) = fs::read_to_string(root().join(&name)) {
            pages.push((name, text));
        }
    };
    push("content/README.md".to_owned());
    push("changelog/README.md".to_owned());
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        push(format!("crates/{name}/README.md"));
    }
    pages
}

/// Describes the fault of a link; `None` for a good link and for URLs.
fn link_fault(page: &str, text: &str, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => PathBuf::from(page),
        path => resolve_dot_segments(&Path::new(page).parent().unwrap().join(path)),
    };
    let full = root().join(&target);
    if !full.exists() {
        return Some(format!("{link}: there is no {}", target.display()));
    }
    if anchor.is_empty() {
        return None;
    }
    let there = match path {
        "" => text.to_owned(),
        _ => fs::read_to_string(full).unwrap(),
    };
    let is_there = anchors(&there).iter().any(|it| it == anchor);
    (!is_there).then(|| format!("{link}: there is no such heading"))
}

fn resolve_dot_segments(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, text) in pages().into_iter().chain(crate_pages()) {
        for (number, link) in links(&text) {
            count += 1;
            let fault = link_fault(&name, &text, &link);
            wrong.extend(fault.map(|it| format!("{name}:{number}: {it}")));
        }
    }
    assert!(count > 100, "{count} links were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_page_of_the_documentation_is_listed() {
    // A reader of the folder and one of the book (`mdbook build`) find the same pages.
    for list in ["README.md", "SUMMARY.md"] {
        let text = fs::read_to_string(root().join("docs").join(list)).unwrap();
        for (name, _) in pages() {
            let page = name.strip_prefix("docs/");
            if let Some(page) = page.filter(|page| !["README.md", "SUMMARY.md"].contains(page)) {
                let count = text.matches(&format!("]({page})")).count();
                assert_eq!(count, 1, "{page} in docs/{list}");
            }
        }
    }
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let text = "# Here\n";
    assert_eq!(link_fault("docs/words.md", text, "#here"), None);
    assert_eq!(link_fault("docs/words.md", text, "../README.md"), None);
    assert_eq!(
        link_fault("docs/words.md", text, "https://example.com/#x"),
        None
    );
    assert!(link_fault("docs/words.md", text, "#there").is_some());
    assert!(link_fault("docs/words.md", text, "none.md").is_some());
    assert!(link_fault("docs/words.md", text, "words.md#none").is_some());
}
