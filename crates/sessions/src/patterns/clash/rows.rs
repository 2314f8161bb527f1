//! A table and what another file says of how many rows it has.

use std::sync::LazyLock;

use regex::Regex;

use super::{MAX_JUDGED, Pair};
use crate::ToolCall;
use crate::patterns::Window;
use crate::patterns::act::{file_name, names_path, written};
use crate::patterns::statement::file_of;
use crate::prose::phrases;

/// A text above this is neither counted by hand nor the log of one run.
const MAX_TEXT: usize = 64 << 10;
/// Tables that are held.
const MAX_TABLES: usize = 64;

static COUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let what = "(?:rows?|records?|entries|items|lines)";
    Regex::new(&format!(
        r"(?i)\b{what}\b[^\n\d]{{0,24}}?[:= ](\d{{1,9}})\b|\b(\d{{1,9}}) (?:\w+ )?{what}\b|\b(?:imported|written|processed|loaded|inserted)\b[:= ]{{1,2}}(\d{{1,9}})\b"
    ))
    .ok()
});

struct CountedTable<'a> {
    item: usize,
    path: String,
    rows: u64,
    words: &'a str,
    /// What another file says, and where.
    other: Option<(usize, u64, &'a str)>,
}

fn counts(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let lines = text.lines().filter(|it| it.len() <= 400);
    lines.flat_map(|line| {
        let captures = COUNT.iter().flat_map(move |it| it.captures_iter(line));
        captures.filter_map(move |it| {
            let number = it.iter().skip(1).flatten().next()?.as_str().parse().ok()?;
            Some((number, line))
        })
    })
}

/// How many rows a text of separated values has, and its head.
fn rows(text: &str) -> Option<(u64, &str)> {
    let delimiter = [';', '\t', ','].into_iter().find(|it| {
        let with = text.lines().filter(|line| line.contains(*it)).count();
        with >= 2
    })?;
    // Numbered lines have a tab of their own.
    let fields = |line: &str| match line.trim_start().split_once(['\t', '→']) {
        Some((number, rest)) if number.chars().all(|c| c.is_ascii_digit()) => {
            rest.matches(delimiter).count()
        }
        _ => line.matches(delimiter).count(),
    };
    let head = text.lines().find(|line| fields(line) > 0)?;
    let width = fields(head);
    let all = text.lines().filter(|line| fields(line) == width).count() as u64;
    let named = head.rsplit([':', '\t']).next().unwrap_or(head);
    let has_names = !named.contains(|c: char| c.is_ascii_digit());
    Some((all - u64::from(has_names), head)).filter(|it| it.0 > 0)
}

/// Whether a call shows a whole file of separated values.
fn table(call: &ToolCall) -> Option<String> {
    let path = file_of(call)?;
    let is_table = [".csv", ".tsv"].iter().any(|it| path.ends_with(it));
    let is_part = ["offset", "limit"]
        .iter()
        .any(|it| call.arguments.get(it).is_some())
        || call
            .command()
            .is_some_and(|it| !it.trim_start().starts_with("cat ") || it.contains('|'));
    (is_table && !is_part).then_some(path)
}

/// Tables of which another file gives another count, where the model gives one without a word of
/// the other.
pub(super) fn find<'a>(window: &Window<'a>) -> Vec<Pair<'a>> {
    let mut tables: Vec<CountedTable<'a>> = Vec::new();
    let mut found = Vec::new();
    let mut judged = 0;
    for (at, item) in window.items.iter().enumerate() {
        if let Some(result) = item.result() {
            let text = result.text.as_str();
            if result.failure.is_some() || text.len() > MAX_TEXT {
                continue;
            }
            let Some(call) = window.call_of(result) else {
                continue;
            };
            if let Some(path) = table(call)
                && let Some((rows, words)) = rows(text)
                && tables.len() < MAX_TABLES
            {
                // Read again, it is what it says now.
                let other = tables
                    .iter()
                    .find(|it| it.path == path)
                    .and_then(|it| it.other);
                tables.retain(|it| it.path != path);
                let other = other.filter(|it| it.1 != rows && it.1 != rows + 1);
                tables.push(CountedTable {
                    item: at,
                    path,
                    rows,
                    words,
                    other,
                });
                continue;
            }
            for table in tables
                .iter_mut()
                .filter(|it| text.contains(file_name(&it.path)))
            {
                let is_of_it = file_of(call).is_some_and(|it| it != table.path);
                if !is_of_it || !names_path(text, &table.path) {
                    continue;
                }
                let all: Vec<(u64, &str)> = counts(text).collect();
                let agrees = all
                    .iter()
                    .any(|it| it.0 == table.rows || it.0 == table.rows + 1);
                table.other = all
                    .first()
                    .filter(|_| !agrees)
                    .map(|(count, line)| (at, *count, *line));
            }
            continue;
        }
        let Some(words) = item
            .model_text()
            .map(|it| it.as_str().to_owned())
            .or_else(|| item.call().map(written))
            .filter(|_| tables.iter().any(|it| it.other.is_some()))
        else {
            continue;
        };
        for table in &mut tables {
            let Some((second, count, line)) = table.other else {
                continue;
            };
            let said: Vec<(u64, &str)> = counts(&words).collect();
            let used = said.iter().find(|it| it.0 == table.rows || it.0 == count);
            let Some((_, used)) = used.filter(|_| judged < MAX_JUDGED) else {
                continue;
            };
            // Once for each two: what it comes to is the same each time.
            judged += 1;
            table.other = None;
            if !is_spoken_of(window, table.item.max(second), table.rows, count) {
                found.push(Pair {
                    one: (table.item, table.words),
                    two: (second, line),
                    used: (at, (*used).to_owned()),
                });
            }
        }
    }
    found
}

/// Whether the user or the model set the two counts side by side.
fn is_spoken_of(window: &Window<'_>, from: usize, one: u64, two: u64) -> bool {
    window.items[from..].iter().any(|item| {
        let text = item.model_text().or_else(|| item.prompt());
        text.is_some_and(|text| {
            let text = text.as_str();
            let has = |number: u64| {
                text.split(|c: char| !c.is_ascii_digit())
                    .any(|it| it.parse() == Ok(number))
            };
            has(one) && has(two) || item.model_text().is_some() && phrases().conflict.is_match(text)
        })
    })
}
