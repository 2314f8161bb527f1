//! A question about a debate that is over, answered by a real tool.

use agon_testkit::Script;
use serde_json::json;

use crate::real::table::Table;

#[test]
fn a_debate_of_real_tools_runs_by_itself() {
    let seats = ["claude", "codex", "gemini"];
    let Some(table) = Table::laid(&seats) else {
        return;
    };
    let started = table.debate(seats, &["--detach"]);
    assert_eq!(started.code, Some(0), "{started:#?}");
    eprintln!("--detach with real tools returned after {:?}", started.took);
    let ended = table
        .place
        .run(&["wait", "s", "--timeout", "200", "--json"]);
    assert_eq!(ended.json()["state"], "done", "{ended:#?}");
    assert_eq!(
        table.place.verdict().unwrap()["answer"],
        "Use SQLite for the job store"
    );
    assert_eq!(table.place.left(), Vec::<String>::new());
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn each_tool_answers_a_question_about_a_debate_that_is_over() {
        let seats = ["claude", "codex", "gemini"];
        let Some(table) = Table::laid(&["claude", "codex", "gemini", "opencode", "copilot"]) else {
            return;
        };
        assert_eq!(table.debate(seats, &[]).code, Some(0));
        let mut script = Script::job_store();
        script.default = "Two writers can claim one job [pro_001a]; nobody refuted it.".to_owned();
        table.models.set_script(script);
        for tool in ["claude", "codex", "gemini", "opencode", "copilot"] {
            let ran =
                table
                    .place
                    .run(&["ask", "s", "Why not plain files?", "--tool", tool, "--json"]);
            assert_eq!(ran.code, Some(0), "{tool}: {ran:#?}");
            let answer = ran.json();
            assert_eq!(
                (&answer["tool"], &answer["unknown"]),
                (&json!(tool), &json!([]))
            );
            assert_eq!(answer["cited"][0]["id"], "pro_001a", "{tool}: {answer}");
        }
        assert_eq!(table.place.left(), Vec::<String>::new());
    }
}
