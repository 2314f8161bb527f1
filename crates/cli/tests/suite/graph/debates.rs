//! The graph of a debate: who leads, what that hangs on, and what moves when something is struck.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::foreign::world::worlds;
use crate::formal::table::Table;
use crate::scenarios::place::Fakes;
use crate::support::Place;

fn json(place: &Place, args: &[&str]) -> Value {
    let ran = place.run(&[&["graph", "s", "--json"], args].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
    let doc: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(doc["schema"], "agon.graph/1");
    doc
}

fn strength(doc: &Value, id: &str) -> Option<f64> {
    let rows = doc["strengths"].as_array().unwrap();
    rows.iter().find(|row| row["id"] == id).unwrap()["strength"].as_f64()
}

fn duel() -> Fakes {
    let fakes = Fakes::new();
    let ran = fakes.debate(&["--quick"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    fakes
}

#[test]
fn what_a_closed_duel_hangs_on_turns_its_graph_when_it_is_struck_and_no_part_of_it_does() {
    let fakes = Fakes::new();
    let ran = fakes.debate(&[]);
    let shown: Value = serde_json::from_str(&ran.stdout).unwrap();
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(shown["hangs_on"], verdict["decisive"]);
    assert_eq!(shown["graph_hangs_on"], verdict["graph_hangs_on"]);
    assert_eq!(shown["winner"], "proposer");
    let reading = &verdict["readings"]["graph"];
    assert_eq!(reading["winner"], verdict["winner"]);
    let hangs_on: Vec<_> = verdict["graph_hangs_on"].as_array().unwrap().clone();
    let hangs_on: Vec<&str> = hangs_on.iter().map(|id| id.as_str().unwrap()).collect();
    assert_eq!(hangs_on, ["pro_001a", "pro_001b"]);

    let whole = json(&fakes.place, &[]);
    assert_eq!(whole["lead"]["winner"], "proposer");
    assert_eq!(whole["flip"]["sets"], json!([hangs_on]));
    for seat in ["proposer", "challenger"] {
        let found = strength(&whole, &format!("position.{seat}")).unwrap();
        assert!((found - reading["strengths"][seat].as_f64().unwrap()).abs() < 1e-6);
    }
    let struck = json(&fakes.place, &["--without", &hangs_on.join(",")]);
    let expected = json!({ "winner": "challenger", "before": "proposer", "equal": "challenger" });
    assert_eq!(struck["lead"], expected);
    assert_eq!(struck["without"], json!(hangs_on));
    assert_eq!(strength(&struck, "pro_001a"), None);
    for id in hangs_on {
        let less = json(&fakes.place, &["--without", id]);
        assert_eq!(less["lead"]["winner"], "proposer", "{id}");
    }
    let told = fakes.place.run(&[
        "graph",
        "s",
        "--without",
        "pro_001a",
        "--without",
        "pro_001b",
    ]);
    let line = "the challenger leads, 0.600 to 0.540; before, the proposer leads";
    assert!(told.stdout.contains(line), "{}", told.stdout);
    let screen = fakes.place.run(&["show", "s", "--full"]).stdout;
    let row =
        "By the graph  Take away pro_001a, pro_001b and the challenger (Plain files) is ahead.";
    assert!(screen.contains(row), "{screen}");
    let md = fs::read_to_string(fakes.place.folder().join("verdict.md")).unwrap();
    assert!(
        md.contains("and the challenger (Plain files) is ahead."),
        "{md}"
    );
}

#[test]
fn a_written_graph_is_read_back_as_the_same_graph() {
    let fakes = duel();
    let whole = json(&fakes.place, &[]);
    let strengths = |doc: &Value| -> BTreeMap<String, f64> {
        let rows = doc["strengths"].as_array().unwrap().iter();
        let row = |row: &Value| {
            let id = row["id"].as_str().unwrap().to_owned();
            (id, row["strength"].as_f64().unwrap())
        };
        rows.map(row).collect()
    };
    for (format, ending) in [("bag", "bag"), ("tgf", "tgf"), ("aif", "json")] {
        let written = fakes.place.run(&["graph", "s", "--format", format]);
        assert_eq!((written.code, written.stderr.as_str()), (Some(0), ""));
        let file = format!("written.{ending}");
        fs::write(fakes.place.project().join(&file), &written.stdout).unwrap();
        let ran = fakes.place.run(&["graph", &file, "--json"]);
        let read: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(strengths(&read), strengths(&whole), "{format}");
        assert_eq!(
            (&read["graph"], &read["format"]),
            (&json!(file), &json!(format))
        );
    }
    for (format, ending) in [("i23", "af"), ("apx", "apx")] {
        let written = fakes.place.run(&["graph", "s", "--format", format]).stdout;
        let file = format!("written.{ending}");
        fs::write(fakes.place.project().join(&file), written).unwrap();
        let args = ["--task", "acceptance", "--semantics", "preferred", "--json"];
        let ours = fakes.place.run(&[&["graph", "s"], &args[..]].concat());
        let theirs = fakes.place.run(&[&["graph", &file], &args[..]].concat());
        let column = |text: &str| -> Vec<Value> {
            let doc: Value = serde_json::from_str(text).unwrap();
            let rows = doc["acceptance"].as_array().unwrap().iter();
            rows.map(|row| json!([row["some"], row["every"]])).collect()
        };
        assert_eq!(column(&ours.stdout), column(&theirs.stdout), "{format}");
    }
}

#[test]
fn a_duel_has_pictures_too() {
    let fakes = duel();
    let report = |format: &str| fakes.place.run(&["report", "s", "--format", format]).stdout;
    let mermaid = report("mermaid");
    assert_eq!(
        mermaid,
        fakes
            .place
            .run(&["graph", "s", "--format", "mermaid"])
            .stdout
    );
    assert!(
        mermaid.contains("pro_001a") && mermaid.contains("unsupported"),
        "{mermaid}"
    );
    let dot = report("dot");
    assert_eq!(
        dot,
        fakes.place.run(&["graph", "s", "--format", "dot"]).stdout
    );
    assert!(
        dot.starts_with("digraph {\n") && dot.contains("label=\"pro_001a\\n"),
        "{dot}"
    );
    assert!(report("svg").starts_with("<svg"));
    let struck = ["graph", "s", "--format", "mermaid", "--without", "pro_001a"];
    assert!(!fakes.place.run(&struck).stdout.contains("pro_001a"));
}

#[test]
fn contributions_of_a_duel_are_to_both_positions_and_add_up() {
    let fakes = duel();
    let doc = json(
        &fakes.place,
        &["--task", "contributions", "--measure", "shapley"],
    );
    let lists = doc["contributions"].as_array().unwrap();
    let topics: Vec<_> = lists
        .iter()
        .map(|list| list["topic"].as_str().unwrap())
        .collect();
    assert_eq!(topics, ["position.proposer", "position.challenger"]);
    let strengths = json(&fakes.place, &[]);
    for list in lists {
        let values = list["values"].as_array().unwrap().iter();
        let sum: f64 = values.map(|value| value["value"].as_f64().unwrap()).sum();
        let strength = strength(&strengths, list["topic"].as_str().unwrap()).unwrap();
        assert!((sum - (strength - 0.5)).abs() < 1e-9, "{list}");
    }
    let one = json(&fakes.place, &["--topic", "pro_001a"]);
    assert_eq!(
        (&one["task"], &one["contributions"][0]["topic"]),
        (&json!("contributions"), &json!("pro_001a"))
    );
    assert_eq!(one["contributions"][0]["measure"], "removal");
}

#[test]
fn a_formal_debate_starts_from_its_scores() {
    let table = Table::after("1");
    let scored = json(&table.place, &[]);
    let equal = json(&table.place, &["--base", "equal"]);
    let bases = |doc: &Value| -> Vec<f64> {
        let rows = doc["strengths"].as_array().unwrap().iter();
        rows.map(|row| row["base"].as_f64().unwrap()).collect()
    };
    assert_eq!(bases(&equal), [0.5; 10]);
    let scores = fs::read(table.place.folder().join("scores.json")).unwrap();
    let scores: Value = serde_json::from_slice(&scores).unwrap();
    for row in &scored["strengths"].as_array().unwrap()[2..] {
        let score = scores[row["id"].as_str().unwrap()]["current_score"]
            .as_f64()
            .unwrap();
        let base = row["base"].as_f64().unwrap();
        assert!((base - (1.0 + score) / 2.0).abs() < 1e-9, "{row}");
    }
    let verdict = table.place.verdict().unwrap();
    assert_eq!(
        verdict["readings"]["graph"]["winner"],
        scored["lead"]["winner"]
    );
    assert_eq!(
        verdict["readings"]["graph"]["equal"]["winner"],
        equal["lead"]["winner"]
    );
    let flips = json(&table.place, &["--task", "flip"]);
    if verdict["graph_hangs_on"] != json!([]) {
        assert_eq!(flips["flip"]["sets"][0], verdict["graph_hangs_on"]);
    }
}

#[test]
fn a_node_that_is_not_there_is_not_struck_but_the_nearest_are_named() {
    let fakes = duel();
    for (args, code, says) in [
        (
            &["--without", "pro_001x"][..],
            "unknown_node",
            "did you mean pro_001",
        ),
        (
            &["--topic", "pro_1a"],
            "unknown_node",
            "did you mean pro_001a",
        ),
        (
            &["--without", "position.proposer"],
            "position",
            "strike the points",
        ),
        (
            &["--semantics", "grounded", "--task", "flip"],
            "semantics",
            "by strength",
        ),
        (
            &["--semantics", "mlp", "--task", "acceptance"],
            "semantics",
            "by sets",
        ),
    ] {
        let ran = fakes.place.run(&[&["graph", "s", "--json"], args].concat());
        let doc: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(
            (ran.code, &doc["error"]["code"]),
            (Some(2), &json!(code)),
            "{args:?}"
        );
        assert!(
            doc["error"]["hint"].as_str().unwrap().contains(says),
            "{doc}"
        );
    }
}

#[test]
fn a_folder_is_read_and_not_written_to() {
    let fakes = duel();
    let folder = fakes.place.folder();
    let times = || -> BTreeMap<_, _> {
        let entries = fs::read_dir(&folder).unwrap().flatten();
        entries
            .map(|entry| (entry.path(), entry.metadata().unwrap().modified().unwrap()))
            .collect()
    };
    let before = times();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let ran = fakes.place.run(&["graph", "s"]);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(times(), before);
}

#[test]
fn debates_of_another_tool_are_read_as_they_are() {
    for world in worlds() {
        let times = world.times();
        let name = world.name.as_str();
        let run = |args: &[&str]| {
            let said = world.run(&[&["graph", name, "--json"], args].concat());
            assert_eq!(
                (said.code, said.stderr.as_str()),
                (Some(0), ""),
                "{name} {args:?}"
            );
            said.document()
        };
        let strengths = run(&[]);
        let nodes = world.arguments().len() + 2;
        assert_eq!(strengths["nodes"], nodes, "{name}");
        assert_eq!(strengths["status"], "exact");
        let winner = &strengths["lead"]["winner"];
        let set = &strengths["flip"]["sets"][0];
        eprintln!("{name}: {winner} leads, hangs on {set}");
        let set: Vec<&str> = set
            .as_array()
            .unwrap()
            .iter()
            .map(|id| id.as_str().unwrap())
            .collect();
        let struck = run(&["--without", &set.join(",")]);
        assert_eq!(struck["lead"]["before"], *winner, "{name}");
        assert!(struck["lead"]["winner"].is_string() && struck["lead"]["winner"] != *winner);
        for measure in ["removal", "intrinsic", "shapley", "gradient"] {
            let found = run(&["--task", "contributions", "--measure", measure]);
            assert_eq!(
                found["contributions"].as_array().unwrap().len(),
                2,
                "{name} {measure}"
            );
        }
        let preferred = run(&["--semantics", "preferred"]);
        assert_eq!(preferred["complete"], true, "{name}");
        let mermaid = world.run(&["graph", name, "--format", "mermaid"]).stdout;
        assert_eq!(
            mermaid,
            world.run(&["report", name, "--format", "mermaid"]).stdout
        );
        assert!(!mermaid.contains("[\"propos"), "{mermaid}");
        assert_eq!(world.times(), times, "{name}");
    }
}
