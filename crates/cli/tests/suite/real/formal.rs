//! A formal debate between the real tools.

use agon_testkit::Script;
use serde_json::Value;

use crate::real::table::Table;

#[test]
fn claude_and_codex_argue_an_opening_and_three_rebuttals_and_gemini_scores() {
    let Some(table) = Table::laid(&["claude", "codex", "gemini"]) else {
        return;
    };
    table.models.set_script(Script::formal());
    let motion = "This house would read every change before it is merged";
    let new = table.place.run(&["new", "s", "--motion", motion]);
    assert_eq!(new.code, Some(0), "{new:#?}");
    let run = [
        "run",
        "s",
        "3",
        "--json",
        "--proposition",
        "claude",
        "--opposition",
        "codex",
        "--judge",
        "gemini",
    ];
    let ran = table.place.run(&run);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let mut turns = table.turns();
    let mut expected = vec!["theses.judge".to_owned()];
    for exchange in 0..4 {
        turns[1 + 3 * exchange..][..2].sort();
        expected.extend(["opp", "prop", "judge"].map(|seat| format!("r{exchange}.{seat}")));
    }
    assert_eq!(turns, expected);
    assert_eq!(table.models.unknown(), Vec::<String>::new());
    let text = std::fs::read_to_string(table.place.folder().join("debate.md")).unwrap();
    let mut front = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let front = front.next().unwrap().unwrap();
    assert_eq!(front["current_exchange"], 4);
    for side in ["proposition", "opposition"] {
        assert_eq!(front["cumulative_scores"][side]["count"], 6, "{side}");
    }
    let report = table.place.run(&["report", "s"]);
    assert_eq!(report.code, Some(0), "{report:#?}");
    let picture = std::fs::read(table.place.folder().join("argument-graph.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    assert_eq!(table.place.run(&["check", "s"]).code, Some(0));
    assert_eq!(table.place.left(), Vec::<String>::new());
}
