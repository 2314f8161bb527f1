//! Rebuilds projections that Agon wrote, and leaves others alone.

use agon_store::{Disk, FaultDisk, RelPath};

use super::support::{AT, batches, debate, files, folder, open};
use crate::{FileProblem, ProjectError, check};

fn path(name: &str) -> RelPath {
    RelPath::new(name).unwrap()
}

fn troubles(disk: &FaultDisk) -> Vec<(RelPath, FileProblem)> {
    check(disk, &folder(), 5, &files).unwrap().files
}

fn read(disk: &FaultDisk, name: &str) -> Vec<u8> {
    disk.read(&folder().join(name)).unwrap()
}

fn aside(disk: &FaultDisk) -> Vec<String> {
    let names = disk
        .list_names(&folder().join(".agon/aside"))
        .unwrap_or_default();
    names
        .iter()
        .map(|name| name.to_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_file_edited_by_hand_is_never_overwritten() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 4);
    left.write_projections(&files(left.state())).unwrap();
    disk.place_file(&folder().join("debate.md"), b"{}\n\n# Motion\n\nMine.\n");
    disk.place_file(&folder().join("arguments/pro_001b.md"), b"Mine.\n");
    left.append(AT, &batches()[4]).unwrap();
    let wanted = files(left.state());
    let edited = [path("debate.md"), path("arguments/pro_001b.md")];
    assert_eq!(left.foreign_edits(&wanted).unwrap(), edited);
    let error = left.write_projections(&wanted).unwrap_err();
    assert_eq!(
        error.to_string(),
        "changed by hand or by another program: debate.md, arguments/pro_001b.md"
    );
    assert!(matches!(error, ProjectError::ForeignEdit { paths } if paths == edited));
    assert_eq!(read(&disk, "debate.md"), b"{}\n\n# Motion\n\nMine.\n");
    assert_eq!(read(&disk, "arguments/pro_001b.md"), b"Mine.\n");
    assert!(disk.read(&folder().join("arguments/pro_002a.md")).is_err());
    let found = troubles(&disk);
    assert!(found.contains(&(path("debate.md"), FileProblem::ForeignEdit)));
    assert!(found.contains(&(path("transcript.md"), FileProblem::Stale)));
    assert!(found.contains(&(path("arguments/pro_002a.md"), FileProblem::Missing)));

    // Removed files are rewritten.
    for name in ["debate.md", "arguments/pro_001b.md"] {
        disk.remove_tree(&folder().join(name)).unwrap();
    }
    left.write_projections(&wanted).unwrap();
    assert_eq!(troubles(&disk), []);
}

#[test]
fn a_file_of_an_earlier_state_is_brought_up_to_date() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 2);
    left.write_projections(&files(left.state())).unwrap();
    let older = read(&disk, "debate.md");
    left.append(AT, &batches()[2]).unwrap();
    left.append(AT, &batches()[3]).unwrap();
    assert!(troubles(&disk).contains(&(path("debate.md"), FileProblem::Stale)));
    left.write_projections(&files(left.state())).unwrap();
    assert_ne!(read(&disk, "debate.md"), older);
    // A crash of the machine can restore the previous file.
    disk.place_file(&folder().join("debate.md"), &older);
    assert_eq!(troubles(&disk), [(path("debate.md"), FileProblem::Stale)]);
    drop(left);
    let (mut left, _) = open(&disk, &folder()).unwrap();
    left.write_projections(&files(left.state())).unwrap();
    assert_eq!(troubles(&disk), []);
    assert_eq!(aside(&disk), [""; 0]);
}

#[test]
fn a_file_that_is_empty_or_cut_short_is_rebuilt_and_what_was_left_is_kept() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 4);
    left.write_projections(&files(left.state())).unwrap();
    let whole = read(&disk, "transcript.md");
    disk.place_file(&folder().join("debate.md"), b"");
    disk.place_file(&folder().join("transcript.md"), &whole[..9]);
    disk.place_file(&folder().join("arguments/cha_001a.md"), &[0; 300]);
    let broken = ["debate.md", "arguments/cha_001a.md", "transcript.md"];
    assert_eq!(
        troubles(&disk),
        broken.map(|name| (path(name), FileProblem::Broken))
    );
    left.write_projections(&files(left.state())).unwrap();
    assert_eq!(troubles(&disk), []);
    let kept = aside(&disk);
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(kept[0].starts_with("arguments_cha_001a.md."));
    assert_eq!(
        read(&disk, &format!(".agon/aside/{}", kept[1])),
        &whole[..9]
    );
}

