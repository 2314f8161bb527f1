//! Members that Agon starts, a run and its watch, killed at calls that write: what was begun is found,
//! and comes to the same end.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_testkit::{Sandbox, git, sample};

use super::super::copy;
use super::super::started::Team;
use super::calls::{can_trace, traced};
use crate::support::Ran;

/// Longer than what was begun needs to come to its end.
const FOR_EVER: Duration = Duration::from_secs(120);

/// How often each command is killed by default.
const SAMPLE: usize = 3;

/// A team, and a copy of all that it has on its disk.
struct Kept<'a> {
    team: &'a Team,
    copy: Sandbox,
}

impl<'a> Kept<'a> {
    fn new(team: &'a Team) -> Self {
        let kept = Self {
            team,
            copy: Sandbox::new(),
        };
        kept.until_alone();
        copy(&kept.all(), &kept.copied());
        kept
    }

    /// The home, the project, and the work trees beside them.
    fn all(&self) -> PathBuf {
        self.team.home().parent().unwrap().to_owned()
    }

    fn copied(&self) -> PathBuf {
        self.copy.home().join("kept")
    }

    fn restore(&self) {
        copy(&self.copied(), &self.all());
    }

    /// Waits until nothing that was started runs any longer.
    fn until_alone(&self) {
        let begun = Instant::now();
        let is_process = |left: &String| left.starts_with(|first: char| first.is_ascii_digit());
        while let Some(left) = self.team.place.left().into_iter().find(is_process) {
            assert!(begun.elapsed() < FOR_EVER, "{left} goes on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills a command at one of its calls that write, lets `go_on` finish the work, and checks the
    /// result. Repeats this for a sample of these calls, or for all of them in a full run. Returns
    /// the number of kills.
    fn kill_at_calls(&self, args: &[&str], go_on: &dyn Fn(&Team) -> String) -> u64 {
        let command = self.team.place.command(&[&["team"], args].concat());
        let log = self.copy.home().join("calls");
        let whole = traced(&command, &log, None);
        assert_eq!(whole.code, Some(0), "{args:?}");
        let end = go_on(self.team);
        self.until_alone();
        let mut kills = 0;
        for (call, nth) in sample(&args.join(" "), whole.instants(), SAMPLE) {
            let at = format!("{args:?} at {call} {nth}");
            self.restore();
            if traced(&command, &log, Some((call, nth))).code.is_some() {
                // The work is not shared among threads as it was before.
                self.until_alone();
                continue;
            }
            kills += 1;
            eprintln!("{at}");
            assert_ne!(self.team.run(&["doctor"]).code, Some(8), "{at}");
            assert_eq!(go_on(self.team), end, "{at}");
            assert_ne!(self.team.run(&["doctor"]).code, Some(8), "{at}");
            self.until_alone();
            let left = self.team.place.left();
            assert!(left.is_empty(), "{at}: {left:?}");
        }
        eprintln!("{args:?}: {kills} kills");
        self.restore();
        kills
    }
}

/// What a command that was refused says.
fn refusal(ran: &Ran) -> String {
    let error = ran.json()["error"]["message"].clone();
    error.as_str().unwrap_or_default().to_owned()
}

/// The state of the only task, and the files of its change; that nothing else was written.
fn end_of_task(team: &Team) -> String {
    let why = team.json(&["task", "why", "t1"]);
    let project = team.place.project();
    let status = git(&project, &["status", "--porcelain"]);
    let tree = why["task"]["evidence"]["tree"].as_str().unwrap();
    let files = git(&project, &["ls-tree", "-r", tree]);
    format!("{}\n{files}{status}", why["task"]["state"])
}

/// Has what is missing done until the task is in review.
fn until_in_review(team: &Team, again: impl Fn()) -> String {
    let begun = Instant::now();
    while team.task_state("t1") != "review" {
        assert!(begun.elapsed() < FOR_EVER, "{}", team.log());
        again();
        std::thread::sleep(Duration::from_millis(100));
    }
    end_of_task(team)
}

/// Types the start again, and has the watch look where that is refused.
fn start_again(args: &[&str], team: &Team) -> String {
    until_in_review(team, || {
        let ran = team.run(&[args, &["--json"]].concat());
        if ran.code != Some(0) {
            let said = refusal(&ran);
            let is_under_way =
                said.contains("is still working in session") || said.contains("for a review");
            assert!(is_under_way, "{said}\n{}", team.log());
            watch(team);
        }
    })
}

fn watch(team: &Team) {
    team.json(&["watch", "--once"]);
}

/// Goes on with the run, or begins it where nothing is known of it; what it came to.
fn run_again(args: &[&str], team: &Team) -> String {
    let resumed = team.run(&["run", "--resume", "r1", "--agreed", "--json"]);
    let ran = match resumed.code {
        Some(2) => team.json(args),
        _ => resumed.json(),
    };
    let report = ran["report"].as_array().unwrap();
    let done: Vec<String> = report
        .iter()
        .map(|row| {
            format!(
                "{} {} {}",
                row["task"]["id"], row["task"]["title"], row["task"]["state"]
            )
        })
        .collect();
    let project = team.place.project();
    let files = git(&project, &["ls-tree", "-r", "agon/r1"]);
    let status = git(&project, &["status", "--porcelain"]);
    format!("{} {done:?}\n{files}{status}", ran["stage"])
}

/// Takes over what the run came to; where the project is then.
fn land_again(team: &Team) -> String {
    let landed = team.json(&["land", "r1"]);
    let project = team.place.project();
    let at = git(&project, &["rev-parse", "HEAD", "agon/r1"]);
    let status = git(&project, &["status", "--porcelain"]);
    format!("{}\n{at}{status}", landed["branch"])
}

const START: [&str; 8] = [
    "start", "worker", "--host", "claude", "--name", "ada", "--task", "t1",
];

#[test]
fn a_start_that_is_killed_at_any_call_that_writes_is_found_and_comes_to_the_same_end() {
    if !can_trace() {
        return;
    }
    let team = Team::new();
    team.task("Make a file");
    team.mood("ada", "good");
    let kept = Kept::new(&team);
    let waits = [&START[..], &["--wait"]].concat();
    for args in [&waits[..], &START[..]] {
        let kills = kept.kill_at_calls(args, &|team| start_again(args, team));
        assert!(kills > 0);
    }
}

#[test]
fn a_watch_that_is_killed_at_any_call_that_writes_is_followed_by_one_that_goes_on() {
    if !can_trace() {
        return;
    }
    let team = Team::new();
    // What the watch began and could not start counts as one.
    team.limit("max_restarts", "2");
    team.task("Make a file");
    team.mood("ada", "crash\ngood");
    team.json(&[&START[..], &["--wait"]].concat());
    let kills = Kept::new(&team).kill_at_calls(&["watch", "--once"], &|team| {
        until_in_review(team, || watch(team))
    });
    assert!(kills > 0);
}

#[test]
fn a_run_and_its_landing_that_are_killed_at_any_call_that_writes_come_to_the_same_end() {
    if !can_trace() {
        return;
    }
    let team = Team::new();
    team.mood("r1-planner", "one");
    team.mood("r1-reviewer", "approve");
    team.mood("r1-t1", "good");
    let run = ["run", "Make a file", "--host", "claude", "--agreed"];
    let kills = Kept::new(&team).kill_at_calls(&run, &|team| run_again(&run, team));
    assert!(kills > 0);
    team.json(&run);
    let kills = Kept::new(&team).kill_at_calls(&["land", "r1"], &land_again);
    assert!(kills > 0);
}
