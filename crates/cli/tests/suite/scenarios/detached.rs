//! A debate that runs by itself, and those who start it and wait for it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use agon_testkit::Behaviour;
use serde_json::{Value, json};

use crate::scenarios::place::{Fakes, SEATED, debate};
use crate::support::{Ran, Running, seat_flags};

/// The verdict of `s`, without what differs from run to run.
fn verdict(fakes: &Fakes) -> Value {
    let mut verdict = fakes.place.verdict().unwrap();
    verdict["ulid"] = Value::Null;
    verdict["usage"]["wall_ms"] = Value::Null;
    verdict
}

fn wait(fakes: &Fakes, more: &[&str]) -> Ran {
    fakes.place.run(&[&["wait", "s", "--json"], more].concat())
}

fn state(ran: &Ran) -> String {
    assert!(ran.stdout.trim_end().len() <= 400, "{}", ran.stdout);
    ran.json()["state"].as_str().unwrap_or_default().to_owned()
}

/// The processes of a session that run.
fn session(leader: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let after = stat.rsplit(") ").next().unwrap_or_default();
        let of = after.split(' ').nth(3).and_then(|sid| sid.parse().ok());
        if of == Some(leader) && !after.starts_with('Z') {
            found.extend(
                entry
                    .file_name()
                    .to_str()
                    .and_then(|pid| pid.parse::<u32>().ok()),
            );
        }
    }
    found
}

fn kill_all(pids: &[u32]) {
    let pids: Vec<_> = pids.iter().map(ToString::to_string).collect();
    // One that has just ended by itself is no failure.
    let mut kill = Command::new("/bin/sh");
    kill.args(["-c", &format!("kill -KILL {}", pids.join(" "))]);
    kill.stderr(Stdio::null()).status().unwrap();
}

#[test]
fn a_debate_that_runs_is_shown_as_running_with_what_waits_for_it_or_stops_it() {
    let fakes = Fakes::new();
    let slow = Behaviour::Slow(60_000);
    fakes.tools.set_scenario("claude", "r1.pro", slow);
    let started = fakes.place.run(&debate(&["--detach"]));
    assert_eq!(started.code, Some(0), "{started:#?}");
    let shown = fakes.place.run(&["show", "s"]);
    assert!(shown.stdout.contains("\nrunning   "), "{shown:#?}");
    let next = "\nnext      agon watch s · agon stop s\n";
    assert!(shown.stdout.ends_with(next), "{shown:#?}");
    let resumed = fakes.resume();
    assert_eq!(resumed.code, Some(6), "{resumed:#?}");
    let hint = "run `agon wait DEBATE` to wait until it ends, or `agon stop DEBATE` to stop it";
    assert!(resumed.stdout.contains(hint), "{resumed:#?}");
    assert_eq!(fakes.place.run(&["stop", "s"]).code, Some(0));
    let stopped = fakes.place.run(&["show", "s"]);
    assert!(stopped.stdout.contains("\nstatus    "), "{stopped:#?}");
}

