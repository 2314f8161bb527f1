//! Killed outright while tools read in working copies: what is left, and who can look at it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use agon_testkit::Behaviour;

use crate::scenarios::place::{Fakes, debate};
use crate::scenarios::repo::{REPO, with_a_project};
use crate::support::{Place, Running};

/// Longer than a guard takes to end a tool.
const SOON: Duration = Duration::from_secs(20);

/// Debates that are killed: a hundred where all of it is asked for.
fn kills() -> u64 {
    match agon_testkit::is_full() {
        true => 100,
        false => 2,
    }
}

/// What lies below a folder, by kind and mode.
fn modes(folder: &Path) -> BTreeMap<String, usize> {
    let (mut modes, mut open) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(path) = open.pop() {
        let Ok(meta) = fs::symlink_metadata(&path) else {
            continue;
        };
        let kind = if meta.is_dir() { "folder" } else { "file" };
        let mode = meta.mode() & 0o777;
        *modes.entry(format!("{kind} {mode:o}")).or_default() += 1;
        let inner = fs::read_dir(&path).into_iter().flatten().flatten();
        open.extend(inner.map(|entry| entry.path()));
    }
    modes
}

fn folders(place: &Place) -> Vec<PathBuf> {
    let entries = fs::read_dir(place.private()).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Starts a debate whose tools are slow, and kills it once one was asked.
fn killed(fakes: &Fakes, nth: u64) {
    let slug = format!("k{nth}");
    let mut args = debate(&REPO);
    args.retain(|word| *word != "s" && *word != "--slug");
    args.extend(["--slug", &slug, "--again"]);
    // A hundred with the usual limit are more than a day's tokens.
    args.extend(["--max-tokens", "100000"]);
    let asked = fakes.tools.asks().len();
    let running = Running::start(fakes.place.command(&args));
    running.until("a question", || fakes.tools.asks().len() > asked);
    // At another moment each time.
    sleep(Duration::from_millis(nth * 7 % 60));
    running.kill();
    assert_eq!(running.end().code, None);
}

#[test]
fn a_killed_debate_leaves_nothing_that_others_can_read_and_the_next_start_removes_it() {
    let fakes = with_a_project();
    fakes.tools.set_scenario("*", "*", Behaviour::Slow(30_000));
    let project = fakes.place.project();
    fs::set_permissions(&project, fs::Permissions::from_mode(0o700)).unwrap();
    let mut seen = BTreeMap::new();
    let mut most = 0;
    for nth in 0..kills() {
        killed(&fakes, nth);
        let left = folders(&fakes.place);
        assert!(!left.is_empty(), "kill {nth} left no folder to look at");
        most = most.max(left.len());
        for (mode, count) in modes(&fakes.place.private()) {
            *seen.entry(mode).or_insert(0) += count;
        }
        let begun = Instant::now();
        while fakes.place.left().iter().any(|left| !left.starts_with('/')) {
            assert!(begun.elapsed() < SOON, "{:?}", fakes.place.left());
            sleep(Duration::from_millis(10));
        }
    }
    eprintln!(
        "{} kills: {seen:?}; at most {most} folders at once",
        kills()
    );
    let kinds: Vec<&str> = seen.keys().map(String::as_str).collect();
    // The socket of the debate is the user's alone as well.
    assert_eq!(kinds, ["file 400", "file 600", "folder 700"]);
    assert_eq!(fakes.place.run(&["tools", "--json"]).code, Some(0));
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}
