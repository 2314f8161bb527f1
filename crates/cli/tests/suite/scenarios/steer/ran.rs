//! `agon say --run`: what a command of the user's prints becomes evidence.

use agon_testkit::behaviour::{FAKE_ANTHROPIC_KEY, FAKE_GITHUB_TOKEN};
use agon_testkit::{Behaviour, Script};
use serde_json::Value;

use super::{folder, prompt};
use crate::scenarios::place::{Fakes, debate};
use crate::scenarios::seen::secrets;
use crate::support::Running;

/// The debate, stopped in `turn`.
fn stopped(fakes: &Fakes, turn: &str) {
    fakes
        .tools
        .set_scenario("*", turn, Behaviour::Slow(100_000));
    let running = Running::start(fakes.place.command(&debate(&[])));
    let asked = format!("{turn}#0");
    running.until(&asked, || fakes.asks().contains(&asked));
    running.interrupt();
    assert_eq!(running.end().code, Some(130));
    fakes.tools.clear_scenario();
}

#[test]
fn ten_megabytes_with_secrets_in_them_are_bounded_and_leave_no_secret() {
    let fakes = Fakes::new();
    stopped(&fakes, "r1.pro");
    let line = format!("token {FAKE_GITHUB_TOKEN} in the log");
    let command = format!(
        "echo first {FAKE_ANTHROPIC_KEY}; yes '{line}' | head -c 10485760; echo; \
         echo last {FAKE_GITHUB_TOKEN} >&2; exit 3"
    );
    let ran = fakes.place.run(&["say", "s", "--run", &command, "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let said = ran.json();
    assert_eq!(said["id"], "run 1");
    assert_eq!(said["run"]["exit"], 3);
    let bytes = said["run"]["bytes"].as_u64().unwrap();
    assert!(bytes > 10_485_760, "{bytes}");
    assert!(
        said["run"]["left_out"].as_u64().unwrap() > 10_000_000,
        "{said}"
    );
    assert!(said["redacted"].as_u64().unwrap() > 100, "{said}");
    assert!(!ran.stdout.contains(FAKE_GITHUB_TOKEN) && !ran.stderr.contains(FAKE_GITHUB_TOKEN));

    let resumed = fakes.resume();
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    for turn in [
        "r1.pro",
        "r1.cha",
        "r2.pro",
        "r2.cha",
        "verdict.judge",
        "verdict.swap",
    ] {
        let prompt = prompt(&fakes, turn);
        assert!(prompt.contains("It ended with exit 3."), "{turn}");
        assert!(prompt.contains("first [redacted:anthropic-key]"), "{turn}");
        assert!(prompt.contains("last [redacted:github-token]"), "{turn}");
        assert!(prompt.contains(" bytes are not shown."), "{turn}");
        assert!(prompt.len() < 64 * 1024, "{turn}: {}", prompt.len());
    }
    assert_eq!(secrets(&folder(&fakes)), Vec::<&str>::new());
    let size: usize = folder(&fakes).iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(size < 2_000_000, "{size}");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["notes"][0]["ending"], "exit 3");
    assert_eq!(fakes.place.run(&["check", "s"]).code, Some(0));
}

#[test]
fn what_a_run_printed_can_be_cited_and_is_checked() {
    let fakes = Fakes::new();
    stopped(&fakes, "r1.pro");
    let command = "echo 'claim: 3 passed, 1 failed'; false";
    let ran = fakes.place.run(&["say", "s", "--run", command]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(
        ran.stdout,
        "run 1 added; both seats and the judge will see it\n"
    );
    assert!(ran.stderr.contains("claim: 3 passed, 1 failed"), "{ran:#?}");
    assert!(ran.stderr.contains("exit 1"), "{ran:#?}");
    fakes.tools.set_script(&citing());
    assert_eq!(fakes.resume().code, Some(0));
    let stamps: Vec<Value> = fakes
        .events()
        .into_iter()
        .filter(|event| event["event"] == "stamped" && event["key"] == "r1.pro#0")
        .flat_map(|event| event["stamps"].as_array().unwrap().clone())
        .filter(|stamp| stamp["citation"]["command"].is_string())
        .collect();
    let found: Vec<_> = stamps
        .iter()
        .map(|stamp| {
            (
                stamp["citation"]["command"].as_str().unwrap(),
                stamp["stamp"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("run 1", "found"),
        (command, "wrong"),
        ("cargo bench", "unchecked"),
    ];
    assert_eq!(found, expected, "{stamps:#?}");
    let citations = &fakes.place.verdict().unwrap()["citations"]["proposer"];
    assert_eq!(
        (&citations["found"], &citations["wrong"]),
        (&1.into(), &1.into())
    );
    assert!(
        prompt(&fakes, "r1.cha").contains("claim: 3 passed, 1 failed (cited")
            || prompt(&fakes, "r1.cha").contains("    1 | claim: 3 passed, 1 failed")
    );
}

/// The hand-written duel in which the proposer cites what was run, what it did not print, and
/// what was never run.
fn citing() -> Script {
    let mut script = Script::job_store();
    let reply = &mut script.turns.get_mut("r1.pro").unwrap()[0];
    let (prose, block) = reply.rsplit_once("```json").unwrap();
    let block = block.split_once("```").unwrap().0;
    let mut moves: Value = serde_json::from_str(block).unwrap();
    let cited = [
        ("run 1", "3 passed, 1 failed"),
        (
            "echo 'claim: 3 passed, 1 failed'; false",
            "all forty tests of the store passed",
        ),
        ("cargo bench", "12 ms"),
    ];
    for (nth, (command, output)) in cited.into_iter().enumerate() {
        let ground = &mut moves["arguments"][nth]["grounds"][0];
        ground["citation"] = serde_json::json!({ "command": command, "output": output });
    }
    *reply = format!("{prose}```json\n{moves:#}\n```\n");
    script
}

#[test]
fn a_command_that_takes_too_long_is_ended_and_one_that_is_stopped_is_not_kept() {
    let fakes = Fakes::new();
    stopped(&fakes, "r1.pro");
    let slow = [
        "say",
        "s",
        "--run",
        "echo begun; sleep 100 & sleep 100",
        "--timeout",
        "1",
        "--json",
    ];
    let ran = fakes.place.run(&slow);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(ran.json()["run"]["ended"], "stopped after 1 s");
    assert!(ran.took.as_secs() < 20);

    let before = folder(&fakes);
    let running = Running::start(fakes.place.command(&[
        "say",
        "s",
        "--run",
        "echo > begun; sleep 100",
        "--json",
    ]));
    let begun = fakes.place.project().join("begun");
    running.until("the command", || begun.exists());
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.ended(), (Some(130), "cancelled".to_owned()), "{ran:#?}");
    assert_eq!(folder(&fakes), before);
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}
