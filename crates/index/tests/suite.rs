//! The index: what it finds, what it reads, and how it recovers from damage.

#![expect(clippy::unwrap_used, reason = "a helper may stop the test")]

mod common;

use std::fs;
use std::os::unix::ffi::OsStringExt as _;

use agon_record::event::{Event, Outcome};
use agon_record::moves::MovesKind;

use agon_index::{Index, IndexError, IndexNote, RefreshLimit};
use agon_samples::batches::{AT, opening};

use common::Debates;

impl Debates {
    fn index(&self) -> Index {
        Index::open(self.path()).unwrap()
    }

    /// Returns the names that a new search finds.
    fn found(&self, words: &str) -> Vec<String> {
        let mut index = self.index();
        index.refresh(RefreshLimit::All).unwrap();
        names(&mut index, words)
    }
}

fn names(index: &mut Index, words: &str) -> Vec<String> {
    let hits = index.search(words, 50).unwrap().into_iter();
    hits.map(|hit| hit.summary.slug).collect()
}

#[test]
fn a_debate_is_found_by_all_that_it_says_and_is() {
    let debates = Debates::new();
    debates.closed("SQLite or plain files for the job store?", 7);
    debates.open("Tabs or spaces?", 8);
    debates.open("Is a migration due?", 9);
    let job = ["sqlite-or-plain-files-for-the-job-store"];
    for words in [
        "plain files",
        "\"plain files\"",
        // The answer, the title and the claim of a point, an objection.
        "use sqlite",
        "lease steps",
        "\"nothing locks them\"",
        "rename(2)",
        // Word endings and prefixes.
        "file job stores",
        "lock* sqli*",
        // Seats, state, day, and names.
        "codex closed",
        "2026-11-21 gemini store",
        "sqlite-or-plain-files-for-the-job-store",
        "00000000000000000000000007",
        "uncontested",
    ] {
        assert_eq!(debates.found(words), job, "{words}");
    }
    assert_eq!(debates.found("spaces"), ["tabs-or-spaces"]);
    for words in ["migr*", "migrati*", "migration*", "migrations"] {
        assert_eq!(debates.found(words), ["is-a-migration-due"], "{words}");
    }
    for words in ["\"files plain\"", "postgres", "lock*er sqlitex*"] {
        assert_eq!(debates.found(words), [""; 0], "{words}");
    }
}

#[test]
fn the_topic_comes_before_what_is_said_in_passing() {
    let debates = Debates::new();
    // Every closed debate here says `lease` in a point.
    debates.closed("Where do we lunch?", 1);
    debates.closed("Does a lease need a clock?", 2);
    let found = debates.found("lease");
    assert_eq!(found, ["does-a-lease-need-a-clock", "where-do-we-lunch"]);
    let mut index = debates.index();
    index.refresh(RefreshLimit::All).unwrap();
    let hits = index.search("lease", 1).unwrap();
    let [hit] = hits.as_slice() else {
        panic!("{hits:?}")
    };
    let marked: Vec<_> = hit.snippet.iter().filter(|piece| piece.found).collect();
    assert_eq!(marked[0].text, "lease");
    assert_eq!(hit.path, debates.path().join("does-a-lease-need-a-clock"));
    let answer = hit.summary.answer.as_deref();
    assert_eq!(
        answer,
        Some("One-sided claim (proposer): Use SQLite for the job store")
    );
}

#[test]
fn scripts_without_spaces_are_found_by_any_part() {
    let debates = Debates::new();
    debates.open("作业存储应使用数据库", 3);
    debates.open("仓库", 4);
    assert_eq!(
        debates.found("数据库"),
        ["zuo-ye-cun-chu-ying-shi-yong-shu-ju-ku"]
    );
    assert_eq!(
        debates.found("据库 作业"),
        ["zuo-ye-cun-chu-ying-shi-yong-shu-ju-ku"]
    );
    assert_eq!(debates.found("库数"), [""; 0]);
}

