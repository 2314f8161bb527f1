//! Refuses certain words in committed files: ignored tests, paths of one machine, registry hosts.

use crate::files::SourceFile;

/// Where a word is refused.
#[derive(Clone, Copy)]
enum Scope {
    Rust,
    /// In every file except cargo's lock file, which must name its registry.
    Everywhere,
}

/// Each word in pieces, so that this list does not match itself, and a replacement.
const FORBIDDEN: &[(&[&str], Scope, &str)] = &[
    (&["#[", "ignore"], Scope::Rust, "a test runs or it goes"),
    (
        &["#![", "allow("],
        Scope::Rust,
        "use `expect` with a reason",
    ),
    (
        &["crates", ".io"],
        Scope::Everywhere,
        "name no registry host",
    ),
    (
        &["npmjs", ".org"],
        Scope::Everywhere,
        "name no registry host",
    ),
    (
        &["npmjs", ".com"],
        Scope::Everywhere,
        "name no registry host",
    ),
    (
        &["pypi", ".org"],
        Scope::Everywhere,
        "name no registry host",
    ),
    (
        &["pythonhosted", ".org"],
        Scope::Everywhere,
        "name no registry host",
    ),
    (
        &["deb.debian", ".org"],
        Scope::Everywhere,
        "name no registry host",
    ),
];

/// Folders at the root of a machine; a path that starts there is specific to that machine.
const MACHINE_FOLDERS: &[&str] = &["work", "root", "home"];

pub(super) fn violations(files: &[SourceFile]) -> Vec<String> {
    let forbidden: Vec<(String, Scope, &str)> = FORBIDDEN
        .iter()
        .map(|(pieces, scope, instead)| (pieces.concat(), *scope, *instead))
        .collect();
    let mut found = Vec::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            let place = format!("{}:{}", file.path, number + 1);
            for (word, scope, instead) in &forbidden {
                if scope.covers(&file.path) && line.contains(word.as_str()) {
                    found.push(format!("{place} has `{word}`: {instead}"));
                }
            }
            for folder in MACHINE_FOLDERS {
                if has_machine_path(line, folder) {
                    found.push(format!(
                        "{place} has a path of one machine, under /{folder}"
                    ));
                }
            }
        }
    }
    found
}

impl Scope {
    fn covers(self, path: &str) -> bool {
        match self {
            Self::Rust => path.ends_with(".rs"),
            Self::Everywhere => !path.ends_with("Cargo.lock"),
        }
    }
}

/// Returns whether the line contains a path from the root through `folder`.
fn has_machine_path(line: &str, folder: &str) -> bool {
    let path = format!("/{folder}/");
    line.match_indices(&path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|c| c.is_whitespace() || "\"'`=(:<>,[/".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::file;

    #[test]
    fn each_forbidden_word_is_found_with_its_place() {
        for (pieces, scope, instead) in FORBIDDEN {
            let word = pieces.concat();
            let found = violations(&[file("src/a.rs", &format!("fn a() {{}}\n  {word}\n"))]);
            assert_eq!(found, [format!("src/a.rs:2 has `{word}`: {instead}")]);
            let elsewhere = violations(&[file("a.md", &word)]).len();
            assert_eq!(elsewhere, usize::from(matches!(scope, Scope::Everywhere)));
        }
    }

    #[test]
    fn the_lock_file_of_cargo_names_its_registry() {
        let line = [
            "source = \"registry+https://github.com/rust-lang/crates",
            ".io-index\"",
        ]
        .concat();
        assert_eq!(
            violations(&[file("Cargo.lock", &line)]),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_path_of_one_machine_is_found_however_it_is_quoted() {
        for folder in MACHINE_FOLDERS {
            for open in ["", " ", "\"", "`", "=", "(", "file://"] {
                let found = violations(&[file("a.md", &format!("{open}/{folder}/x"))]);
                assert_eq!(
                    found,
                    [format!("a.md:1 has a path of one machine, under /{folder}")]
                );
            }
        }
    }

    #[test]
    fn a_folder_of_that_name_inside_a_path_is_no_machine_path() {
        for folder in MACHINE_FOLDERS {
            let text = format!("src/{folder}/a.rs $HOME/{folder}/ https://example.com/{folder}/");
            assert_eq!(violations(&[file("a.md", &text)]), Vec::<String>::new());
        }
    }
}
