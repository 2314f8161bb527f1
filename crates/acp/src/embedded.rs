//! Names the texts that an editor embeds in a prompt, and compares them with files.

use std::fs;
use std::io::Read;
use std::path::{Component, Path};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

// Well above the 200 KiB limit of a context: larger texts are rejected later anyway.
/// The maximum size of a file to compare with, in bytes.
const MAX_COMPARED: u64 = 1024 * 1024;

/// The maximum length of a name, in bytes.
const MAX_NAME: usize = 120;

/// The name of a text without a usable URI.
const UNNAMED: &str = "pasted.txt";

/// An embedded text with the URI of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Embedded {
    /// The file on disk contains the text, as a whole or in part.
    Saved,
    /// The text differs from the file on disk. Contains the name under which it is cited.
    Unsaved(String),
}

impl Embedded {
    /// Compares a text with the file `path` of `project`; `is_part` means that it is only some
    /// lines of the file. Does not read files outside the project.
    pub(crate) fn of(path: &Path, text: &str, project: &Path, is_part: bool) -> Self {
        let inside = path.strip_prefix(project).ok();
        let is_plain = |path: &Path| {
            path.components()
                .all(|part| matches!(part, Component::Normal(_)))
        };
        let Some(inside) = inside.filter(|inside| is_plain(inside)) else {
            return Self::Unsaved(clean_name(&path.display().to_string()));
        };
        if file_contains_text(path, text, is_part) {
            return Self::Saved;
        }
        Self::Unsaved(match inside.to_str() {
            Some(name) if !name.contains(char::is_control) => name.to_owned(),
            _ => clean_name(&inside.display().to_string()),
        })
    }
}

fn file_contains_text(path: &Path, text: &str, is_part: bool) -> bool {
    let Some(saved) = read_small_file(path) else {
        return false;
    };
    // Ignores line ends, because editors may change them.
    let without = |text: &str| text.replace('\r', "").trim_end_matches('\n').to_owned();
    let (saved, text) = (without(&saved), without(text));
    saved == text || is_part && !text.is_empty() && saved.contains(&text)
}

/// Reads a file; `None` if it is too large or not a regular file.
fn read_small_file(path: &Path) -> Option<String> {
    // Checked before opening, because opening a pipe would block until it has a writer.
    let meta = fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > MAX_COMPARED {
        return None;
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(MAX_COMPARED).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Decodes a blob; `None` if it is not text.
pub(crate) fn decode_blob(blob: &str) -> Option<String> {
    let bytes = BASE64_STANDARD.decode(blob.trim()).ok()?;
    String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.contains('\0'))
}

/// Returns a file name for the text at a URI, so that it can be cited, such as
/// `agent/pasted-text.txt` for `zed:///agent/pasted-text?lines=3`.
pub(crate) fn file_name_for_uri(uri: &str) -> String {
    let path = uri.split_once(':').map_or(uri, |(_, path)| path);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    clean_name(path)
}

/// Converts a path to a relative one with an extension and without characters that need quoting.
fn clean_name(path: &str) -> String {
    let is_kept = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let parts = path.split('/').filter_map(|part| {
        let part: String = part
            .chars()
            .map(|c| if is_kept(c) { c } else { '-' })
            .collect();
        let part = part.trim_matches(['-', '.']).to_owned();
        (!part.is_empty()).then_some(part)
    });
    let mut name = parts.collect::<Vec<_>>().join("/");
    name.truncate(name.floor_char_boundary(MAX_NAME));
    let name = name.trim_end_matches(['/', '.', '-']);
    match name.rsplit('/').next() {
        None | Some("") => UNNAMED.to_owned(),
        Some(last) if last.contains('.') && !last.starts_with('.') => name.to_owned(),
        Some(_) => format!("{name}.txt"),
    }
}
