//! A folder with a formal debate, and the program beside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use agon_engine::host::{FolderHost, Host};
use agon_record::spec::Spec;
use agon_samples::steps::{good, scores, spec};
use agon_store::RealDisk;
use serde_json::Value;

/// A folder with a formal debate `d`, and a place for inputs.
pub(crate) struct World {
    place: tempfile::TempDir,
}

/// What one process said.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    #[cfg(feature = "failpoints")]
    pub(crate) killed: bool,
}

impl Said {
    /// The document on stdout.
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|_| panic!("no document: {:?} {:?}", self.stdout, self.stderr))
    }

    /// All that was refused, as one text.
    pub(crate) fn errors(&self) -> String {
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
    /// A new debate in which nothing was said.
    pub(crate) fn new() -> Self {
        Self::of(spec())
    }

    /// A new debate of this motion; `text` stands wherever else its opener may write.
    pub(crate) fn about(motion: &str, text: &str) -> Self {
        let mut spec = spec();
        motion.clone_into(&mut spec.topic);
        spec.kind.as_formal_mut().unwrap().scope = Some(text.to_owned());
        for definition in &mut spec.kind.as_formal_mut().unwrap().definitions {
            text.clone_into(&mut definition.term);
            text.clone_into(&mut definition.meaning);
        }
        Self::of(spec)
    }

    fn of(spec: Spec) -> Self {
        let place = tempfile::tempdir().unwrap();
        let disk = Arc::new(RealDisk);
        let mut host = FolderHost::create(disk, place.path(), spec, || 1_700_000_000_000).unwrap();
        host.publish_documents().unwrap();
        Self { place }
    }

    /// A debate that waits for the arguments of `exchange`.
    pub(crate) fn before(exchange: u16) -> Self {
        let world = Self::new();
        for exchange in 0..exchange {
            world.argue(exchange);
            world.judge(exchange);
        }
        world
    }

    /// Both sides' good arguments of `exchange`, taken in.
    pub(crate) fn argue(&self, exchange: u16) {
        let said = self.exchange(exchange, &good("prop", exchange), &good("opp", exchange));
        assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    }

    /// The good scores of `exchange`, taken in.
    pub(crate) fn judge(&self, exchange: u16) {
        let said = self.judgment(&scores(exchange).to_string());
        assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    }

    /// Runs `process-exchange` with these inputs.
    pub(crate) fn exchange(&self, exchange: u16, prop: &str, opp: &str) -> Said {
        self.exchange_bytes(&exchange.to_string(), prop.as_bytes(), opp.as_bytes(), None)
    }

    /// Runs `process-exchange` with inputs of any bytes, perhaps to be killed at a point.
    pub(crate) fn exchange_bytes(
        &self,
        exchange: &str,
        prop: &[u8],
        opp: &[u8],
        failpoint: Option<&str>,
    ) -> Said {
        let (prop, opp) = (self.input("prop.json", prop), self.input("opp.json", opp));
        let files = ["--prop-file", &prop, "--opp-file", &opp];
        let args = [&["ops", "process-exchange", "d", exchange], &files[..]];
        self.run(&args.concat(), failpoint)
    }

    /// Runs `process-judge` with this input.
    pub(crate) fn judgment(&self, scores: &str) -> Said {
        self.judgment_bytes(scores.as_bytes(), None)
    }

    /// Runs `process-judge` with an input of any bytes, perhaps to be killed at a point.
    pub(crate) fn judgment_bytes(&self, scores: &[u8], failpoint: Option<&str>) -> Said {
        let input = self.input("judge.json", scores);
        self.run(
            &["ops", "process-judge", "d", "--json-file", &input],
            failpoint,
        )
    }

    /// Runs the program where the debate is.
    pub(crate) fn run(&self, args: &[&str], failpoint: Option<&str>) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command
            .args(args)
            .current_dir(self.place.path())
            .env_clear();
        command.env("HOME", self.place.path());
        if let Some(point) = failpoint {
            command.env("AGON_FAILPOINT", point);
        }
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().unwrap();
        Said {
            code: status.code(),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
            #[cfg(feature = "failpoints")]
            killed: std::os::unix::process::ExitStatusExt::signal(&status) == Some(9),
        }
    }

    /// Where the debate is.
    pub(crate) fn folder(&self) -> PathBuf {
        self.place.path().join("d")
    }

    /// Whether the input of that name is still there.
    pub(crate) fn has_input(&self, name: &str) -> bool {
        self.place.path().join(name).exists()
    }

    /// The path of an input of this name with these bytes.
    pub(crate) fn input(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.place.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_string_lossy().into_owned()
    }

    /// Every file of the folder by its path, but for the lock, which names its last holder.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.folder(), &self.folder(), &mut files);
        files.remove(".agon/lock");
        files
    }

    /// A projection of the debate.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder().join(path)).unwrap()
    }
}

/// The object at the head of a file.
pub(crate) fn front(text: &str) -> Value {
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    values.next().unwrap().unwrap()
}

fn collect(root: &Path, dir: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_string_lossy()
                .into_owned();
            files.insert(name, fs::read(&path).unwrap());
        }
    }
}
