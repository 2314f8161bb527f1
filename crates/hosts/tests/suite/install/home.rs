//! A home with files in it, and Agon's hand on it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use agon_hosts::compile::{Compiled, Target, compile};
use agon_hosts::content;
use agon_hosts::host::{HostEnv, SERVER, Scope, find_host};
use agon_hosts::install::{Action, InstallPlan, Installation, Step, apply, plan, uninstall};
use tempfile::TempDir;

/// A home of its own.
pub(super) struct Home {
    dir: TempDir,
}

/// A file, a link or a folder: its mode, and what is in it.
pub(super) type Tree = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl Home {
    pub(super) fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub(super) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(super) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    pub(super) fn set_mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Everything in it.
    pub(super) fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        add(self.dir.path(), &mut tree);
        tree
    }

    pub(super) fn place(&self, host: &str) -> Installation {
        let env = HostEnv {
            home: self.dir.path().to_owned(),
            vars: BTreeMap::new(),
        };
        let receipts = self.path(".local/share/agon/hosts");
        Installation::new(find_host(host).unwrap(), Scope::User, &env, &receipts)
    }

    /// What an installation would change.
    pub(super) fn plan(&self, host: &str) -> InstallPlan {
        self.plan_as(host, &compiled(host), "agon")
    }

    pub(super) fn plan_as(&self, host: &str, compiled: &Compiled, program: &str) -> InstallPlan {
        let place = self.place(host);
        let entry = place
            .host
            .server
            .agon_entry(&[program.to_owned(), "mcp".to_owned()]);
        let hooks = place.host.hooks.setup(host, program);
        plan(&place, compiled, &entry, Some(&hooks), "1.0.0").unwrap()
    }

    pub(super) fn install(&self, host: &str) -> Vec<Step> {
        apply(&self.place(host), self.plan(host)).unwrap()
    }

    pub(super) fn install_as(&self, host: &str, compiled: &Compiled, program: &str) -> Vec<Step> {
        apply(&self.place(host), self.plan_as(host, compiled, program)).unwrap()
    }

    pub(super) fn uninstall(&self, host: &str) -> Vec<Step> {
        uninstall(&self.place(host), false).unwrap()
    }
}

pub(super) fn compiled(host: &str) -> Compiled {
    let target = Target {
        host: find_host(host).unwrap(),
        server: SERVER,
        waived: &[],
        is_for_project: false,
    };
    compile(&content::embedded().unwrap(), &target)
}

fn add(folder: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let meta = fs::symlink_metadata(&path).unwrap();
        let mode = meta.permissions().mode();
        if meta.is_symlink() {
            let target = fs::read_link(&path).unwrap();
            tree.insert(path, (mode, target.into_os_string().into_encoded_bytes()));
        } else if meta.is_dir() {
            tree.insert(path.clone(), (mode, Vec::new()));
            add(&path, tree);
        } else {
            tree.insert(path.clone(), (mode, fs::read(&path).unwrap()));
        }
    }
}

/// What happened to a part, by its title.
pub(super) fn step<'a>(steps: &'a [Step], title: &str) -> &'a Step {
    let found = steps.iter().find(|step| step.part.title() == title);
    found.unwrap_or_else(|| panic!("no {title}: {steps:#?}"))
}

/// How often each action is there.
pub(super) fn actions(steps: &[Step]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for step in steps {
        *counts.entry(Action::name(step.action)).or_default() += 1;
    }
    counts
}