#[test]
fn without_a_manifest_only_what_fits_is_ours() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 4);
    left.write_projections(&files(left.state())).unwrap();
    drop(left);
    disk.place_file(&folder().join(".agon/projections.json"), b"{ half");
    let report = check(&disk, &folder(), 5, &files).unwrap();
    assert_eq!(
        (report.problems, report.files),
        (vec![crate::Problem::Manifest], vec![])
    );
    let (mut left, opening) = open(&disk, &folder()).unwrap();
    assert_eq!(opening.warnings, [crate::Problem::Manifest]);
    left.write_projections(&files(left.state())).unwrap();
    assert!(check(&disk, &folder(), 5, &files).unwrap().is_sound());
}

#[test]
fn an_argument_that_nobody_made_is_told() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 4);
    left.write_projections(&files(left.state())).unwrap();
    disk.place_file(&folder().join("arguments/pro_009z.md"), b"An argument.\n");
    assert_eq!(
        troubles(&disk),
        [(path("arguments/pro_009z.md"), FileProblem::ForeignEdit)]
    );
}

#[test]
fn nothing_is_written_when_all_is_as_it_should_be() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 4);
    let wanted = files(left.state());
    left.write_projections(&wanted).unwrap();
    disk.make_read_only();
    left.write_projections(&wanted).unwrap();
}

#[test]
fn any_earlier_version_of_a_file_may_come_back() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 0);
    let name = path("transcript.md");
    let version = |n: u32| format!("version {n} of the transcript\n").into_bytes();
    for n in 0..60 {
        left.write_projections(&[(name.clone(), version(n))])
            .unwrap();
        if n == 0 {
            // The system wrote the first version to disk, but no other.
            let at = folder().join("transcript.md");
            disk.open_append(&at).unwrap().sync().unwrap();
            disk.sync_dir(&folder()).unwrap();
        }
        // Whatever remains after a crash is recognized as Agon's.
        for keep in agon_store::CrashRemains::ALL {
            let after = disk.after_crash(keep);
            let (again, _) = open(&after, &folder()).unwrap();
            let wanted = [(name.clone(), b"something new\n".to_vec())];
            assert_eq!(again.foreign_edits(&wanted).unwrap(), [], "{n}, {keep:?}");
        }
    }
    let manifest = read(&disk, ".agon/projections.json");
    assert!(manifest.len() < 2_000, "the history grows without end");
}

#[test]
fn what_another_program_changed_is_kept_beside_the_file_that_is_written_again() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 4);
    let wanted = files(left.state());
    left.write_projections(&wanted).unwrap();
    let ours = read(&disk, "debate.md");
    for (round, text) in [(1, &b"{}\n\nMine.\n"[..]), (2, b"{}\n\nMine again.\n")] {
        disk.place_file(&folder().join("debate.md"), text);
        let kept = left.rename_foreign_edits(&wanted).unwrap();
        assert_eq!((kept.len(), &kept[0].0), (1, &path("debate.md")));
        left.write_projections(&wanted).unwrap();
        assert_eq!(read(&disk, "debate.md"), ours);
        let kept = if round == 1 {
            "debate.md.changed"
        } else {
            "debate.md.changed2"
        };
        assert_eq!(read(&disk, kept), text);
    }
    assert_eq!(read(&disk, "debate.md.changed"), b"{}\n\nMine.\n");
    assert_eq!(left.rename_foreign_edits(&wanted).unwrap(), []);
    assert_eq!(troubles(&disk), []);

    // A file that differs only in line ends still counts as Agon's.
    let windows = String::from_utf8(ours.clone())
        .unwrap()
        .replace('\n', "\r\n");
    disk.place_file(&folder().join("debate.md"), windows.as_bytes());
    assert_eq!(left.rename_foreign_edits(&wanted).unwrap(), []);
    left.write_projections(&wanted).unwrap();
    assert_eq!(read(&disk, "debate.md"), ours);
    assert!(disk.read(&folder().join("debate.md.changed3")).is_err());
}
