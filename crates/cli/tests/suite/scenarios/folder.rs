//! Folders that are not as they were left.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use agon_testkit::Behaviour;

use crate::scenarios::place::{Fakes, debate};
use crate::scenarios::seen::files;
use crate::scenarios::tree::Tree;
use crate::support::Running;

/// A debate with its verdict.
fn closed() -> Fakes {
    let fakes = Fakes::new();
    let ran = fakes.debate(&[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    fakes
}

/// A debate that was stopped in the second round.
fn stopped() -> Fakes {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r2.pro", Behaviour::Hang);
    let running = Running::start(fakes.place.command(&debate(&[])));
    running.until("round 2", || fakes.asks().contains(&"r2.pro#0".to_owned()));
    running.interrupt();
    assert_eq!(running.end().code, Some(130));
    fakes.tools.clear_scenario();
    fakes
}

/// Takes away, or gives back, the right to write anything below `root`.
fn writable(root: &Path, so: bool) {
    let bits = |path: &Path| match (so, path.is_dir()) {
        (true, true) => 0o755,
        (true, false) => 0o644,
        (false, true) => 0o555,
        (false, false) => 0o444,
    };
    let all = files(root);
    let dirs = all.iter().flat_map(|path| path.ancestors().skip(1));
    for path in all.iter().map(AsRef::as_ref).chain(dirs) {
        let path = root.join(path);
        fs::set_permissions(&path, fs::Permissions::from_mode(bits(&path))).unwrap();
    }
}

#[test]
fn what_only_reads_works_on_a_read_only_folder_and_touches_nothing() {
    for fakes in [closed(), stopped()] {
        let folder = fakes.place.folder();
        writable(&folder, false);
        let before = Tree::of(&folder);
        for reader in [
            &["show", "s"][..],
            &["show", "s", "--json"],
            &["show", "s", "--section", "transcript"],
            &["check", "s"],
            &["check", "s", "--json"],
            &["report", "s", "--format", "transcript"],
            &["list"],
        ] {
            let read = fakes.place.run(reader);
            assert_eq!(read.code, Some(0), "{reader:?}: {read:#?}");
            assert!(before == Tree::of(&folder), "{reader:?} wrote");
        }
        writable(&folder, true);
        assert_eq!(fakes.resume().code, Some(0));
    }
}

#[test]
fn a_verdict_edited_by_hand_is_kept_beside_the_one_that_is_written_again() {
    let fakes = closed();
    let verdict = fakes.place.folder().join("verdict.md");
    let ours = fs::read_to_string(&verdict).unwrap();
    let edited = format!("{ours}\nMy own note.\n");
    fs::write(&verdict, &edited).unwrap();
    let before = Tree::of(&fakes.place.folder());
    assert_eq!(
        fakes.place.run(&["check", "s"]).code,
        Some(8),
        "check sees the edit"
    );
    assert_eq!(fakes.place.run(&["show", "s"]).code, Some(0));
    assert!(
        before == Tree::of(&fakes.place.folder()),
        "something was written"
    );
    let resumed = fakes.resume();
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    let note = "note: verdict.md was changed since Agon wrote the documents of this debate.";
    assert!(resumed.stderr.contains(note), "{resumed:#?}");
    assert_eq!(fs::read_to_string(&verdict).unwrap(), ours);
    let kept = fakes.place.folder().join("verdict.md.changed");
    assert_eq!(fs::read_to_string(kept).unwrap(), edited);
    assert_eq!(fakes.place.run(&["check", "s"]).code, Some(0));
}

#[test]
fn documents_that_a_formatter_changed_are_written_again_and_the_debate_goes_on() {
    let fakes = stopped();
    let folder = fakes.place.folder();
    let argument = folder.join("arguments/pro_001a.md");
    let mut changed = Vec::new();
    for file in [folder.join("transcript.md"), argument] {
        let text = fs::read_to_string(&file).unwrap();
        let tidied = text.replace("- ", "* ").replace('\n', "\n\n");
        fs::write(&file, &tidied).unwrap();
        changed.push((file, text, tidied));
    }
    let resumed = fakes.resume();
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    let note = "note: arguments/pro_001a.md and 1 more file were changed since Agon wrote";
    assert!(resumed.stderr.contains(note), "{resumed:#?}");
    for (file, _, tidied) in &changed {
        let kept = format!("{}.changed", file.display());
        assert_eq!(&fs::read_to_string(kept).unwrap(), tidied);
    }
    let (argument, text, _) = &changed[1];
    assert_eq!(&fs::read_to_string(argument).unwrap(), text);
}

#[test]
fn a_journal_with_windows_line_ends_is_read_and_goes_on() {
    let fakes = stopped();
    let journal = fakes.place.folder().join(".agon/journal.jsonl");
    let lines = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, lines.replace('\n', "\r\n")).unwrap();
    assert_eq!(fakes.place.run(&["show", "s"]).code, Some(0));
    let resumed = fakes.resume();
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert_eq!(fakes.place.run(&["check", "s"]).code, Some(0));
}

#[test]
fn a_journal_of_a_newer_agon_is_read_and_never_written() {
    for fakes in [closed(), stopped()] {
        let journal = fakes.place.folder().join(".agon/journal.jsonl");
        let lines = fs::read_to_string(&journal).unwrap();
        let (older, last) = lines.trim_end().rsplit_once('\n').unwrap();
        let newer = last.replacen("{\"v\":1,", "{\"v\":2,", 1);
        assert_ne!(last, newer);
        fs::write(&journal, format!("{older}\n{newer}\n")).unwrap();
        let (before, asks) = (Tree::of(&fakes.place.folder()), fakes.asks());

        let refused = fakes.resume();
        assert_eq!(refused.code, Some(6), "{refused:#?}");
        assert!(refused.stdout.contains("format 2"), "{refused:#?}");
        let shown = fakes.place.run(&["show", "s"]);
        assert_eq!(shown.code, Some(0), "{shown:#?}");
        assert!(shown.stderr.contains("format 2"), "{shown:#?}");
        assert!(before.same_but_for(&Tree::of(&fakes.place.folder()), &[".agon/lock"]));
        assert_eq!(fakes.asks(), asks);
    }
}

#[test]
fn a_journal_with_a_bad_line_among_good_ones_is_only_read() {
    let fakes = stopped();
    let journal = fakes.place.folder().join(".agon/journal.jsonl");
    let mut lines: Vec<_> = fs::read_to_string(&journal)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    lines[2] = lines[2].replace("took_ms", "took_ns");
    fs::write(&journal, lines.join("\n") + "\n").unwrap();
    let (before, asks) = (Tree::of(&fakes.place.folder()), fakes.asks());
    let refused = fakes.resume();
    assert_eq!(refused.code, Some(6), "{refused:#?}");
    assert!(before.same_but_for(&Tree::of(&fakes.place.folder()), &[".agon/lock"]));
    assert_eq!(fakes.asks(), asks);
    assert_eq!(fakes.place.run(&["check", "s"]).code, Some(8));
}

#[test]
fn a_journal_cut_in_its_last_line_goes_on_from_there() {
    let fakes = stopped();
    let journal = fakes.place.folder().join(".agon/journal.jsonl");
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() - 40]).unwrap();
    let resumed = fakes.resume();
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert!(resumed.stderr.contains("cut short"), "{resumed:#?}");
    assert_eq!(resumed.json()["authority"], "full");
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_a_call() {
    let fakes = Fakes::new();
    fs::write(fakes.place.project().join("taken"), "a file").unwrap();
    for dir in ["/proc/agon", "/dev/null", "taken", "taken/below"] {
        let refused = fakes.debate(&["--debates-dir", dir]);
        assert_eq!(refused.code, Some(6), "{dir}: {refused:#?}");
        assert_eq!(fakes.asks(), Vec::<String>::new(), "{dir}");
    }
    assert_eq!(
        fs::read_to_string(fakes.place.project().join("taken")).unwrap(),
        "a file"
    );
}

