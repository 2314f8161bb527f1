//! The files of a folder as one text.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::scenarios::seen::files;

/// Files by their paths.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// What begins the line that stands before each file: its path, then its length in bytes.
const HEAD: &str = "=== ";

/// The files as one text, each after a line with its path and its length. Bytes that are no text
/// stand in hexadecimal, and their line says so.
pub(super) fn to_text(files: &Files) -> String {
    let mut text = String::new();
    for (path, bytes) in files {
        let (kind, content) = match std::str::from_utf8(bytes) {
            Ok(content) => ("text", content.to_owned()),
            Err(_) => ("hex", hex(bytes)),
        };
        text.push_str(&format!(
            "{HEAD}{kind} {} {path}\n{content}\n",
            content.len()
        ));
    }
    text
}

/// Reads what [`to_text`] wrote.
pub(super) fn from_text(text: &str) -> Files {
    let (mut files, mut rest) = (Files::new(), text);
    while let Some(after) = rest.strip_prefix(HEAD) {
        let (head, after) = after.split_once('\n').unwrap();
        let mut words = head.splitn(3, ' ');
        let mut word = || words.next().unwrap();
        let (kind, length, path) = (word(), word().parse().unwrap(), word());
        let (content, after) = after.split_at(length);
        let bytes = match kind {
            "text" => content.as_bytes().to_vec(),
            _ => unhex(content),
        };
        files.insert(path.to_owned(), bytes);
        rest = after.strip_prefix('\n').unwrap();
    }
    assert_eq!(rest, "", "a bundle has files and nothing else");
    files
}

/// The files below `root`.
pub(super) fn of_folder(root: &Path) -> Files {
    let paths = files(root).into_iter();
    let read = paths.map(|path| {
        let bytes = fs::read(root.join(&path)).unwrap();
        (path.to_string_lossy().into_owned(), bytes)
    });
    read.collect()
}

/// Writes the files below `root`.
pub(super) fn write(files: &Files, root: &Path) {
    for (path, bytes) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<_> = text
        .bytes()
        .map(|digit| char::from(digit).to_digit(16).unwrap())
        .collect();
    let byte = |pair: &[u32]| u8::try_from(pair[0] * 16 + pair[1]).unwrap();
    digits.chunks(2).map(byte).collect()
}

#[test]
fn a_bundle_reads_back_as_the_files_it_was_made_of() {
    let files: Files = [
        ("a/b.md", &b"=== text 3 not/a/head\n"[..]),
        ("empty", b""),
        ("no end of line", b"one\ntwo"),
        ("index.db", &[0, 255, 16, 0]),
    ]
    .into_iter()
    .map(|(path, bytes)| (path.to_owned(), bytes.to_vec()))
    .collect();
    assert_eq!(from_text(&to_text(&files)), files);
}