#[test]
fn nothing_that_is_typed_is_an_error_of_syntax() {
    let debates = Debates::new();
    debates.closed("C++ or Rust? (a \"test\")", 1);
    let mut index = debates.index();
    index.refresh(RefreshLimit::All).unwrap();
    for words in [
        "a AND",
        "OR",
        "NOT x",
        "NEAR(",
        "topic:x",
        "{topic} : y",
        "^a",
        "a + b",
        "x'--",
        "\"",
        "(",
        ")",
        "a\"b",
        "*a",
        "a**",
        "-a",
        "c++",
        "\u{0}x",
        "%s",
        "🙂 a",
        "summary MATCH 'x'",
    ] {
        match index.search(words, 5) {
            Ok(_) | Err(IndexError::NoWords) => {}
            Err(error) => panic!("{words}: {error:?}"),
        }
    }
    let long = "word ".repeat(20_000) + &"x".repeat(100_000);
    assert!(index.search(&long, 5).unwrap().is_empty());
    assert!(matches!(index.search(" ** ", 5), Err(IndexError::NoWords)));
    assert_eq!(names(&mut index, "c++ rust"), ["c-or-rust-a-test"]);
}

#[test]
fn only_what_changed_is_read_again() {
    let debates = Debates::new();
    debates.closed("Alpha", 1);
    let mut growing = debates.open("Second", 2);
    debates.closed("Third", 3);
    let read = || {
        let refreshed = debates.index().refresh(RefreshLimit::All).unwrap();
        (refreshed.read, refreshed.gone, refreshed.debates)
    };
    assert_eq!(read(), (3, 0, 3));
    assert_eq!(read(), (0, 0, 3));
    growing.append(AT + 1, &[opening()]).unwrap();
    assert_eq!(read(), (1, 0, 3));
    assert_eq!(debates.found("\"nothing locks them\" second"), ["second"]);
    fs::remove_dir_all(debates.path().join("alpha")).unwrap();
    assert_eq!(read(), (0, 1, 2));
    assert_eq!(debates.found("alpha"), [""; 0]);
    let mut index = debates.index();
    assert_eq!(index.calls_since(0).unwrap().len(), 4);
}

#[test]
fn a_bound_reads_the_latest_first_and_leaves_the_rest_for_later() {
    let debates = Debates::new();
    for (number, name) in (1..).zip(["old", "older", "new"]) {
        debates.open(name, number);
    }
    let journal = |name: &str| debates.path().join(name).join(".agon/journal.jsonl");
    let at = |seconds| std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    for (name, seconds) in [("older", 1_000), ("old", 2_000), ("new", 3_000)] {
        let file = fs::File::options()
            .append(true)
            .open(journal(name))
            .unwrap();
        file.set_modified(at(seconds)).unwrap();
    }
    let mut index = debates.index();
    let refreshed = index.refresh(RefreshLimit::Latest(1)).unwrap();
    assert_eq!((refreshed.read, refreshed.left), (1, 2));
    assert_eq!(names(&mut index, "new"), ["new"]);
    assert_eq!(names(&mut index, "old"), [""; 0]);
    assert_eq!(index.refresh(RefreshLimit::All).unwrap().read, 2);
}

#[test]
fn what_another_tool_keeps_is_found_and_read_again_when_it_changes() {
    let debates = Debates::new();
    let theirs = debates.path().join("trains");
    fs::create_dir_all(theirs.join("arguments")).unwrap();
    let debate = |scope: &str| {
        let text = format!(
            "{{\"debate_id\": \"trains\", \"current_exchange\": 0, \"current_phase\": \
             \"awaiting_arguments\", \"cumulative_scores\": {{}}}}\n\n# Motion\n\nNight trains \
             deserve money\n\n## Definitions\n\n## Scope\n\n{scope}\n"
        );
        fs::write(theirs.join("debate.md"), text).unwrap();
    };
    debate("Europe only");
    fs::write(theirs.join("scores.json"), "{}").unwrap();
    let mut index = debates.index();
    let refreshed = index.refresh(RefreshLimit::All).unwrap();
    assert_eq!((refreshed.read, refreshed.unreadable), (1, vec![]));
    assert_eq!(names(&mut index, "night europe"), ["trains"]);
    debate("All of Asia and beyond");
    assert_eq!(index.refresh(RefreshLimit::All).unwrap().read, 1);
    assert_eq!(names(&mut index, "night asia"), ["trains"]);
    assert_eq!(index.calls_since(0).unwrap(), []);
}

