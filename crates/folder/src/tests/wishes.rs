//! Requests in the inbox of a folder.

use std::sync::Arc;

use agon_record::user::{Item, UserRequest};
use agon_samples::batches::spec;
use agon_store::RealDisk;
use agon_store::inbox::{is_request_pending, submit_request, withdraw_request};
use ulid::Ulid;

use crate::{Folder, Writer, current_writer};

fn opened() -> (tempfile::TempDir, Folder) {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::create(Arc::new(RealDisk), dir.path(), "d", spec(), 1).unwrap();
    (dir, folder)
}

fn note(id: u128) -> Item {
    let text = format!("note {id}");
    Item {
        id: id.into(),
        wish: UserRequest::Note { text, redacted: 0 },
    }
}

#[test]
fn wishes_are_found_in_the_order_of_their_names_until_they_are_done() {
    let (_dir, folder) = opened();
    assert_eq!(folder.pending_requests().unwrap(), []);
    for id in [7, 3, 5] {
        submit_request(&RealDisk, folder.path(), &note(id)).unwrap();
    }
    assert_eq!(
        folder.pending_requests().unwrap(),
        [note(3), note(5), note(7)]
    );
    folder.remove_request(3.into()).unwrap();
    folder.remove_request(3.into()).unwrap();
    assert!(is_request_pending(&RealDisk, folder.path(), 5.into()).unwrap());
    withdraw_request(&RealDisk, folder.path(), 5.into()).unwrap();
    assert_eq!(folder.pending_requests().unwrap(), [note(7)]);
    let git = std::fs::read_to_string(folder.path().join(".agon/inbox/.gitignore")).unwrap();
    assert_eq!(git, "*\n");
}

#[test]
fn what_is_no_wish_is_set_aside_and_a_newer_one_stays() {
    let (_dir, folder) = opened();
    submit_request(&RealDisk, folder.path(), &note(1)).unwrap();
    let inbox = folder.path().join(".agon/inbox");
    let name = |id: u128| inbox.join(format!("{}.json", Ulid::from(id)));
    std::fs::write(name(2), "{ not a wish").unwrap();
    std::fs::write(name(3), r#"{"v":9,"id":"?","wish":"sing"}"#).unwrap();
    // A request under another request's name could be applied twice.
    std::fs::copy(name(1), name(4)).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", name(5)).unwrap();
    assert_eq!(folder.pending_requests().unwrap(), [note(1)]);
    assert!(!name(2).exists() && name(3).exists() && !name(4).exists());
    let aside = std::fs::read_dir(folder.path().join(".agon/aside")).unwrap();
    assert_eq!(aside.count(), 2);
}

#[test]
fn a_stop_is_for_the_writer_of_the_moment() {
    let (_dir, folder) = opened();
    let path = folder.path().to_owned();
    let Writer::Process(Some(holder)) = current_writer(&RealDisk, &path).unwrap() else {
        panic!("nobody writes");
    };
    assert_eq!(holder.pid, std::process::id());
    let stop = Item {
        id: 2.into(),
        wish: UserRequest::Stop,
    };
    submit_request(&RealDisk, &path, &note(1)).unwrap();
    submit_request(&RealDisk, &path, &stop).unwrap();
    drop(folder);
    assert_eq!(current_writer(&RealDisk, &path).unwrap(), Writer::Nobody);
    let (folder, _) = Folder::open(Arc::new(RealDisk), &path, 2).unwrap();
    assert_eq!(folder.pending_requests().unwrap(), [note(1)]);
}
