//! Copies of the debates, and the program beside them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

use serde_json::Value;

/// A copy of one debate, in `debates/` of an empty home.
pub(crate) struct World {
    place: tempfile::TempDir,
    /// The name of the debate.
    pub(crate) name: String,
}

/// What one process said.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Said {
    /// The document on stdout.
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|_| panic!("no document: {:?} {:?}", self.stdout, self.stderr))
    }
}

/// A copy of every debate there is; none, and a word about it, where there are none.
pub(crate) fn worlds() -> Vec<World> {
    let Some(dir) = std::env::var_os("AGON_FOREIGN_DEBATES") else {
        eprintln!("skipped: AGON_FOREIGN_DEBATES names no folder of debates");
        return Vec::new();
    };
    let mut worlds = Vec::new();
    for entry in fs::read_dir(&dir).unwrap() {
        let from = entry.unwrap().path();
        if from.join("debate.md").is_file() {
            worlds.push(World::copy_of(&from));
        }
    }
    assert!(!worlds.is_empty(), "there is no debate in {dir:?}");
    worlds
}

impl World {
    fn copy_of(from: &Path) -> Self {
        let place = tempfile::tempdir().unwrap();
        let name = from.file_name().unwrap().to_str().unwrap().to_owned();
        let world = Self { place, name };
        for (path, bytes) in files(from) {
            world.write(&path, &bytes);
        }
        world
    }

    /// Where the debate is.
    pub(crate) fn folder(&self) -> PathBuf {
        self.place.path().join("debates").join(&self.name)
    }

    /// Somewhere beside the debates.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// A file of the debate.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder().join(path)).unwrap()
    }

    /// Writes a file of the debate.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.folder().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Every file by its path, but for the lock, which names its last holder.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = files(&self.folder());
        files.remove(".agon/lock");
        files
    }

    /// When each file and folder was last changed.
    pub(crate) fn times(&self) -> BTreeMap<PathBuf, SystemTime> {
        let mut times = BTreeMap::new();
        walk(&self.folder(), &mut |path| {
            let at = fs::metadata(path).unwrap().modified().unwrap();
            times.insert(path.to_owned(), at);
        });
        times
    }

    /// What `debate.md` begins with.
    pub(crate) fn front(&self) -> Value {
        front(&self.read("debate.md"))
    }

    /// The exchange that is due.
    pub(crate) fn exchange(&self) -> u64 {
        self.front()["current_exchange"].as_u64().unwrap()
    }

    /// Every score, as it stands in the folder.
    pub(crate) fn scores(&self) -> Value {
        serde_json::from_str(&self.read("scores.json")).unwrap()
    }

    /// The arguments by their ids, as their files begin.
    pub(crate) fn arguments(&self) -> BTreeMap<String, Value> {
        let arguments = self.files().into_iter().filter_map(|(path, bytes)| {
            let id = path.strip_prefix("arguments/")?.strip_suffix(".md")?;
            Some((id.to_owned(), front(&String::from_utf8(bytes).unwrap())))
        });
        arguments.collect()
    }

    /// Runs the program beside the debates.
    pub(crate) fn run(&self, args: &[&str]) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command
            .args(args)
            .current_dir(self.place.path())
            .env_clear();
        let Output {
            status,
            stdout,
            stderr,
        } = command.env("HOME", self.place.path()).output().unwrap();
        Said {
            code: status.code(),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }

    /// Takes a step with `agon ops`; both inputs are there before.
    pub(crate) fn argue(&self, exchange: u64, prop: &Value, opp: &Value) -> Said {
        let (prop, opp) = (self.input("prop.json", prop), self.input("opp.json", opp));
        let exchange = exchange.to_string();
        let step = ["ops", "process-exchange", &self.name, &exchange];
        self.run(&[&step[..], &["--prop-file", &prop, "--opp-file", &opp]].concat())
    }

    /// Brings a judgment with `agon ops`.
    pub(crate) fn judge(&self, scores: &Value) -> Said {
        let input = self.input("judge.json", scores);
        self.run(&["ops", "process-judge", &self.name, "--json-file", &input])
    }

    fn input(&self, name: &str, input: &Value) -> String {
        let path = self.beside(name);
        fs::write(&path, input.to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

/// The object at the head of a file.
pub(crate) fn front(text: &str) -> Value {
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    values.next().unwrap().unwrap()
}

fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    walk(root, &mut |path| {
        if path.is_file() {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            files.insert(name.to_owned(), fs::read(path).unwrap());
        }
    });
    files
}

fn walk(path: &Path, seen: &mut impl FnMut(&Path)) {
    seen(path);
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            walk(&entry.unwrap().path(), seen);
        }
    }
}