#[test]
fn a_folder_that_cannot_be_read_is_named_once_and_hides_nothing() {
    let debates = Debates::new();
    debates.open("Sound", 1);
    let bad = debates.path().join("bad/.agon");
    fs::create_dir_all(&bad).unwrap();
    fs::write(bad.join("journal.jsonl"), "no line of ours\nnor this\n").unwrap();
    fs::create_dir(debates.path().join("no debate")).unwrap();
    fs::write(debates.path().join("a file"), "").unwrap();
    let mut index = debates.index();
    let refreshed = index.refresh(RefreshLimit::All).unwrap();
    assert_eq!((refreshed.debates, refreshed.unreadable.len()), (2, 1));
    assert_eq!(names(&mut index, "sound"), ["sound"]);
    assert_eq!(index.refresh(RefreshLimit::All).unwrap().read, 0);
}

#[test]
fn a_name_may_be_anything_that_a_file_system_takes() {
    let debates = Debates::new();
    debates.open("plain", 1);
    let plain = debates.path().join("plain");
    let names = [
        "it's \"quoted\"; DROP TABLE debate; --".to_owned().into(),
        "line\nfeed\u{1}\u{202e}".to_owned().into(),
        std::ffi::OsString::from_vec(b"not \xff text".to_vec()),
    ];
    for name in &names {
        let to = debates.path().join(name).join(".agon");
        fs::create_dir_all(&to).unwrap();
        fs::copy(plain.join(".agon/journal.jsonl"), to.join("journal.jsonl")).unwrap();
    }
    let mut index = debates.index();
    assert_eq!(index.refresh(RefreshLimit::All).unwrap().read, 4);
    let hits = index.search("plain", 10).unwrap();
    assert_eq!(hits.len(), 4);
    assert!(hits.iter().all(|hit| hit.path.is_dir()), "{hits:?}");
    let said: String = hits
        .iter()
        .flat_map(|hit| &hit.snippet)
        .map(|piece| piece.text.as_str())
        .collect();
    assert!(!said.contains(['\u{202e}', '\u{1}', '\n']), "{said:?}");
    assert_eq!(index.refresh(RefreshLimit::All).unwrap().read, 0);
}

#[test]
fn an_index_that_was_deleted_in_mid_use_still_answers_and_is_built_anew() {
    let debates = Debates::new();
    debates.closed("First", 1);
    let mut index = debates.index();
    index.refresh(RefreshLimit::All).unwrap();
    fs::remove_file(debates.index_file()).unwrap();
    assert_eq!(names(&mut index, "first"), ["first"]);
    debates.open("Second", 2);
    assert_eq!(index.refresh(RefreshLimit::All).unwrap().read, 2);
    assert_eq!(names(&mut index, "second"), ["second"]);
    assert!(debates.index_file().is_file());
    fs::remove_dir_all(debates.path().join(".agon")).unwrap();
    assert_eq!(names(&mut index, "second"), ["second"]);
    assert_eq!(index.refresh(RefreshLimit::All).unwrap().debates, 2);
    assert_eq!(index.take_notes(), []);
}

