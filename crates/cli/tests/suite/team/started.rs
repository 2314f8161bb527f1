//! Members that Agon starts, with a tool that does as its mood says, and the watch over them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agon_testkit::{Sandbox, add, git};
use serde_json::Value;

use crate::support::{Place, Ran, Running, lives, signal};

/// A tool with the manners of Claude Code. What it does says the file of its member's name in the
/// folder `mood` of its home, a word for each start.
const TOOL: &str = r#"#!/bin/sh
case "$1" in --version) echo 2.1.197; exit 0 ;; auth) exit 1 ;; esac
me=$(basename "$PWD")
cat > "$HOME/$me.prompt"
env > "$HOME/$me.env"
printf '%s\n' "$@" > "$HOME/$me.args"
for given in "$@"; do case $given in /*.json) cat "$given" >> "$HOME/$me.args" ;; esac; done
echo $$ >> "$HOME/$me.pids"
say() { printf '%s\n' "$1"; }
event() { say '{"type":"system","subtype":"init"}'; }
result() { say '{"type":"result","subtype":"success","is_error":false,"result":"'"$1"'","session_id":"x","usage":{"input_tokens":10,"output_tokens":5}}'; }
used() { say '{"type":"result","subtype":"success","is_error":false,"result":"Done","session_id":"x","usage":{"input_tokens":'$1',"output_tokens":5}}'; }
begin() { say '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a'$1'","name":"Read","input":{"file_path":"'$2'"}}]}}'; }
finish() { say '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a'$1'","content":"y"}]}}'; }
start=$(wc -l < "$HOME/$me.pids")
mood=$(sed -n "${start}p" "$HOME/mood/$me" 2>/dev/null)
case $me in *-scout) usual=object ;; *-validator) usual=holds ;; *) usual=good ;; esac
[ -n "$mood" ] || mood=$(tail -n 1 "$HOME/mood/$me" 2>/dev/null || echo $usual)
case $mood in
good) event; echo "made by $me" > "made-$me.txt"; result Done ;;
priced) event; echo made > made.txt; say '{"type":"result","subtype":"success","is_error":false,"result":"Done","session_id":"x","total_cost_usd":0.25,"usage":{"input_tokens":100,"cache_read_input_tokens":40,"output_tokens":7}}' ;;
token) event; echo made > made.txt; result "My token is $AGON_TEAM_TOKEN and key sk-ant-api03-Zk3v9QmX7Lw2Rb8Ty5Hn1Pc6Jd4Fs0GaVu_Eo2Ki8WqTz5Yx" ;;
empty) event; result "" ;;
nothing) event; result "I did all of it." ;;
crash) event; echo half > half.txt; exit 3 ;;
hang) event; echo half > half.txt; sleep 600 ;;
mute) sleep 600 ;;
slow) sleep 2; event; echo made > made.txt; result Done ;;
edits) event; for i in 1 2 3 4 5 6; do echo $i > made.txt; sleep 1; done; result Done ;;
long) event; begin 1 x; sleep 6; finish 1; echo made > made.txt; result Done ;;
patient) event; sleep 9; echo made > made.txt; result Done ;;
waits) event; agon=$(sed -n 's/.*"command":"\([^"]*\)".*/\1/p' "$HOME/$me.args" | head -n 1)
    "$agon" team task wait "$(cat "$HOME/mood/$me.task")" --epoch 1 --reason input --for 60s >/dev/null || exit 9
    sleep 9; echo made > made.txt; result Done ;;
