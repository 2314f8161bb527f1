//! How long a source file may be.

use crate::files::SourceFile;

/// The lines a file may have, its tests not counted. Split at 600; this is the wall.
const MOST_LINES: usize = 800;

/// Files over the limit, with the lines they have. This list may only shrink.
pub(super) const EXCEPTIONS: &[(&str, usize)] = &[];

pub(super) fn violations(files: &[SourceFile], exceptions: &[(&str, usize)]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files
        .iter()
        .filter(|it| it.path.ends_with(".rs") && !is_test(&it.path))
    {
        let lines = lines_without_tests(&file.text);
        let exception = exceptions.iter().find(|(path, _)| *path == file.path);
        let most = exception.map_or(MOST_LINES, |(_, lines)| *lines);
        if lines > most {
            found.push(format!(
                "{} has {lines} lines without its tests, {most} are allowed",
                file.path
            ));
        }
    }
    for (path, allowed) in exceptions {
        let lines = files
            .iter()
            .find(|it| it.path == *path)
            .map_or(0, |it| lines_without_tests(&it.text));
        if lines <= MOST_LINES {
            found.push(format!(
                "{path} needs no exception any more: take it off the list"
            ));
        } else if lines < *allowed {
            found.push(format!(
                "{path} has shrunk to {lines} lines: lower its exception"
            ));
        }
    }
    found
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.split('/').any(|part| part == "tests")
}

/// Counts the lines up to the module of tests, which stands last in a file.
fn lines_without_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let starts_tests = |at: usize| {
        lines[at].trim() == "#[cfg(test)]"
            && lines[at..]
                .iter()
                .skip(1)
                .take(4)
                .any(|line| line.trim().starts_with("mod tests {"))
    };
    (0..lines.len())
        .find(|at| starts_tests(*at))
        .unwrap_or(lines.len())
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
        let files = [file("src/a.rs", &long(800)), file("src/b.rs", &long(801))];
        assert_eq!(
            violations(&files, &[]),
            ["src/b.rs has 801 lines without its tests, 800 are allowed"]
        );
    }

    #[test]
    fn tests_are_not_counted() {
        let inside = format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", long(800), long(500));
        let files = [
            file("src/a.rs", &inside),
            file("tests/whole.rs", &long(900)),
            file("src/a/tests.rs", &long(900)),
        ];
        assert_eq!(violations(&files, &[]), Vec::<String>::new());
    }

    #[test]
    fn an_exception_holds_for_exactly_its_lines() {
        let files = [file("src/a.rs", &long(900))];
        assert_eq!(
            violations(&files, &[("src/a.rs", 900)]),
            Vec::<String>::new()
        );
        assert_eq!(
            violations(&files, &[("src/a.rs", 899)]),
            ["src/a.rs has 900 lines without its tests, 899 are allowed"]
        );
        assert_eq!(
            violations(&files, &[("src/a.rs", 901)]),
            ["src/a.rs has shrunk to 900 lines: lower its exception"]
        );
    }

    #[test]
    fn an_exception_that_nothing_needs_is_a_violation() {
        assert_eq!(
            violations(
                &[file("src/a.rs", &long(10))],
                &[("src/a.rs", 900), ("src/gone.rs", 900)]
            ),
            [
                "src/a.rs needs no exception any more: take it off the list",
                "src/gone.rs needs no exception any more: take it off the list",
            ]
        );
    }
}
