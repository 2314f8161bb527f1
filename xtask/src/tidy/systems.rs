//! Finds code for one system that `docs/systems.md` does not name.
//!
//! The page says of each such file what was run, and what was only compiled or read.

use crate::files::SourceFile;

/// The page that lists the files.
const PAGE: &str = "docs/systems.md";

/// Conditions on the system, as they are written in `cfg(…)` and `cfg!(…)`.
const CONDITIONS: &[&str] = &[
    "target_os = ",
    "target_env = ",
    "target_family = ",
    "agon_portable)",
    "cfg(unix)",
    "cfg(windows)",
    "cfg!(unix)",
    "cfg!(windows)",
];

/// The tool's own tests have conditions in texts, which are no code.
const EXCEPT: &[&str] = &["xtask/src/cycles/", "xtask/src/tidy/systems.rs"];

/// The files with a condition that the page leaves out, and the names on the page without one.
pub(super) fn violations(files: &[SourceFile]) -> Vec<String> {
    let page = files.iter().find(|file| file.path == PAGE);
    let page = page.map_or("", |page| page.text.as_str());
    let conditional: Vec<&str> = files
        .iter()
        .filter(|file| file.path.ends_with(".rs") && has_condition(&file.text))
        .map(|file| file.path.as_str())
        .filter(|path| !EXCEPT.iter().any(|except| path.starts_with(except)))
        .collect();
    let missing = conditional
        .iter()
        .filter(|path| !page.contains(&format!("`{path}`")))
        .map(|path| format!("{path} has code for one system: name it in {PAGE}"));
    let named = page.split('`').filter(|word| word.ends_with(".rs"));
    let gone = named
        .filter(|path| !conditional.contains(path))
        .map(|path| format!("{PAGE} names {path}, which has no code for one system"));
    missing.chain(gone).collect()
}

fn has_condition(text: &str) -> bool {
    CONDITIONS.iter().any(|condition| text.contains(condition))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::file;

    #[test]
    fn the_page_names_exactly_the_files_with_code_for_one_system() {
        let code = "#[cfg(target_os = \"linux\")]\nfn only() {}\n";
        let files = [
            file("crates/a/src/lib.rs", code),
            file("crates/b/src/lib.rs", "let is_mac = cfg!(unix);"),
            file("crates/c/src/lib.rs", "#[cfg(test)]\nmod tests;\n"),
            file(PAGE, "| `crates/a/src/lib.rs` | `crates/c/src/lib.rs` |"),
        ];
        assert_eq!(
            violations(&files),
            [
                "crates/b/src/lib.rs has code for one system: name it in docs/systems.md",
                "docs/systems.md names crates/c/src/lib.rs, which has no code for one system",
            ]
        );
    }
}
