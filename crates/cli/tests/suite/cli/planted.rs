//! Debates of somebody else's, as a clone or an archive brings them: what they may spend, whom they
//! may ask, and what is printed of them.

use std::fs;
use std::path::Path;
use std::process::Command;

use agon_record::spec::{Caps, DuelSpec, Kind, Spec};
use agon_testkit::{FakeModels, FakeTools, Script};
use serde_json::Value;

use crate::cli::folder::{debate, halted, other, spec};
use crate::cli::harness::Agon;
use crate::scenarios::place::SEATED;

fn with_tools() -> Agon {
    Agon::with(FakeTools::with(&SEATED))
}

/// A spec in which every seat is a model at this address.
fn at_address(models: &FakeModels, slug: &str, number: u128) -> (Spec, String) {
    let name = format!("openai:m@{}/v1", models.url());
    let mut planted = other(slug, number);
    for seating in planted.seats.values_mut() {
        seating.tool = name.parse().unwrap();
        seating.transport = "http".to_owned();
    }
    (planted, name)
}

#[test]
fn nothing_is_sent_to_an_address_because_a_planted_record_names_it() {
    let agon = with_tools();
    let models = FakeModels::start(Script::job_store());
    let debates = agon.project().join("debates");
    let script = Script::job_store();
    let (open, name) = at_address(&models, "open", 1);
    debate(&debates, open, &script, 3);
    debate(&debates, at_address(&models, "closed", 2).0, &script, 99);
    let tries: [&[&str]; 7] = [
        &["resume", "open"],
        &["continue", "open"],
        &["ask", "open", "Why?"],
        &["resume", "closed"],
        &["continue", "closed", "1"],
        &["ask", "closed", "Why?"],
        &["continue", "closed", "1", "--detach"],
    ];
    for words in tries {
        let ran = agon.run(&[words, &["--json"]].concat());
        assert_eq!(models.requests().len(), 0, "{words:?}: {ran:?}");
        let is_done = words == ["resume", "closed"];
        assert_eq!(ran.code == Some(0), is_done, "{words:?}: {ran:?}");
    }
    // What the user types is asked, and so is what their own file names.
    agon.run(&["ask", "closed", "Why?", "--tool", &name, "--json"]);
    assert_eq!(models.requests().len(), 1);
    agon.configure(&format!("[tools.{name:?}]\n"));
    agon.run(&["ask", "closed", "Why?", "--json"]);
    assert_eq!(models.requests().len(), 2);
}

#[test]
fn a_planted_debate_is_never_chosen_by_itself() {
    let agon = with_tools();
    let debates = agon.project().join("debates");
    halted(&debates, spec("planted"), &Script::job_store(), 3);
    let tries: [&[&str]; 5] = [
        &["resume"],
        &["continue"],
        &["continue", "1"],
        &["ask", "Why?"],
        &["judge"],
    ];
    for words in tries {
        let ran = agon.run(&[words, &["--json"]].concat());
        assert_eq!(ran.code, Some(2), "{words:?}: {ran:?}");
        assert_eq!(agon.tools().calls().len(), 0, "{words:?}: {ran:?}");
    }
    // Reading one costs nothing, and one that is named is meant.
    assert_eq!(agon.run(&["check"]).code, Some(0));
    let named = agon.run(&["resume", "planted", "--json"]);
    assert_eq!(named.code, Some(0), "{named:?}");
    assert!(!agon.tools().calls().is_empty());
}