stuck) event; begin 1 x; sleep 600 ;;
loop) event; i=0; while :; do begin $i x; finish $i; i=$((i+1)); sleep 0.2; done ;;
one) event; result '{\"tasks\":[{\"title\":\"One\"}]}' ;;
pair) event; result '{\"tasks\":[{\"title\":\"Greet by name\",\"weight\":\"quick\"},{\"title\":\"Document it\",\"needs\":[1]}]}' ;;
plan) event; result '{\"tasks\":[{\"title\":\"One\"},{\"title\":\"Two\",\"needs\":[1]},{\"title\":\"Three\"}]}' ;;
weighed) event; result '{\"tasks\":[{\"title\":\"One\",\"weight\":\"quick\"},{\"title\":\"Two\"},{\"title\":\"Three\",\"weight\":\"heavy\"}]}' ;;
final) event; result '{\"tasks\":[{\"title\":\"One\",\"irreversible\":true},{\"title\":\"Two\"}]}' ;;
holds) event; result 'Tried each.\nVerdict: done' ;;
fails) event; result 'false: it greets\nVerdict: not done' ;;
verbose) event; for i in 1 2 3; do say '{"type":"assistant","message":{"id":"m'$i'","content":[],"usage":{"input_tokens":20000,"output_tokens":5}}}'; sleep 0.2; done; sleep 600 ;;
costly) event; echo broken > broken.txt; used 40000 ;;
costlier) event; say '{"type":"assistant","message":{"id":"m1","content":[],"usage":{"input_tokens":40000,"output_tokens":5}}}'; sleep 600 ;;
costliest) event; echo broken > broken.txt; used 70000 ;;
approve) event; result 'Looked at all of it.\nVerdict: merge' ;;
refuse) event; result 'blocker x\nVerdict: do not merge' ;;
greets) event; echo 'echo Hello $1' > greet.sh; result Done ;;
documents) event; echo 'sh greet.sh NAME greets NAME.' > README; result Done ;;
shared) event; { cat shared.txt 2>/dev/null; echo "$me"; } | grep -o 'r1-t[0-9]*' | sort -u > .new; mv .new shared.txt; echo "$me" > "made-$me.txt"; result Done ;;
careless) event; { cat shared.txt 2>/dev/null; echo "$me"; } | sort -u > .new; mv .new shared.txt; echo "$me" > "made-$me.txt"; result Done ;;
object) event; result 'It has no test.' ;;
broken) event; echo "made by $me" > "made-$me.txt"; echo broken > broken.txt; result Done ;;
mended) event; rm -f broken.txt; result Done ;;
both) event; echo both > both.txt; result Done ;;
beside) event; echo made > made.txt; echo x > ../crash/written.txt; result Done ;;
script) event; . "$HOME/script/$me" > "$HOME/$me.script" 2>&1; result Done ;;
outside) event; echo made > made.txt; echo x > "$HOME/../project/written.txt"; result Done ;;
esac
"#;

/// Limits of a hundredth of the real ones, but that a start takes what it takes on a busy machine.
const LIMITS: &str = "[team]\nwatch_ms = 50\n[team.ladder]\nspawn_ms = 8000\nquiet_ms = 1800\n\
    suspect_ms = 4800\nstalled_ms = 7200\ntool_ms = 18000\nstep_ms = 1200\nmax_restarts = 1\n";

pub(crate) struct Team {
    pub(crate) place: Place,
}

impl Team {
    pub(super) fn new() -> Self {
        let sandbox = Sandbox::new();
        let bin = Self::install_tool(&sandbox);
        let env = sandbox.env_with_path(&bin);
        Self::begin(Place::new(sandbox, env))
    }

    /// A repository with a script and its check, and no team yet.
    pub(crate) fn without_members() -> Self {
        let sandbox = Sandbox::new();
        let bin = Self::install_tool(&sandbox);
        // A loaded machine is slow: the limits of the watch are the real ones.
        let limits = "[team]\nwatch_ms = 50\n";
        add(&sandbox.home(), ".config/agon/config.toml", limits);
        let env = sandbox.env_with_path(&bin);
        let team = Self {
            place: Place::new(sandbox, env),
        };
        let project = team.place.project();
        add(&project, "check.sh", "test \"$(sh greet.sh)\" = Hello\n");
        team.commit_script();
        team
    }

    /// A repository with a commit, and a team of which the project's work tree is that of the lead.
    pub(super) fn begin(place: Place) -> Self {
        let team = Self { place };
        team.commit_script();
        team.json(&["init"]);
        team.json(&["join", "lea", "--role", "lead", "--host", "claude"]);
        team
    }

    /// Puts the tool and its limits into a home: the folder of the tool.
    fn install_tool(sandbox: &Sandbox) -> PathBuf {
        let bin = sandbox.home().join("bin");
        add(&bin, "claude", TOOL);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(bin.join("claude"), mode).unwrap();
        add(&sandbox.home(), ".config/agon/config.toml", LIMITS);
        bin
    }

    /// Makes the project a repository with a script.
    fn commit_script(&self) {
        let project = self.place.project();
        git(&project, &["init", "-q", "-b", "main"]);
        add(&project, "greet.sh", "echo Hello\n");
        git(&project, &["add", "."]);
        git(&project, &["commit", "-q", "-m", "begin"]);
    }

    /// Sets one of the limits of the watch.
    pub(super) fn limit(&self, name: &str, value: &str) {
        let kept = LIMITS.lines().filter(|line| !line.starts_with(name));
        let limits: String = kept.map(|line| format!("{line}\n")).collect();
        let limits = format!("{limits}{name} = {value}\n");
        add(&self.home(), ".config/agon/config.toml", &limits);
    }

    pub(super) fn home(&self) -> PathBuf {
        self.place.home()
    }

