//! `docs/documents.md`: the documents that programs read, and the files of a debate's folder.

use std::fmt::Write as _;

use serde_json::Value;

use super::check_generated;
use crate::schema;

const INTRODUCTION: &str = "\
# Documents

`--json` prints one of these documents. `agon schema NAME` prints its JSON Schema. A document names
itself in `schema`, such as `agon.result/1`; a change that breaks readers gets a new number. This page
is generated from the program.
";

/// Documents whose fields are listed here.
const FULL: [&str; 8] = [
    "result", "started", "status", "error", "list", "answer", "check", "context",
];

/// The files of a debate's folder. A test compares them with real folders.
const FILES: [(&str, &str); 12] = [
    (
        "debate.md",
        "The topic, the seats and the state of the debate",
    ),
    ("transcript.md", "Every turn, in prose"),
    (
        "arguments/ID.md",
        "One point, with its grounds and the points about it",
    ),
    ("verdict.md", "The verdict, for people"),
    ("verdict.json", "The verdict, for programs: `agon.verdict`"),
    (
        "scores.json",
        "Every score with its reason; formal debates only",
    ),
    ("README.md", "The report, written by `agon report`"),
    (
        "report.html",
        "The report as a page, written by `agon report`",
    ),
    (
        "argument-graph.svg",
        "The argument graph, written by `agon report`",
    ),
    (
        "argument-graph.png",
        "The argument graph in pixels, if the build has the feature `png`",
    ),
    (
        "argument-graph.mmd",
        "The argument graph as Mermaid; formal debates only",
    ),
    (
        ".agon/",
        "The journal, the pinned sources and the lock; only Agon writes here",
    ),
];

#[test]
fn the_page_of_documents_is_what_the_program_prints() {
    let mut page = INTRODUCTION.to_owned();
    page.push_str("\n## The folder of a debate\n\n| file | contents |\n|---|---|\n");
    for (name, about) in FILES {
        writeln!(page, "| `{name}` | {about} |").unwrap();
    }
    page.push_str("| `.gitattributes` | Marks the files as generated |\n");
    page.push_str("\n## All documents\n\n| name | document | contents |\n|---|---|---|\n");
    for line in schema::all().documents {
        writeln!(
            page,
            "| `{}` | `{}` | {} |",
            line.name,
            line.id,
            escape(line.about)
        )
        .unwrap();
    }
    page.push_str("\n## Fields\n\nThe documents that programs read most. An optional field may be absent or null.\n");
    for name in FULL {
        push_fields(&mut page, name, &schema::find_schema(name).unwrap());
    }
    check_generated("documents.md", &page);
}

fn push_fields(page: &mut String, name: &str, schema: &Value) {
    writeln!(
        page,
        "\n### {name}\n\n| field | type | contents |\n|---|---|---|"
    )
    .unwrap();
    let required: Vec<&str> = schema["required"]
        .as_array()
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    for (field, one) in schema["properties"].as_object().into_iter().flatten() {
        let kind = property_type(one);
        let kind = match required.contains(&field.as_str()) {
            true => kind,
            false => format!("{kind}, optional"),
        };
        let about = one["description"].as_str().unwrap_or_default();
        let about = about
            .split("\n\n")
            .next()
            .unwrap_or_default()
            .replace('\n', " ");
        writeln!(page, "| `{field}` | {kind} | {} |", escape(&about)).unwrap();
    }
}

/// Returns the type of a property in one word.
fn property_type(one: &Value) -> String {
    let of_list = one["type"]
        .as_array()
        .and_then(|all| all.iter().find(|it| *it != "null"));
    let plain = one["type"].as_str().or(of_list.and_then(Value::as_str));
    let refers = one["$ref"]
        .as_str()
        .or_else(|| one["anyOf"][0]["$ref"].as_str());
    match (plain, refers) {
        (Some(plain), _) => plain.to_owned(),
        (None, Some(_)) => "object".to_owned(),
        (None, None) => "any".to_owned(),
    }
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "\\<")
}
