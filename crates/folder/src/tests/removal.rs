//! Removes a debate, with a fault at each operation.

use std::path::PathBuf;
use std::sync::Arc;

use agon_store::{Disk, DiskFault, FaultDisk, FaultKind};
use ulid::Ulid;

use super::support::{AT, batches, debates, files, spec};
use crate::{Folder, View, list_debates, remove_debate};

const ID: Ulid = Ulid(7);

fn debate() -> (FaultDisk, PathBuf) {
    let disk = FaultDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut folder = Folder::create(shared, &debates(), "Job store", spec(), AT).unwrap();
    folder.append(AT + 1, &batches()[0]).unwrap();
    let files = files(folder.state());
    folder.write_projections(&files).unwrap();
    let path = folder.path().to_owned();
    drop(folder);
    (disk, path)
}

fn operations() -> u64 {
    let (disk, path) = debate();
    disk.set_fault(DiskFault {
        at: u64::MAX,
        kind: FaultKind::Fail,
    });
    remove_debate(&disk, &path, ID).unwrap();
    disk.operation_count()
}

#[test]
fn a_debate_that_is_removed_is_gone() {
    let (disk, path) = debate();
    remove_debate(&disk, &path, ID).unwrap();
    assert_eq!(
        disk.list_names(&debates()).unwrap(),
        Vec::<std::ffi::OsString>::new()
    );
}

#[test]
fn a_debate_that_cannot_be_removed_keeps_its_name_and_its_record() {
    for at in 0..operations() {
        let (disk, path) = debate();
        disk.set_fault(DiskFault {
            at,
            kind: FaultKind::Fail,
        });
        remove_debate(&disk, &path, ID).unwrap_err();
        disk.clear_faults();
        View::read(&disk, &path).unwrap();
        let listing = list_debates(&disk, &debates()).unwrap();
        assert_eq!(listing.interrupted_removals, Vec::<PathBuf>::new(), "{at}");
        remove_debate(&disk, &path, ID).unwrap();
    }
}

#[test]
fn a_debate_whose_removal_was_killed_is_listed_or_gone() {
    for at in 0..operations() {
        let (disk, path) = debate();
        disk.set_fault(DiskFault {
            at,
            kind: FaultKind::Crash,
        });
        remove_debate(&disk, &path, ID).unwrap_err();
        disk.clear_faults();
        let listing = list_debates(&disk, &debates()).unwrap();
        let hidden = path.with_file_name(format!(".removed-{ID}"));
        match listing.debates.as_slice() {
            [found] => assert_eq!(found.path, path, "{at}"),
            _ => assert_eq!(
                listing.interrupted_removals,
                std::slice::from_ref(&hidden),
                "{at}"
            ),
        }
        if !listing.interrupted_removals.is_empty() {
            remove_debate(&disk, &hidden, Ulid(8)).unwrap();
        }
    }
}

#[test]
fn a_folder_with_a_name_of_another_kind_is_not_taken_for_a_removed_debate() {
    let (disk, path) = debate();
    disk.rename(&path, &path.with_file_name(".removed-$(touch x)"))
        .unwrap();
    let listing = list_debates(&disk, &debates()).unwrap();
    assert_eq!(listing.interrupted_removals, Vec::<PathBuf>::new());
}
