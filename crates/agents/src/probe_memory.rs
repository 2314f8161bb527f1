//! Remembers what programs said about themselves, so that a later start need not run them again.
//!
//! Only good news is remembered: the version, and that the user is logged in. One file holds one
//! answer. Its name contains the tool and a hash of everything that the answer may depend on, so
//! that a changed program or login is asked again.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use agon_files::{Durable, require_own};
use serde::{Deserialize, Serialize};

/// Where answers of programs are remembered, and the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeMemory {
    /// The folder of the answers.
    pub dir: PathBuf,
    /// The current time in milliseconds since 1970.
    pub now_ms: u64,
}

/// What a program was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Its version.
    Version,
    /// Whether the user is logged in.
    Login,
}

/// Everything that the answer of a program may depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeKey<'a> {
    /// The tool.
    pub(crate) tool: &'a str,
    /// The question to the program.
    pub(crate) question: Question,
    /// The path of the program.
    pub(crate) program: &'a Path,
    /// Its arguments.
    pub(crate) args: &'a [String],
    /// Its variables.
    pub(crate) env: &'a BTreeMap<OsString, OsString>,
    /// Files that it reads to answer.
    pub(crate) files: &'a [PathBuf],
}

/// Where an answer is remembered.
#[derive(Clone, Debug)]
pub(crate) struct AnswerPlace {
    file: PathBuf,
    question: Question,
}

#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    at_ms: u64,
    said: String,
}

/// The size limit of a file with an answer, in bytes.
const MAX_ANSWER_BYTES: u64 = 4096;
const HOUR_MS: u64 = 3_600_000;

impl Question {
    fn name(self) -> &'static str {
        match self {
            Self::Version => "version",
            Self::Login => "login",
        }
    }

    /// Returns how long an answer is used, in milliseconds.
    fn max_age_ms(self) -> u64 {
        match self {
            // Forgotten after a time, because the program may be a script: what it starts can change
            // while the script does not.
            Self::Version => 24 * HOUR_MS,
            // Limited, because a login can end on a server, or be in a store without a file.
            Self::Login => HOUR_MS,
        }
    }
}

impl ProbeMemory {
    /// Returns what the program answered before, if nothing changed since.
    pub(crate) fn recall(&self, place: &AnswerPlace) -> Option<String> {
        require_own(&fs::symlink_metadata(&self.dir).ok()?).ok()?;
        let bytes = agon_files::read_own(&place.file, MAX_ANSWER_BYTES).ok()?;
        let answer: Answer = serde_json::from_slice(&bytes).ok()?;
        let age = self.now_ms.checked_sub(answer.at_ms)?;
        (age <= place.question.max_age_ms()).then_some(answer.said)
    }

    /// Remembers an answer, and removes answers that are too old. Does nothing if the files cannot
    /// be written, because the program can be asked again.
    pub(crate) fn remember(&self, place: &AnswerPlace, said: &str) {
        let answer = Answer {
            at_ms: self.now_ms,
            said: said.to_owned(),
        };
        let Ok(bytes) = serde_json::to_vec(&answer) else {
            return;
        };
        let mut private = fs::DirBuilder::new();
        private.recursive(true).mode(0o700);
        let made = private.create(&self.dir);
        let own = made.and_then(|()| require_own(&fs::symlink_metadata(&self.dir)?));
        if own
            .and_then(|()| agon_files::replace(&place.file, &bytes, 0o600, Durable::No))
            .is_ok()
        {
            let is_old = |it: Answer| self.now_ms.abs_diff(it.at_ms) > 24 * HOUR_MS;
            self.remove(|name, answer| is_answer(name) && answer.is_none_or(is_old));
        }
    }

    /// Forgets that the user is logged in to a tool, because the tool refused a call.
    pub(crate) fn forget_login(&self, tool: &str) {
        let prefix = prefix(Question::Login, tool);
        self.remove(|name, _| name.starts_with(&prefix));
    }

    /// Forgets all answers, so that every program is asked again.
    pub fn forget_all(&self) {
        self.remove(|name, _| is_answer(name));
    }

