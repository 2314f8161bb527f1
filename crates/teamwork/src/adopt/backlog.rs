//! Reads tasks of Backlog.md: one Markdown file with front matter per task, in `backlog/tasks` and
//! its sibling folders.

use agon_team::store::ImportedState;
use serde_json::Value;

use super::map::{Mapped, text, texts};

/// The source name of Backlog.md's tasks.
pub(super) const SOURCE: &str = "backlog.md";

/// The task folders below a backlog, each with the state that it imposes on its tasks, if any.
pub(super) const FOLDERS: [(&str, Option<ImportedState>); 4] = [
    ("tasks", None),
    ("completed", Some(ImportedState::Done)),
    ("drafts", Some(ImportedState::Draft)),
    ("archive/tasks", Some(ImportedState::Cancelled)),
];

/// Fields that Agon adds to a task's own fields.
const BODY: &str = "agon_body";
const FOLDER: &str = "agon_folder";
const DONE: &str = "agon_done_status";
const PARTS: &str = "agon_parts";

/// Returns whether a text is a task of Backlog.md.
pub(super) fn is_task(text: &str) -> bool {
    parse("tasks", "Done", text).is_ok()
}

/// Returns the status that means "done": the last one listed in the text of `config.yml`.
pub(super) fn done_status(config: &str) -> String {
    let config: Option<Value> = serde_yaml_ng::from_str(config).ok();
    let statuses = config
        .as_ref()
        .and_then(|it| it["statuses"].as_array()?.last());
    let last = statuses.and_then(Value::as_str);
    last.unwrap_or("Done").to_owned()
}

/// Parses a task file from one of the folders.
///
/// # Errors
///
/// Returns the line of the error, from 1, and a description of it.
pub(super) fn parse(folder: &str, done: &str, text: &str) -> Result<Mapped, (usize, String)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<&str> = text.lines().collect();
    if lines.first().map(|line| line.trim_end()) != Some("---") {
        return Err((1, "the first line is not `---`".to_owned()));
    }
    let end = lines
        .iter()
        .skip(1)
        .position(|line| line.trim_end() == "---");
    let Some(end) = end.map(|at| at + 1) else {
        return Err((1, "the front matter has no closing `---`".to_owned()));
    };
    let front = lines[1..end].join("\n");
    let front: Value = serde_yaml_ng::from_str(&front).map_err(|error| {
        let line = error.location().map_or(1, |at| at.line() + 1);
        (line, error.to_string())
    })?;
    let Value::Object(mut fields) = front else {
        return Err((2, "the front matter has no fields".to_owned()));
    };
    let id = match fields.get("id") {
        Some(Value::String(id)) if !id.trim().is_empty() => id.trim().to_uppercase(),
        Some(Value::Number(id)) => format!("TASK-{id}"),
        _ => return Err((2, "`id` is missing".to_owned())),
    };
    if !matches!(
        fields.get("title"),
        Some(Value::String(_) | Value::Number(_))
    ) {
        return Err((2, "`title` is missing".to_owned()));
    }
    let body = lines[end + 1..].join("\n");
    let ours = [
        (BODY, body.trim().to_owned()),
        (FOLDER, folder.to_owned()),
        (DONE, done.to_owned()),
    ];
    fields.extend(ours.map(|(key, value)| (key.to_owned(), value.into())));
    Ok(map(id, Value::Object(fields)))
}

/// Makes each parent task depend on the tasks that name it as their parent.
pub(super) fn link_parts_to_wholes(all: &mut [Mapped]) {
    let named: Vec<(String, String)> = all
        .iter()
        .map(|item| {
            (
                reference(&text(&item.fields, "parent_task_id")),
                item.id.clone(),
            )
        })
        .collect();
    for (parent, part) in named {
        if let Some(item) = all.iter_mut().find(|item| item.id == parent) {
            item.parts.insert(part);
            let parts: Vec<Value> = item.parts.iter().map(|it| it.as_str().into()).collect();
            item.fields[PARTS] = Value::Array(parts);
        }
    }
}

/// Converts a task's fields.
pub(super) fn map(id: String, fields: Value) -> Mapped {
    let folder = text(&fields, FOLDER);
    let status = text(&fields, "status").to_lowercase();
    let by_folder = FOLDERS.iter().find(|(name, _)| *name == folder);
    let state = match by_folder.and_then(|(_, state)| *state) {
        Some(state) => state,
        None if status == text(&fields, DONE).to_lowercase() => ImportedState::Done,
        None => match status.as_str() {
            "done" | "closed" | "complete" | "completed" => ImportedState::Done,
            "draft" => ImportedState::Draft,
            "cancelled" | "canceled" | "archived" => ImportedState::Cancelled,
            _ => ImportedState::Ready,
        },
    };
    let priority = match text(&fields, "priority").to_lowercase().as_str() {
        "critical" | "urgent" => 3,
        "high" => 2,
        "medium" => 1,
        "low" => -1,
        _ => 0,
    };
    let assignee = texts(&fields, "assignee").into_iter().next();
    let assignee = assignee.map(|it| it.trim_start_matches('@').to_lowercase());
    let needs = texts(&fields, "dependencies");
    Mapped {
        title: text(&fields, "title"),
        spec: without_markers(&text(&fields, BODY)),
        state,
        note: match folder.as_str() {
            "archive/tasks" => "archived in Backlog.md".to_owned(),
            _ => String::new(),
        },
        priority,
        labels: texts(&fields, "labels"),
        assignee: assignee.filter(|it| !it.is_empty()),
        needs: needs.iter().map(|it| reference(it)).collect(),
        parts: texts(&fields, PARTS).into_iter().collect(),
        ..Mapped::new(id, fields)
    }
}

