//! The model and the level that each real tool sends for each effort.

use agon_testkit::{Answer, add, git, is_full};

use crate::real::table::Table;
use crate::support::TOPIC;

/// What was sent in this turn: the model and the level.
fn sent(table: &Table, turn: &str) -> (String, String) {
    let requests = table.models.requests();
    let mut asked = requests.iter();
    let last = asked.rfind(|request| request.turn.as_deref() == Some(turn));
    let last = last.unwrap();
    let level = last.effort.clone().unwrap_or_default();
    (last.model.clone(), level)
}

/// The efforts that are tried: a debate of real tools each.
fn efforts() -> &'static [&'static str] {
    match is_full() {
        true => &["low", "medium", "high", "max"],
        false => &["low"],
    }
}

/// The rows of the efforts that are tried.
fn tried(rows: &[&str]) -> Vec<String> {
    let is_tried = |row: &&&str| efforts().iter().any(|it| row.contains(&format!(" {it}:")));
    rows.iter()
        .filter(is_tried)
        .map(|row| (*row).to_owned())
        .collect()
}

fn table_of(seats: [&str; 3], turns: [&str; 3]) -> Option<Vec<String>> {
    let mut rows = Vec::new();
    for effort in efforts() {
        let table = Table::laid(&seats)?;
        let ran = table.quick_with(seats, &["--effort", effort]);
        assert_eq!(ran.code, Some(0), "{effort}: {ran:#?}");
        for (tool, turn) in seats.into_iter().zip(turns) {
            let (model, level) = sent(&table, turn);
            rows.push(
                format!("{tool} {effort}: {model} {level}")
                    .trim_end()
                    .to_owned(),
            );
        }
    }
    Some(rows)
}

#[test]
fn each_effort_is_sent_as_the_model_or_the_level_that_the_tool_has_for_it() {
    let turns = ["r1.pro", "r1.cha", "verdict.judge"];
    let Some(one) = table_of(["claude", "codex", "gemini"], turns) else {
        return;
    };
    let mut other = table_of(["opencode", "copilot", "gemini"], turns).unwrap();
    assert_eq!(
        one,
        tried(&[
            // Its quick model has no levels.
            "claude low: claude-haiku-4-5-20251001",
            "codex low: gpt-5.5 low",
            "gemini low: gemini-3.8-flash HIGH",
            "claude medium: claude-sonnet-5 medium",
            "codex medium: gpt-5.5 medium",
            "gemini medium: gemini-3.8-flash HIGH",
            "claude high: claude-opus-4-8 high",
            "codex high: gpt-5.5 high",
            "gemini high: gemini-3.1-pro-preview HIGH",
            "claude max: claude-opus-4-8 max",
            "codex max: gpt-5.5 xhigh",
            "gemini max: gemini-3.1-pro-preview HIGH",
        ])
    );
    // The model is the one that their users chose.
    other.retain(|row| !row.starts_with("gemini"));
    assert_eq!(
        other,
        tried(&[
            "opencode low: mock-model low",
            "copilot low: mock-model low",
            "opencode medium: mock-model medium",
            "copilot medium: mock-model medium",
            "opencode high: mock-model high",
            "copilot high: mock-model high",
            "opencode max: mock-model high",
            "copilot max: mock-model max",
        ])
    );
}

#[test]
fn in_a_repository_and_without_a_flag_it_is_pinned_read_cited_and_stamped() {
    let seats = ["claude", "codex", "gemini"];
    let Some(table) = Table::laid(&seats) else {
        return;
    };
    let line = |number: usize| match number {
        90 => "        fs::rename(&lease_tmp, &lease)?;\n".to_owned(),
        number => format!("// line {number}\n"),
    };
    let text: String = (1..=120).map(line).collect();
    let project = table.place.project();
    add(&project, "src/store.rs", &text);
    git(&project, &["add", "--all"]);
    git(&project, &["commit", "--quiet", "-m", "first"]);
    let ran = table.debate(seats, &[]);
    assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
    assert!(ran.stderr.contains("repo at "), "{}", ran.stderr);
    let undone = "each tool gets a read-only copy of this repository (--context none: without)";
    assert!(ran.stderr.contains(undone), "{}", ran.stderr);
    let requests = table.models.requests();
    let told = requests.iter().filter(|request| request.turn.is_some());
    for request in told {
        assert!(
            request.prompt.contains("a copy of the project (repo at "),
            "{:?}",
            request.turn
        );
        assert!(
            !request.tools.is_empty(),
            "{:?} reads nothing",
            request.turn
        );
    }
    let verdict = table.place.verdict().unwrap();
    assert_eq!(verdict["citations"]["proposer"]["found"], 1, "{verdict}");
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn a_model_that_the_service_does_not_have_gives_way_to_the_tools_own_with_a_word() {
        let seats = ["claude", "codex", "gemini"];
        let Some(table) = Table::laid(&seats) else {
            return;
        };
        table.models.set_first("r1.pro", 2, Answer::Status(404));
        let ran = table.quick(seats);
        let asked = table.models.requests();
        let asked: Vec<_> = asked
            .iter()
            .map(|it| (it.turn.clone(), it.model.clone(), it.again))
            .collect();
        assert_eq!(ran.code, Some(0), "{ran:#?} {asked:?}");
        let said = "claude refused the model haiku; using its default model";
        assert!(ran.stderr.contains(said), "{} {asked:?}", ran.stderr);
        let requests = table.models.requests();
        let asked = requests.iter();
        let asked = asked.filter(|request| request.turn.as_deref() == Some("r1.pro"));
        let models: Vec<_> = asked.map(|request| request.model.as_str()).collect();
        assert!(
            models[0].contains("haiku") && !models.last().unwrap().contains("haiku"),
            "{models:?}"
        );
        let rigor = table.place.verdict().unwrap()["rigor"].to_string();
        assert!(rigor.contains("claude refused the model haiku"), "{rigor}");
    }

    #[test]
    fn a_tool_that_is_alone_in_a_host_debates_with_two_of_its_models() {
        let Some(mut table) = Table::laid(&["claude"]) else {
            return;
        };
        // Another program's mark, which says nothing to the tool itself.
        table.place.env.insert("GEMINI_CLI".into(), "1".into());
        let ran = table.place.run(&["debate", TOPIC, "--slug", "s", "--json"]);
        assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
        let model = |turn: &str| sent(&table, turn).0;
        assert_eq!(model("r1.pro"), "claude-opus-4-8");
        assert_eq!(model("r1.cha"), "claude-sonnet-5");
        assert_eq!(model("verdict.judge"), "claude-opus-4-8");
        let rigor = table.place.verdict().unwrap()["rigor"].to_string();
        let said = "both sides are models of one tool, claude: ";
        assert!(rigor.contains(said), "{rigor}");
    }
}
