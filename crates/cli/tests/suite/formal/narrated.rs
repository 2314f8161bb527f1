//! The account that a narrator writes is checked before it is kept.

use agon_testkit::Script;

use crate::formal::table::Table;

const HEADINGS: [&str; 4] = ["The question", "The clash", "Turning points", "The verdict"];

/// An account of 552 words that names `id`.
fn account(id: &str) -> String {
    let text = |heading: &&str| format!("## {heading}\n\n{}{id} stood.\n", "word ".repeat(136));
    HEADINGS.iter().map(text).collect::<Vec<_>>().join("\n")
}

/// Fakes that answer everything that is no turn with `reply`.
fn narrator(table: &Table, reply: String) {
    let mut script = Script::formal();
    script.default = reply;
    table.tools.set_script(&script);
}

#[test]
fn an_account_that_keeps_its_form_stands_in_the_readme() {
    let table = Table::after("1");
    narrator(&table, format!("Gladly:\n\n{}", account("prop_001")));
    let ran = table.place.run(&["report", "s", "--narrator", "gemini"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let files = table.files();
    let readme = String::from_utf8(files["README.md"].clone()).unwrap();
    let headings: Vec<_> = readme
        .lines()
        .filter(|line| line.starts_with("## "))
        .collect();
    let told: Vec<_> = HEADINGS.map(|heading| format!("## {heading}")).to_vec();
    assert_eq!(headings[..4], told);
    assert!(
        readme.contains("[prop_001](arguments/prop_001.md) stood"),
        "{readme}"
    );
    let page = String::from_utf8(files["report.html"].clone()).unwrap();
    assert!(
        page.contains(&format!("<h3>{}</h3>", HEADINGS[0])),
        "{page}"
    );
    for picture in [
        "argument-graph.svg",
        "argument-graph.png",
        "argument-graph.mmd",
    ] {
        assert!(files.contains_key(picture), "{picture}");
    }
    let check = table.place.run(&["check", "s"]);
    assert_eq!(check.code, Some(0), "{check:#?}");
}

#[test]
fn an_account_that_names_what_nobody_said_is_sent_back_and_then_refused() {
    let table = Table::after("0");
    narrator(&table, account("prop_099"));
    let before = table.files();
    let ran = table.place.run(&["report", "s", "--narrator", "gemini"]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(
        ran.stderr
            .contains("it names prop_099, which does not exist in this debate"),
        "{ran:#?}"
    );
    assert!(
        ran.stderr.contains("no usable narrative in 2 tries"),
        "{ran:#?}"
    );
    assert_eq!(before, table.files(), "nothing was written");
}

#[test]
fn a_narrator_that_nobody_knows_is_told_with_where_tools_are_listed() {
    let table = Table::after("0");
    let ran = table.place.run(&["report", "s", "--narrator", "nosuch"]);
    assert_eq!(ran.code, Some(4), "{ran:#?}");
    for said in ["unknown tool `nosuch`", "agon tools lists the known tools"] {
        assert!(ran.stderr.contains(said), "no {said}: {ran:#?}");
    }
}
