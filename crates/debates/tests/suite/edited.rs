//! Edited folders: read, resumed or rejected.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use agon_caller::{Failure, FailureKind, IgnoreNotes};
use agon_debates::read::check::{CheckRequest, check};
use agon_debates::read::show::show;
use agon_debates::request::{ResumeRequest, StartRequest};
use agon_debates::run::duel;
use agon_debates::run::resume::resume;
use agon_debates::status::outcome::{Ended, Outcome};
use agon_record::authority::Authority;
use agon_testkit::Script;
use tokio::task::LocalSet;

use crate::front::Recorder;
use crate::place::Place;
use crate::project::own;
use crate::recorded::{debate, spec};
use crate::tree::tree;

/// A debate `s`, and the tools that can continue it.
struct Stopped {
    place: Place,
    folder: PathBuf,
}

impl Stopped {
    /// Returns the debate after `calls` calls.
    fn after(calls: usize) -> Self {
        let place = Place::new();
        let debates = place.caller.cwd.join("debates");
        let folder = debate(&debates, spec("s"), &Script::job_store(), calls);
        own(&place.caller, &folder);
        Self { place, folder }
    }

    /// Returns the debate in its second round.
    fn in_round_two() -> Self {
        Self::after(5)
    }

    /// Returns the debate with its verdict.
    fn closed() -> Self {
        Self::after(usize::MAX)
    }

    fn journal(&self) -> PathBuf {
        self.folder.join(".agon/journal.jsonl")
    }

    /// Resumes it, and returns the notes.
    async fn resumed(&self) -> (Result<Box<Ended>, Failure>, String) {
        let request = ResumeRequest {
            debate: Some("s".to_owned()),
            ..ResumeRequest::default()
        };
        let mut front = Recorder::default();
        let resumed = resume(&self.place.caller, &request, &mut front);
        let outcome = LocalSet::new().run_until(resumed).await;
        let ended = outcome.map(|outcome| match outcome {
            Outcome::Ended(ended) => ended,
            other => panic!("{other:?}"),
        });
        (ended, front.notes.join("\n"))
    }

    /// Resumes it to a verdict, and returns the notes.
    async fn goes_on(&self) -> String {
        let (ended, said) = self.resumed().await;
        let ended = ended.unwrap();
        assert_eq!(ended.authority, Some(Authority::Full), "{said}");
        said
    }

