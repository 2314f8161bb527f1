//! Whether a judge's ruling stays when the sides are swapped.

use serde_json::json;

use crate::real::table::Table;
use crate::support::biased::for_the_first_shown;

const SEATS: [&str; 3] = ["claude", "codex", "gemini"];

/// Struck, the points that the verdict hangs on leave the other side ahead, as it says.
fn what_it_hangs_on_turns_it(table: &Table) {
    let verdict = table.place.verdict().unwrap();
    let ids = verdict["graph_hangs_on"].as_array().unwrap().iter();
    let ids: Vec<_> = ids.map(|id| id.as_str().unwrap()).collect();
    let struck = ["graph", "s", "--json", "--without", &ids.join(",")];
    let lead = json!({ "winner": "challenger", "before": "proposer", "equal": "challenger" });
    assert_eq!(table.place.run(&struck).json()["lead"], lead, "{ids:?}");
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn a_judge_that_follows_the_order_of_presentation_is_shown_unstable() {
        let Some(table) = Table::laid(&SEATS) else {
            return;
        };
        table.models.set_script(for_the_first_shown());
        let ran = table.debate(SEATS, &[]);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert_eq!(ran.json()["winner"], "proposer");
        assert_eq!(
            ran.json()["stability"],
            json!({ "swap": "flipped", "panel": null })
        );
        let verdict = table.place.verdict().unwrap();
        assert_eq!(verdict["stability"]["swap"], "flipped");
        let swap = json!({ "winner": "challenger", "seat": "judge", "tool": "gemini" });
        assert_eq!(verdict["readings"]["swap"], swap);
        assert!(
            ran.stderr
                .contains("with the sides swapped, the challenger (codex) wins"),
            "{ran:#?}"
        );
        let shown = table.place.run(&["show", "s"]);
        let head = shown.stdout.lines().nth(1).unwrap();
        assert!(
            head.contains(
                "the judge changed sides when they were swapped; its first ruling counts"
            ),
            "{head}"
        );
        assert_eq!(table.place.left(), Vec::<String>::new());
    }

    #[test]
    fn a_steady_judge_says_the_same_both_ways_round() {
        for judge in ["gemini", "claude", "codex"] {
            let Some(table) = Table::laid(&SEATS) else {
                return;
            };
            let ran = table.debate(["claude", "codex", judge], &[]);
            assert_eq!(ran.code, Some(0), "{judge}: {ran:#?}");
            assert_eq!(
                ran.json()["stability"],
                json!({ "swap": "same", "panel": null })
            );
            let requests = table.models.requests();
            let swap = requests
                .iter()
                .find(|request| request.turn.as_deref() == Some("verdict.swap"));
            let prompt = swap.unwrap().prompt.to_lowercase();
            let (_, own) = prompt.split_once("# your seat: judge").unwrap();
            for name in ["claude", "codex", "gemini", "proposer", "challenger"] {
                assert!(!own.contains(name), "{judge}, {name}: {own}");
            }
            let shown = table.place.run(&["show", "s"]);
            let head = shown.stdout.lines().nth(1).unwrap();
            let twice = "same ruling with the sides swapped";
            assert!(head.contains(twice), "{head}");
            what_it_hangs_on_turns_it(&table);
        }
    }
}
