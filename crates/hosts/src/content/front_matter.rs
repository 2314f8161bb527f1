//! The front matter of a file, and what stands below it.

/// A file in its two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DividedText<'a> {
    /// What stands between the two fences.
    pub(crate) front: &'a str,
    /// What stands below the second one.
    pub(crate) body: &'a str,
}

/// Why a file has no front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoFrontMatter {
    /// Its first line is something else.
    #[error("its first line is not `{0}`")]
    Begin(&'static str),
    /// The front matter goes on to the end of the file.
    #[error("its front matter is not closed by a line `{0}`")]
    End(&'static str),
}

/// Divides `text`, whose front matter stands between two lines that are `fence`.
pub(crate) fn divide<'a>(
    text: &'a str,
    fence: &'static str,
) -> Result<DividedText<'a>, NoFrontMatter> {
    let rest = strip_line(text, fence).ok_or(NoFrontMatter::Begin(fence))?;
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end_matches(['\n', '\r']) == fence {
            let body = rest.get(at + line.len()..).unwrap_or_default();
            let front = rest.get(..at).unwrap_or_default();
            return Ok(DividedText { front, body });
        }
        at += line.len();
    }
    Err(NoFrontMatter::End(fence))
}

/// What follows the first line, where that is `line`.
fn strip_line<'a>(text: &'a str, line: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(line)?;
    rest.strip_prefix("\r\n")
        .or_else(|| rest.strip_prefix('\n'))
}

/// `text` as a scalar that every reader of YAML takes for a string: those of JSON are.
pub(crate) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_stands_between_two_lines() {
        let divided = divide("---\na: 1\n---\n\nBody\n---\n", "---").unwrap();
        assert_eq!((divided.front, divided.body), ("a: 1\n", "\nBody\n---\n"));
        let divided = divide("---\r\na: 1\r\n---\r\nBody", "---").unwrap();
        assert_eq!((divided.front, divided.body), ("a: 1\r\n", "Body"));
        let divided = divide("---\n---", "---").unwrap();
        assert_eq!((divided.front, divided.body), ("", ""));
    }

    #[test]
    fn a_file_without_it_is_told_from_one_where_it_does_not_end() {
        assert_eq!(divide("", "---"), Err(NoFrontMatter::Begin("---")));
        assert_eq!(divide("\n---\n", "---"), Err(NoFrontMatter::Begin("---")));
        assert_eq!(
            divide("----\n---\n", "---"),
            Err(NoFrontMatter::Begin("---"))
        );
        assert_eq!(divide("---\na: 1\n", "---"), Err(NoFrontMatter::End("---")));
    }
}