    pub(crate) fn mood(&self, member: &str, mood: &str) {
        add(
            &self.home(),
            &format!("mood/{member}"),
            &format!("{mood}\n"),
        );
    }

    pub(super) fn task(&self, title: &str) -> String {
        let added = self.json(&["task", "add", title, "--spec", "Make a file."]);
        added["task"]["id"].as_str().unwrap().to_owned()
    }

    pub(super) fn run(&self, args: &[&str]) -> Ran {
        self.place.run(&[&["team"], args].concat())
    }

    pub(super) fn json(&self, args: &[&str]) -> Value {
        let end = args.iter().position(|arg| *arg == "--");
        let (own, rest) = args.split_at(end.unwrap_or(args.len()));
        let ran = self.run(&[own, &["--json"], rest].concat());
        assert!(matches!(ran.code, Some(0 | 7)), "{args:?}: {ran:?}");
        ran.json()
    }

    pub(super) fn start(&self, name: &str, task: Option<&str>, wait: bool) -> Value {
        let mut args = vec!["start", "worker", "--host", "claude", "--name", name];
        args.extend(task.into_iter().flat_map(|task| ["--task", task]));
        args.extend(wait.then_some("--wait"));
        self.json(&args)
    }

    pub(super) fn member(&self, name: &str) -> Value {
        let status = self.json(&["status"]);
        let members = status["members"].as_array().unwrap();
        let found = members.iter().find(|it| it["name"] == name);
        found.unwrap()["session"].clone()
    }

    pub(super) fn task_state(&self, task: &str) -> String {
        let why = self.json(&["task", "why", task]);
        why["task"]["state"].as_str().unwrap().to_owned()
    }

    pub(super) fn watch(&self) -> Watching<'_> {
        let running = Running::start(self.place.command(&["team", "watch"]));
        Watching {
            team: self,
            running: Some(running),
        }
    }

    pub(super) fn pids(&self, name: &str) -> Vec<u32> {
        let pids = fs::read_to_string(self.home().join(format!("{name}.pids")));
        let pids = pids.unwrap_or_default();
        pids.lines().map(|line| line.parse().unwrap()).collect()
    }

    /// The states of a session's events, in order.
    pub(super) fn steps(&self, name: &str) -> Vec<String> {
        let member = self.member(name);
        vec![
            member["state"].as_str().unwrap().to_owned(),
            member["rung"].as_str().unwrap().to_owned(),
        ]
    }

    /// What happened to tasks and sessions, a line each.
    pub(super) fn log(&self) -> String {
        let log = self.json(&["log"]);
        let line = |it: &Value| {
            format!(
                "{} {} {} {}\n",
                it["at_ms"], it["kind"], it["subject"], it["detail"]
            )
        };
        log["events"].as_array().unwrap().iter().map(line).collect()
    }

    pub(super) fn until(&self, what: &str, mut so: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !so() {
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "{what}: {}",
                self.json(&["status"])
            );
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// A watch that is ended when the test is over.
pub(super) struct Watching<'a> {
    team: &'a Team,
    running: Option<Running>,
}

impl Watching<'_> {
    pub(super) fn said(mut self) -> String {
        let running = self.running.take().unwrap();
        running.interrupt();
        running.end().stdout
    }
}

impl Drop for Watching<'_> {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.kill();
        }
        for entry in fs::read_dir(self.team.home()).unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Some(name) = name.strip_suffix(".pids") {
                for pid in self.team.pids(name) {
                    if is_tool(pid, name) {
                        signal("KILL", pid);
                    }
                }
            }
        }
    }
}

fn is_tool(pid: u32, name: &str) -> bool {
    let cwd = fs::read_link(format!("/proc/{pid}/cwd"));
    cwd.is_ok_and(|cwd| cwd.ends_with(name))
}

fn is_there(pid: u32) -> bool {
    lives(Path::new(&format!("/proc/{pid}")))
}

