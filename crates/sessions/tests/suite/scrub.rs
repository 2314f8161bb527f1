//! Records without what is others' or this machine's: long texts cut, paths replaced.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value, json};

/// Letters of a text that stay of one that is longer than that and nothing of ours.
const KEPT: usize = 24;
const MAX_TEXT: usize = 80;

/// The tables of a database that are kept, with their columns that are read.
const TABLES: &[(&str, &str)] = &[
    (
        "session",
        "CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, \
         title text NOT NULL, version text NOT NULL, time_created integer NOT NULL, \
         time_updated integer NOT NULL)",
    ),
    (
        "message",
        "CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, \
         time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)",
    ),
    (
        "part",
        "CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, \
         time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)",
    ),
    (
        "todo",
        "CREATE TABLE todo (session_id text NOT NULL, content text NOT NULL, status text NOT NULL, \
         position integer NOT NULL)",
    ),
];

/// Keeps the records below `from` in `to`; `secret` are texts of this machine and what stands for
/// each.
pub(crate) fn keep(from: &Path, to: &Path, secret: &[(String, &str)]) {
    for entry in fs::read_dir(from).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = replace(&path.file_name().unwrap().to_string_lossy(), secret);
        if path.is_dir() {
            keep(&path, &to.join(&name), secret);
        } else if name.ends_with(".jsonl") || name == ".project_root" || is_task(&path) {
            fs::create_dir_all(to).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            let lines = text.lines().map(|line| scrub_line(line, secret));
            let mut text = lines.collect::<Vec<_>>().join("\n");
            text.push('\n');
            fs::write(to.join(name), text).unwrap();
        } else if name == "opencode.db" || name == "session.db" {
            fs::create_dir_all(to).unwrap();
            fs::write(to.join(format!("{name}.rows")), rows(&path, secret)).unwrap();
        }
    }
}

fn is_task(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "json")
        && path.ancestors().any(|it| it.ends_with(".claude/tasks"))
}

fn scrub_line(line: &str, secret: &[(String, &str)]) -> String {
    match serde_json::from_str::<Value>(line) {
        Ok(value) => scrub(value, secret).to_string(),
        Err(_) => replace(line, secret),
    }
}

fn scrub(value: Value, secret: &[(String, &str)]) -> Value {
    match value {
        Value::String(text) => {
            let text = replace(&text, secret);
            // JSON in a string stays JSON.
            if let Ok(inner @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(&text) {
                return Value::String(scrub(inner, secret).to_string());
            }
            let long = text.chars().count() > MAX_TEXT && !is_ours(&text);
            Value::String(match long {
                true => format!("{} […]", text.chars().take(KEPT).collect::<String>()),
                false => text,
            })
        }
        Value::Array(items) => items.into_iter().map(|it| scrub(it, secret)).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            let fields = fields.map(|(key, it)| (replace(&key, secret), scrub(it, secret)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        other => other,
    }
}

/// Whether a text is from the test: the output of a command has the code in its head.
fn is_ours(text: &str) -> bool {
    let is_output = text.contains("LINE-A") || text.contains("nothere");
    // A host puts words of its own around a prompt.
    let is_prompt = text.contains("Turn: ") && text.len() < 60;
    is_prompt || is_output && text.len() < 600
}

fn replace(text: &str, secret: &[(String, &str)]) -> String {
    secret
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// The rows of a database, a line each.
fn rows(database: &Path, secret: &[(String, &str)]) -> String {
    let db = Connection::open(database).unwrap();
    let names: Vec<&str> = match database.ends_with("session.db") {
        true => vec!["todos"],
        false => TABLES.iter().map(|(name, _)| *name).collect(),
    };
    let mut text = String::new();
    for table in names {
        let Ok(mut query) = db.prepare(&format!("SELECT * FROM {table} ORDER BY 1")) else {
            continue;
        };
        let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
        let mut rows = query.query(()).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let field = |(at, name): (usize, &String)| {
                let value = match row.get_ref(at).unwrap() {
                    ValueRef::Integer(it) => json!(it),
                    ValueRef::Text(it) => json!(String::from_utf8_lossy(it)),
                    _ => Value::Null,
                };
                (name.clone(), value)
            };
            let fields: Map<String, Value> = columns.iter().enumerate().map(field).collect();
            let row = scrub(json!({"table": table, "row": fields}), secret);
            text.push_str(&row.to_string());
            text.push('\n');
        }
    }
    text
}

/// Puts kept records back.
pub(crate) fn unpack(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            unpack(&path, &to.join(&name));
        } else if let Some(database) = name.strip_suffix(".rows") {
            build(&to.join(database), &fs::read_to_string(&path).unwrap());
        } else {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

fn build(database: &Path, rows: &str) {
    let mut db = Connection::open(database).unwrap();
    let transaction = db.transaction().unwrap();
    for (_, create) in TABLES {
        transaction.execute(create, ()).unwrap();
    }
    let todos = "CREATE TABLE todos (id text PRIMARY KEY, title text, status text)";
    transaction.execute(todos, ()).unwrap();
    for line in rows.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let table = row["table"].as_str().unwrap();
        let known: Vec<String> = transaction
            .prepare(&format!("SELECT * FROM {table}"))
            .unwrap()
            .column_names()
            .map(str::to_owned)
            .collect();
        let places: Vec<&str> = known.iter().map(|_| "?").collect();
        let values = known.iter().map(|name| match &row["row"][name] {
            Value::Number(number) => rusqlite::types::Value::Integer(number.as_i64().unwrap()),
            Value::String(text) => rusqlite::types::Value::Text(text.clone()),
            _ => rusqlite::types::Value::Null,
        });
        let insert = format!("INSERT INTO {table} VALUES ({})", places.join(","));
        transaction
            .execute(&insert, rusqlite::params_from_iter(values))
            .unwrap();
    }
    transaction.commit().unwrap();
}