    /// Removes the files that fit, by their name and their answer, if they have one. Ignores
    /// files that cannot be removed.
    fn remove(&self, fits: impl Fn(&str, Option<Answer>) -> bool) {
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let read = agon_files::read_own(&entry.path(), MAX_ANSWER_BYTES);
            let answer = read
                .ok()
                .and_then(|bytes| serde_json::from_slice(&bytes).ok());
            if fits(&name.to_string_lossy(), answer) {
                fs::remove_file(entry.path()).unwrap_or_default();
            }
        }
    }

    /// Returns the place of the answer to a question; `None` if the program cannot be read.
    ///
    /// Call it before the program is asked, so that the answer counts for the state before any
    /// change in the meantime.
    pub(crate) fn place(&self, key: &ProbeKey<'_>) -> Option<AnswerPlace> {
        let mut state = blake3::Hasher::new();
        let real = key.program.canonicalize().ok()?;
        // The link too, because a package manager may replace it and keep the program.
        for (path, found) in [
            (key.program, fs::symlink_metadata(key.program)),
            (&real, fs::metadata(&real)),
        ] {
            add(&mut state, path.as_os_str());
            state.update(&file_state(&found.ok()?));
        }
        for arg in key.args {
            add(&mut state, OsStr::new(arg));
        }
        for (name, value) in key.env {
            add(&mut state, name);
            add(&mut state, value);
        }
        for file in key.files {
            add(&mut state, file.as_os_str());
            match fs::metadata(file) {
                Ok(found) => state.update(&file_state(&found)),
                Err(_) => state.update(b"absent"),
            };
        }
        let state = state.finalize().to_hex();
        let name = format!("{}{}", prefix(key.question, key.tool), &state[..32]);
        Some(AnswerPlace {
            file: self.dir.join(name),
            question: key.question,
        })
    }
}

/// Returns whether a file of this name is for an answer, and not one that is being written.
fn is_answer(name: &str) -> bool {
    let questions = [Question::Version, Question::Login];
    let mut names = questions.iter().map(|question| question.name());
    names.any(|it| {
        name.strip_prefix(it)
            .is_some_and(|rest| rest.starts_with('-'))
    })
}

/// Returns the first part of the names of the files with a tool's answers.
fn prefix(question: Question, tool: &str) -> String {
    // Hashed, because a tool's name may contain slashes.
    let tool = blake3::hash(tool.as_bytes()).to_hex();
    format!("{}-{}-", question.name(), &tool[..16])
}

/// Adds a text with its length, so that two texts are not mistaken for one.
fn add(state: &mut blake3::Hasher, text: &OsStr) {
    state.update(&text.len().to_le_bytes());
    state.update(text.as_bytes());
}