/// Normalizes a task reference: `1` and `task-1` both mean `TASK-1`.
fn reference(id: &str) -> String {
    let id = id.trim().to_uppercase();
    match id.starts_with(|it: char| it.is_ascii_digit()) {
        true => format!("TASK-{id}"),
        false => id,
    }
}

/// Removes Backlog.md's HTML comment markers from a text.
fn without_markers(body: &str) -> String {
    let is_marker = |line: &&str| {
        let line = line.trim();
        line.starts_with("<!--") && line.ends_with("-->")
    };
    let lines: Vec<&str> = body.lines().filter(|line| !is_marker(line)).collect();
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "\
---
id: task-7
title: Greet by name
status: To Do
assignee:
  - '@Ada'
labels:
  - cli
dependencies:
  - task-2
  - '3'
priority: high
ordinal: 1000
---

## Description

<!-- SECTION:DESCRIPTION:BEGIN -->
Say hello.
<!-- SECTION:DESCRIPTION:END -->

## Acceptance Criteria
<!-- AC:BEGIN -->
- [ ] #1 prints Hello, Ada.
<!-- AC:END -->
";

    #[test]
    fn a_task_is_read_with_every_field() {
        let task = parse("tasks", "Done", TASK).unwrap();
        assert_eq!(
            (task.id.as_str(), task.title.as_str()),
            ("TASK-7", "Greet by name")
        );
        assert_eq!((task.state, task.priority), (ImportedState::Ready, 2));
        assert_eq!(task.assignee.as_deref(), Some("ada"));
        assert_eq!(
            task.needs,
            ["TASK-2".to_owned(), "TASK-3".to_owned()].into()
        );
        assert_eq!(
            task.spec,
            "## Description\n\nSay hello.\n\n## Acceptance Criteria\n- [ ] #1 prints Hello, Ada."
        );
        assert_eq!(task.fields["ordinal"], 1000);
        assert_eq!(map(task.id.clone(), task.fields.clone()), task);
        assert!(is_task(TASK));
        assert_eq!(map("x".to_owned(), serde_json::json!({})).title, "");
    }

    #[test]
    fn a_folder_or_the_last_status_says_that_a_task_is_over() {
        let state = |folder, done: &str| parse(folder, done, TASK).unwrap().state;
        assert_eq!(state("completed", "Done"), ImportedState::Done);
        assert_eq!(state("drafts", "Done"), ImportedState::Draft);
        assert_eq!(state("archive/tasks", "Done"), ImportedState::Cancelled);
        assert_eq!(state("tasks", "To Do"), ImportedState::Done);
        let config = "project_name: \"x\"\nstatuses: [\"Open\", \"Shipped\"]\n";
        assert_eq!(done_status(config), "Shipped");
        assert_eq!(done_status("nothing"), "Done");
    }

    #[test]
    fn a_parent_has_the_tasks_that_name_it_as_parts() {
        let part = TASK
            .replace("task-7", "task-7.1")
            .replace("ordinal", "parent_task_id: task-7\nordinal");
        let mut all = vec![
            parse("tasks", "Done", TASK).unwrap(),
            parse("tasks", "Done", &part).unwrap(),
        ];
        link_parts_to_wholes(&mut all);
        assert_eq!(all[0].parts, ["TASK-7.1".to_owned()].into());
        assert_eq!(map(all[0].id.clone(), all[0].fields.clone()), all[0]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, line, words) in [
            ("# Title\n", 1, "first line"),
            ("---\nid: 1\n", 1, "no closing"),
            ("---\nid: a\ntitle: [\n---\n", 3, ""),
            ("---\ntitle: x\n---\n", 2, "`id`"),
            ("---\nid: x\n---\n", 2, "`title`"),
            ("---\n- x\n---\n", 2, "no fields"),
        ] {
            let (at, why) = parse("tasks", "Done", text).unwrap_err();
            assert!(at >= 1 && why.contains(words), "{text:?}: {at} {why}");
            if !words.is_empty() {
                assert_eq!(at, line, "{text:?}");
            }
        }
    }
}