#[test]
fn the_name_of_a_debate_that_is_there_gets_a_number() {
    let fakes = closed();
    let before = Tree::of(&fakes.place.folder());
    let ran = fakes.debate(&["--quick"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(ran.json()["debate"], "s-2");
    assert!(before == Tree::of(&fakes.place.folder()));
}

#[test]
fn a_link_in_the_place_of_a_document_is_refused_and_nothing_is_read_or_removed_behind_it() {
    for (document, behind) in [
        ("transcript.md", "secret.txt"),
        ("debate.md", "secret.txt"),
        ("arguments", "elsewhere"),
    ] {
        let fakes = stopped();
        let folder = fakes.place.folder();
        let outside = fakes.place.home().join(behind);
        let at = folder.join(document);
        if at.is_dir() {
            fs::create_dir(&outside).unwrap();
            fs::write(outside.join("pro_001a.md"), "mine\n").unwrap();
            fs::remove_dir_all(&at).unwrap();
        } else {
            fs::write(&outside, "mine\n").unwrap();
            fs::remove_file(&at).unwrap();
        }
        std::os::unix::fs::symlink(&outside, &at).unwrap();
        let before = Tree::of(&fakes.place.home());
        let refused = fakes.resume();
        assert_eq!(refused.code, Some(6), "{refused:#?}");
        assert!(before == Tree::of(&fakes.place.home()), "{document}");
        for name in [
            "transcript.md.changed",
            "debate.md.changed",
            "arguments/pro_001a.md.changed",
        ] {
            assert!(!folder.join(name).exists(), "{name}");
        }
    }
}