    /// It cannot be continued, and nothing is written.
    async fn is_only_read(&self) -> Failure {
        let before = self.files();
        let asks = self.place.tools.asks().len();
        let (ended, _) = self.resumed().await;
        let failure = ended.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Store, "{failure:?}");
        assert!(before == self.files(), "something was written");
        assert_eq!(self.place.tools.asks().len(), asks);
        failure
    }

    /// Returns every file except the lock, which names its last holder.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = tree(&self.folder);
        files.remove(".agon/lock");
        files
    }

    /// Returns the number of errors that a check finds.
    fn errors(&self) -> usize {
        let request = CheckRequest::default();
        let checked = check(&self.place.caller, &request, &mut IgnoreNotes);
        checked.unwrap().document.errors
    }

    /// Returns the notes when it is shown.
    fn shown(&self) -> String {
        let mut notes = Recorder::default();
        show(&self.place.caller, Some("s"), &mut notes).unwrap();
        notes.notes.join("\n")
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[tokio::test(flavor = "current_thread")]
async fn a_verdict_edited_by_hand_is_kept_beside_the_one_that_is_written_again() {
    let debate = Stopped::closed();
    let verdict = debate.folder.join("verdict.md");
    let ours = read(&verdict);
    let edited = format!("{ours}\nMy own note.\n");
    fs::write(&verdict, &edited).unwrap();
    let before = debate.files();
    assert_eq!(debate.errors(), 1, "check sees the edit");
    debate.shown();
    assert!(before == debate.files(), "something was written");
    let said = debate.goes_on().await;
    let note = "note: verdict.md was changed since Agon wrote the documents of this debate.";
    assert!(said.contains(note), "{said}");
    assert_eq!(read(&verdict), ours);
    let kept = debate.folder.join("verdict.md.changed");
    assert_eq!(read(&kept), edited);
    assert_eq!(debate.errors(), 0);
}

#[tokio::test(flavor = "current_thread")]
async fn documents_that_a_formatter_changed_are_written_again_and_the_debate_goes_on() {
    let debate = Stopped::in_round_two();
    let argument = debate.folder.join("arguments/pro_001a.md");
    let mut changed = Vec::new();
    for file in [debate.folder.join("transcript.md"), argument] {
        let text = read(&file);
        let tidied = text.replace("- ", "* ").replace('\n', "\n\n");
        fs::write(&file, &tidied).unwrap();
        changed.push((file, text, tidied));
    }
    let said = debate.goes_on().await;
    let note = "note: arguments/pro_001a.md and 1 more file were changed since Agon wrote";
    assert!(said.contains(note), "{said}");
    for (file, _, tidied) in &changed {
        let kept = format!("{}.changed", file.display());
        assert_eq!(&read(Path::new(&kept)), tidied);
    }
    let (argument, text, _) = &changed[1];
    assert_eq!(&read(argument), text);
}

#[tokio::test(flavor = "current_thread")]
async fn a_journal_with_windows_line_ends_is_read_and_goes_on() {
    let debate = Stopped::in_round_two();
    let lines = read(&debate.journal());
    fs::write(debate.journal(), lines.replace('\n', "\r\n")).unwrap();
    debate.shown();
    debate.goes_on().await;
    assert_eq!(debate.errors(), 0);
}

#[tokio::test(flavor = "current_thread")]
async fn a_journal_of_a_newer_agon_is_read_and_never_written() {
    for debate in [Stopped::closed(), Stopped::in_round_two()] {
        let lines = read(&debate.journal());
        let (older, last) = lines.trim_end().rsplit_once('\n').unwrap();
        let newer = last.replacen("{\"v\":1,", "{\"v\":2,", 1);
        assert_ne!(last, newer);
        fs::write(debate.journal(), format!("{older}\n{newer}\n")).unwrap();
        let refused = debate.is_only_read().await;
        assert!(refused.message.contains("format 2"), "{refused:?}");
        let said = debate.shown();
        assert!(said.contains("format 2"), "{said}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_journal_with_a_bad_line_among_good_ones_is_only_read() {
    let debate = Stopped::in_round_two();
    let text = read(&debate.journal());
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    let at = lines.iter().position(|line| line.contains("took_ms"));
    let line = &mut lines[at.unwrap()];
    *line = line.replace("took_ms", "took_ns");
    fs::write(debate.journal(), lines.join("\n") + "\n").unwrap();
    debate.is_only_read().await;
    assert_ne!(debate.errors(), 0);
}

#[tokio::test(flavor = "current_thread")]
async fn a_journal_cut_in_its_last_line_goes_on_from_there() {
    let debate = Stopped::in_round_two();
    let lines = read(&debate.journal());
    let last = lines.lines().last().unwrap();
    let cut = &last[..last.len() - 40];
    fs::write(debate.journal(), format!("{lines}{cut}")).unwrap();
    let said = debate.goes_on().await;
    assert!(said.contains("is incomplete"), "{said}");
}

#[tokio::test(flavor = "current_thread")]
async fn a_link_in_the_place_of_a_document_is_refused_and_nothing_is_read_or_removed_behind_it() {
    for (document, behind) in [
        ("transcript.md", "secret.txt"),
        ("debate.md", "secret.txt"),
        ("arguments", "elsewhere"),
    ] {
        let debate = Stopped::in_round_two();
        let outside = debate.place.caller.cwd.with_file_name(behind);
        let at = debate.folder.join(document);
        if at.is_dir() {
            fs::create_dir(&outside).unwrap();
            fs::write(outside.join("pro_001a.md"), "mine\n").unwrap();
            fs::remove_dir_all(&at).unwrap();
        } else {
            fs::write(&outside, "mine\n").unwrap();
            fs::remove_file(&at).unwrap();
        }
        symlink(&outside, &at).unwrap();
        debate.is_only_read().await;
        match outside.is_dir() {
            true => assert_eq!(tree(&outside)["pro_001a.md"], b"mine\n"),
            false => assert_eq!(read(&outside), "mine\n"),
        }
        for name in [
            "transcript.md.changed",
            "debate.md.changed",
            "arguments/pro_001a.md.changed",
        ] {
            assert!(!debate.folder.join(name).exists(), "{name}");
        }
    }
}

/// Starts a quick debate with the requested name `s`; returns the name of its folder.
async fn started(place: &Place) -> Result<String, Failure> {
    let request = StartRequest {
        topic: "SQLite or plain files for the job store?".to_owned(),
        slug: Some("s".to_owned()),
        rounds: Some(1),
        ..StartRequest::default()
    };
    let mut front = Recorder::default();
    let started = duel::start(&place.caller, &request, &mut front);
    LocalSet::new().run_until(started).await?;
    Ok(front.began.concat())
}

#[tokio::test(flavor = "current_thread")]
async fn a_place_that_cannot_be_written_is_refused_before_a_call() {
    let mut place = Place::new();
    let taken = place.caller.cwd.join("taken");
    fs::write(&taken, "a file").unwrap();
    for dir in ["/proc/agon", "/dev/null", "taken", "taken/below"] {
        place.caller.debates_dir = Some(dir.into());
        let refused = started(&place).await.unwrap_err();
        assert_eq!(refused.kind, FailureKind::Store, "{dir}: {refused:?}");
        assert_eq!(place.tools.asks(), [], "{dir}");
    }
    assert_eq!(read(&taken), "a file");
}

#[tokio::test(flavor = "current_thread")]
async fn the_name_of_a_debate_that_is_there_gets_a_number() {
    let debate = Stopped::closed();
    let before = tree(&debate.folder);
    assert_eq!(started(&debate.place).await.unwrap(), "debates/s-2");
    assert!(before == tree(&debate.folder));
}
