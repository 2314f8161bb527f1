//! A folder of debates for tests.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_folder::Folder;
use agon_record::spec::Spec;
use agon_samples::batches::{AT, batches, spec};
use agon_store::RealDisk;
use tempfile::TempDir;

/// A folder of debates on the disk.
pub(crate) struct Debates {
    dir: TempDir,
}

impl Debates {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        Self { dir }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn index_file(&self) -> PathBuf {
        self.path().join(".agon/index.db")
    }

    /// Opens a debate about `topic` without any turns.
    pub(crate) fn open(&self, topic: &str, number: u128) -> Folder {
        let spec = Spec {
            topic: topic.to_owned(),
            ulid: number.into(),
            ..spec()
        };
        Folder::create(Arc::new(RealDisk), self.path(), topic, spec, AT).unwrap()
    }

    /// Creates a closed debate about `topic`.
    pub(crate) fn closed(&self, topic: &str, number: u128) -> Folder {
        let mut folder = self.open(topic, number);
        for (n, batch) in (1..).zip(batches()) {
            folder.append(AT + n, batch).unwrap();
        }
        folder
    }
}
