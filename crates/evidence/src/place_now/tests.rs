use std::fs;

use agon_record::stamp::Location;

use super::*;

const TEXT: &str = "use std::fs;\n\nfn claim() {\n    fs::rename(from, to)?;\n}\n";

/// A project with this file, and the place of a citation in it.
fn cited(lines: [u32; 2]) -> (tempfile::TempDir, SourceText) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/claim.rs"), TEXT).unwrap();
    let was = SourceText {
        place: Location {
            file: "src/claim.rs".to_owned(),
            commit: None,
            lines,
        },
        from: 1,
        text: TEXT.lines().map(str::to_owned).collect(),
        cut: false,
        blob: blake3::hash(TEXT.as_bytes()).to_hex().to_string(),
    };
    (folder, was)
}

/// The state of the place after the project was changed.
fn after(lines: [u32; 2], change: impl Fn(&Path)) -> PlaceNow {
    let (folder, was) = cited(lines);
    change(folder.path());
    let mut now = ProjectNow::open(folder.path(), &["debates"]).unwrap();
    let shown = now.place(&was, || None);
    let kept = now.place(&was, || Some(TEXT.as_bytes().to_vec()));
    assert_eq!(shown, kept, "with and without the file as it was");
    shown
}

fn moved(file: &str, lines: [u32; 2]) -> PlaceNow {
    PlaceNow::Moved {
        file: file.to_owned(),
        lines,
    }
}

#[test]
fn a_place_is_the_same_where_its_lines_are() {
    assert_eq!(after([4, 4], |_| {}), PlaceNow::Same);
    let others = TEXT.replace("use std::fs;", "use std::fs as f;");
    let change = |root: &Path| fs::write(root.join("src/claim.rs"), &others).unwrap();
    assert_eq!(after([3, 5], change), PlaceNow::Same);
    let windows = TEXT.replace('\n', "\r\n");
    let change = |root: &Path| fs::write(root.join("src/claim.rs"), &windows).unwrap();
    assert_eq!(after([3, 5], change), PlaceNow::Same);
}

#[test]
fn lines_that_stand_elsewhere_have_moved() {
    let below = format!("// A word before.\n{TEXT}");
    let change = |root: &Path| fs::write(root.join("src/claim.rs"), &below).unwrap();
    assert_eq!(after([4, 4], change), moved("src/claim.rs", [5, 5]));
    let rename = |root: &Path| {
        fs::create_dir(root.join("lib")).unwrap();
        fs::rename(root.join("src/claim.rs"), root.join("lib/take.rs")).unwrap();
    };
    assert_eq!(after([3, 5], rename), moved("lib/take.rs", [3, 5]));
    assert_eq!(after([0, 0], rename), moved("lib/take.rs", [0, 0]));
    let split = |root: &Path| {
        fs::write(root.join("src/take.rs"), format!("//! Claims.\n{TEXT}")).unwrap();
        fs::write(root.join("src/claim.rs"), "mod take;\n").unwrap();
    };
    assert_eq!(after([4, 4], split), moved("src/take.rs", [5, 5]));
}

#[test]
fn lines_that_stand_nowhere_have_changed_or_are_gone_with_their_file() {
    let other = TEXT.replace("rename", "copy");
    let change = |root: &Path| fs::write(root.join("src/claim.rs"), &other).unwrap();
    assert_eq!(after([4, 4], change), PlaceNow::Changed);
    assert_eq!(after([0, 0], change), PlaceNow::Changed);
    let remove = |root: &Path| fs::remove_file(root.join("src/claim.rs")).unwrap();
    assert_eq!(after([4, 4], remove), PlaceNow::Gone);
    let folder = |root: &Path| fs::remove_dir_all(root.join("src")).unwrap();
    assert_eq!(after([4, 4], folder), PlaceNow::Gone);
    assert_eq!(after([0, 0], folder), PlaceNow::Gone);
}

#[test]
fn a_bracket_that_stands_everywhere_has_not_moved() {
    let shorter = "fn claim() {\n}\n";
    let change = |root: &Path| fs::write(root.join("src/claim.rs"), shorter).unwrap();
    assert_eq!(after([5, 5], change), PlaceNow::Changed);
}

#[test]
fn what_stands_in_two_files_or_in_documents_of_debates_tells_not_where_it_went() {
    let twice = |root: &Path| {
        fs::remove_file(root.join("src/claim.rs")).unwrap();
        fs::write(root.join("a.rs"), format!("{TEXT}// a\n")).unwrap();
        fs::write(root.join("b.rs"), format!("{TEXT}// b\n")).unwrap();
    };
    assert_eq!(after([4, 4], twice), PlaceNow::Gone);
    let quoted = |root: &Path| {
        fs::remove_file(root.join("src/claim.rs")).unwrap();
        fs::create_dir_all(root.join("debates/s")).unwrap();
        fs::write(root.join("debates/s/verdict.md"), TEXT).unwrap();
    };
    assert_eq!(after([4, 4], quoted), PlaceNow::Gone);
}

#[test]
fn what_cannot_be_told_is_unknown() {
    let linked = |root: &Path| {
        fs::rename(root.join("src"), root.join("real")).unwrap();
        std::os::unix::fs::symlink("real", root.join("src")).unwrap();
    };
    assert_eq!(after([4, 4], linked), PlaceNow::Unknown);
    // Lines that are only partly known, and a secret.
    for (cut, line) in [(true, "x = 1"), (false, "key = [redacted:api-key]")] {
        let (folder, mut was) = cited([1, 1]);
        fs::write(folder.path().join("src/claim.rs"), "other\n").unwrap();
        (was.cut, was.text) = (cut, vec![line.to_owned()]);
        let mut now = ProjectNow::open(folder.path(), &[]).unwrap();
        assert_eq!(now.place(&was, || None), PlaceNow::Unknown);
    }
}

#[test]
fn a_place_in_a_commit_stays() {
    let (folder, mut was) = cited([4, 4]);
    was.place.commit = Some("c".repeat(40));
    fs::remove_dir_all(folder.path().join("src")).unwrap();
    let mut now = ProjectNow::open(folder.path(), &[]).unwrap();
    assert_eq!(now.place(&was, || None), PlaceNow::Same);
    assert!(ProjectNow::open(&folder.path().join("nowhere"), &[]).is_err());
}
