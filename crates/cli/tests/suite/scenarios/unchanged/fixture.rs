//! Where the recorded debates stand.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::bundle::{self, Files};

/// Debates that are looked at side by side.
const AT_ONCE: usize = 4;

/// A debate that some version recorded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Recorded {
    /// The folder of that version.
    pub(super) version: PathBuf,
    /// The debate's name.
    pub(super) name: String,
}

/// The folder of every version.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/records")
}

/// The folders of the versions that are recorded.
pub(super) fn versions() -> Vec<PathBuf> {
    let entries = fs::read_dir(root()).into_iter().flatten().flatten();
    let mut versions: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    versions.sort();
    versions
}

/// Every recorded debate of every version.
pub(super) fn all() -> Vec<Recorded> {
    let mut all: Vec<_> = versions().iter().flat_map(|version| of(version)).collect();
    all.sort();
    all
}

/// The recorded debates of one version.
fn of(version: &Path) -> Vec<Recorded> {
    let entries = fs::read_dir(version).unwrap().flatten();
    let recorded = entries.filter_map(|entry| {
        let path = entry.path();
        let named = path.extension().is_some_and(|ending| ending == "folder");
        let name = path.file_stem()?.to_string_lossy().into_owned();
        named.then(|| Recorded {
            version: version.to_owned(),
            name,
        })
    });
    recorded.collect()
}

impl Recorded {
    /// The file of this ending.
    pub(super) fn path(&self, ending: &str) -> PathBuf {
        self.version.join(format!("{}.{ending}", self.name))
    }

    /// The files of the debate's folder.
    pub(super) fn files(&self) -> Files {
        bundle::from_text(&fs::read_to_string(self.path("folder")).unwrap())
    }

    /// What was recorded of it under this ending.
    pub(super) fn text(&self, ending: &str) -> String {
        let path = self.path(ending);
        fs::read_to_string(&path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()))
    }
}

/// Does something with each, several at once; what is wrong with them, in their order.
pub(super) fn each<T: Sync>(
    all: &[T],
    look: impl Fn(usize, &T) -> Vec<String> + Sync,
) -> Vec<String> {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    let Some(one) = all.get(at) else {
                        return;
                    };
                    // One that cannot even be looked at hides nothing of the others.
                    let found = catch_unwind(AssertUnwindSafe(|| look(at, one)));
                    let found =
                        found.unwrap_or_else(|_| vec![format!("the test of number {at} failed")]);
                    wrong.lock().unwrap().push((at, found));
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    assert_eq!(wrong.len(), all.len(), "every one was looked at");
    wrong.sort();
    wrong.into_iter().flat_map(|(_, found)| found).collect()
}
