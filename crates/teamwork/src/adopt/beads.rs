//! Reads issues of beads: one JSON object per line, in `.beads/issues.jsonl`.

use agon_team::store::ImportedState;
use serde_json::Value;

use super::map::{Mapped, text, texts};

/// The source name of beads' issues.
pub(super) const SOURCE: &str = "beads";

/// The priority of an issue that states none.
const DEFAULT_PRIORITY: i64 = 2;

/// Returns whether a line is an issue of beads.
pub(super) fn is_issue(line: &str) -> bool {
    let value: Option<Value> = serde_json::from_str(line).ok();
    value.is_some_and(|it| {
        it["id"].is_string()
            && it["title"].is_string()
            && (it["status"].is_string() || it["issue_type"].is_string())
    })
}

/// Parses the issues of a file.
///
/// # Errors
///
/// Returns the number of the invalid line, from 1, and what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Vec<Mapped>, (usize, String)> {
    let mut all: Vec<Mapped> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let fields: Value =
            serde_json::from_str(line).map_err(|error| (number, error.to_string()))?;
        let Some(id) = fields["id"].as_str().filter(|id| !id.trim().is_empty()) else {
            return Err((number, "\"id\" is missing or not a string".to_owned()));
        };
        if !fields["title"].is_string() {
            return Err((number, "\"title\" is missing or not a string".to_owned()));
        }
        if !seen.insert(id.to_owned()) {
            return Err((number, format!("the id {id} occurs twice")));
        }
        all.push(map(id.to_owned(), fields));
    }
    // In beads a part names its parent. Here the parent depends on its parts.
    let parents: Vec<(String, String)> = all
        .iter()
        .flat_map(|item| parents(&item.fields).map(|parent| (parent, item.id.clone())))
        .collect();
    for (parent, part) in parents {
        if let Some(item) = all.iter_mut().find(|item| item.id == parent) {
            add_part(item, &part);
        }
    }
    Ok(all)
}

/// Adds a part to an entry and to its fields, so that the entry can be rebuilt from its fields
/// alone.
fn add_part(item: &mut Mapped, part: &str) {
    item.parts.insert(part.to_owned());
    let parts: Vec<&String> = item.parts.iter().collect();
    item.fields[PARTS] = serde_json::json!(parts);
}

/// The field in which Agon stores an issue's parts.
const PARTS: &str = "agon_parts";

/// Converts an issue's fields.
pub(super) fn map(id: String, fields: Value) -> Mapped {
    let status = text(&fields, "status");
    let needs = dependencies(&fields, "blocks").collect::<std::collections::BTreeSet<_>>();
    let state = match status.as_str() {
        "closed" => ImportedState::Done,
        "tombstone" => ImportedState::Cancelled,
        "deferred" | "draft" => ImportedState::Draft,
        "blocked" if needs.is_empty() => ImportedState::Draft,
        _ => ImportedState::Ready,
    };
    let mut spec = text(&fields, "description");
    for (name, heading) in [
        ("design", "Design"),
        ("acceptance_criteria", "Acceptance criteria"),
        ("notes", "Notes"),
    ] {
        let part = text(&fields, name);
        if !part.trim().is_empty() {
            spec = format!("{spec}\n\n## {heading}\n\n{part}");
        }
    }
    Mapped {
        title: text(&fields, "title"),
        spec: spec.trim().to_owned(),
        state,
        note: text(&fields, "delete_reason"),
        // In beads 0 is the most urgent priority and 2 the default, so the order is reversed here.
        priority: DEFAULT_PRIORITY - fields["priority"].as_i64().unwrap_or(DEFAULT_PRIORITY),
        labels: texts(&fields, "labels"),
        assignee: Some(text(&fields, "assignee")).filter(|it| !it.is_empty()),
        parts: texts(&fields, PARTS).into_iter().collect(),
        needs,
        ..Mapped::new(id, fields)
    }
}

fn parents(fields: &Value) -> impl Iterator<Item = String> + '_ {
    dependencies(fields, "parent-child")
}

/// Returns the ids that an issue depends on through dependencies of one kind.
fn dependencies<'a>(fields: &'a Value, kind: &'a str) -> impl Iterator<Item = String> + 'a {
    let all = fields["dependencies"].as_array().into_iter().flatten();
    let of_kind = all.filter(move |it| it["type"] == kind);
    of_kind.filter_map(|it| it["depends_on_id"].as_str().map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUES: &str = r#"{"id":"ex-1","title":"Greeting","description":"All of it.","status":"open","priority":0,"issue_type":"epic","labels":["cli","good first issue"],"created_at":"2026-11-01T10:00:00Z","updated_at":"2026-11-01T10:00:00Z","estimated_minutes":30}
{"id":"ex-1.1","title":"Greet by name","description":"Say it.","acceptance_criteria":"- Hello, Ada.","status":"in_progress","priority":3,"issue_type":"task","assignee":"ada","dependencies":[{"issue_id":"ex-1.1","depends_on_id":"ex-1","type":"parent-child","created_by":"x"},{"issue_id":"ex-1.1","depends_on_id":"ex-2","type":"blocks","created_by":"x"},{"issue_id":"ex-1.1","depends_on_id":"ex-3","type":"related","created_by":"x"}]}

{"id":"ex-2","title":"Read the name","status":"closed","priority":2,"issue_type":"task","closed_at":"2026-11-02T10:00:00Z"}
{"id":"ex-3","title":"Gone","status":"tombstone","priority":2,"issue_type":"bug","delete_reason":"never mind"}
{"id":"ex-4","title":"Later","status":"blocked","issue_type":"chore"}
"#;

    #[test]
    fn every_field_that_a_team_has_is_taken_and_the_others_are_kept() {
        let all = parse(ISSUES).unwrap();
        let states: Vec<ImportedState> = all.iter().map(|it| it.state).collect();
        use ImportedState::{Cancelled, Done, Draft, Ready};
        assert_eq!(states, [Ready, Ready, Done, Cancelled, Draft]);
        let priorities: Vec<i64> = all.iter().map(|it| it.priority).collect();
        assert_eq!(priorities, [2, -1, 0, 0, 0]);
        assert_eq!(all[0].parts, ["ex-1.1".to_owned()].into());
        assert_eq!(all[0].labels, ["cli", "good first issue"]);
        assert_eq!(all[0].fields["estimated_minutes"], 30);
        assert_eq!(all[1].needs, ["ex-2".to_owned()].into());
        assert_eq!(all[1].assignee.as_deref(), Some("ada"));
        assert_eq!(
            all[1].spec,
            "Say it.\n\n## Acceptance criteria\n\n- Hello, Ada."
        );
        assert_eq!(all[3].note, "never mind");
        for item in &all {
            assert_eq!(map(item.id.clone(), item.fields.clone()), *item);
        }
    }

    #[test]
    fn a_line_that_is_no_issue_is_named() {
        let wrong = |line: &str| parse(&format!("{}\n{line}\n", ISSUES.lines().next().unwrap()));
        for (line, words) in [
            ("{\"id\":", "EOF"),
            ("{\"title\":\"x\"}", "id"),
            ("{\"id\":\"ex-9\"}", "title"),
            ("{\"id\":\"ex-1\",\"title\":\"x\"}", "twice"),
        ] {
            let (number, why) = wrong(line).unwrap_err();
            assert_eq!(number, 2);
            assert!(why.contains(words), "{why}");
        }
    }
}