#[test]
fn a_detached_run_outlives_its_caller_and_gives_what_an_attached_one_does() {
    let attached = Fakes::new();
    let unread = ["--context", "none"];
    assert_eq!(attached.debate(&unread).code, Some(0));

    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(1_500));
    // A caller with a session of its own, that does not end by itself.
    let mut words = vec![env!("CARGO_BIN_EXE_agon").to_owned()];
    words.extend(
        debate(&[&unread[..], &["--detach"]].concat())
            .iter()
            .map(|word| format!("'{word}'")),
    );
    let line = format!("{} > told; sleep 600", words.join(" "));
    let mut caller = fakes.place.command(&[]);
    let mut script = Command::new("setsid");
    script.args(["--wait", "/bin/sh", "-c", &line]);
    script.current_dir(caller.get_current_dir().unwrap());
    script.env_clear().envs(&fakes.place.env);
    caller = script;
    caller.stdin(Stdio::null()).process_group(0);
    let mut caller = caller.spawn().unwrap();
    let told = fakes.place.project().join("told");
    let started = loop {
        let text = fs::read_to_string(&told).unwrap_or_default();
        if let Ok(document) = serde_json::from_str::<Value>(&text) {
            break document;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(
        (&started["schema"], &started["reused"], &started["debate"]),
        (&json!("agon.started/1"), &json!(false), &json!("s"))
    );
    kill_session_below(caller.id());
    caller.wait().unwrap();

    assert_eq!(state(&wait(&fakes, &["--timeout", "0"])), "running");
    let listed = fakes.place.run(&["list", "--json"]).json();
    assert_eq!(listed["debates"][0]["state"], "running");
    let id = started["id"].as_str().unwrap();
    let ended = fakes.place.run(&["wait", id, "--json"]);
    assert_eq!((ended.code, state(&ended)), (Some(0), "done".to_owned()));
    assert_eq!(verdict(&fakes), verdict(&attached));
    assert_eq!(fakes.place.left(), Vec::<String>::new());
    assert_eq!(fakes.place.run(&["check", "s"]).code, Some(0));
    let log = fs::read_to_string(fakes.place.folder().join(".agon/log")).unwrap();
    assert!(log.contains("agon.result/1"), "{log}");
}

/// Kills all of the session that a child of `pid` leads, until nothing of it is left.
fn kill_session_below(pid: u32) {
    let of = |entry: fs::DirEntry| {
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let after = stat.rsplit(") ").next().unwrap_or_default().to_owned();
        let parent = after.split(' ').nth(1)?.parse().ok();
        (parent == Some(pid)).then(|| entry.file_name().to_str()?.parse::<u32>().ok())?
    };
    let leader = fs::read_dir("/proc").unwrap().flatten().find_map(of);
    let leader = leader.unwrap();
    loop {
        let members = session(leader);
        if members.is_empty() {
            return;
        }
        kill_all(&members);
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_start_returns_at_once() {
    let fakes = Fakes::new();
    fakes.tools.set_scenario("*", "*", Behaviour::Slow(300));
    let ran = fakes.debate(&["--detach"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    eprintln!("--detach returned after {:?}", ran.took);
    let started = ran.json();
    assert_eq!(
        (&started["calls_max"], &started["tokens_max"]),
        (&json!(12), &json!(250_000))
    );
    // Before it can have come far.
    assert_eq!(state(&wait(&fakes, &["--timeout", "0"])), "running");
    let begun = Instant::now();
    let expired = wait(&fakes, &["--timeout", "1"]);
    assert_eq!(
        (expired.code, state(&expired)),
        (Some(0), "running".to_owned())
    );
    assert!(begun.elapsed() < Duration::from_secs(20));
    let ended = wait(&fakes, &["--exit-code"]);
    assert_eq!((ended.code, state(&ended)), (Some(0), "done".to_owned()));
    assert_eq!(ended.json()["spent"]["calls"], 8);
}

#[test]
fn the_same_start_is_one_debate_until_another_is_asked_for() {
    let fakes = Fakes::new();
    let both = [(), ()].map(|()| Running::start(fakes.place.command(&debate(&["--detach"]))));
    let both = both.map(Running::end);
    let told = both.each_ref().map(Ran::json);
    assert_eq!(told[0]["id"], told[1]["id"], "{both:#?}");
    let reused = |told: &Value| told["reused"] == json!(true);
    assert!(reused(&told[0]) != reused(&told[1]), "{told:#?}");
    assert_eq!(state(&wait(&fakes, &[])), "done");
    assert_eq!(fakes.asks().len(), 8);

    let later = fakes.debate(&["--detach"]).json();
    assert_eq!(
        (&later["id"], &later["reused"], &later["eta_s"]),
        (&told[0]["id"], &json!(true), &json!(0))
    );
    let attached = fakes.debate(&[]);
    assert_eq!(
        (attached.code, &attached.json()["reused"]),
        (Some(0), &json!(true))
    );
    assert_eq!(attached.json()["id"], told[0]["id"]);
    assert_eq!(fakes.asks().len(), 8, "nothing is paid for twice");

    // Whoever changes what is debated, or says so, gets another.
    let other = fakes.debate(&["--detach", "--rounds", "1"]).json();
    assert_eq!(
        (&other["debate"], &other["reused"]),
        (&json!("s-2"), &json!(false))
    );
    let again = fakes.debate(&["--again"]);
    assert_eq!(
        (&again.json()["debate"], again.code),
        (&json!("s-3"), Some(0))
    );
    assert_eq!(fakes.place.run(&["wait", "s-2"]).code, Some(0));
}

#[test]
fn one_who_joins_a_debate_that_runs_gets_its_result() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(1_000));
    let started = fakes.debate(&["--detach"]).json();
    let joined = fakes.debate(&[]);
    assert_eq!(joined.code, Some(0), "{joined:#?}");
    assert_eq!(joined.json()["id"], started["id"]);
    assert_eq!(joined.json()["answer"], "Use SQLite for the job store");
    assert_eq!(fakes.asks().len(), 8);
}

#[test]
fn what_is_refused_is_refused_before_anything_runs() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("codex", "login", Behaviour::LoggedOut);
    let ran = fakes.debate(&["--detach"]);
    assert_eq!(ran.ended(), (Some(4), "tool_logged_out".to_owned()));
    assert!(!fakes.place.folder().exists());
    let unknown = fakes.place.run(&["wait", "nothing", "--json"]);
    assert_eq!(unknown.ended(), (Some(2), "unknown_debate".to_owned()));
}

/// Makes `claude` a script that does something first.
fn claude_first(fakes: &Fakes, what: &str) {
    let claude = fakes.tools.path("claude");
    let fake = fs::read_link(&claude).unwrap();
    fs::remove_file(&claude).unwrap();
    symlink(fake, fakes.tools.path("fake")).unwrap();
    let text = format!(
        "#!/bin/sh\nd=$(dirname \"$0\")\n{what}\nAGON_FAKE_AS=claude exec \"$d/fake\" \"$@\"\n"
    );
    fs::write(&claude, text).unwrap();
    fs::set_permissions(&claude, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn starts_at_the_same_time_all_open_their_debate_once() {
    let fakes = Fakes::new();
    let slow = Behaviour::Slow(60_000);
    fakes.tools.set_scenario("*", "*", slow);
    let start = |at: usize| {
        let topic = format!("Question {}?", at % 8);
        let words = ["debate", &topic, "--json", "--detach", "--context", "none"];
        let words = [&words[..], &seat_flags(SEATED)].concat();
        Running::start(fakes.place.command(&words))
    };
    let started: Vec<_> = (0..16).map(start).collect();
    let started: Vec<_> = started.into_iter().map(Running::end).collect();
    let mut told = BTreeMap::<String, Vec<bool>>::new();
    for ran in &started {
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        let told = told.entry(ran.json()["id"].to_string()).or_default();
        told.push(ran.json()["reused"] == json!(true));
    }
    assert_eq!(told.len(), 8, "{told:#?}");
    for mut reused in told.into_values() {
        reused.sort_unstable();
        assert_eq!(reused, [false, true]);
    }
    let listed = fakes.place.run(&["list", "--json"]).json();
    let listed = listed["debates"].as_array().unwrap().clone();
    assert_eq!(listed.len(), 8);
    for debate in listed {
        let name = debate["debate"].as_str().unwrap().to_owned();
        assert_eq!(fakes.place.run(&["stop", &name]).code, Some(0));
    }
}

#[test]
fn a_second_start_asks_no_tool_for_its_version_or_login() {
    let fakes = Fakes::new();
    let probes = || {
        let calls = fakes.tools.calls().into_iter();
        let is_probe = |turn: &str| matches!(turn, "version" | "login");
        calls
            .filter(|call| call.turn.as_deref().is_some_and(is_probe))
            .count()
    };
    let dry = || {
        fakes
            .place
            .run(&debate(&["--dry-run", "--context", "none"]))
    };
    assert_eq!(dry().code, Some(0));
    let first = probes();
    assert!(first > 0);
    assert_eq!(dry().code, Some(0));
    assert_eq!(probes(), first);
    // The fakes print no help, so the checkup finds fault with them.
    assert_eq!(fakes.place.run(&["tools", "doctor"]).code, Some(8));
    assert_eq!(probes(), 2 * first, "the checkup asks again");
    fakes
        .tools
        .set_scenario("claude", "login", Behaviour::LoggedOut);
    assert_eq!(dry().code, Some(4), "a changed program is asked again");
}

#[test]
fn a_debate_that_never_began_has_failed_and_says_why() {
    let fakes = Fakes::new();
    // Logged in for whoever starts the debate, logged out for the process that is to run it.
    let logged_out = json!({ "claude": { "login": "logged_out" } });
    let after = format!(
        "echo >> \"$d/starts\"\nstarts=$(wc -l < \"$d/starts\")\n\
         # A changed program is asked again.\n[ $starts -eq 2 ] && touch \"$0\"\n\
         [ $starts -gt 2 ] && echo '{logged_out}' > \"$d/scenario.json\""
    );
    claude_first(&fakes, &after);
    let ran = fakes.debate(&["--detach"]);
    // The caller may learn of it or not, but not wait for ever.
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:#?}");
    let ended = wait(&fakes, &["--exit-code"]);
    assert_eq!(
        (ended.code, state(&ended)),
        (Some(1), "failed".to_owned()),
        "{ended:#?}"
    );
    assert_eq!(ended.json()["error"]["code"], "tool");
    let listed = fakes.place.run(&["list", "--json"]).json();
    assert_eq!(listed["debates"][0]["state"], "failed");
    // Mended, it goes on, and what the log said is forgotten.
    fs::write(fakes.tools.path("starts"), "").unwrap();
    fakes.tools.clear_scenario();
    fs::remove_file(fakes.tools.path("claude")).unwrap();
    symlink(
        fs::read_link(fakes.tools.path("fake")).unwrap(),
        fakes.tools.path("claude"),
    )
    .unwrap();
    let resumed = fakes.place.run(&["resume", "s", "--detach", "--json"]);
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert_eq!(state(&wait(&fakes, &[])), "done");
}

#[test]
fn a_debate_that_ends_without_an_answer_has_failed() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Auth);
    assert_eq!(fakes.debate(&["--detach"]).code, Some(0));
    let ended = wait(&fakes, &["--exit-code"]);
    assert_eq!((ended.code, state(&ended)), (Some(4), "failed".to_owned()));
    assert_eq!(ended.json()["error"]["code"], "logged_out");
    assert_eq!(wait(&fakes, &[]).code, Some(0));
}

#[test]
fn a_run_that_is_killed_is_a_debate_that_is_stopped() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(60_000));
    assert_eq!(fakes.debate(&["--detach"]).code, Some(0));
    while !fakes.asks().contains(&"r1.pro#0".to_owned()) {
        std::thread::sleep(Duration::from_millis(10));
    }
    // The process in the background takes the lock before it asks.
    let holder = fs::read_to_string(fakes.place.folder().join(".agon/lock")).unwrap();
    let holder: Value = serde_json::from_str(&holder).unwrap();
    kill_all(&[u32::try_from(holder["pid"].as_u64().unwrap()).unwrap()]);
    assert_eq!(state(&wait(&fakes, &[])), "stopped");
    fakes.tools.clear_scenario();
    // A start finds nothing that runs or is done, and begins anew; the old one goes on when told.
    assert_eq!(fakes.resume().code, Some(0));
    assert_eq!(state(&wait(&fakes, &[])), "done");
    // The killed tool's private folder is left: nobody was there to remove it.
    let mut left = fakes.place.left();
    left.retain(|left| !left.starts_with("agon-"));
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn a_debater_cannot_start_a_debate() {
    let fakes = Fakes::new();
    let agon = env!("CARGO_BIN_EXE_agon");
    let home = fakes.place.home();
    let config = format!(
        "HOME='{}' PATH='{}'",
        home.display(),
        fakes.place.env["PATH"]
    );
    let nested = |line: &str| {
        format!(
            "{config} {agon} {line} --json >> \"$d/nested\" 2>&1 < /dev/null; echo \"exit $?\" >> \"$d/nested\""
        )
    };
    claude_first(
        &fakes,
        &[
            "case \"$*\" in *version*|*auth*) ;; *)",
            &nested("debate 'Is this so?' --detach"),
            &nested("resume s"),
            &nested("run s 1"),
            "esac",
        ]
        .join("\n"),
    );
    let ran = fakes.debate(&[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let nested = fs::read_to_string(fakes.tools.path("nested")).unwrap();
    let ends: Vec<_> = nested
        .lines()
        .filter(|line| line.starts_with("exit"))
        .collect();
    assert!(
        ends.len() >= 9 && ends.iter().all(|end| *end == "exit 2"),
        "{nested}"
    );
    let refused = nested
        .lines()
        .filter(|line| line.contains("\"code\":\"depth\""));
    assert_eq!(refused.count(), ends.len(), "{nested}");
    let debates = fakes.place.run(&["list", "--json"]).json();
    assert_eq!(debates["debates"].as_array().unwrap().len(), 1);
}
