//! Real folders of another tool, if `AGON_FOREIGN_DEBATES` names a directory of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_record::tally::side_totals;
use agon_rules::format::{Phase, debate_phase};
use agon_store::RealDisk;

use super::formal_support::{files, formal_spec, next};
use super::support::AT;
use crate::formal_files::argument;
use crate::{Folder, View, check, foreign, list_debates, projections};

/// Returns the folders; if there are none, prints a note.
fn folders() -> Vec<PathBuf> {
    let Some(dir) = std::env::var_os("AGON_FOREIGN_DEBATES") else {
        println!("skipped: AGON_FOREIGN_DEBATES names no folder of debates");
        return Vec::new();
    };
    let listing = list_debates(&RealDisk, Path::new(&dir)).unwrap();
    assert!(listing.unreadable.is_empty(), "{:?}", listing.unreadable);
    let found: Vec<_> = listing
        .debates
        .into_iter()
        .map(|found| found.path)
        .collect();
    assert!(!found.is_empty(), "there is no debate in {dir:?}");
    found
}

fn image(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(image(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            all.push((path, bytes));
        }
    }
    all.sort();
    all
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for (path, bytes) in image(from) {
        let to = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
}

#[test]
fn real_folders_add_up_to_what_they_say_and_stay_as_they_are() {
    for folder in folders() {
        let before = image(&folder);
        let read = foreign::read(&RealDisk, &folder).unwrap();
        let view = View::read(&RealDisk, &folder).unwrap();
        assert_eq!(
            read.stated,
            Some(side_totals(&view.state)),
            "{}",
            folder.display()
        );
        assert_eq!(debate_phase(&view.state), Phase::AwaitingArguments);
        let state = &view.state;
        assert_eq!(state.nodes().len(), state.score_histories().len());
        assert_eq!(state.imported_files().len(), before.len());
        // Agon renders their arguments byte for byte like them.
        for known in &read.imported.arguments {
            let path = folder.join(format!("arguments/{}.md", known.id));
            let ours = argument::render_file(known.id, &known.contention);
            assert_eq!(
                ours,
                fs::read_to_string(&path).unwrap(),
                "{}",
                path.display()
            );
        }
        for finding in &read.imported.findings {
            println!(
                "{}: {:?} {:?} {}",
                finding.code, finding.path, finding.span, finding.message
            );
        }
        assert!(check(&RealDisk, &folder, 5, &files).unwrap().is_sound());
        assert!(image(&folder) == before, "{}", folder.display());
    }
}

#[test]
fn real_folders_go_on_with_every_earlier_byte_kept() {
    for folder in folders() {
        let dir = tempfile::tempdir().unwrap();
        let at = dir.path().join(folder.file_name().unwrap());
        copy(&folder, &at);
        let before = image(&at);
        let mut ours = Folder::import(Arc::new(RealDisk), &at, formal_spec(), AT).unwrap();
        for (path, bytes) in &before {
            assert!(fs::read(path).unwrap() == *bytes, "{}", path.display());
        }
        ours.write_projections(&projections(ours.state())).unwrap();
        for _ in 0..2 {
            let events = next(ours.state());
            ours.append(AT, &events).unwrap();
            ours.write_projections(&files(ours.state())).unwrap();
        }
        for (path, bytes) in &before {
            let now = fs::read(path).unwrap();
            let name = path.strip_prefix(&at).unwrap().to_str().unwrap();
            match name {
                "scores.json" => assert!(now.starts_with(bytes.strip_suffix(b"\n}").unwrap())),
                "debate.md" => {
                    let body = |bytes: &[u8]| {
                        let text = String::from_utf8(bytes.to_vec()).unwrap();
                        let at = text.find("\n}").unwrap();
                        text[at..].to_owned()
                    };
                    assert_eq!(body(&now), body(bytes));
                }
                "argument-graph.mmd" => {}
                _ => assert!(now == *bytes, "{name}"),
            }
        }
        assert_eq!(
            ours.state().last_judged_exchange(),
            Some(phase_of(&before, "current_exchange"))
        );
        assert!(check(&RealDisk, &at, 5, &files).unwrap().is_sound());
    }
}

/// Returns the number for `key` in `debate.md`.
fn phase_of(image: &[(PathBuf, Vec<u8>)], key: &str) -> u16 {
    let found = image.iter().find(|(path, _)| path.ends_with("debate.md"));
    let text = String::from_utf8_lossy(&found.unwrap().1);
    let (object, _) = crate::formal_files::front::split_front_matter(&text).unwrap();
    let front: serde_json::Value = serde_json::from_str(object).unwrap();
    front[key].as_u64().unwrap().try_into().unwrap()
}
