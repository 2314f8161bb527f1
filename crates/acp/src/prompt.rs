//! What a prompt says, and the files that it names.

use std::path::{Path, PathBuf};

use agent_client_protocol::v1::schema::{ContentBlock, EmbeddedResourceResource};
use agon_app::request::CONTEXT_SEPARATOR;

/// A prompt, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PromptParts {
    /// Its words; a file that is mentioned among them by its name.
    pub(crate) text: String,
    /// What both sides are to read, as a request names it; none where nothing is named.
    pub(crate) context: Option<String>,
    /// What cannot be read: it is not a file here, or not text.
    pub(crate) left_out: Vec<String>,
}

impl PromptParts {
    /// Takes a prompt apart. Files below `cwd` are named from there.
    pub(crate) fn read(blocks: &[ContentBlock], cwd: &Path) -> Self {
        let mut parts = Self::default();
        let mut named = Vec::new();
        for block in blocks {
            match block {
                ContentBlock::Text(text) => parts.text.push_str(&text.text),
                ContentBlock::ResourceLink(link) => {
                    parts.text.push_str(&link.name);
                    parts.add_file(&link.uri, cwd, &mut named);
                }
                ContentBlock::Resource(embedded) => match &embedded.resource {
                    EmbeddedResourceResource::TextResourceContents(text) => {
                        parts.add_file(&text.uri, cwd, &mut named);
                    }
                    EmbeddedResourceResource::BlobResourceContents(blob) => {
                        parts.left_out.push(blob.uri.clone());
                    }
                    _ => {}
                },
                ContentBlock::Image(_) => parts.left_out.push("an image".to_owned()),
                ContentBlock::Audio(_) => parts.left_out.push("a sound".to_owned()),
                _ => {}
            }
        }
        named.dedup();
        let separator = CONTEXT_SEPARATOR.to_string();
        parts.context = (!named.is_empty()).then(|| named.join(&separator));
        parts.text = parts.text.trim().to_owned();
        parts
    }

    fn add_file(&mut self, uri: &str, cwd: &Path, named: &mut Vec<String>) {
        let Some(path) = path_of_uri(uri) else {
            self.left_out.push(uri.to_owned());
            return;
        };
        let shown = path.strip_prefix(cwd).unwrap_or(&path).display();
        named.push(match path.is_dir() {
            true => format!("dir={shown}"),
            false => format!("file={shown}"),
        });
    }
}

/// The path in a `file:` address, without the lines that it may point to; none in any other.
fn path_of_uri(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = path.split(['#', '?']).next()?;
    if !path.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    Some(PathBuf::from(String::from_utf8(bytes).ok()?))
}

#[cfg(test)]
mod tests {
    use agent_client_protocol::v1::schema::{ImageContent, ResourceLink, TextContent};

    use super::*;

    #[test]
    fn files_that_are_mentioned_are_context_and_what_cannot_be_read_is_named() {
        let blocks = [
            ContentBlock::Text(TextContent::new("Keep the cache of ")),
            ContentBlock::ResourceLink(ResourceLink::new("a b.rs", "file:///w/src/a%20b.rs#L1:9")),
            ContentBlock::Text(TextContent::new(" or drop it?\n")),
            ContentBlock::ResourceLink(ResourceLink::new("", "file:///elsewhere/c.md")),
            ContentBlock::ResourceLink(ResourceLink::new("", "https://example.org/x")),
            ContentBlock::Image(ImageContent::new("", "image/png")),
        ];
        assert_eq!(
            PromptParts::read(&blocks, Path::new("/w")),
            PromptParts {
                text: "Keep the cache of a b.rs or drop it?".to_owned(),
                context: Some("file=src/a b.rs\0file=/elsewhere/c.md".to_owned()),
                left_out: vec!["https://example.org/x".to_owned(), "an image".to_owned()],
            }
        );
    }
}
