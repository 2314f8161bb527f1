//! Splits a prompt into its text and its files.

use std::path::Path;

use agent_client_protocol::v1::schema::{ContentBlock, EmbeddedResourceResource};
use agon_caller::file_uri::path_of_file_uri;
use agon_debates::request::{CONTEXT_SEPARATOR, PastedText};
use agon_report::text::plain_line;

use crate::embedded::{Embedded, decode_blob, file_name_for_uri};

/// The parts of a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PromptParts {
    /// The text, with the names of mentioned files.
    pub(crate) text: String,
    /// The context for both sides, in the form of a request; `None` without files.
    pub(crate) context: Option<String>,
    /// Texts for both sides that are in no file: pasted, fetched or unsaved.
    pub(crate) pasted: Vec<PastedText>,
    /// Parts that cannot be read: not a file on this machine, or not text.
    pub(crate) left_out: Vec<String>,
}

impl PromptParts {
    /// Splits a prompt, for a session in the folder `cwd` of `project`. Names files relative to
    /// `cwd`, and embedded texts like files of the project. Compares embedded texts with their
    /// files, to detect unsaved changes.
    pub(crate) fn read(blocks: &[ContentBlock], cwd: &Path, project: &Path) -> Self {
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
                        parts.add_text(&text.uri, &text.text, (cwd, project), &mut named);
                    }
                    EmbeddedResourceResource::BlobResourceContents(blob) => {
                        match decode_blob(&blob.blob) {
                            Some(text) => {
                                parts.add_text(&blob.uri, &text, (cwd, project), &mut named);
                            }
                            None => parts.leave_out(&blob.uri, "not text"),
                        }
                    }
                    _ => {}
                },
                ContentBlock::Image(_) => parts.left_out.push("an image".to_owned()),
                ContentBlock::Audio(_) => parts.left_out.push("a sound".to_owned()),
                _ => {}
            }
        }
        named.dedup();
        if named.is_empty() && !parts.pasted.is_empty() {
            named.push("none".to_owned());
        }
        let separator = CONTEXT_SEPARATOR.to_string();
        parts.context = (!named.is_empty()).then(|| named.join(&separator));
        parts.text = parts.text.trim().to_owned();
        parts
    }

    fn add_file(&mut self, uri: &str, cwd: &Path, named: &mut Vec<String>) {
        let Some(path) = path_of_file_uri(uri) else {
            self.leave_out(uri, "not a file on this machine");
            return;
        };
        let shown = path.strip_prefix(cwd).unwrap_or(&path).display();
        named.push(match path.is_dir() {
            true => format!("dir={shown}"),
            false => format!("file={shown}"),
        });
    }

    /// Adds an embedded text. If its file on disk contains it, adds the file instead, so that line
    /// numbers match the file.
    fn add_text(
        &mut self,
        uri: &str,
        text: &str,
        (cwd, project): (&Path, &Path),
        named: &mut Vec<String>,
    ) {
        if text.contains('\0') {
            return self.leave_out(uri, "not text");
        }
        let file = path_of_file_uri(uri);
        let name = match &file {
            Some(path) => match Embedded::of(path, text, project, is_part(uri)) {
                Embedded::Saved => return self.add_file(uri, cwd, named),
                Embedded::Unsaved(name) => name,
            },
            None => file_name_for_uri(uri),
        };
        let name = self.free_name(name);
        let text = text.to_owned();
        self.pasted.push(PastedText { name, text });
    }

    /// Returns `name`, with a number if another text has that name.
    fn free_name(&self, name: String) -> String {
        let is_free = |name: &String| self.pasted.iter().all(|text| text.name != *name);
        let (stem, ending) = match name.rsplit_once('.') {
            Some((stem, ending)) => (stem.to_owned(), format!(".{ending}")),
            None => (name.clone(), String::new()),
        };
        let numbered = (2..).map(|at| format!("{stem}-{at}{ending}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        names.find(is_free).unwrap_or(name)
    }

    fn leave_out(&mut self, uri: &str, why: &str) {
        self.left_out.push(format!("{} ({why})", plain_line(uri)));
    }
}

/// Returns whether a URI names only some lines of a file.
fn is_part(uri: &str) -> bool {
    uri.contains(['#', '?'])
}

#[cfg(test)]
mod tests {
    use agent_client_protocol::v1::schema::{
        BlobResourceContents, EmbeddedResource, ImageContent, ResourceLink, TextContent,
        TextResourceContents,
    };
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;

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
            PromptParts::read(&blocks, Path::new("/w"), Path::new("/w")),
            PromptParts {
                text: "Keep the cache of a b.rs or drop it?".to_owned(),
                context: Some("file=src/a b.rs\0file=/elsewhere/c.md".to_owned()),
                pasted: Vec::new(),
                left_out: vec![
                    "https://example.org/x (not a file on this machine)".to_owned(),
                    "an image".to_owned()
                ],
            }
        );
    }

    fn text(uri: &str, text: &str) -> ContentBlock {
        let text = TextResourceContents::new(text, uri);
        ContentBlock::Resource(EmbeddedResource::new(
            EmbeddedResourceResource::TextResourceContents(text),
        ))
    }

    fn blob(uri: &str, bytes: &[u8]) -> ContentBlock {
        let blob = BlobResourceContents::new(BASE64_STANDARD.encode(bytes), uri);
        ContentBlock::Resource(EmbeddedResource::new(
            EmbeddedResourceResource::BlobResourceContents(blob),
        ))
    }

    #[test]
    fn what_an_editor_sends_with_a_prompt_is_given_under_a_name_of_its_own() {
        let blocks = [
            text("zed:///agent/pasted-text?lines=3", "one"),
            text("zed:///agent/pasted-text?lines=9", "two"),
            text("untitled:Untitled-1", "three"),
            text("https://example.org/a/page%20b?q=1#top", "four"),
            text("file:///elsewhere/c.md", "five"),
            text("vscode-remote://ssh/../../etc/\u{202e}x", "six"),
            text("", "seven"),
            blob("attachment:notes", "eight \u{e9}".as_bytes()),
            blob("file:///w/logo.png", b"\x89PNG\0\xff"),
            blob("file:///w/a.bin", b"text\0with a zero"),
        ];
        let parts = PromptParts::read(&blocks, Path::new("/w"), Path::new("/w"));
        let names: Vec<_> = parts.pasted.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "agent/pasted-text.txt",
                "agent/pasted-text-2.txt",
                "Untitled-1.txt",
                "example.org/a/page-20b.txt",
                "elsewhere/c.md",
                "ssh/etc/x.txt",
                "pasted.txt",
                "notes.txt",
            ]
        );
        assert_eq!(parts.pasted[7].text, "eight \u{e9}");
        assert_eq!(parts.context.as_deref(), Some("none"));
        assert_eq!(
            parts.left_out,
            [
                "file:///w/logo.png (not text)",
                "file:///w/a.bin (not text)"
            ]
        );
    }

    #[test]
    fn a_file_that_is_saved_is_read_and_one_that_is_not_is_given_as_it_was_sent() {
        let folder = std::env::temp_dir().join(format!("agon-unsaved-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("src")).unwrap();
        let file = folder.join("src/a.rs");
        std::fs::write(&file, "fn a() {}\r\nfn b() {}\r\nfn c() {}\r\n").unwrap();
        let uri = format!("file://{}", file.display());
        let read = |uri: &str, sent: &str| {
            let parts = PromptParts::read(&[text(uri, sent)], &folder.join("src"), &folder);
            let pasted = parts.pasted.into_iter().map(|one| (one.name, one.text));
            (parts.context.unwrap(), pasted.collect::<Vec<_>>())
        };
        // Whole, and some lines of it.
        let part = format!("{uri}#L2");
        for (uri, sent) in [
            (&uri, "fn a() {}\nfn b() {}\nfn c() {}\n"),
            (&part, "fn b() {}\n"),
        ] {
            assert_eq!(read(uri, sent), ("file=a.rs".to_owned(), Vec::new()));
        }
        // What was deleted in the editor is not given from the disk.
        for shorter in ["fn b() {}\nfn c() {}\n", ""] {
            let (context, pasted) = read(&uri, shorter);
            assert_eq!((context.as_str(), pasted.len()), ("none", 1), "{shorter}");
        }
        let edited = "fn a() {}\nfn z() {}\n".to_owned();
        assert_eq!(
            read(&uri, &edited),
            (
                "none".to_owned(),
                vec![("src/a.rs".to_owned(), edited.clone())]
            )
        );
        // Lines of it that count otherwise than in the file.
        assert_eq!(
            read(&format!("{uri}#L9:12"), "fn y() {}"),
            (
                "none".to_owned(),
                vec![("src/a.rs".to_owned(), "fn y() {}".to_owned())]
            )
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
