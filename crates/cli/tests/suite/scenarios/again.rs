//! What was found can be read, and is found again later, elsewhere, from what is kept.

use std::fs;
use std::path::Path;

use agon_testkit::{add, git};
use serde_json::Value;

use crate::scenarios::evidence::store_rs;
use crate::scenarios::place::Fakes;

/// A debate on a repository with a changed file and a new one.
fn debated() -> Fakes {
    let fakes = Fakes::new();
    let project = fakes.place.project();
    add(&project, "src/store.rs", "committed\n");
    add(&project, "Cargo.toml", "[package]\n");
    git(&project, &["add", "--all"]);
    git(&project, &["commit", "--quiet", "-m", "first"]);
    add(&project, "src/store.rs", &store_rs());
    add(&project, "src/claim.rs", &"// a claim\n".repeat(60));
    let ran = fakes.debate(&["--context", "repo"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    fakes
}

fn entries(document: &Value) -> Vec<(String, u64, String)> {
    let entries = document["entries"].as_array().unwrap().iter();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    entries
        .map(|one| {
            let ground = one["ground"].as_u64().unwrap();
            (text(one, "id"), ground, text(one, "stamp"))
        })
        .collect()
}

#[test]
fn every_cited_place_is_listed_with_its_stamp_and_the_real_text() {
    let fakes = debated();
    let listed = fakes.place.run(&["evidence", "s", "--json"]);
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    let document = listed.json();
    assert_eq!(document["schema"], "agon.evidence/1");
    assert!(
        document["source"]["about"]
            .as_str()
            .unwrap()
            .starts_with("repo at ")
    );
    let all = entries(&document);
    assert_eq!(all.len() as u64, document["total"].as_u64().unwrap());
    let verdict = fakes.place.verdict().unwrap();
    for seat in ["proposer", "challenger"] {
        assert_eq!(
            document["citations"][seat], verdict["citations"][seat],
            "{seat}"
        );
    }
    assert!(
        all.contains(&("pro_001a".to_owned(), 1, "found".to_owned())),
        "{all:?}"
    );

    let wrong = fakes
        .place
        .run(&["evidence", "s", "--json", "--stamp", "wrong"])
        .json();
    let only: Vec<_> = all.iter().filter(|one| one.2 == "wrong").cloned().collect();
    assert_eq!(entries(&wrong), only);
    assert!(!only.is_empty());
    let first = fakes
        .place
        .run(&["evidence", "s", "--json", "--limit", "1"])
        .json();
    assert_eq!(entries(&first), &all[..1]);
    let of_one = fakes
        .place
        .run(&["evidence", "s", "--json", "--id", "pro_001a"])
        .json();
    assert!(entries(&of_one).iter().all(|one| one.0 == "pro_001a"));

    let text = fakes.place.run(&["evidence", "s"]).stdout;
    for line in [
        "pro_001a  ground 1  found: src/store.rs:90",
        "    90 |         fs::rename(&lease_tmp, &lease)?;",
        "agon check s --evidence",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let none = fakes.place.run(&["evidence", "s", "--stamp", "true"]);
    assert_eq!(none.code, Some(2));
    assert!(
        none.stderr
            .contains("use one of found, moved, place, wrong"),
        "{}",
        none.stderr
    );
}

#[test]
fn a_finding_shows_what_was_cited_and_what_stands_there() {
    let fakes = debated();
    let ran = fakes.place.run(&["check", "s", "--rule", "evidence-wrong"]);
    assert_eq!(ran.code, Some(8), "{}", ran.stderr);
    for line in [
        "error[evidence-wrong]: the quoted words are not in src/store.rs:14",
        "--> arguments/cha_002d.md:",
        "= cited: src/store.rs:14",
        "= there: src/store.rs:14 pub struct Store(PathBuf); (repo at ",
        "= note: not found anywhere in the source",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
}

/// Copies a folder as it is.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

#[test]
fn the_same_is_found_on_another_clone_at_a_later_commit_and_without_the_project() {
    let fakes = debated();
    let project = fakes.place.project();
    let before = fakes.place.run(&["evidence", "s", "--json"]).stdout;
    let check = |debate: &str| {
        let ran = fakes.place.run(&["check", debate, "--evidence", "--json"]);
        let document = ran.json();
        let again: Vec<Value> = document["folder"].as_array().unwrap().clone();
        assert_eq!(again, Vec::<Value>::new(), "{debate}");
        document["places"].as_u64().unwrap()
    };
    let places = check("s");
    assert!(places >= 18, "{places}");

    // A later commit, the changed and the new file gone.
    git(&project, &["checkout", "--quiet", "--", "src/store.rs"]);
    fs::remove_file(project.join("src/claim.rs")).unwrap();
    git(
        &project,
        &["commit", "--quiet", "--allow-empty", "-m", "later"],
    );
    assert_eq!(check("s"), places);

    // Another clone, and a folder that is no repository at all.
    let beside = fakes.place.home().with_file_name("beside");
    let clone = beside.join("clone");
    fs::create_dir_all(&beside).unwrap();
    git(
        &beside,
        &["clone", "--quiet", &project.display().to_string(), "clone"],
    );
    for elsewhere in [clone.join("debates/s"), beside.join("alone")] {
        copy(&fakes.place.folder(), &elsewhere);
        assert_eq!(check(&elsewhere.display().to_string()), places);
    }
    fs::remove_dir_all(project.join("src")).unwrap();
    fs::remove_dir_all(project.join(".git")).unwrap();
    assert_eq!(check("s"), places);
    assert_eq!(fakes.place.run(&["evidence", "s", "--json"]).stdout, before);
}

#[test]
fn what_is_no_longer_kept_or_was_changed_is_said() {
    let fakes = debated();
    let blobs = fakes.place.folder().join(".agon/blobs");
    let cited = blake3::hash(store_rs().as_bytes()).to_hex().to_string();
    let kept = fs::read_dir(&blobs)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let kept: Vec<_> = kept.collect();
    let blob = kept.iter().find(|path| path.ends_with(&cited)).unwrap();
    fs::remove_file(blob).unwrap();
    let ran = fakes.place.run(&["check", "s", "--evidence", "--json"]);
    let document = ran.json();
    let codes = document["folder"].as_array().unwrap().iter();
    let codes: Vec<_> = codes.map(|one| one["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"evidence-kept"), "{codes:?}");

    let plain = Fakes::new();
    assert_eq!(plain.debate(&[]).code, Some(0));
    let ran = plain.place.run(&["check", "s", "--evidence"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("started without a stored source"),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.contains("journal intact"), "{}", ran.stdout);
}