#[test]
fn damage_is_noticed_and_mended() {
    let debates = Debates::new();
    for number in 1..40 {
        debates.closed(&format!("Number {number}"), number);
    }
    debates.index().refresh(RefreshLimit::All).unwrap();
    let whole = fs::read(debates.index_file()).unwrap();
    // The header of the file, its tables, and everything after them.
    for from in [0, 30, 100, 4_096, 8_192] {
        let mut bytes = whole.clone();
        bytes[from..].fill(0xA5);
        fs::write(debates.index_file(), &bytes).unwrap();
        let mut index = debates.index();
        index.refresh(RefreshLimit::All).unwrap();
        assert_eq!(names(&mut index, "\"number 7\""), ["number-7"], "{from}");
        assert!(!index.take_notes().is_empty(), "{from}");
        drop(index);
        assert_eq!(
            debates.index().refresh(RefreshLimit::All).unwrap().read,
            0,
            "{from}"
        );
    }
    // Cut in the middle.
    fs::write(debates.index_file(), &whole[..whole.len() / 2]).unwrap();
    assert_eq!(debates.found("\"number 7\""), ["number-7"]);
    // Corrupted while it is open.
    let mut index = debates.index();
    index.refresh(RefreshLimit::All).unwrap();
    let mut bytes = fs::read(debates.index_file()).unwrap();
    bytes[100..].fill(0);
    fs::write(debates.index_file(), &bytes).unwrap();
    assert_eq!(names(&mut index, "\"number 7\""), ["number-7"]);
}

#[test]
fn a_file_of_somebody_else_is_kept_and_an_index_of_another_version_is_not() {
    let debates = Debates::new();
    debates.open("First", 1);
    fs::create_dir(debates.path().join(".agon")).unwrap();
    fs::write(debates.index_file(), "my own notes").unwrap();
    let mut index = debates.index();
    let notes = index.take_notes();
    let [IndexNote::SetAside { kept, .. }] = notes.as_slice() else {
        panic!("{notes:?}")
    };
    assert_eq!(fs::read(kept).unwrap(), b"my own notes");
    drop(index);
    // Another program's database.
    fs::remove_file(debates.index_file()).unwrap();
    let other = rusqlite::Connection::open(debates.index_file()).unwrap();
    other.execute_batch("CREATE TABLE mine (x)").unwrap();
    drop(other);
    assert!(matches!(
        debates.index().take_notes()[..],
        [IndexNote::SetAside { .. }]
    ));
    assert_eq!(debates.found("first"), ["first"]);
    let newer = rusqlite::Connection::open(debates.index_file()).unwrap();
    newer.pragma_update(None, "user_version", 999).unwrap();
    newer.execute_batch("DROP TABLE said").unwrap();
    drop(newer);
    let mut index = debates.index();
    assert_eq!(
        index.take_notes(),
        [IndexNote::Rebuilt {
            was: "from another version of Agon"
        }]
    );
    index.refresh(RefreshLimit::All).unwrap();
    assert_eq!(names(&mut index, "first"), ["first"]);
}

#[test]
fn a_link_in_its_place_is_not_followed() {
    let debates = Debates::new();
    debates.open("First", 1);
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("target");
    fs::create_dir(debates.path().join(".agon")).unwrap();
    std::os::unix::fs::symlink(&target, debates.index_file()).unwrap();
    assert_eq!(debates.found("first"), ["first"]);
    assert!(!target.exists());
    fs::remove_dir_all(debates.path().join(".agon")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), debates.path().join(".agon")).unwrap();
    assert_eq!(debates.found("first"), ["first"]);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    // A dangling link does not create a file at its target.
    fs::remove_file(debates.path().join(".agon")).unwrap();
    fs::create_dir(debates.path().join(".agon")).unwrap();
    std::os::unix::fs::symlink(&target, debates.path().join(".agon/.gitignore")).unwrap();
    assert_eq!(debates.found("first"), ["first"]);
    assert!(!target.exists());
}

