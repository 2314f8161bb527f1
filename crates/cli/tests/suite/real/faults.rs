//! What the real tools do when the service refuses them, where that ends soon.

use agon_testkit::Answer;

use crate::real::table::{Table, debate};
use crate::support::{Ran, Running};

const SEATS: [&str; 3] = ["claude", "codex", "gemini"];

#[test]
fn a_key_refused_in_round_1_ends_with_4_and_resume_goes_on_from_there() {
    let Some(table) = Table::laid(&SEATS) else {
        return;
    };
    table.models.set("r1.cha", Answer::Status(401));
    let ran = table.debate(SEATS, &[]);
    assert_eq!(ran.ended(), (Some(4), "logged_out".to_owned()), "{ran:#?}");
    assert!(
        ran.json()["error"]["message"]
            .as_str()
            .unwrap()
            .starts_with("codex "),
        "{ran:#?}"
    );
    assert_eq!(table.place.left(), Vec::<String>::new());
    let before = table.turns().len();

    table.models.set("r1.cha", Answer::Ok);
    let resumed = table.place.run(&["resume", "s", "--json"]);
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert_eq!(resumed.json()["authority"], "full");
    let mut turns = table.turns().split_off(before);
    turns[3..].sort();
    let due = [
        "r1.cha",
        "r2.pro",
        "r2.cha",
        "verdict.judge",
        "verdict.swap",
    ];
    assert_eq!(turns, due);
    assert_eq!(table.place.left(), Vec::<String>::new());
}

/// The challenger's only turn is lost: how, in seat, round and cause.
fn lost(table: &Table, ran: &Ran) -> String {
    assert_eq!(ran.code, Some(7), "{ran:#?}");
    assert_eq!(ran.json()["authority"], "uncontested");
    assert_eq!(table.place.left(), Vec::<String>::new());
    table.missing().concat()
}

/// Two tools hang at once; Ctrl-C ends both and all they started.
fn interrupted(proposer: &str, challenger: &str) {
    let Some(table) = Table::laid(&[proposer, challenger]) else {
        return;
    };
    for turn in ["r0.pro", "r0.cha"] {
        table.models.set(turn, Answer::Hang);
    }
    let args = debate([proposer, challenger, proposer], &[]);
    let running = Running::start(table.place.command(&args));
    running.until("both ask", || table.turns().len() >= 2);
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.ended(), (Some(130), "cancelled".to_owned()), "{ran:#?}");
    assert_eq!(table.place.left(), Vec::<String>::new());
}

#[test]
fn ctrl_c_ends_claude_and_codex() {
    interrupted("claude", "codex");
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn each_tool_says_when_its_key_is_refused() {
        for tool in ["codex", "gemini", "copilot", "opencode"] {
            let Some(table) = Table::laid(&["claude", tool]) else {
                return;
            };
            table.models.set("r1.pro", Answer::Status(401));
            let ran = table.quick([tool, "claude", "claude"]);
            assert_eq!(
                ran.ended(),
                (Some(4), "logged_out".to_owned()),
                "{tool}: {ran:#?}"
            );
            assert_eq!(table.turns().last().unwrap(), "r1.pro", "{tool}");
            assert_eq!(table.place.left(), Vec::<String>::new());
        }
    }

    #[test]
    fn a_service_that_says_slow_down_once_is_asked_again() {
        for [challenger, other] in [
            ["claude", "codex"],
            ["codex", "claude"],
            ["gemini", "codex"],
        ] {
            let Some(table) = Table::laid(&[challenger, other]) else {
                return;
            };
            table
                .models
                .set_first("r1.cha", 1, Answer::RateLimit(Some(1)));
            let ran = table.quick([other, challenger, other]);
            assert_eq!(ran.code, Some(0), "{challenger}: {ran:#?}");
            assert_eq!(ran.json()["authority"], "full");
            assert_eq!(
                table.turns(),
                ["r1.pro", "r1.cha", "r1.cha", "verdict.judge"],
                "{challenger}"
            );
            assert_eq!(table.place.left(), Vec::<String>::new());
        }
    }

    #[test]
    fn a_service_that_always_says_slow_down_loses_the_turn() {
        let Some(table) = Table::laid(&["claude", "codex"]) else {
            return;
        };
        table.models.set("r1.cha", Answer::RateLimit(Some(1)));
        let ran = table.quick(["codex", "claude", "codex"]);
        assert_eq!(lost(&table, &ran), "challenger 1 rate_limited");
    }

    #[test]
    fn nobody_at_the_address_loses_the_turn_soon() {
        for [challenger, other] in [
            ["claude", "codex"],
            ["codex", "claude"],
            ["gemini", "codex"],
            ["copilot", "codex"],
        ] {
            let Some(table) = Table::but_refused(&[challenger, other], challenger) else {
                return;
            };
            let ran = table.quick([other, challenger, other]);
            assert_eq!(
                lost(&table, &ran),
                "challenger 1 unavailable",
                "{challenger}"
            );
            assert!(ran.took.as_secs() < 60, "{challenger}: {:?}", ran.took);
        }
    }

    #[test]
    fn a_stream_that_is_cut_once_is_asked_for_again() {
        let Some(table) = Table::laid(&["claude", "codex"]) else {
            return;
        };
        table.models.set_first("r1.cha", 1, Answer::Cut);
        let ran = table.quick(["claude", "codex", "claude"]);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert_eq!(ran.json()["authority"], "full");
        assert_eq!(
            table.turns(),
            ["r1.pro", "r1.cha", "r1.cha", "verdict.judge"]
        );
        assert_eq!(table.place.left(), Vec::<String>::new());
    }

    #[test]
    fn a_stream_that_is_always_cut_is_no_reply() {
        let Some(table) = Table::laid(&["claude", "codex"]) else {
            return;
        };
        table.models.set("r1.cha", Answer::Cut);
        let ran = table.quick(["claude", "codex", "claude"]);
        assert_eq!(lost(&table, &ran), "challenger 1 unavailable");
    }

    #[test]
    fn a_service_that_hangs_is_given_up_and_nothing_is_left() {
        let Some(table) = Table::laid(&["claude", "codex"]) else {
            return;
        };
        table.models.set("r1.cha", Answer::HangMid);
        let ran = table.debate(
            ["claude", "codex", "claude"],
            &["--quick", "--timeout", "20"],
        );
        assert_eq!(lost(&table, &ran), "challenger 1 timeout");
    }

    #[test]
    fn ctrl_c_ends_gemini_and_copilot() {
        interrupted("gemini", "copilot");
    }
}