#[test]
fn a_member_works_in_a_tree_of_its_own_and_what_it_made_is_submitted() {
    let team = Team::new();
    let task = team.task("Make a file");
    team.mood("ada", "good");
    let started = team.start("ada", Some(&task), true);
    assert_eq!(started["turn"]["state"], "finished", "{started}");
    assert_eq!(started["branch"], "agon/members/ada");
    assert_eq!(team.task_state(&task), "review");
    let tree = PathBuf::from(started["work_tree"].as_str().unwrap());
    let commit = started["turn"]["commit"].as_str().unwrap();
    let shown = git(&tree, &["log", "-1", "--format=%H %an %s"]);
    assert_eq!(shown.trim(), format!("{commit} ada Make a file"));
    let project = team.place.project();
    assert_eq!(git(&project, &["status", "--porcelain"]), "");
    assert!(!tree.starts_with(&project), "{}", tree.display());
    let prompt = fs::read_to_string(team.home().join("ada.prompt")).unwrap();
    assert!(prompt.contains("Make a file.") && prompt.contains("verification-before-completion"));
    let args = fs::read_to_string(team.home().join("ada.args")).unwrap();
    assert!(
        args.contains(r#""args":["mcp"]"#) && args.contains("Edit(./**)"),
        "{args}"
    );
    team.json(&["task", "done", &task, "--epoch", "1"]);
}

#[test]
fn the_token_of_a_member_is_in_its_environment_and_nowhere_else() {
    let team = Team::new();
    let task = team.task("Make a file");
    team.mood("ada", "token");
    let ran = team.run(&[
        "start", "worker", "--host", "claude", "--name", "ada", "--task", &task, "--wait", "--json",
    ]);
    let env = fs::read_to_string(team.home().join("ada.env")).unwrap();
    let token = env
        .lines()
        .find_map(|line| line.strip_prefix("AGON_TEAM_TOKEN="));
    let token = token.unwrap();
    assert_eq!(token.len(), 64);
    assert!(!env.contains("AGON_DEPTH"), "a member is in no debate");
    let logs = team.place.project().join(".git/agon/sessions");
    let mut seen = vec![
        ran.stdout.clone(),
        ran.stderr,
        fs::read_to_string(team.home().join("ada.prompt")).unwrap(),
        fs::read_to_string(team.home().join("ada.args")).unwrap(),
    ];
    for log in fs::read_dir(logs).unwrap().flatten() {
        seen.push(fs::read_to_string(log.path()).unwrap());
    }
    assert!(seen.len() > 4 && seen.iter().any(|text| text.contains("My token is [token]")));
    for text in seen {
        assert!(
            !text.contains(token) && !text.contains("sk-ant-api03"),
            "{text}"
        );
    }
    // Who has it in the environment is that member, wherever it is.
    let mut command = team
        .place
        .command(&["team", "task", "add", "More", "--json"]);
    command.env("AGON_TEAM_TOKEN", token);
    assert_eq!(Running::start(command).end().code, Some(0));
    let mut command = team
        .place
        .command(&["team", "start", "worker", "--host", "claude", "--json"]);
    command.env("AGON_TEAM_TOKEN", token);
    let refused = Running::start(command).end();
    assert!(
        refused.stdout.contains("may not start members"),
        "{}",
        refused.stdout
    );
    let mut command = team
        .place
        .command(&["team", "task", "add", "More", "--json"]);
    command.env("AGON_TEAM_TOKEN", "0".repeat(64));
    assert_eq!(Running::start(command).end().ended().1, "not_member");
}

#[test]
fn what_leaves_nothing_or_writes_outside_is_not_taken_for_done() {
    let team = Team::new();
    for (mood, state) in [
        ("empty", "failed_empty"),
        ("nothing", "failed_empty"),
        ("crash", "dead"),
        ("beside", "dead"),
    ] {
        let task = team.task(mood);
        team.mood(mood, mood);
        let started = team.start(mood, Some(&task), true);
        assert_eq!(started["turn"]["state"], state, "{started}");
        assert_eq!(team.task_state(&task), "ready", "{mood}");
        let outside = started["turn"]["outside"].as_array().unwrap();
        assert_eq!(outside.len(), usize::from(mood == "beside"), "{started}");
    }
}

#[test]
fn what_is_written_where_others_are_at_work_too_is_told_and_is_held_against_no_turn() {
    let team = Team::new();
    let task = team.task("outside");
    team.mood("outside", "outside");
    let started = team.start("outside", Some(&task), true);
    assert_eq!(started["turn"]["state"], "finished", "{started}");
    assert_eq!(started["turn"]["outside"].as_array().unwrap().len(), 1);
    let said = started["turn"]["said"].as_str().unwrap();
    assert!(
        said.contains("was written meanwhile, possibly by someone else"),
        "{said}"
    );
    assert_eq!(team.task_state(&task), "review");
}

#[test]
fn a_member_that_hangs_is_ended_and_started_again_and_then_its_task_is_given_up() {
    let team = Team::new();
    let task = team.task("Make a file");
    team.mood("ada", "hang");
    let watch = team.watch();
    team.start("ada", Some(&task), false);
    team.until("it fails", || team.task_state(&task) == "failed");
    let pids = team.pids("ada");
    assert_eq!(pids.len(), 2, "started twice");
    assert!(pids.iter().all(|&pid| !is_there(pid)));
    assert_eq!(team.steps("ada"), ["dead", "fail"]);
    let tree = team.member("ada")["work_tree"].as_str().unwrap().to_owned();
    assert!(
        Path::new(&tree).join("half.txt").exists(),
        "what it had stays"
    );
    let prompt = fs::read_to_string(team.home().join("ada.prompt")).unwrap();
    assert!(prompt.contains("Session s1 was lost"), "{prompt}");
    let said = watch.said();
    for word in [
        "step: notice",
        "step: nudge",
        "step: revoke",
        "step: terminate",
        "step: restart",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let why = team.json(&["task", "why", &task]);
    assert!(
        why["task"]["note"]
            .as_str()
            .unwrap()
            .contains("given up after 1"),
        "{why}"
    );
}

#[test]
fn one_that_was_killed_or_crashed_is_started_again_and_finishes() {
    let team = Team::new();
    let watch = team.watch();
    for (name, first) in [("ada", "crash"), ("bob", "hang")] {
        let task = team.task(name);
        team.mood(name, &format!("{first}\ngood"));
        team.start(name, Some(&task), false);
        if name == "bob" {
            team.until("it is there", || !team.pids("bob").is_empty());
            team.until("it is known", || team.member("bob")["pid"].is_i64());
            signal("KILL", team.pids("bob")[0]);
        }
        team.until("it is submitted", || team.task_state(&task) == "review");
        assert_eq!(team.pids(name).len(), 2);
        assert_eq!(team.member(name)["restarts"], 1);
    }
    drop(watch);
}

#[test]
fn a_process_that_was_stopped_and_one_that_turns_in_circles_are_found() {
    let team = Team::new();
    let watch = team.watch();
    let task = team.task("one");
    team.mood("ada", "hang\ngood");
    team.start("ada", Some(&task), false);
    team.until("it is there", || !team.pids("ada").is_empty());
    team.until("it spoke", || {
        !team.member("ada")["ages"]["host_event_ms"].is_null()
    });
    signal("STOP", team.pids("ada")[0]);
    let circle = team.task("two");
    team.mood("bob", "loop\ngood");
    team.start("bob", Some(&circle), false);
    for (name, task) in [("ada", &task), ("bob", &circle)] {
        team.until("it is submitted", || team.task_state(task) == "review");
        assert!(!is_there(team.pids(name)[0]));
    }
    let said = watch.said();
    assert!(said.contains("bob: stalled (the same call"), "{said}");
}

#[test]
fn a_number_that_is_another_process_by_now_is_left_alone_and_a_name_is_used_again() {
    let team = Team::new();
    let task = team.task("one");
    team.mood("ada", "hang\ngood");
    team.start("ada", Some(&task), false);
    team.until("it is there", || !team.pids("ada").is_empty());
    team.until("it is known", || team.member("ada")["pid"].is_i64());
    let again = team.run(&[
        "start", "worker", "--host", "claude", "--name", "ada", "--json",
    ]);
    assert!(
        again.stdout.contains("is still working in session"),
        "{}",
        again.stdout
    );
    // The process that stands in the store is gone, and its number is that of another one.
    signal("KILL", team.pids("ada")[0]);
    team.until("it is told", || team.task_state(&task) == "ready");
    let other = std::process::Command::new("sleep")
        .arg("600")
        .spawn()
        .unwrap();
    let db = rusqlite::Connection::open(team.place.project().join(".git/agon/team.db")).unwrap();
    db.execute("UPDATE session SET pgid = ?1", [other.id()])
        .unwrap();
    drop(db);
    let mut other = other;
    let watched = team.json(&["watch", "--once"]);
    assert_eq!(watched["sessions"][0]["step"], "restart", "{watched}");
    assert!(is_there(other.id()), "not one that Agon started");
    other.kill().unwrap();
    other.wait().unwrap();
    team.until("it is submitted", || team.task_state(&task) == "review");
    assert_eq!(team.member("ada")["restarts"], 1);
}

#[test]
fn one_watch_at_a_time() {
    let team = Team::new();
    let watch = team.watch();
    let busy = || team.run(&["watch", "--once", "--json"]);
    // Asked before that, one of the two would have had it first, and the other ended.
    team.until("it watches", || {
        let db = team.place.project().join(".git/agon/team.db");
        let held = "SELECT count(*) FROM lease WHERE name = 'watch'";
        let db = rusqlite::Connection::open(db).unwrap();
        db.query_row(held, [], |row| row.get::<_, u32>(0)).unwrap() > 0
    });
    assert_eq!(busy().ended().1, "busy");
    drop(watch.said());
    assert_eq!(busy().code, Some(0));
}