/// Returns what changes when a file is written or replaced.
fn file_state(found: &Metadata) -> Vec<u8> {
    let changed = [found.mtime(), found.mtime_nsec()].map(i64::to_le_bytes);
    let size = [found.len(), found.ino()].map(u64::to_le_bytes);
    [changed.concat(), size.concat()].concat()
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::time::{Duration, SystemTime};

    use super::*;

    const NOW: u64 = 1_800_000_000_000;

    struct Place {
        dir: tempfile::TempDir,
        env: BTreeMap<OsString, OsString>,
        files: Vec<PathBuf>,
    }

    impl Place {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            fs::write(dir.path().join("program"), "1").unwrap();
            symlink("program", dir.path().join("link")).unwrap();
            let files = vec![dir.path().join("credentials")];
            let env = BTreeMap::from([("HOME".into(), "/home".into())]);
            Self { dir, env, files }
        }

        fn memory(&self, now_ms: u64) -> ProbeMemory {
            ProbeMemory {
                dir: self.dir.path().join("cache/probes"),
                now_ms,
            }
        }

        fn with_key<T>(&self, question: Question, act: impl FnOnce(&ProbeKey<'_>) -> T) -> T {
            act(&ProbeKey {
                tool: "claude",
                question,
                program: &self.dir.path().join("link"),
                args: &["auth".into(), "status".into()],
                env: &self.env,
                files: &self.files,
            })
        }

        fn remember(&self, question: Question, now_ms: u64) {
            let memory = self.memory(now_ms);
            let place = self.with_key(question, |key| memory.place(key)).unwrap();
            memory.remember(&place, "2.1.0");
        }

        fn recall(&self, question: Question, now_ms: u64) -> Option<String> {
            let memory = self.memory(now_ms);
            let place = self.with_key(question, |key| memory.place(key)).unwrap();
            memory.recall(&place)
        }
    }

    #[test]
    fn an_answer_is_remembered_for_its_time() {
        let place = Place::new();
        for (question, hours) in [(Question::Version, 24), (Question::Login, 1)] {
            assert_eq!(place.recall(question, NOW), None);
            place.remember(question, NOW);
            let age = hours * HOUR_MS;
            for (now, expected) in [
                (NOW, Some("2.1.0")),
                (NOW + age, Some("2.1.0")),
                (NOW + age + 1, None),
                (NOW - 1, None),
            ] {
                assert_eq!(place.recall(question, now).as_deref(), expected);
            }
        }
    }

    #[test]
    fn every_change_of_the_program_or_its_login_is_seen() {
        type Change = fn(&mut Place);
        let changes: [(&str, Change); 6] = [
            ("the program is written", |place| {
                let later = SystemTime::now() + Duration::from_secs(5);
                let program = place.dir.path().join("program");
                fs::File::options()
                    .append(true)
                    .open(program)
                    .unwrap()
                    .set_modified(later)
                    .unwrap();
            }),
            ("the program is another size", |place| {
                fs::write(place.dir.path().join("program"), "22").unwrap();
            }),
            ("the link leads elsewhere", |place| {
                fs::write(place.dir.path().join("other"), "1").unwrap();
                fs::remove_file(place.dir.path().join("link")).unwrap();
                symlink("other", place.dir.path().join("link")).unwrap();
            }),
            ("the link is replaced", |place| {
                fs::remove_file(place.dir.path().join("link")).unwrap();
                symlink("./program", place.dir.path().join("link")).unwrap();
            }),
            ("another home", |place| {
                place.env.insert("HOME".into(), "/other".into());
            }),
            ("credentials appear", |place| {
                fs::write(&place.files[0], "key").unwrap()
            }),
        ];
        for (what, change) in changes {
            let mut place = Place::new();
            place.remember(Question::Login, NOW);
            assert!(place.recall(Question::Login, NOW).is_some());
            change(&mut place);
            assert_eq!(place.recall(Question::Login, NOW), None, "{what}");
        }
    }

    #[test]
    fn a_refused_call_forgets_the_login_only_of_its_tool() {
        let place = Place::new();
        place.remember(Question::Version, NOW);
        place.remember(Question::Login, NOW);
        place.memory(NOW).forget_login("codex");
        assert!(place.recall(Question::Login, NOW).is_some());
        place.memory(NOW).forget_login("claude");
        assert_eq!(place.recall(Question::Login, NOW), None);
        assert!(place.recall(Question::Version, NOW).is_some());
    }

    #[test]
    fn old_and_damaged_answers_do_no_harm() {
        let mut place = Place::new();
        place.remember(Question::Version, NOW);
        let cache = place.memory(NOW).dir;
        let first = fs::read_dir(&cache)
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path();
        fs::write(&first, "{").unwrap();
        assert_eq!(place.recall(Question::Version, NOW), None);
        place.remember(Question::Version, NOW);
        place.env.clear();
        place.remember(Question::Version, NOW + 25 * HOUR_MS);
        assert!(!first.exists(), "it was too old");
        assert_eq!(fs::read_dir(&cache).unwrap().count(), 1);
    }

    #[test]
    fn an_answer_that_another_user_could_write_does_not_count() {
        let place = Place::new();
        place.remember(Question::Login, NOW);
        let cache = place.memory(NOW).dir;
        let file = fs::read_dir(&cache).unwrap().next().unwrap();
        let file = file.unwrap().path();
        for (path, open, own) in [(&file, 0o622, 0o600), (&cache, 0o777, 0o700)] {
            fs::set_permissions(path, Permissions::from_mode(open)).unwrap();
            assert_eq!(place.recall(Question::Login, NOW), None, "{open:o}");
            fs::set_permissions(path, Permissions::from_mode(own)).unwrap();
            assert!(place.recall(Question::Login, NOW).is_some());
        }
        // Nothing is written where others can write.
        fs::remove_file(&file).unwrap();
        fs::set_permissions(&cache, Permissions::from_mode(0o777)).unwrap();
        place.remember(Question::Login, NOW);
        assert_eq!(fs::read_dir(&cache).unwrap().count(), 0);
    }

    #[test]
    fn damaged_answers_are_removed_and_other_files_are_not() {
        let place = Place::new();
        let cache = place.memory(NOW).dir;
        place.remember(Question::Version, NOW);
        for name in ["login-damaged", ".login-x.1.tmp", "notes"] {
            fs::write(cache.join(name), "{").unwrap();
        }
        place.remember(Question::Version, NOW);
        assert!(!cache.join("login-damaged").exists());
        assert!(cache.join(".login-x.1.tmp").exists() && cache.join("notes").exists());
    }

    #[test]
    fn all_is_asked_again_on_request_and_remembered() {
        let place = Place::new();
        place.remember(Question::Login, NOW);
        place.remember(Question::Version, NOW);
        place.memory(NOW).forget_all();
        assert_eq!(place.recall(Question::Login, NOW), None);
        assert_eq!(place.recall(Question::Version, NOW), None);
        place.remember(Question::Login, NOW);
        assert_eq!(place.recall(Question::Login, NOW).as_deref(), Some("2.1.0"));
    }
}
