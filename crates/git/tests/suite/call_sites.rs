//! Checks that git is started in only one place.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns every source file that is shipped.
fn shipped(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            if !matches!(
                name.as_str(),
                "tests" | "examples" | "benches" | "target" | "testkit"
            ) {
                shipped(&path, found);
            }
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

#[test]
fn no_other_crate_starts_git() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    shipped(crates, &mut files);
    assert!(files.len() > 300, "{}", files.len());
    let mut sites = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // Code after a file's tests is not shipped.
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for start in [
            "find_program(\"git\"",
            "Command::new(\"git\"",
            "\"/usr/bin/git\"",
        ] {
            if text.contains(start) {
                sites.push(file.strip_prefix(crates).unwrap().to_owned());
            }
        }
    }
    assert_eq!(sites, [Path::new("git/src/run.rs")]);
}

#[test]
fn nothing_else_opens_or_looks_for_a_repository() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    shipped(crates, &mut files);
    let opens = |text: &str| {
        [
            "gix::discover",
            "::discover_opts(",
            "gix::open(",
            "::open_opts(",
        ]
        .iter()
        .any(|word| text.contains(word))
    };
    let mut sites: Vec<_> = files
        .iter()
        .filter(|file| opens(&fs::read_to_string(file).unwrap()))
        .map(|file| file.strip_prefix(crates).unwrap())
        .collect();
    sites.sort();
    // It opens what `Repository::discover` found and checked.
    assert_eq!(sites, [Path::new("evidence/src/source/git.rs")]);
}
