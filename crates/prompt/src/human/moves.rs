//! Converts the answers of a form to moves.

use std::collections::{BTreeMap, BTreeSet};

use agon_record::mention::mentions;
use agon_record::moves::MovesKind;
use serde_json::{Map, Value, json};

use super::form::{Answer, Form, Section};
use super::place::ground_from_words;
use super::problem::Problem;
use super::questions::{AnswerKind, AskedField, SectionKey};
use super::value::{answer_value, split_entries};

// The maximum in the rule `reply-words`, which requires five to seven.
/// The number of words of a claim that form its title.
const TITLE_WORDS: usize = 7;

/// Where a part of the moves is in the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormPlace {
    /// The line, from 1.
    pub line: u32,
    /// The name in a sentence, such as `the answer to objection cha_001a`.
    pub name: String,
}

/// The place in the form of each part of the moves, by its path, such as `objections[0].content`.
pub(super) type FormPlaces = BTreeMap<String, FormPlace>;

/// Converts `form` to moves and reports what is missing or invalid.
pub(super) fn form_to_moves(
    form: &Form,
    problems: &mut Vec<Problem>,
) -> (Map<String, Value>, FormPlaces) {
    let mut writer = Writer {
        moves: Map::new(),
        places: FormPlaces::new(),
        problems,
    };
    for section in &form.sections {
        writer.add_section(section);
    }
    let Writer {
        mut moves, places, ..
    } = writer;
    complete_moves(form, &mut moves);
    (moves, places)
}

struct Writer<'a> {
    moves: Map<String, Value>,
    places: FormPlaces,
    problems: &'a mut Vec<Problem>,
}

impl Writer<'_> {
    fn add_section(&mut self, section: &Section) {
        if !section.is_begun() {
            if section.is_needed {
                self.report_empty(section, &section.name(), section.line);
            }
            return;
        }
        let list = section.group.list;
        let base = match list {
            "" => String::new(),
            list => {
                let known = self.moves.get(list).and_then(Value::as_array);
                format!("{list}[{}]", known.map_or(0, Vec::len))
            }
        };
        let mut part = Map::new();
        if let (SectionKey::ById(key), Some(id)) = (section.group.key, section.id) {
            part.insert(key.to_owned(), json!(id));
        }
        self.add_place(&base, section.line, section.name());
        for (ask, answer) in section.fields_with_answers() {
            let text = match &*answer.text {
                "" => ask.default,
                text => text,
            };
            let name = section.name_of(ask);
            if text.is_empty() {
                if ask.is_needed {
                    self.report_empty(section, &name, answer.line);
                }
                continue;
            }
            match answer_value(ask.kind, text).map(|value| moves_value(ask, value)) {
                Ok(value) => drop(part.insert(ask.key.to_owned(), value)),
                Err((message, hint)) => {
                    let message = format!("{message} as {name}");
                    self.problems
                        .push(Problem::in_line(answer.line, &message, &hint));
                }
            }
            let at = match &*base {
                "" => ask.key.to_owned(),
                base => format!("{base}.{}", ask.key),
            };
            self.add_entry_places(&at, ask, answer, &name);
            self.add_place(&at, answer.line, name);
        }
        if list.is_empty() {
            self.moves.extend(part);
            return;
        }
        complete_part(list, &mut part);
        let entries = self.moves.entry(list).or_insert_with(|| json!([]));
        if let Some(entries) = entries.as_array_mut() {
            entries.push(Value::Object(part));
        }
    }

    fn report_empty(&mut self, section: &Section, name: &str, line: u32) {
        let is = match name {
            "the reasons" => "are",
            _ => "is",
        };
        let hint = match section.line {
            0 => format!("add the heading `# {}` with it", section.heading()),
            _ => "write it below its heading".to_owned(),
        };
        let message = format!("{name} {is} empty");
        self.problems
            .push(Problem::in_line(line.max(1), &message, &hint));
    }

    fn add_place(&mut self, at: &str, line: u32, name: String) {
        self.places.insert(at.to_owned(), FormPlace { line, name });
    }

    /// Adds the place of each entry of an answer.
    fn add_entry_places(&mut self, at: &str, ask: &AskedField, answer: &Answer, name: &str) {
        if !matches!(ask.kind, AnswerKind::Lines | AnswerKind::Places) {
            return;
        }
        for (nth, (offset, _)) in split_entries(&answer.text).into_iter().enumerate() {
            self.add_place(
                &format!("{at}[{nth}]"),
                answer.line + offset,
                name.to_owned(),
            );
        }
    }
}

