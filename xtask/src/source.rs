//! A production source: its text without its tests.

use crate::files::SourceFile;

/// A source file of a crate.
pub(crate) struct SourceText {
    /// Its path from the workspace's root.
    pub(crate) path: String,
    /// Its text up to the module of tests, which must be the last item of a file.
    pub(crate) text: String,
}

impl SourceText {
    pub(crate) fn new(path: String, text: &str) -> Self {
        Self {
            path,
            text: without_tests(text),
        }
    }

    /// Returns whether the file at `path` is part of a release build.
    pub(crate) fn is_production(path: &str) -> bool {
        let is_source =
            path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs");
        let is_test = path.ends_with("/tests.rs")
            || path.ends_with("/fixture.rs")
            || path.contains("/tests/")
            || path.starts_with("crates/samples/")
            || path.starts_with("crates/testkit/");
        is_source && !is_test
    }

    /// Counts the lines that contain code, not only blanks or a comment.
    pub(crate) fn count_code_lines(&self) -> usize {
        let lines = self.text.lines().map(str::trim_start);
        lines
            .filter(|line| !line.is_empty() && !line.starts_with("//"))
            .count()
    }
}

/// The production sources among the files of the workspace.
pub(crate) fn production(files: &[SourceFile]) -> Vec<SourceText> {
    files
        .iter()
        .filter(|it| SourceText::is_production(&it.path))
        .map(|it| SourceText::new(it.path.clone(), &it.text))
        .collect()
}

/// The text up to the module of tests, which must be the last item of a file.
pub(crate) fn without_tests(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let ends = (0..lines.len()).find(|&at| {
        lines[at] == "#[cfg(test)]"
            && lines[at + 1..]
                .iter()
                .take(4)
                .any(|line| line.starts_with("mod tests {"))
    });
    let mut text = lines[..ends.unwrap_or(lines.len())].join("\n");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_of_tests_is_no_production() {
        let text = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n";
        assert_eq!(without_tests(text), "fn a() {}\n\n");
        assert_eq!(
            without_tests("#[cfg(test)]\nmod fixture;\n"),
            "#[cfg(test)]\nmod fixture;\n"
        );
    }

    #[test]
    fn tests_examples_samples_and_the_testkit_are_no_production() {
        for path in [
            "crates/a/tests/b.rs",
            "crates/a/src/b/tests.rs",
            "crates/a/src/tests/b.rs",
            "crates/a/examples/b.rs",
            "crates/samples/src/lib.rs",
            "crates/testkit/src/lib.rs",
            "xtask/src/main.rs",
            "crates/a/src/b.md",
        ] {
            assert!(!SourceText::is_production(path), "{path}");
        }
        assert!(SourceText::is_production("crates/a/src/b/c.rs"));
    }
}
