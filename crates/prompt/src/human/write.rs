//! Writes a form: empty places to fill in, or what was said already.

use agon_record::grammar::{Field, FieldKind, GROUND, MovePart};
use serde_json::{Map, Value};

use super::lines::list_item_text;

// Markdown has six levels of headings: <https://spec.commonmark.org/0.31.2/#atx-headings>.
/// How deep headings go.
const DEEPEST: usize = 6;

/// The form of `part` with what `said` has; `hints` says what else is asked for.
pub(super) fn write_form(
    part: &'static MovePart,
    said: &Map<String, Value>,
    hints: bool,
) -> String {
    let mut form = Form {
        out: String::new(),
        hints,
    };
    for slot in part.fields {
        form.write_section(slot, said.get(slot.key), 1);
    }
    form.out
}

struct Form {
    out: String,
    hints: bool,
}

impl Form {
    fn write_line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// A slot under a heading of its own.
    fn write_section(&mut self, slot: &Field, said: Option<&Value>, level: usize) {
        if said.is_none_or(is_empty_value) && !self.hints {
            return;
        }
        let marks = "#".repeat(level.min(DEEPEST));
        self.write_line(&format!("{marks} {}", capitalize(slot.label)));
        if self.hints {
            self.write_line(&format!("<!-- {} -->", slot.form_hint()));
        }
        match slot.kind {
            FieldKind::One(part) => {
                let none = Map::new();
                let said = said.and_then(Value::as_object).unwrap_or(&none);
                part.fields
                    .iter()
                    .for_each(|slot| self.write_labelled_slot(slot, said.get(slot.key)));
            }
            FieldKind::List(part) => self.write_entries(slot, part, said, level + 1),
            FieldKind::Texts | FieldKind::Ids => self.write_list(said),
            FieldKind::Grounds(_) => self.write_grounds(said),
            _ => match said {
                Some(said) => {
                    for (at, line) in value_text(said).lines().enumerate() {
                        let safe = at == 0 && is_unambiguous_prose(line);
                        self.write_line(&if safe {
                            line.to_owned()
                        } else {
                            format!("\\{line}")
                        });
                    }
                }
                None => self.write_line(""),
            },
        }
        self.write_line("");
    }

    /// The entries of a list, each under a heading of its own.
    fn write_entries(
        &mut self,
        slot: &Field,
        part: &'static MovePart,
        said: Option<&Value>,
        level: usize,
    ) {
        let none = [Value::Null];
        let said = said
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let said = if said.is_empty() && self.hints {
            &none[..]
        } else {
            said
        };
        let one = slot
            .single
            .first()
            .copied()
            .unwrap_or(slot.key)
            .replace('_', " ");
        let one = capitalize(&one);
        let marks = "#".repeat(level.min(DEEPEST));
        for (number, entry) in (1..).zip(said) {
            let empty = Map::new();
            let entry = entry.as_object().unwrap_or(&empty);
            let (named, head) = entry_heading_suffix(part, entry);
            self.write_line("");
            self.write_line(&match head {
                Some(head) => format!("{marks} {one}{head}"),
                None => format!("{marks} {one} {number}"),
            });
            for slot in part.fields.iter().filter(|slot| Some(slot.key) != named) {
                let said = entry.get(slot.key);
                if !matches!(slot.kind, FieldKind::List(_)) {
                    self.write_labelled_slot(slot, said);
                } else if !said.is_none_or(is_empty_value) {
                    // Empty lists within a part would be more form than anybody reads.
                    self.write_section(slot, said, level + 1);
                }
            }
        }
    }

    /// A slot behind its name.
    fn write_labelled_slot(&mut self, slot: &Field, said: Option<&Value>) {
        let label = slot.label;
        let said = said.filter(|said| !is_empty_value(said));
        let Some(said) = said else {
            if self.hints {
                self.write_line(&format!("{label}: <!-- {} -->", slot.form_hint()));
                if matches!(slot.kind, FieldKind::Grounds(_) | FieldKind::Texts) {
                    self.write_line("-");
                }
            }
            return;
        };
        if matches!(slot.kind, FieldKind::Texts | FieldKind::Ids) {
            self.write_line(&format!("{label}:"));
            self.write_list(Some(said));
        } else if matches!(slot.kind, FieldKind::Grounds(_)) {
            self.write_line(&format!("{label}:"));
            self.write_grounds(Some(said));
        } else {
            self.write_text("", label, &value_text(said));
        }
    }

    /// A text behind its name; in lines of its own where it might be taken for something else.
    fn write_text(&mut self, before: &str, label: &str, text: &str) {
        let mut lines = text.lines();
        let first = text.lines().next().unwrap_or_default();
        if can_follow_label(first) {
            self.write_line(&format!("{before}{label}: {first}"));
            lines.next();
        } else {
            self.write_line(&format!("{before}{label}:"));
        }
        let before = " ".repeat(before.len());
        lines.for_each(|line| self.write_line(&format!("{before}\\{line}")));
    }

    fn write_list(&mut self, said: Option<&Value>) {
        let entries = said
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        if entries.is_empty() && self.hints {
            self.write_line("-");
        }
        for entry in entries {
            let entry = value_text(entry);
            let mut lines = entry.lines();
            let first = entry.lines().next().unwrap_or_default();
            if is_unambiguous_prose(first) {
                self.write_line(&format!("- {first}"));
                lines.next();
            } else {
                self.write_line("-");
            }
            lines.for_each(|line| self.write_line(&format!("  \\{line}")));
        }
    }

    fn write_grounds(&mut self, said: Option<&Value>) {
        let grounds = said
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        if grounds.is_empty() && self.hints {
            self.write_line("-");
        }
        for ground in grounds {
            let mut before = "- ";
            for slot in GROUND.fields {
                let said = ground.get(slot.key).filter(|said| !said.is_null());
                let Some(said) = said else { continue };
                self.write_text(before, slot.label, &value_text(said));
                before = "  ";
            }
        }
    }
}

/// What an entry is called by: its slot, and how a heading says it.
fn entry_heading_suffix(
    part: &'static MovePart,
    entry: &Map<String, Value>,
) -> (Option<&'static str>, Option<String>) {
    for slot in part.fields {
        let Some(said) = entry.get(slot.key).and_then(Value::as_str) else {
            continue;
        };
        if matches!(slot.kind, FieldKind::Id) {
            return (Some(slot.key), Some(format!(" {} {said}", slot.label)));
        }
        let by_id = part
            .fields
            .iter()
            .any(|slot| matches!(slot.kind, FieldKind::Id));
        if matches!(slot.kind, FieldKind::Choice(_)) && !by_id {
            let said = said.replace('_', " ");
            return (Some(slot.key), Some(format!(": {said}")));
        }
    }
    (None, None)
}

fn is_empty_value(said: &Value) -> bool {
    match said {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}

fn value_text(said: &Value) -> String {
    said.as_str()
        .map_or_else(|| said.to_string(), str::to_owned)
}

/// Whether a line cannot be taken for anything but words.
fn is_unambiguous_prose(line: &str) -> bool {
    line.starts_with(char::is_alphanumeric)
        && !line.contains([':', '<'])
        && list_item_text(line).is_none()
}

/// Whether a text can stand behind a name and a colon.
fn can_follow_label(line: &str) -> bool {
    let comment = line.contains("<!--") || line.contains("-->");
    line.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '{' | '-' | '"')) && !comment
}

fn capitalize(label: &str) -> String {
    let mut chars = label.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}
