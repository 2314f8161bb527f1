//! A folder with a formal debate, and steps added to it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use agon_caller::{Caller, IgnoreNotes};
use agon_debates::steer::ops::{StepAnswer, StepFiles, StepRequest, take_step};
use agon_engine::host::{FolderHost, Host};
use agon_samples::steps::{good, scores, spec};
use agon_store::RealDisk;
use serde_json::Value;

use crate::tree::tree;

/// A folder with a formal debate `d`, and a folder for inputs.
pub(crate) struct World {
    place: tempfile::TempDir,
    caller: Caller,
}

/// The answer to a step.
pub(crate) struct Said {
    pub(crate) json: String,
    pub(crate) is_success: bool,
}

impl Said {
    /// Returns the answer as JSON.
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.json).unwrap()
    }

    /// Returns all rejections as one text.
    pub(crate) fn errors(&self) -> String {
        assert!(!self.is_success, "{}", self.json);
        let document = self.document();
        assert_eq!(document["success"], false, "{document}");
        let Some(errors) = document["errors"].as_array() else {
            return document["error"].as_str().unwrap().to_owned();
        };
        let errors: Vec<_> = errors.iter().map(|e| e.as_str().unwrap()).collect();
        errors.join("\n")
    }
}

impl World {
    /// Returns a new debate without turns.
    pub(crate) fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let disk = Arc::new(RealDisk);
        let mut host =
            FolderHost::create(disk, place.path(), spec(), || 1_700_000_000_000).unwrap();
        host.publish_documents().unwrap();
        let home = ("HOME".into(), place.path().into());
        let caller = Caller::new(BTreeMap::from([home]), place.path());
        Self { place, caller }
    }

    /// Returns a debate that waits for the arguments of `exchange`.
    pub(crate) fn before(exchange: u16) -> Self {
        let world = Self::new();
        for exchange in 0..exchange {
            world.argue(exchange);
            world.judge(exchange);
        }
        world
    }

    /// Adds both sides' valid arguments of `exchange`.
    pub(crate) fn argue(&self, exchange: u16) {
        let said = self.exchange(exchange, &good("prop", exchange), &good("opp", exchange));
        assert!(said.is_success, "{}", said.json);
    }

    /// Adds valid scores of `exchange`.
    pub(crate) fn judge(&self, exchange: u16) {
        let said = self.judgment(&scores(exchange).to_string());
        assert!(said.is_success, "{}", said.json);
    }

    /// Submits these arguments.
    pub(crate) fn exchange(&self, exchange: u16, prop: &str, opp: &str) -> Said {
        self.exchange_bytes(exchange, prop.as_bytes(), opp.as_bytes())
    }

    /// Submits arguments of any bytes.
    pub(crate) fn exchange_bytes(&self, exchange: u16, prop: &[u8], opp: &[u8]) -> Said {
        let files = StepFiles::Exchange {
            exchange,
            proposition: self.input("prop.json", prop),
            opposition: self.input("opp.json", opp),
        };
        self.take("d", files)
    }

    /// Submits these scores.
    pub(crate) fn judgment(&self, scores: &str) -> Said {
        self.judgment_bytes(scores.as_bytes())
    }

    /// Submits scores of any bytes.
    pub(crate) fn judgment_bytes(&self, scores: &[u8]) -> Said {
        let scores = self.input("judge.json", scores);
        self.take("d", StepFiles::Judgment { scores })
    }

    /// Submits a step to the debate of this name.
    pub(crate) fn take(&self, debate: &str, brought: StepFiles) -> Said {
        let request = StepRequest {
            debate: debate.to_owned(),
            brought,
        };
        let StepAnswer { json, is_success } = take_step(&self.caller, &request, &mut IgnoreNotes);
        Said { json, is_success }
    }

    /// Returns the caller.
    pub(crate) fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Returns the debate's folder.
    pub(crate) fn folder(&self) -> PathBuf {
        self.path("d")
    }

    /// Returns the path of this name beside the debate.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// Returns whether the input of that name still exists.
    pub(crate) fn has_input(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Writes an input of this name with these bytes; returns its path.
    pub(crate) fn input(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Returns every file of the folder by its path, except the lock, which names its last holder.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = tree(&self.folder());
        files.remove(".agon/lock");
        files
    }
}
