//! A debate as it is watched.

use agon_testkit::{Behaviour, Cue, FakeTools, Script};
use insta::assert_snapshot;

use crate::cli::harness::Agon;

const DUEL: &[&str] = &[
    "debate",
    "SQLite or plain files for the job store?",
    "--proposer",
    "claude",
    "--challenger",
    "codex",
    "--judge",
    "gemini",
    "--slug",
    "job-store",
];

#[test]
fn a_duel_is_told_line_by_line_and_its_verdict_is_printed() {
    let agon = Agon::with(FakeTools::new());
    let ran = agon.run(DUEL);
    assert_snapshot!(ran.timeless());
    // The short verdict is what `show` prints too.
    assert_eq!(agon.run(&["show"]).stdout, ran.stdout);
    assert!(ran.stdout.lines().count() <= 9, "{}", ran.stdout);
}

#[test]
fn a_turn_is_whole_with_verbose_in_every_command_that_shows_one() {
    let agon = Agon::with(FakeTools::new());
    let ran = agon.run(&[DUEL, &["--verbose"]].concat());
    let warrant = "      warrant: If ownership takes two steps";
    assert!(ran.stderr.contains(warrant), "{}", ran.stderr);
    for command in [&["replay", "--speed", "0"][..], &["watch", "job-store"]] {
        let short = agon.run(command).stderr;
        assert!(short.contains("  pro_001a  Claim and lease"), "{short}");
        assert!(!short.contains("warrant: "), "{short}");
        let whole = agon.run(&[command, &["-v"]].concat()).stderr;
        assert!(whole.contains(warrant), "{whole}");
    }
}

#[test]
fn the_command_that_an_uncontested_verdict_offers_asks_its_challenger_again() {
    let agon = Agon::with(FakeTools::new().scenario("codex", "r1.cha", Behaviour::Garbage));
    let ran = agon.run(DUEL);
    let more =
        "\nMore      agon continue job-store · agon show job-store --full · debates/job-store/\n";
    assert!(ran.stdout.contains(more), "{ran:?}");
    agon.tools().clear_scenario();
    let again = agon.run(&["continue", "job-store"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let head = "\n   the proposer (claude) wins · ";
    assert!(again.stdout.contains(head), "{again:?}");
}

#[test]
fn for_a_program_stdout_is_the_result_alone() {
    let agon = Agon::with(FakeTools::new());
    let ran = agon.run(&[DUEL, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let shown = ran.json();
    assert_eq!(shown["schema"], "agon.result/1");
    assert_eq!(shown["authority"], "full");
    assert_eq!(agon.run(&["show", "--json"]).json(), shown);
    assert_eq!(agon.tools().asks().len(), 8);
}

#[test]
fn what_goes_wrong_is_told_as_it_happens() {
    let good = Script::job_store();
    let cue = Cue {
        turn: Some("r1.cha".to_owned()),
        again: 0,
    };
    let right = good.reply(&cue).into_owned();
    let wrong = right.replace("\"pro_001b\"", "\"pro_009a\"");
    let tools = FakeTools::new()
        .script(&good.turn("r1.cha", [wrong, right]))
        .scenario("claude", "r1.pro", Behaviour::FailFirst(1))
        .scenario("codex", "r2.cha", Behaviour::Garbage);
    let ran = Agon::with(tools).run(DUEL);
    assert_snapshot!(ran.timeless());
}

#[test]
fn bounds_in_which_no_verdict_fits_are_refused_before_the_first_call() {
    let agon = Agon::with(FakeTools::new());
    for (bound, value, said) in [
        ("--max-calls", "2", "at least 5 calls"),
        ("--max-tokens", "100", "at least 2500 tokens"),
    ] {
        let ran = agon.run(&[DUEL, &[bound, value]].concat());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    assert!(!agon.project().join("debates/job-store").exists());
    assert_eq!(agon.tools().asks().len(), 0);
}

#[test]
fn a_bound_of_nothing_is_refused_in_every_command() {
    let agon = Agon::with(FakeTools::new());
    for command in [DUEL, &["resume", "x"], &["continue", "x"], &["run", "x"]] {
        for (bound, value) in [
            ("--max-cost", "0"),
            ("--max-cost", "-1"),
            ("--max-cost", "NaN"),
            ("--max-cost", "inf"),
            ("--max-tokens", "0"),
            ("--max-tokens", "0k"),
            ("--max-calls", "0"),
            ("--max-time", "0"),
            ("--timeout", "0s"),
        ] {
            let ran = agon.run(&[command, &[&*format!("{bound}={value}")]].concat());
            assert_eq!(ran.code, Some(2), "{command:?} {bound} {value}: {ran:?}");
            assert!(ran.stderr.contains(bound), "{}", ran.stderr);
        }
    }
    assert_eq!(agon.tools().asks().len(), 0);
}

#[test]
fn numbers_are_read_in_thousands_wherever_they_are_given() {
    let agon = Agon::with(FakeTools::new()).env("AGON_MAX_CALLS", "0.012k");
    agon.configure("daily_tokens = \"1.5M\"\n");
    let shown = agon.run(&["config", "show"]).stdout;
    assert!(shown.contains("1500000"), "{shown}");
    let args = ["--dry-run", "--max-tokens", "100k"];
    let ran = agon.run(&[DUEL, &args].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let screen = ran.stdout + &ran.stderr;
    assert!(
        screen.contains("stops at 12 calls, 100k tokens"),
        "{screen}"
    );
}

#[test]
fn an_unknown_tool_is_told_with_what_may_be_meant() {
    let agon = Agon::with(FakeTools::new());
    for (typed, said) in [
        ("claud", "did you mean claude?"),
        ("anthropic", "anthropic:MODEL"),
    ] {
        let ran = agon.run(&["debate", "a or b?", "--proposer", typed]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn where_only_api_keys_are_set_the_way_with_them_is_told_first() {
    let agon = Agon::new()
        .env("AGON_FALLBACK", "none")
        .env("OPENAI_API_KEY", "placeholder")
        .env("ANTHROPIC_API_KEY", "placeholder");
    let ran = agon.run(&["debate", "tabs or spaces?"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    let way = "hint: your API keys can debate: --proposer openai:gpt-6.2-sol --challenger \
               anthropic:claude-sonnet-5-5 --judge openai:gpt-6.2-astra";
    assert!(ran.stderr.contains(way), "{}", ran.stderr);
}
