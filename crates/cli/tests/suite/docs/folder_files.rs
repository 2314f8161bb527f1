//! The files of a debate's folder are those that `docs/documents.md` lists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use agon_testkit::Script;

use crate::cli::folder::{debate, spec};
use crate::cli::harness::Agon;

/// The names in a folder, with `*` for what differs from debate to debate.
fn names_below(folder: &Path, prefix: &str, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name == "arguments" {
            names.insert(format!("{prefix}arguments/ID.md"));
        } else if path.is_dir() && name == ".agon" {
            names.insert(".agon/".to_owned());
        } else if path.is_dir() {
            names_below(&path, &format!("{prefix}{name}/"), names);
        } else {
            names.insert(format!("{prefix}{name}"));
        }
    }
}

#[test]
fn the_page_of_documents_lists_every_file_of_a_debate() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/documents.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, table) = page.split_once("## The folder of a debate\n").unwrap();
    let table = table.split("\n## ").next().unwrap();
    let listed = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let listed: BTreeSet<String> = listed.map(str::to_owned).collect();

    let agon = Agon::new();
    let debates = agon.project().join("debates");
    debate(
        &debates,
        spec("job-store"),
        &Script::job_store(),
        usize::MAX,
    );
    agon.run(&["demo", "--keep", "--speed", "0"]);
    for name in ["job-store", "job-queue"] {
        let ran = agon.run(&["report", name]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    let ran = agon.run(&["new", "trains", "--motion", "Resolved: trains run at night"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut made = BTreeSet::new();
    for name in ["job-store", "job-queue", "trains"] {
        names_below(&debates.join(name), "", &mut made);
    }
    let unlisted: Vec<_> = made.difference(&listed).collect();
    assert!(
        unlisted.is_empty(),
        "not in docs/documents.md: {unlisted:?}"
    );
    // Those of a scored debate appear once it is judged.
    let scored = ["scores.json", "README.md"];
    let gone: Vec<_> = listed
        .difference(&made)
        .filter(|name| !scored.contains(&name.as_str()))
        .collect();
    assert!(
        gone.is_empty(),
        "in docs/documents.md and in no folder: {gone:?}"
    );
}
