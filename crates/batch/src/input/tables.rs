//! Tables: CSV, or JSON lines whose fields are columns.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::template::Template;
use super::{InputError, Row, RowKind, check, objects};
use crate::columns::{self, Column, Field, Set};
use crate::request::BatchRequest;

/// How to read a row, with the errors of the whole table.
struct Reader<'a> {
    batch: &'a BatchRequest,
    template: Option<Template>,
    rows: Vec<Row>,
    errors: Vec<InputError>,
}

/// Reads CSV with a header line.
pub(super) fn read_csv(text: &str, batch: &BatchRequest) -> (Vec<Row>, Vec<InputError>) {
    let mut reader = Reader::new(batch);
    let mut table = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes());
    let header = match table.headers() {
        Ok(header) => header.clone(),
        Err(error) => {
            reader.fail(1, None, error.to_string());
            return reader.end();
        }
    };
    let names: Vec<&str> = header.iter().map(str::trim).collect();
    if !reader.require_columns(1, &names.iter().copied().collect()) {
        return reader.end();
    }
    let mut record = csv::StringRecord::new();
    loop {
        match table.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let line = error.position().map_or(1, csv::Position::line);
                reader.fail(line, None, "the row is not valid UTF-8".to_owned());
                continue;
            }
        }
        let line = record.position().map_or(1, csv::Position::line);
        if record.len() != names.len() {
            let what = format!("has {} columns instead of {}", record.len(), names.len());
            reader.fail(line, None, what);
            continue;
        }
        let texts = names.iter().copied().zip(&record).collect();
        reader.read_row(line, &texts);
    }
    reader.end()
}

/// Reads JSON lines whose fields are the columns.
pub(super) fn read_json_lines(text: &str, batch: &BatchRequest) -> (Vec<Row>, Vec<InputError>) {
    let mut reader = Reader::new(batch);
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let object = match objects::parse_object(line, text) {
            Ok(object) => object,
            Err(error) => {
                reader.errors.push(error);
                continue;
            }
        };
        let plain = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        let texts: Vec<_> = object
            .iter()
            .map(|(key, value)| (key, plain(value)))
            .collect();
        let names = object.keys().map(String::as_str).collect();
        if reader.require_columns(line, &names) {
            let texts = texts
                .iter()
                .map(|(key, text)| (key.as_str(), text.as_str()));
            reader.read_row(line, &texts.collect());
        }
    }
    reader.end()
}

impl<'a> Reader<'a> {
    fn new(batch: &'a BatchRequest) -> Self {
        let mut reader = Self {
            batch,
            template: None,
            rows: Vec::new(),
            errors: Vec::new(),
        };
        match batch.template.as_deref().map(Template::parse).transpose() {
            Ok(template) => reader.template = template,
            Err(what) => reader.fail(1, None, format!("--topic: {what}")),
        }
        reader
    }

    fn end(self) -> (Vec<Row>, Vec<InputError>) {
        (self.rows, self.errors)
    }

    fn fail(&mut self, line: u64, column: Option<&str>, what: String) {
        let column = column.map(str::to_owned);
        self.errors.push(InputError { line, column, what });
    }

    /// Reports columns that are used but are not among `names`. Returns whether there are none.
    fn require_columns(&mut self, line: u64, names: &BTreeSet<&str>) -> bool {
        let template = self.template.iter().flat_map(Template::columns);
        let used = template.chain(self.batch.columns.iter().map(|column| column.name.as_str()));
        let mut missing: BTreeSet<_> = used.filter(|name| !names.contains(name)).collect();
        if !self.sets_topic() && !names.contains("topic") {
            missing.insert("topic");
        }
        let known = names.iter().copied().collect::<Vec<_>>().join(", ");
        let missing: Vec<_> = missing.into_iter().map(str::to_owned).collect();
        for name in &missing {
            self.fail(
                line,
                Some(name),
                format!("no such column; there are {known}"),
            );
        }
        missing.is_empty()
    }

    fn sets_topic(&self) -> bool {
        let mut columns = self.batch.columns.iter();
        self.batch.template.is_some() || columns.any(|column| column.field == Field::Topic)
    }

    fn read_row(&mut self, line: u64, texts: &BTreeMap<&str, &str>) {
        let mut request = self.batch.base.clone();
        let mut set = Set::default();
        let before = self.errors.len();
        let text = |name: &str| texts.get(name).copied();
        if !self.sets_topic() {
            request.topic = text("topic").unwrap_or_default().to_owned();
        } else if let Some(template) = &self.template {
            request.topic = template.render(text);
        }
        for Column { field, name } in &self.batch.columns {
            let text = text(name).unwrap_or_default();
            if let Err(what) = columns::set(*field, text, &mut request, &mut set) {
                self.fail(line, Some(name), what);
            }
        }
        if self.errors.len() > before {
            return;
        }
        match check(&request) {
            Ok(()) => self.rows.push(Row {
                line,
                id: set.id,
                tags: set.tags,
                kind: RowKind::Debate,
                apart: String::new(),
                request,
            }),
            Err((field, what)) => self.fail(line, Some(field), what),
        }
    }
}
