//! A batch, run as its users run it: continued, extended, killed and run again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use agon_testkit::{Behaviour, FakeTools, Script};
use serde_json::Value;

/// Returns a row without an id, whose topic is longer than the name of a debate.
fn row(at: usize) -> String {
    let topic =
        format!("Question {at}? Should the job store use SQLite or one plain file per job?");
    format!("{{\"topic\": \"{topic}\"}}\n")
}

/// A folder with a file of requests, and fake tools that answer from the hand-written duel.
struct Place {
    tools: FakeTools,
    folder: tempfile::TempDir,
}

impl Place {
    fn new(rows: usize) -> Self {
        let place = Self {
            tools: FakeTools::new().script(&Script::job_store_quick()),
            folder: tempfile::tempdir().unwrap(),
        };
        place.write_rows(rows);
        place
    }

    fn write_rows(&self, rows: usize) {
        let text: String = (0..rows).map(row).collect();
        fs::write(self.folder.path().join("q.jsonl"), text).unwrap();
    }

    fn command(&self, more: &[&str]) -> Command {
        self.command_without_judge(&[&["--judge", "gemini"], more].concat())
    }

    fn command_without_judge(&self, more: &[&str]) -> Command {
        let sides = ["--proposer", "claude", "--challenger", "codex"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command
            .args(["batch", "q.jsonl", "--quick"])
            .args(sides)
            .args(more)
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", self.tools.path_var())
            .env("HOME", self.folder.path())
            .env("LANG", "C.UTF-8")
            .env("GEMINI_API_KEY", "placeholder")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn agon(&self, more: &[&str]) -> Output {
        self.command(more).output().unwrap()
    }

    fn run(&self, more: &[&str]) -> Value {
        let output = self.agon(&[&["--yes", "--json"], more].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Writes the configuration of the user.
    fn configure(&self, text: &str) {
        let folder = self.folder.path().join(".config/agon");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.toml"), text).unwrap();
    }

    fn batch(&self) -> PathBuf {
        self.folder.path().join("q.jsonl.batch")
    }

    /// Returns the topics in the results; each is there once, and its debate has a folder.
    fn results(&self) -> BTreeSet<String> {
        let text = fs::read_to_string(self.batch().join("results.jsonl")).unwrap_or_default();
        assert!(text.is_empty() || text.ends_with('\n'), "{text}");
        let results: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for result in &results {
            let folder = result["folder"].as_str();
            assert!(self.batch().join(folder.unwrap()).is_dir(), "{result}");
        }
        let topics = results.iter().map(|it| it["topic"].as_str().unwrap());
        let once: BTreeSet<_> = topics.map(str::to_owned).collect();
        assert_eq!(results.len(), once.len(), "{text}");
        once
    }

    /// Returns the number of replies that the journals of all debates have.
    fn given(&self) -> usize {
        let debates = fs::read_dir(self.batch().join("debates"));
        let debates = debates.into_iter().flatten().flatten();
        let journals = debates.map(|debate| debate.path().join(".agon/journal.jsonl"));
        let journals = journals.filter_map(|path| fs::read_to_string(path).ok());
        let count = |text: String| text.matches("\"event\":\"given\"").count();
        journals.map(count).sum()
    }

    fn asks(&self) -> usize {
        self.tools.asks().len()
    }

    /// Returns the turns whose replies are stored, each with its topic.
    fn stored_turns(&self) -> BTreeSet<(String, String)> {
        let mut stored = BTreeSet::new();
        let debates = fs::read_dir(self.batch().join("debates"));
        for debate in debates.into_iter().flatten().flatten() {
            let path = debate.path().join(".agon/journal.jsonl");
            let journal = fs::read_to_string(path).unwrap_or_default();
            let whole = journal
                .split_inclusive('\n')
                .filter(|it| it.ends_with('\n'));
            let lines: Vec<Value> = whole.map(|it| serde_json::from_str(it).unwrap()).collect();
            let events = lines
                .iter()
                .flat_map(|line| line["events"].as_array().unwrap());
            let mut topic = String::new();
            for event in events {
                match event["event"].as_str().unwrap() {
                    "opened" => {
                        let whole = event["topic"].as_str().unwrap();
                        let (question, _) = whole.split_once('?').unwrap();
                        topic = format!("{question}?");
                    }
                    "given" => {
                        let key = event["key"].as_str().unwrap();
                        let turn = key.split('#').next().unwrap().to_owned();
                        stored.insert((topic.clone(), turn));
                    }
                    _ => {}
                }
            }
        }
        stored
    }

    /// Returns the turns that were asked for after the first `count` calls, each with its topic.
    fn turns_asked_after(&self, count: usize) -> Vec<(String, String)> {
        let asks = self.tools.asks().into_iter().skip(count);
        let turn = |call: agon_testkit::Call| {
            let prompt = self.tools.prompt(call.prompt.unwrap());
            let (_, rest) = prompt.split_once("Question ").unwrap();
            let (number, _) = rest.split_once('?').unwrap();
            (format!("Question {number}?"), call.turn.unwrap())
        };
        asks.map(turn).collect()
    }
}

#[test]
fn a_batch_is_estimated_run_and_extended_without_asking_twice() {
    let place = Place::new(3);
    let refused = place.agon(&[]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let estimate = place.agon(&["--dry-run", "--json"]);
    let estimate: Value = serde_json::from_slice(&estimate.stdout).unwrap();
    assert_eq!(
        (&estimate["debates"], &estimate["calls"]),
        (&3.into(), &9.into())
    );
    assert!(!place.batch().exists(), "a dry run wrote something");

    let done = place.run(&[]);
    assert_eq!((&done["done"], &done["failed"]), (&3.into(), &0.into()));
    assert_eq!(place.results().len(), 3);
    assert_eq!((place.asks(), place.given()), (9, 9));

    place.run(&[]);
    assert_eq!(place.asks(), 9);
    place.write_rows(4);
    place.run(&["--junit", "report.xml"]);
    assert_eq!((place.asks(), place.results().len()), (12, 4));
    let report = fs::read_to_string(place.folder.path().join("report.xml")).unwrap();
    assert!(report.contains("tests=\"4\" failures=\"0\""), "{report}");
    let status = place.agon(&["--status", "--json"]);
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(
        (&status["done"], &status["running"]),
        (&4.into(), &false.into())
    );
}

#[test]
fn errors_in_the_file_start_nothing() {
    let place = Place::new(1);
    fs::write(place.folder.path().join("q.jsonl"), "{\"topik\": 1}\n{\n").unwrap();
    let output = place.agon(&["--yes"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("q.jsonl:1:2: unknown field `topik`"),
        "{said}"
    );
    assert!(said.contains("q.jsonl:2:"), "{said}");
    assert!(!place.batch().exists());
}

#[test]
fn a_configured_person_in_a_seat_starts_nothing() {
    let place = Place::new(1);
    place.configure("judge = \"human\"");
    let mut command = place.command_without_judge(&["--yes"]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    let refused = "line 1: a person cannot be the judge in a batch";
    assert!(said.contains(refused), "{said}");
    assert_eq!(place.asks(), 0);
    assert!(!place.batch().exists());
}

#[test]
fn a_tool_that_is_logged_out_fails_no_debate_and_the_next_run_completes_them() {
    const ROWS: usize = 12;
    let place = Place::new(ROWS);
    place.tools.set_scenario("codex", "*", Behaviour::Auth);
    let output = place.agon(&["--yes", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["error"]["code"], "logged_out", "{document}");
    let message = document["error"]["message"].as_str().unwrap();
    assert!(message.contains("12 debates did not end"), "{message}");
    assert_eq!(place.results(), BTreeSet::new());
    // Only the debates that were already running made a call.
    assert!(place.asks() < 2 * ROWS, "{} calls", place.asks());

    place.tools.clear_scenario();
    let done = place.run(&[]);
    assert_eq!((&done["done"], &done["failed"]), (&12.into(), &0.into()));
    assert_eq!(place.stored_turns().len(), 3 * ROWS);
    assert_eq!(place.given(), 3 * ROWS, "a stored turn was asked again");
}

/// Returns the process group and session of each background process that runs in `folder`.
///
/// A process that it is starting has its command line until it becomes another program, so there
/// may be more than one.
fn background_groups(folder: &Path) -> Vec<[u32; 3]> {
    let mut found = Vec::new();
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|it| it.parse().ok()) else {
            continue;
        };
        let read = |name: &str| fs::read_to_string(process.path().join(name)).unwrap_or_default();
        let is_in_folder = fs::read_link(process.path().join("cwd")).is_ok_and(|it| it == folder);
        if !is_in_folder || !read("cmdline").contains("\0--handed\0") {
            continue;
        }
        let stat = read("stat");
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        let fields: Vec<_> = fields.split(' ').collect();
        found.push([pid, fields[2].parse().unwrap(), fields[3].parse().unwrap()]);
    }
    found
}

#[test]
fn a_batch_in_the_background_has_its_own_process_group_and_ends() {
    let place = Place::new(2);
    // It runs for at least three of these.
    place.tools.set_scenario("*", "*", Behaviour::Slow(1_000));
    let started = place.agon(&["--detach", "--json", "--yes", "--out=--yes"]);
    assert_eq!(started.status.code(), Some(0), "{started:?}");
    let groups = background_groups(&place.folder.path().canonicalize().unwrap());
    let leaders: Vec<_> = groups
        .iter()
        .filter(|[pid, group, _]| pid == group)
        .collect();
    let [[pid, ..]] = leaders[..] else {
        panic!("one leader: {groups:?}")
    };
    assert!(
        groups
            .iter()
            .all(|[_, group, session]| (group, session) == (pid, pid)),
        "{groups:?}"
    );
    loop {
        let status = place.agon(&["--out=--yes", "--status", "--json"]);
        let status: Value = serde_json::from_slice(&status.stdout).unwrap();
        if status["running"] == false {
            assert_eq!(status["done"], 2, "{status}");
            break;
        }
        sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_background_process_that_ends_at_once_is_reported() {
    let place = Place::new(1);
    // The folder of the debates is a file.
    fs::create_dir(place.batch()).unwrap();
    fs::write(place.batch().join("debates"), "").unwrap();
    let output = place.agon(&["--detach", "--json", "--yes"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["error"]["code"], "not_started", "{document}");
}

#[cfg(feature = "failpoints")]
#[test]
fn a_batch_that_is_killed_anywhere_loses_no_debate_and_asks_nothing_again() {
    use std::os::unix::process::ExitStatusExt as _;

    let whole = Place::new(3);
    whole.run(&[]);
    let instants = match agon_testkit::is_full() {
        true => (1..=100).collect(),
        false => vec![2, 9, 17],
    };
    let mut kills = 0;
    for nth in instants {
        let place = Place::new(3);
        let point = format!("journal-append-written:{nth}");
        let mut command = place.command(&["--yes"]);
        let output = command.env("AGON_FAILPOINT", &point).output().unwrap();
        if output.status.signal() != Some(9) {
            break;
        }
        kills += 1;
        // Calls in flight are lost and asked again; stored replies are not.
        let (asked, stored) = (place.asks(), place.given());
        place.results();
        place.run(&[]);
        assert_eq!(place.results().len(), 3, "{point}");
        assert_eq!(place.given(), 9, "{point}");
        assert_eq!(place.asks(), asked + 9 - stored, "{point}");
    }
    assert!(kills > 1, "killed {kills} times");
}

#[test]
fn a_batch_killed_at_any_time_has_each_result_once_and_asks_no_stored_turn_again() {
    const ROWS: usize = 4;
    const KILLS_OF_BATCH: u64 = 12;
    let wanted = match agon_testkit::is_full() {
        true => 100,
        false => 3,
    };
    // Each call in flight at a kill counts as made, so a debate survives 17 kills.
    let args = ["--yes", "--max-calls", "20"];
    let (mut kills, mut in_flight, mut batches) = (0_u64, 0, 0);
    while kills < wanted {
        let place = Place::new(ROWS);
        place.tools.set_scenario("*", "*", Behaviour::Slow(300));
        batches += 1;
        let most = wanted.min(kills + KILLS_OF_BATCH);
        loop {
            let (asked, stored) = (place.asks(), place.stored_turns());
            let mut child = place.command(&args).spawn().unwrap();
            while place.asks() == asked && child.try_wait().unwrap().is_none() {
                sleep(Duration::from_millis(10));
            }
            // At another moment each time, up to the length of two calls.
            sleep(Duration::from_millis((kills + 1) * 7_919 % 600));
            let is_last = kills >= most || child.try_wait().unwrap().is_some();
            if !is_last {
                child.kill().unwrap();
                kills += 1;
            }
            let output = child.wait_with_output().unwrap();
            let after = place.turns_asked_after(asked);
            let again: Vec<_> = after.iter().filter(|turn| stored.contains(turn)).collect();
            assert!(again.is_empty(), "asked again: {again:?}");
            // The results are whole, and each is there once.
            let results = place.results();
            if is_last {
                let text = fs::read_to_string(place.batch().join("results.jsonl")).unwrap();
                assert_eq!(output.status.code(), Some(0), "{output:?}\n{text}");
                assert_eq!(results.len(), ROWS);
                assert_eq!(place.stored_turns().len(), 3 * ROWS);
                break;
            }
            let now = place.stored_turns();
            in_flight += u64::from(after.iter().any(|turn| !now.contains(turn)));
        }
    }
    println!("{kills} kills of {batches} batches, {in_flight} of them while calls were in flight");
    assert!(
        in_flight * 10 >= wanted * 8,
        "{in_flight} of {kills} in flight"
    );
}

#[test]
fn a_changed_setting_is_asked_again_and_an_unchanged_one_is_not() {
    let place = Place::new(1);
    for (more, asks) in [
        (&[][..], 3),
        (&["--effort", "low"], 6),
        (&["--effort", "low"], 6),
        (&["--timeout", "100s"], 9),
        (&["--max-tokens", "240k"], 12),
        (&[], 12),
    ] {
        place.run(more);
        assert_eq!(place.asks(), asks, "{more:?}");
    }
    // The same in the configuration of the user.
    for (line, asks) in [
        ("effort = \"high\"", 15),
        ("batch_calls = 3", 15),
        ("model.judge = \"x\"", 18),
    ] {
        place.configure(line);
        place.run(&[]);
        assert_eq!(place.asks(), asks, "{line}");
    }
}

/// Mounts a disk of 1 MB over the batch's folder for as long as this shell lives, and runs `"$@"`:
/// once with `$ROOM` bytes free, once with all of it.
const FULL_THEN_FREE: &str = r#"
mount -t tmpfs -o size=1m none q.jsonl.batch || exit 99
head -c "$ROOM" /dev/zero > q.jsonl.batch/fill
dd if=/dev/zero of=q.jsonl.batch/filler bs=4k 2>/dev/null
rm q.jsonl.batch/fill
"$@"
echo "first $?" >&2
rm q.jsonl.batch/filler
"$@"
echo "second $?" >&2
cp q.jsonl.batch/results.jsonl kept.jsonl
"#;

#[test]
fn a_full_disk_ends_a_batch_and_the_next_run_completes_it() {
    let mut stopped = 0;
    for room in [0, 64 << 10, 192 << 10, 320 << 10] {
        let place = Place::new(3);
        fs::create_dir(place.batch()).unwrap();
        let agon = place.command(&["--yes", "--json"]);
        let mut shell = Command::new("unshare");
        let mount = [
            "--map-root-user",
            "--mount",
            "/bin/sh",
            "-c",
            FULL_THEN_FREE,
            "sh",
        ];
        shell
            .args(mount)
            .arg(agon.get_program())
            .args(agon.get_args());
        shell.current_dir(place.folder.path()).env_clear();
        shell.envs(
            agon.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        let output = shell.env("ROOM", room.to_string()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.code() == Some(99) || said.contains("unshare failed") {
            eprintln!("skipped: no disk can be mounted here: {said}");
            return;
        }
        let printed = String::from_utf8(output.stdout).unwrap();
        let documents: Vec<Value> = printed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let [first, second] = documents.as_slice() else {
            panic!("two documents: {printed}{said}")
        };
        if said.contains("first 6\n") {
            stopped += 1;
            assert_eq!(first["error"]["code"], "disk_full", "{room}: {first}");
            let hint = first["error"]["hint"].as_str().unwrap();
            assert!(
                hint.contains("run the same command again"),
                "{room}: {hint}"
            );
        } else {
            assert!(said.contains("first 0\n"), "{room}: {said}");
        }
        assert!(said.contains("second 0\n"), "{room}: {printed}{said}");
        assert_eq!(second["done"], 3, "{room}");
        let kept = fs::read_to_string(place.folder.path().join("kept.jsonl")).unwrap();
        assert_eq!(kept.lines().count(), 3, "{room}");
    }
    assert!(stopped > 1, "the disk was never full");
}
