//! A formal debate between the real tools.

use agon_testkit::Script;
use serde_json::{Value, json};

use crate::table::Table;

#[test]
fn claude_and_codex_argue_an_opening_and_a_rebuttal_and_gemini_scores() {
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
        "1",
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
    turns[1..3].sort();
    turns[4..6].sort();
    let expected = [
        "theses.judge",
        "r0.opp",
        "r0.prop",
        "r0.judge",
        "r1.opp",
        "r1.prop",
        "r1.judge",
    ];
    assert_eq!(turns, expected);
    assert_eq!(table.models.unknown(), Vec::<String>::new());
    let text = std::fs::read_to_string(table.place.folder().join("debate.md")).unwrap();
    let mut front = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let front = front.next().unwrap().unwrap();
    assert_eq!(
        front["cumulative_scores"],
        json!({
            "proposition": { "total": 0.8, "count": 4 },
            "opposition": { "total": -1.05, "count": 4 },
        })
    );
    assert_eq!(table.place.run(&["check", "s"]).code, Some(0));
    assert_eq!(table.place.left(), Vec::<String>::new());
}
