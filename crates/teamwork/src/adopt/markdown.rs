//! Reads Markdown checklists: `- [ ]` is an open task, `- [x]` a done one, and an item depends on
//! the items nested below it.

use agon_team::store::ImportedState;
use serde_json::{Value, json};

use super::map::{Mapped, text, texts};

/// The prefix of a checklist's source name.
pub(super) const SOURCE: &str = "markdown";

/// An item that may still get nested items or text.
struct Item {
    /// Its indentation, in columns.
    indent: usize,
    /// Its index among the entries.
    at: usize,
}

/// Returns whether a text contains a checklist item.
pub(super) fn is_checklist(text: &str) -> bool {
    let mut fence = None;
    text.lines()
        .any(|line| !in_fence(line, &mut fence) && parse_item(line).is_some())
}

/// Parses the entries of a text, in order. A checklist has no ids, so an entry is identified by its
/// headings and parent items.
pub(super) fn parse(text: &str) -> Vec<Mapped> {
    let mut entries: Vec<Value> = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    let mut open: Vec<Item> = Vec::new();
    let mut headings: Vec<String> = Vec::new();
    let mut fence = None;
    for line in text.lines() {
        let is_code = in_fence(line, &mut fence);
        let indent = indent_width(line);
        if !is_code {
            if let Some((level, title)) = parse_heading_line(line) {
                headings.truncate(level - 1);
                headings.resize(level - 1, String::new());
                headings.push(title.to_owned());
                open.clear();
                continue;
            }
            if let Some((checked, title)) = parse_item(line) {
                open.retain(|item| item.indent < indent);
                let above = open.last().map(|item| item.at);
                let path = headings.iter().filter(|it| !it.is_empty()).cloned();
                let mut path: Vec<String> = path.collect();
                path.extend(open.iter().map(|it| {
                    entries[it.at]["title"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned()
                }));
                path.push(title.to_owned());
                let id = unused_id(&ids, &path.join(" > "));
                if let Some(above) = above {
                    add_part(&mut entries[above], &id);
                }
                open.push(Item {
                    indent,
                    at: entries.len(),
                });
                ids.push(id);
                entries.push(json!({
                    "title": title,
                    "checked": checked,
                    "section": headings.iter().rfind(|it| !it.is_empty()),
                    "text": "",
                    "parts": [],
                }));
                continue;
            }
        }
        match open.last() {
            // Indented lines below an item belong to it.
            Some(item) if line.trim().is_empty() || indent > item.indent => {
                let entry = &mut entries[item.at];
                let before = entry["text"].as_str().unwrap_or_default();
                entry["text"] = format!("{before}{}\n", dedent(line, item.indent + 2)).into();
            }
            Some(_) => open.clear(),
            None => {}
        }
    }
    let pairs = ids.into_iter().zip(entries);
    pairs.map(|(id, fields)| map(id, fields)).collect()
}

/// Converts an entry's fields.
pub(super) fn map(id: String, fields: Value) -> Mapped {
    let is_done = fields["checked"] == true;
    Mapped {
        title: text(&fields, "title"),
        spec: text(&fields, "text").trim().to_owned(),
        state: match is_done {
            true => ImportedState::Done,
            false => ImportedState::Ready,
        },
        parts: texts(&fields, "parts").into_iter().collect(),
        ..Mapped::new(id, fields)
    }
}

fn add_part(entry: &mut Value, id: &str) {
    if let Some(parts) = entry["parts"].as_array_mut() {
        parts.push(id.into());
    }
}

/// Returns the id, numbered if an earlier entry already has it.
fn unused_id(ids: &[String], id: &str) -> String {
    let numbered = |number: usize| match number {
        1 => id.to_owned(),
        _ => format!("{id} #{number}"),
    };
    let mut number = 1;
    while ids.contains(&numbered(number)) {
        number += 1;
    }
    numbered(number)
}

/// Parses a checklist item: whether it is checked, and its text. Returns `None` for other lines.
fn parse_item(line: &str) -> Option<(bool, &str)> {
    let line = line.trim();
    let rest = match line.strip_prefix(['-', '*', '+']) {
        Some(rest) => rest,
        None => {
            let rest = line.trim_start_matches(|it: char| it.is_ascii_digit());
            let is_numbered = rest.len() < line.len();
            rest.strip_prefix(['.', ')']).filter(|_| is_numbered)?
        }
    };
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let checked = match rest.get(..3)? {
        "[ ]" => false,
        "[x]" | "[X]" => true,
        _ => return None,
    };
    let title = rest.get(3..)?.strip_prefix([' ', '\t'])?.trim();
    (!title.is_empty()).then_some((checked, title))
}

/// Parses a heading: its level and its text.
fn parse_heading_line(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let title = rest.strip_prefix(' ')?.trim().trim_end_matches('#').trim();
    (1..=6).contains(&level).then_some((level, title))
}

/// Returns the width of a line's indentation, in columns. A tab advances to the next multiple of
/// four.
fn indent_width(line: &str) -> usize {
    let mut columns = 0;
    for character in line.chars() {
        match character {
            ' ' => columns += 1,
            '\t' => columns = (columns / 4 + 1) * 4,
            _ => break,
        }
    }
    columns
}

/// Removes up to this many leading spaces from a line.
fn dedent(line: &str, columns: usize) -> &str {
    let blanks = line.len() - line.trim_start_matches(' ').len();
    line.get(blanks.min(columns)..).unwrap_or_default()
}

/// Returns whether a line is inside a code block or is one of its fences.
fn in_fence(line: &str, fence: &mut Option<&'static str>) -> bool {
    let trimmed = line.trim_start();
    match *fence {
        Some(open) => {
            if trimmed.starts_with(open) {
                *fence = None;
            }
            true
        }
        None => {
            *fence = ["```", "~~~"]
                .into_iter()
                .find(|it| trimmed.starts_with(it));
            fence.is_some()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\
# Release

Words before it.

## Code

- [ ] Greet by name
  sh greet.sh Ada says Hello, Ada.

  - [x] Read the name
  - [ ] Say it
    1. [ ] Loudly
* [X] Document it
- not an item
- [ ]
```
- [ ] not one either
```

## Docs

- [ ] Document it
- [ ] Document it
";

    #[test]
    fn items_are_tasks_and_nested_ones_parts_of_those_above() {
        let entries = parse(LIST);
        let rows: Vec<(&str, &str, ImportedState)> = entries
            .iter()
            .map(|it| (it.id.as_str(), it.title.as_str(), it.state))
            .collect();
        use ImportedState::{Done, Ready};
        assert_eq!(
            rows,
            [
                ("Release > Code > Greet by name", "Greet by name", Ready),
                (
                    "Release > Code > Greet by name > Read the name",
                    "Read the name",
                    Done
                ),
                ("Release > Code > Greet by name > Say it", "Say it", Ready),
                (
                    "Release > Code > Greet by name > Say it > Loudly",
                    "Loudly",
                    Ready
                ),
                ("Release > Code > Document it", "Document it", Done),
                ("Release > Docs > Document it", "Document it", Ready),
                ("Release > Docs > Document it #2", "Document it", Ready),
            ]
        );
        assert_eq!(entries[0].spec, "sh greet.sh Ada says Hello, Ada.");
        assert_eq!(entries[0].parts.len(), 2);
        assert_eq!(entries[2].parts.len(), 1);
        assert!(is_checklist(LIST));
        assert!(!is_checklist(
            "# Title\n\n- a point\n```\n- [ ] code\n```\n"
        ));
    }

    #[test]
    fn what_is_stored_of_an_entry_gives_it_again() {
        for entry in parse(LIST) {
            assert_eq!(map(entry.id.clone(), entry.fields.clone()), entry);
        }
    }
}
