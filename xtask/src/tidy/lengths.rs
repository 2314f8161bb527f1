//! Limits the length of source files.

use crate::{files::SourceFile, source};

/// Maximum number of lines in a file, without its tests.
const MAX_LINES: usize = 600;

pub(super) fn violations(files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files
        .iter()
        .filter(|it| it.path.ends_with(".rs") && !is_test(&it.path))
    {
        let lines = source::without_tests(&file.text).lines().count();
        if lines > MAX_LINES {
            found.push(format!(
                "{} has {lines} lines without its tests; {MAX_LINES} are allowed",
                file.path
            ));
        }
    }
    found
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.split('/').any(|part| part == "tests")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::file;

    fn long(lines: usize) -> String {
        "// line\n".repeat(lines)
    }

    #[test]
    fn a_file_over_the_limit_is_a_violation() {
        let files = [file("src/a.rs", &long(600)), file("src/b.rs", &long(601))];
        assert_eq!(
            violations(&files),
            ["src/b.rs has 601 lines without its tests; 600 are allowed"]
        );
    }

    #[test]
    fn tests_are_not_counted() {
        let inside = format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", long(600), long(500));
        let files = [
            file("src/a.rs", &inside),
            file("tests/whole.rs", &long(900)),
            file("src/a/tests.rs", &long(900)),
        ];
        assert_eq!(violations(&files), Vec::<String>::new());
    }
}
