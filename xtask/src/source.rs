//! A production source: its text without the tests in it.

use anyhow::Result;

use crate::files;

/// A source file of a crate.
pub(crate) struct SourceText {
    /// Its path from the workspace's root.
    pub(crate) path: String,
    /// Its text up to the module of tests, which stands last in a file.
    pub(crate) text: String,
}

impl SourceText {
    pub(crate) fn new(path: String, text: &str) -> Self {
        Self {
            path,
            text: without_tests(text),
        }
    }

    /// Whether a release is built from the file at `path`.
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

    pub(crate) fn crate_name(&self) -> &str {
        self.path.split('/').nth(1).unwrap_or_default()
    }

    pub(crate) fn lines(&self) -> std::str::Lines<'_> {
        self.text.lines()
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        self.text.contains(word)
    }

    pub(crate) fn count(&self, word: &str) -> usize {
        self.text.matches(word).count()
    }
}

/// The production sources of every crate, by path.
pub(crate) fn read_production() -> Result<Vec<SourceText>> {
    let files = files::read()?;
    let sources = files
        .into_iter()
        .filter(|it| SourceText::is_production(&it.path));
    Ok(sources
        .map(|it| SourceText::new(it.path, &it.text))
        .collect())
}

fn without_tests(text: &str) -> String {
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
