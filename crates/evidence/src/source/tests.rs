use std::fs;
use std::sync::Arc;

use crate::{Commits, PinLimits, Source};

fn files(source: &Source, word: &str) -> Vec<String> {
    let index = source.word_index();
    let files = index.files_with_words(&[word.to_owned()]);
    files.into_iter().map(str::to_owned).collect()
}

#[test]
fn an_index_is_built_once_for_a_source_and_its_clones() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "first words").unwrap();
    let mut source = Source::pin_tree(folder.path(), &PinLimits::default()).unwrap();
    let index = source.word_index();
    assert!(Arc::ptr_eq(&index, &source.word_index()));
    assert!(Arc::ptr_eq(&index, &source.clone().word_index()));
    source.add_run("cargo test", "other words");
    assert!(Arc::ptr_eq(&index, &source.word_index()));
    // Only another file needs another index.
    let source = source.with_file_text("b.txt", "second words");
    assert_eq!(files(&source, "words"), ["a.txt", "b.txt"]);
}

#[test]
fn an_index_without_a_text_that_is_missing_now_is_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, "first words").unwrap();
    let pinned = Source::pin_tree(folder.path(), &PinLimits::default()).unwrap();
    let stored = Source::from_stored(pinned.manifest().clone(), Commits::default(), [].into());
    let source = stored.with_root(folder.path());
    fs::write(&path, "later words").unwrap();
    assert!(files(&source, "first").is_empty());
    fs::write(&path, "first words").unwrap();
    assert_eq!(files(&source, "first"), ["a.txt"]);
}
