//! Texts that an editor sends with a prompt: what they are called, and whether a file has them.

use std::fs;
use std::io::Read;
use std::path::{Component, Path};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

// A context has 200 KiB; what is longer is refused later, whatever the disk has.
/// Bytes of the longest file that a text is compared with.
const MAX_COMPARED: u64 = 1024 * 1024;

/// Bytes of the longest name.
const MAX_NAME: usize = 120;

/// What a text is called whose address says nothing.
const UNNAMED: &str = "pasted.txt";

/// A text that came with the address of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Embedded {
    /// The file on the disk has it, whole or as some of its lines.
    Saved,
    /// It does not: what is in the editor. With the name that the text is given under.
    Unsaved(String),
}

impl Embedded {
    /// What the text of the file `path` is, in the project `project`; `is_part` says that it is of some of
    /// its lines. A file elsewhere is not read.
    pub(crate) fn of(path: &Path, text: &str, project: &Path, is_part: bool) -> Self {
        let inside = path.strip_prefix(project).ok();
        let is_plain = |path: &Path| {
            path.components()
                .all(|part| matches!(part, Component::Normal(_)))
        };
        let Some(inside) = inside.filter(|inside| is_plain(inside)) else {
            return Self::Unsaved(clean_name(&path.display().to_string()));
        };
        if disk_has(path, text, is_part) {
            return Self::Saved;
        }
        Self::Unsaved(match inside.to_str() {
            Some(name) if !name.contains(char::is_control) => name.to_owned(),
            _ => clean_name(&inside.display().to_string()),
        })
    }
}

fn disk_has(path: &Path, text: &str, is_part: bool) -> bool {
    let Some(saved) = read_short(path) else {
        return false;
    };
    // Editors send their own line ends.
    let without = |text: &str| text.replace('\r', "").trim_end_matches('\n').to_owned();
    let (saved, text) = (without(&saved), without(text));
    saved == text || is_part && !text.is_empty() && saved.contains(&text)
}

/// The text of a file; none where it is too long, or no file.
fn read_short(path: &Path) -> Option<String> {
    // Before it is opened: a pipe would wait for a writer.
    let meta = fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > MAX_COMPARED {
        return None;
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(MAX_COMPARED).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The text in a blob; none where it is none.
pub(crate) fn text_of_blob(blob: &str) -> Option<String> {
    let bytes = BASE64_STANDARD.decode(blob.trim()).ok()?;
    String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.contains('\0'))
}

/// What the text at an address that is not a file is called: like a file, so that it can be cited. Of
/// `zed:///agent/pasted-text?lines=3` that is `agent/pasted-text.txt`.
pub(crate) fn name_of_uri(uri: &str) -> String {
    let path = uri.split_once(':').map_or(uri, |(_, path)| path);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    clean_name(path)
}

/// A path below the project with nothing in it that has to be quoted: letters, digits, `.`, `-`, `_`
/// and `/`, with an ending.
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