#[test]
fn the_bounds_and_rounds_of_a_planted_record_hold_up_to_those_of_its_user() {
    for (rounds, calls) in [(300, 4_000_000), (u16::MAX, u32::MAX), (3, 400)] {
        let agon = with_tools();
        agon.configure("max_tokens = 200_000\n");
        let debates = agon.project().join("debates");
        let greedy = Spec {
            caps: Caps {
                calls,
                tokens: u64::MAX,
                time_ms: u64::MAX,
                cost_micros: None,
                reasks: u32::MAX,
            },
            ask_timeout_ms: u64::MAX,
            kind: Kind::duel(DuelSpec {
                rounds,
                blind: true,
                ..DuelSpec::default()
            }),
            ..spec("planted")
        };
        let folder = debate(&debates, greedy, &Script::job_store(), 0);
        let ran = agon.run(&["resume", "planted", "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        // Two first answers, two rounds, one ruling.
        assert_eq!(agon.tools().asks().len(), 7, "{rounds} rounds");
        let journal = fs::read_to_string(folder.join(".agon/journal.jsonl")).unwrap();
        let events = journal.lines().flat_map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            line["events"].as_array().unwrap().clone()
        });
        let caps: Vec<_> = events
            .filter_map(|event| event.get("caps").cloned())
            .collect();
        // The first are those of the record.
        let [_, held] = caps.as_slice() else {
            panic!("{caps:?}");
        };
        assert_eq!(
            (&held["tokens"], &held["time_ms"]),
            (&200_000.into(), &1_800_000.into())
        );
        assert!(held["calls"].as_u64() <= Some(20), "{held}");
    }
}

/// Names of folders that a shell or a terminal would take for something else.
const HOSTILE: [&str; 8] = [
    "sql-$(touch PWNED)",
    "sql-`touch PWNED`",
    "sql; touch PWNED",
    "sql | touch PWNED",
    "sql'; touch PWNED; '",
    "sql-\u{1b}[31m\u{202e}\u{9b}\u{200b}\u{2028}",
    "-sql",
    "*",
];

/// The path below `debates` as it is to be typed.
fn quoted(name: &str) -> String {
    match name.contains('\u{1b}') {
        true => {
            let hidden = "\\033[31m\\342\\200\\256\\302\\233\\342\\200\\213\\342\\200\\250";
            format!("$'debates/sql-{hidden}'")
        }
        false => format!("'debates/{}'", name.replace('\'', "'\\''"))
            .replace("'debates/-sql'", "debates/-sql"),
    }
}

#[test]
fn commands_name_the_folder_that_was_opened_and_run_nothing_else() {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    let made = debate(&debates, spec("job-store"), &Script::job_store(), 99);
    let half = halted(&debates, other("half", 7), &Script::job_store(), 3);
    for name in HOSTILE {
        let tries = [(&made, "show", "agon show"), (&half, "show", "agon resume")];
        for (from, verb, command) in tries {
            let to = debates.join(name);
            fs::rename(from, &to).unwrap();
            let path = to.strip_prefix(agon.project()).unwrap().to_str().unwrap();
            let ran = agon.run(&[verb, path]);
            let checked = agon.run(&["check", path]);
            fs::rename(&to, from).unwrap();
            let printed = ran.stdout + &ran.stderr;
            for text in [&printed, &checked.stdout, &checked.stderr] {
                for hidden in ['\u{1b}', '\u{202e}', '\u{9b}', '\u{200b}', '\u{2028}'] {
                    assert!(!text.contains(hidden), "{hidden:?} in {text:?}");
                }
            }
            // Rows are wrapped.
            let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
            let expected = format!("{command} {}", quoted(name));
            assert!(printed.contains(&expected), "{expected}: {printed}");
            assert!(!agon.project().join("PWNED").exists(), "{name:?}");
        }
    }
}

#[test]
fn a_copy_of_a_debate_offers_commands_for_the_copy() {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    let made = debate(&debates, spec("job-store"), &Script::job_store(), 99);
    let copy = |to: &Path| {
        let copied = Command::new("cp").arg("-r").arg(&made).arg(to).status();
        assert!(copied.unwrap().success());
    };
    copy(&debates.join("copied"));
    fs::create_dir(agon.project().join("else where")).unwrap();
    copy(&agon.project().join("else where/job-store"));
    for (named, typed) in [
        ("job-store", "job-store"),
        ("copied", "copied"),
        ("else where/job-store", "'else where/job-store'"),
    ] {
        let shown = agon.run(&["show", named]).stdout;
        let rest = format!("agon show {typed} --full");
        // The row may be wrapped.
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains(&rest), "{shown}");
    }
}