/// Converts an answer's value to the form of the moves; checked places get the category `other`.
fn moves_value(ask: &AskedField, value: Value) -> Value {
    match ask.key {
        "none_found" => json!([{ "category": "other", "looked_at": value }]),
        _ => value,
    }
}

/// Adds the defaults that a person is not asked for to an entry of `list`.
fn complete_part(list: &str, part: &mut Map<String, Value>) {
    let mut default = |key: &str, value: Value| {
        part.entry(key).or_insert(value);
    };
    match list {
        "objections" => {
            default("kind", json!("claim"));
            default("category", json!("other"));
            default("grounds", json!([]));
        }
        "responses" | "assessments" => default("grounds", json!([])),
        "agreements" => {
            default("remaining_risk", json!(""));
            default("grounds", json!([]));
        }
        "arguments" | "alternatives" => complete_argument(part),
        _ => {}
    }
}

/// Adds the defaults of an argument; its title is the beginning of its claim.
fn complete_argument(part: &mut Map<String, Value>) {
    let claim = part
        .get("claim")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let words: Vec<_> = claim.split_whitespace().take(TITLE_WORDS).collect();
    let title = words.join(" ");
    let title = title.trim_end_matches(['.', ',', ';', ':']).to_owned();
    let mut default = |key: &str, value: Value| {
        part.entry(key).or_insert(value);
    };
    default("title", json!(title));
    default("warrant", json!(""));
    default("grounds", json!([]));
}

/// Adds the defaults that a person is not asked for to the moves.
fn complete_moves(form: &Form, moves: &mut Map<String, Value>) {
    let kind = form.kind;
    let text = |moves: &Map<String, Value>, key: &str| {
        let text = moves.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    match kind {
        MovesKind::Blind => {
            let answer = text(moves, "answer");
            moves.entry("position").or_insert_with(|| json!(answer));
        }
        MovesKind::Opening => drop(moves.entry("arguments").or_insert_with(|| json!([]))),
        MovesKind::Verdict => {
            let why = text(moves, "why");
            let named = mentions(&why).into_iter().map(|one| one.id);
            let named = named.filter(|id| form.known.contains(id));
            let named: BTreeSet<_> = named.collect();
            moves.entry("decisive").or_insert_with(|| json!(named));
            for key in ["do_next", "unless"] {
                moves.entry(key).or_insert_with(|| json!(""));
            }
        }
        MovesKind::Defense => {
            let position = || json!(form.position);
            moves.entry("position_now").or_insert_with(position);
        }
        MovesKind::Rebuttal => complete_argument(moves),
        MovesKind::Challenge
        | MovesKind::FollowUp
        | MovesKind::Theses
        | MovesKind::Case
        | MovesKind::Scores => {}
    }
    // Other tools require a ground in each formal argument, so use the warrant if there is none.
    let rest_on_words = |part: &mut Map<String, Value>| {
        let is_bare = part
            .get("grounds")
            .is_some_and(|grounds| grounds == &json!([]));
        if is_bare {
            let ground = ground_from_words(&text(part, "warrant"));
            part.insert("grounds".to_owned(), json!([ground]));
        }
    };
    match kind {
        MovesKind::Rebuttal => rest_on_words(moves),
        MovesKind::Case => {
            let arguments = moves.get_mut("arguments").and_then(Value::as_array_mut);
            let arguments = arguments.into_iter().flatten();
            arguments
                .filter_map(Value::as_object_mut)
                .for_each(rest_on_words);
        }
        _ => {}
    }
}
