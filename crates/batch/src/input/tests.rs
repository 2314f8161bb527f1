use std::fs;

use super::*;
use crate::columns::Column;

fn read_text(name: &str, text: &str, batch: &BatchRequest) -> Result<Vec<Row>, Failure> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let batch = BatchRequest {
        file: name.into(),
        ..batch.clone()
    };
    read(&batch, folder.path())
}

fn template(template: &str, columns: &[&str]) -> BatchRequest {
    BatchRequest {
        template: Some(template.to_owned()),
        columns: columns
            .iter()
            .map(|text| Column::parse(text).unwrap())
            .collect(),
        ..BatchRequest::default()
    }
}

#[test]
fn a_line_is_a_request_over_the_settings_of_all() {
    let batch = BatchRequest {
        base: StartRequest {
            rounds: Some(1),
            seats: serde_json::from_str(r#"{"effort": "low", "judges": {"tools": ["gemini"]}}"#)
                .unwrap(),
            ..StartRequest::default()
        },
        ..BatchRequest::default()
    };
    let text = "\u{FEFF}{\"topic\": \"A or B?\", \"id\": 7, \"tags\": [\"x\"]}\n\n\
                {\"topic\": \"C?\", \"rounds\": 3, \"seats\": {\"judges\": {\"tools\": [\"codex\"]}}}\n";
    let rows = read_text("a.jsonl", text, &batch).unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!((rows[0].line, rows[0].id.as_str()), (1, "7"));
    assert_eq!(rows[0].tags, ["x"]);
    assert_eq!(rows[0].request.rounds, Some(1));
    assert_eq!(rows[1].line, 3);
    assert_eq!(rows[1].request.rounds, Some(3));
    assert_eq!(rows[1].request.seats.judges.tools, ["codex"]);
    assert_eq!(rows[1].request.seats.effort, rows[0].request.seats.effort);
}

#[test]
fn all_errors_are_reported_with_line_and_column() {
    let text = "{\"topic\": \"A?\", \"rouds\": 1, \"rounds\": \"two\"}\n\
                {\"topic\": }\n\
                {\"topic\": \"B?\", \"rounds\": 9}\n\
                {\"topic\": \"C?\", \"detach\": true}\n\
                [1]\n\
                {\"topic\": \"D?\", \"seats\": {\"judges\": {\"tools\": [\"human\"]}}}\n\
                {\"rounds\": 1}\n";
    let failure = read_text("a.jsonl", text, &BatchRequest::default()).unwrap_err();
    let lines: Vec<_> = failure.message.lines().skip(1).collect();
    let starts = [
        "a.jsonl:1:17: unknown field `rouds`",
        "a.jsonl:1:29: `rounds`: invalid type",
        "a.jsonl:2:11: ",
        "a.jsonl:3:17: a duel has 1 to 5 rounds",
        "a.jsonl:4:17: `detach` cannot be set in a row",
        "a.jsonl:5:1: not a JSON object",
        "a.jsonl:6:17: a person cannot take a seat",
        "a.jsonl:7:1: the topic is missing",
    ];
    assert_eq!(lines.len(), starts.len(), "{}", failure.message);
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start), "{line}\n{start}");
    }
}

#[test]
fn a_table_fills_a_template_and_fields() {
    let batch = template(
        "Is {{this}} true: {claim}?",
        &["id=key", "tag=kind", "judge=grader", "text=passage"],
    );
    let csv = "key,claim,kind,grader,passage\n1,\"a, b\",x,\"gemini, codex\",Once.\n2,c,,,\n";
    let json = "{\"key\": 1, \"claim\": \"a, b\", \"kind\": \"x\", \"grader\": \"gemini, codex\", \
                \"passage\": \"Once.\"}\n\
                {\"key\": 2, \"claim\": \"c\", \"kind\": null, \"grader\": \"\", \"passage\": \"\"}\n";
    let rows = read_text("a.csv", csv, &batch).unwrap();
    assert_eq!(rows[0].request.topic, "Is {this} true: a, b?");
    assert_eq!(rows[0].request.seats.judges.tools, ["gemini", "codex"]);
    assert_eq!(rows[0].request.pasted[0].text, "Once.");
    assert_eq!(
        (rows[0].id.as_str(), &*rows[0].tags),
        ("1", &["x".to_owned()][..])
    );
    assert!(rows[1].request.pasted.is_empty() && rows[1].tags.is_empty());
    let from_json = read_text("a.jsonl", json, &batch).unwrap();
    let requests =
        |rows: &[Row]| -> Vec<_> { rows.iter().map(|row| row.request.clone()).collect() };
    assert_eq!(requests(&rows), requests(&from_json));
}

#[test]
fn errors_of_a_table_name_line_and_column() {
    let batch = template("{claim}", &["rounds=n"]);
    let text = "claim,n\na,1\nb,x\n\"c\nd\",2\ne\n,1\n";
    let failure = read_text("a.csv", text, &batch).unwrap_err();
    let lines: Vec<_> = failure.message.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "a.csv:3:n: `x` is not a number",
            "a.csv:6: has 1 columns instead of 2",
            "a.csv:7:topic: the topic is missing",
        ]
    );
    let failure = read_text("a.csv", "x,n\na,1\n", &batch).unwrap_err();
    assert!(
        failure
            .message
            .contains("a.csv:1:claim: no such column; there are n, x")
    );
}

#[test]
fn a_template_with_a_loose_brace_is_an_error() {
    for (text, what) in [
        ("{a", "not closed"),
        ("a}", "without `{`"),
        ("{ }", "names no column"),
    ] {
        let failure = read_text("a.csv", "a\nb\n", &template(text, &[])).unwrap_err();
        assert!(failure.message.contains(what), "{}", failure.message);
    }
}
