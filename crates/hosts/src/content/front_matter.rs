//! Divides a file into its front matter and its body.

/// A file divided into its two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DividedText<'a> {
    /// The text between the two fences.
    pub(crate) front: &'a str,
    /// The text below the second fence.
    pub(crate) body: &'a str,
}

/// Why a file has no front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoFrontMatter {
    /// The first line is not the fence.
    #[error("its first line is not `{0}`")]
    Begin(&'static str),
    /// The closing fence is missing.
    #[error("its front matter is not closed by a line `{0}`")]
    End(&'static str),
}

/// Divides `text` at its two `fence` lines.
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

/// Returns the text after the first line if that is `line`.
fn strip_line<'a>(text: &'a str, line: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(line)?;
    rest.strip_prefix("\r\n")
        .or_else(|| rest.strip_prefix('\n'))
}

/// Returns `text` as a JSON string, which every YAML reader takes for a string.
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