#[test]
fn where_nothing_can_be_written_it_is_kept_in_memory() {
    let debates = Debates::new();
    debates.open("First", 1);
    // A file where the folder should be: as root, permissions would not stop us.
    fs::write(debates.path().join(".agon"), "").unwrap();
    let mut index = debates.index();
    assert!(matches!(
        index.take_notes()[..],
        [IndexNote::NotKept { .. }]
    ));
    index.refresh(RefreshLimit::All).unwrap();
    assert_eq!(names(&mut index, "first"), ["first"]);
    let none = debates.path().join("none");
    let mut index = Index::open(&none).unwrap();
    assert_eq!(index.refresh(RefreshLimit::All).unwrap().debates, 0);
    assert_eq!(
        (names(&mut index, "first"), index.take_notes()),
        (vec![], vec![])
    );
    assert!(!none.exists());
}

#[test]
fn many_at_once_find_the_same() {
    let debates = Debates::new();
    for number in 1..30 {
        debates.closed(&format!("Number {number}"), number);
    }
    std::thread::scope(|scope| {
        for at in 0..6 {
            let debates = &debates;
            scope.spawn(move || {
                for turn in 0..5 {
                    // One of them keeps deleting the index.
                    if at == 0 && turn % 2 == 1 {
                        fs::remove_file(debates.index_file()).ok();
                    }
                    assert_eq!(debates.found("\"number 7\""), ["number-7"], "{at} {turn}");
                }
            });
        }
    });
}

#[test]
fn near_is_what_shares_the_matter() {
    let debates = Debates::new();
    debates.closed("SQLite or plain files for the job store?", 1);
    debates.closed("Tabs or spaces in Makefiles?", 2);
    debates.open("SQLite or Postgres for the job store?", 3);
    let mut index = debates.index();
    index.refresh(RefreshLimit::All).unwrap();
    let mut near = |topic: &str| -> Vec<(String, usize)> {
        let near = index.find_similar(topic, 3).unwrap().into_iter();
        near.map(|one| (one.summary.slug, one.similarity)).collect()
    };
    let job = "sqlite-or-plain-files-for-the-job-store";
    let same = near("Plain files or SQLite for the job store");
    assert_eq!(same.first(), Some(&(job.to_owned(), 100)));
    assert_eq!(
        near("Should we keep jobs in SQLite?").first().unwrap().0,
        job
    );
    assert_eq!(
        near("makefile spaces").first().unwrap().0,
        "tabs-or-spaces-in-makefiles"
    );
    for far in ["Which database for billing?", "Lunch at noon?", "???", ""] {
        assert_eq!(near(far), [], "{far}");
    }
}

#[test]
fn every_call_of_the_journal_is_in_the_ledger() {
    let debates = Debates::new();
    let mut folder = debates.closed("First", 1);
    drop(folder.append(
        AT + 99,
        &[Event::Closed {
            outcome: Outcome::Uncontested,
        }],
    ));
    let mut index = debates.index();
    index.refresh(RefreshLimit::All).unwrap();
    let spent = index.calls_since(0).unwrap();
    let tools: Vec<_> = spent.iter().map(|one| one.call.tool.as_str()).collect();
    assert_eq!(tools, ["claude", "codex", "claude", "codex"]);
    let usage = spent[0].call.usage.unwrap();
    assert_eq!(
        (usage.input, usage.output, usage.cost_micros),
        (1_000, 300, Some(1_500))
    );
    assert_eq!(
        (spent[0].call.took_ms, spent[0].slug.as_str()),
        (Some(8_500), "first")
    );
    assert_eq!(index.calls_since(AT + 4).unwrap().len(), 2);
    let claude = "claude".parse().unwrap();
    let mut past = |kind, tool| index.past_calls(kind, tool, None, 10).unwrap().len();
    assert_eq!(past(MovesKind::Opening, Some(&claude)), 1);
    assert_eq!(past(MovesKind::Challenge, Some(&claude)), 0);
    assert_eq!(past(MovesKind::Challenge, None), 1);
}
