//! Which version of Agon made a document.

use serde_json::Value;

/// The verdict, whose version is that of every document without one: each shows what is in it.
const VERDICT: &str = "verdict.json";

/// The names and versions of a document that an earlier version of Agon wrote, as it is and as it
/// would be now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierEdition {
    /// Such as `agon.verdict/2`.
    pub then: String,
    /// Such as `agon.verdict/3`.
    pub now: String,
}

/// The edition of a folder's verdict if an earlier version of Agon wrote it.
///
/// `read` gives what stands in the folder under a name, `files` what would stand there now.
pub fn earlier_verdict<'a>(
    read: impl FnOnce(&str) -> Option<Vec<u8>>,
    files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
) -> Option<EarlierEdition> {
    let (path, now) = files.into_iter().find(|(path, _)| *path == VERDICT)?;
    earlier_edition(&read(path)?, now)
}

/// The editions of both documents if `then` is an earlier one of `now`.
pub fn earlier_edition(then: &[u8], now: &[u8]) -> Option<EarlierEdition> {
    let (then, now) = (document_schema(then)?, document_schema(now)?);
    let is_earlier = {
        let (name, version) = split_schema_version(&then)?;
        let (same_name, later) = split_schema_version(&now)?;
        name == same_name && version < later
    };
    is_earlier.then_some(EarlierEdition { then, now })
}

/// The two parts of a name such as `agon.verdict/2`.
fn split_schema_version(schema: &str) -> Option<(&str, u32)> {
    let (name, version) = schema.split_once('/')?;
    Some((name, version.parse().ok()?))
}

/// The name and version that a document begins with.
fn document_schema(document: &[u8]) -> Option<String> {
    let document: Value = serde_json::from_slice(document).ok()?;
    Some(document.get("schema")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_older_version_of_the_same_document_is_an_earlier_edition() {
        let edition = |then: &str, now: &str| {
            let document = |schema: &str| format!("{{\"schema\": \"{schema}\"}}").into_bytes();
            earlier_edition(&document(then), &document(now)).is_some()
        };
        assert!(edition("agon.verdict/2", "agon.verdict/10"));
        assert!(!edition("agon.verdict/2", "agon.verdict/2"));
        assert!(!edition("agon.verdict/3", "agon.verdict/2"));
        assert!(!edition("agon.graph/1", "agon.verdict/2"));
        assert!(!edition("agon.verdict/x", "agon.verdict/2"));
        assert_eq!(earlier_edition(b"# Verdict", b"# Another"), None);
    }
}
