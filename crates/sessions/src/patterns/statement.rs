//! Statements that give a setting or a place a value.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::act::{command, is_path};
use super::{Voice, Window};
use crate::prose::{content_stems, phrases, runs, sentences, stem, strip_quotes};
use crate::{EntryKind, LoadedKind, ToolCall, ToolKind};

/// A value that was given to something.
#[derive(Clone, Debug)]
pub(super) struct Statement<'a> {
    /// The item in which it stands.
    pub(super) item: usize,
    /// Whose words it is.
    pub(super) voice: Voice,
    /// Stems of what has the value, sorted.
    pub(super) subject: Vec<String>,
    /// The value as it stands there.
    pub(super) raw: &'a str,
    value: Value,
    /// The sentence or line.
    pub(super) words: &'a str,
    /// The byte of the item's text at which the sentence begins.
    pub(super) start: usize,
}

/// A value, so that two ways to write one are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    /// A number of the smallest unit of its kind.
    Number(String, &'static str),
    Switch(bool),
    Name(String),
}

impl Statement<'_> {
    /// Whether both give the same thing a value and the values exclude each other.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        let differs = match (&self.value, &other.value) {
            (Value::Number(one, unit), Value::Number(two, other)) => one != two && unit == other,
            (Value::Switch(one), Value::Switch(two)) => one != two,
            (Value::Name(one), Value::Name(two)) => {
                // A path and the end of it are one place.
                one != two && !one.ends_with(two.as_str()) && !two.ends_with(one.as_str())
            }
            _ => false,
        };
        differs && is_same_subject(&self.subject, &other.subject)
    }
}

/// Words that tell one thing from another of the same name.
const QUALIFIERS: &[&str] = &[
    "staging",
    "production",
    "prod",
    "dev",
    "development",
    "test",
    "tests",
    "local",
    "remote",
    "old",
    "new",
    "default",
    "max",
    "maximum",
    "min",
    "minimum",
    "first",
    "second",
    "third",
    "read",
    "write",
    "input",
    "output",
    "primary",
    "replica",
    "client",
    "server",
    "connect",
    "idle",
    "request",
    "internal",
    "external",
    "admin",
    "public",
    "private",
    "source",
    "target",
    "debug",
    "release",
    "upper",
    "lower",
    "soft",
    "hard",
    "initial",
    "final",
    "previous",
    "current",
    "next",
    "http",
    "https",
    "grpc",
    "metrics",
    "health",
    "windows",
    "linux",
    "macos",
    "ci",
    "total",
    "other",
    "backup",
];

fn is_same_subject(one: &[String], two: &[String]) -> bool {
    if one == two {
        return true;
    }
    let (small, large) = if one.len() < two.len() {
        (one, two)
    } else {
        (two, one)
    };
    let is_within = small.iter().all(|it| large.contains(it));
    let is_qualified = large
        .iter()
        .filter(|it| !small.contains(it))
        .any(|it| QUALIFIER_STEMS.contains(it));
    is_within && small.len() >= 2 && large.len() - small.len() <= 1 && !is_qualified
}

static QUALIFIER_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| QUALIFIERS.iter().map(|it| stem(it)).collect());

/// Words for what is counted or measured: it changes without anybody's saying so.
static MEASURED: LazyLock<HashSet<String>> = LazyLock::new(|| {
    "test tests error errors warning failure failures fail failed pass passed line lines file files match matches result exit code \
     duration elapsed total count number size coverage progress step steps commit hash branch head pid status output date day answer \
     problem cause issue reason change changes diff item items row rows byte bytes token tokens call calls turn page \
     percent second seconds minute minutes hour hours attempt part round section example case cases run runs difference sum average speed \
     name names length loop index offset column char chars version1 todo task tasks left function functions crate crates module modules match"
        .split_whitespace()
        .map(stem)
        .collect()
});

/// Verbs that join a thing with its value and say nothing of which thing it is.
static VERBS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    "run runs running listen listens live lives set sets default defaults store stored use uses equal equals stay stays remain remains configure configured \
     expect expects expected require requires required goes live lives capped limited bind binds bound serve serves serving keep keeps \
     pin pinned fixed exactly currently agreed value setting important remember note please always reminder fyi remains decided confirmed chosen \
     located called named work works working connect connects speak speaks write writes read reads documented says"
        .split_whitespace()
        .map(stem)
        .collect()
});

/// Stems of words for a bound.
const BOUNDS: &[&str] = &[
    "max",
    "maximum",
    "min",
    "minimum",
    "limit",
    "default",
    "cap",
    "threshold",
    "budget",
    "quota",
    "allow",
];

static BOUNDARY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)[,;()](?:\s|$)|\s[-–—]\s|\b(?:and|but|because|so|while|since|which|that|where)\b",
    )
    .ok()
});

/// What stands between a thing and its value.
static JOINED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let unit = r"(?:ms|milliseconds?|secs?|seconds?|s|mins?|minutes?|hours?|h|days?|kib|mib|gib|kb|mb|gb|%|percent)";
    let value = format!(
        r#"(?:(?P<number>\d[\d_,]*(?:\.\d+)*)(?:\s?(?P<unit>{unit}))?(?:[\s.,;:!)]|$)|`(?P<code>[^`\s]{{1,80}})`|["“](?P<quoted>[^"”\s]{{1,80}})["”]|(?P<switch>true|false|enabled|disabled|on|off)\b|(?P<product>(?-i:[A-Z])[A-Za-z+#]+ \d+(?:\.\d+)*)\b|(?P<word>trace|debug|info|warn|error|tabs|spaces|json|yaml|toml|xml|csv|utc|gzip|zstd|brotli|sqlite|postgres(?:ql)?|mysql|redis|main|master|snake_case|camelcase|http|https|grpc|tcp|udp|optional|required|read-only|asc|desc)\b|(?P<plain>[A-Za-z0-9_~./@:-]*[./_][A-Za-z0-9_./@:-]*[A-Za-z0-9/_]))"#
    );
    Regex::new(&format!(
        r"(?i)(?:\b(?:is|are|equals|must be|should be|has to be|have to be|needs to be|will be|be|stays?(?: at)?|remains?(?: at)?|defaults? to|set to|set at|(?:runs?|listens?|is|are) (?:on|at|in|under)|(?:is|are) (?:read|loaded|taken|written|kept|stored|served|cached) (?:from|in|to|at|under)|reads? from|loads? from|lives? (?:in|at|under)|stored (?:in|at|under)|called|named|capped at|limited to|fixed at|points? to|goes (?:to|into|in)|written to|uses?|to|port|version|node|python|rust|postgres|java)\b|[=:])\s*(?:now |currently |always |exactly |set to |at |on port |on |in |under |the |port |version )?{value}"
    ))
    .ok()
});

/// What is supposed or asked is not stated.
static SUPPOSED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:if|would|could|might|maybe|perhaps|e\.g|for example|such as|not|n['’]t|never|no longer|was|were|from \S+ to|instead|unless|either|or|between|than|try|trying|let me|let's|about|around|roughly|approximately|line|lines|step|phase|option|issue|pr|section|chapter|page|commit)\b|n['’]t\b|#\d").ok()
});

fn prose<'a>(item: usize, voice: Voice, text: &'a str, found: &mut Vec<Statement<'a>>) {
    let (Some(boundary), Some(joined), Some(supposed)) =
        (BOUNDARY.as_ref(), JOINED.as_ref(), SUPPOSED.as_ref())
    else {
        return;
    };
    for sentence in sentences(text) {
        if sentence.is_question() || sentence.text.len() > 400 {
            continue;
        }
        for clause in boundary.split(sentence.text) {
            let mut matches = joined.captures_iter(clause);
            let (Some(first), None) = (matches.next(), matches.next()) else {
                continue;
            };
            if supposed.is_match(clause) {
                continue;
            }
            let Some((raw, value)) = value(&first) else {
                continue;
            };
            // The unit belongs to the value, not to what has it.
            let whole = [
                "unit", "number", "code", "quoted", "switch", "product", "word", "plain",
            ]
            .iter()
            .find_map(|it| first.name(it));
            let start = raw.as_ptr() as usize - clause.as_ptr() as usize;
            let end = whole.map_or(start + raw.len(), |it| it.end());
            let rest = format!("{} {}", &clause[..start], &clause[end..]);
            let subject = subject(&rest);
            if let Some(subject) = subject {
                found.push(Statement {
                    item,
                    voice,
                    subject,
                    raw,
                    value,
                    words: sentence.text,
                    start: sentence.start,
                });
            }
        }
    }
}

fn value<'a>(captures: &regex::Captures<'a>) -> Option<(&'a str, Value)> {
    let text = |name| captures.name(name).map(|it| it.as_str());
    if let Some(number) = text("number") {
        return Some((
            number,
            number_value(number, text("unit").unwrap_or_default()),
        ));
    }
    if let Some(word) = text("switch") {
        return Some((word, switch_value(word)?));
    }
    let raw = ["code", "quoted", "product", "word", "plain"]
        .iter()
        .find_map(|it| text(it))?;
    Some((raw, plain_value(raw)))
}

fn plain_value(raw: &str) -> Value {
    let raw = strip_quotes(raw.trim());
    switch_value(raw)
        .or_else(|| {
            let digits = raw
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, '.' | '_' | ','));
            (digits && raw.starts_with(|c: char| c.is_ascii_digit())).then(|| number_value(raw, ""))
        })
        .unwrap_or_else(|| {
            let name = raw.trim_start_matches("./").trim_end_matches('/');
            Value::Name(name.to_lowercase())
        })
}

fn switch_value(word: &str) -> Option<Value> {
    match word.to_lowercase().as_str() {
        "true" | "enabled" | "on" => Some(Value::Switch(true)),
        "false" | "disabled" | "off" => Some(Value::Switch(false)),
        _ => None,
    }
}

fn number_value(number: &str, unit: &str) -> Value {
    let digits: String = number.chars().filter(|c| !matches!(c, '_' | ',')).collect();
    let unit = unit.to_lowercase();
    let (factor, kind) = match unit.as_str() {
        "" => (0, ""),
        "ms" => (1, "time"),
        it if it.starts_with("milli") => (1, "time"),
        it if it.starts_with('s') => (1_000, "time"),
        it if it.starts_with("min") => (60_000, "time"),
        it if it.starts_with('h') => (3_600_000, "time"),
        it if it.starts_with('d') => (86_400_000, "time"),
        "kb" | "kib" => (1, "bytes"),
        "mb" | "mib" => (1_024, "bytes"),
        "gb" | "gib" => (1_048_576, "bytes"),
        _ => (1, "percent"),
    };
    match digits.parse::<u64>() {
        Ok(count) if factor > 0 => Value::Number(count.saturating_mul(factor).to_string(), kind),
        _ => Value::Number(digits, kind),
    }
}

fn subject(clause: &str) -> Option<Vec<String>> {
    let mut stems: Vec<String> = content_stems(&clause.replace(['_', '-', '`'], " "))
        .into_iter()
        .filter(|it| !VERBS.contains(it) && !it.chars().all(|c| c.is_ascii_digit()))
        .collect();
    // What is counted changes; a bound of it is a setting.
    let is_bound = stems.iter().any(|it| BOUNDS.contains(&it.as_str()));
    let is_measured = !is_bound && stems.iter().any(|it| MEASURED.contains(it));
    let is_named = stems.iter().any(|it| !QUALIFIER_STEMS.contains(it));
    if stems.is_empty() || stems.len() > 5 || is_measured || !is_named {
        return None;
    }
    stems.sort();
    stems.dedup();
    Some(stems)
}

static CONFIG_LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^\s*(?:\d+(?:\t|→|:\s))?\s*(?:export\s+|set\s+)?["']?(?P<key>[A-Za-z][A-Za-z0-9_.-]*)["']?\s*[:=]\s*["']?(?P<value>[A-Za-z0-9_./:@~-]{1,60})["']?,?\s*(?:#.*|//.*)?$"#).ok()
});

/// Settings in lines of the form `key = value` whose key is a name of several parts.
fn settings<'a>(item: usize, voice: Voice, text: &'a str, found: &mut Vec<Statement<'a>>) {
    let Some(form) = CONFIG_LINE.as_ref() else {
        return;
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        if line.len() > 160 || !line.contains(['=', ':']) {
            continue;
        }
        let Some(captures) = form.captures(line.trim_end()) else {
            continue;
        };
        let (Some(key), Some(raw)) = (captures.name("key"), captures.name("value")) else {
            continue;
        };
        let key = key.as_str();
        let spaced: String = key
            .chars()
            .flat_map(|c| {
                let gap = c.is_ascii_uppercase() && key.contains(|c: char| c.is_ascii_lowercase());
                gap.then_some(' ').into_iter().chain([c])
            })
            .collect();
        let Some(subject) = subject(&spaced.replace('.', " ")) else {
            continue;
        };
        if subject.len() < 2 {
            continue;
        }
        found.push(Statement {
            item,
            voice,
            subject,
            raw: raw.as_str(),
            value: plain_value(raw.as_str()),
            words: line.trim(),
            start: at,
        });
    }
}

/// Ends of names of files that hold settings, and of files that hold prose.
const SETTINGS: &[&str] = &[
    "toml",
    "yaml",
    "yml",
    "json",
    "ini",
    "env",
    "conf",
    "cfg",
    "properties",
];
const PROSE: &[&str] = &["md", "txt", "rst", "adoc"];

/// The file whose text a call gives, by its end.
pub(super) fn file_of(call: &ToolCall) -> Option<String> {
    if call.kind == ToolKind::Read {
        return call.path().map(str::to_owned);
    }
    let line = command(call)?;
    let mut words = line.split_whitespace();
    let program = words.next()?;
    if !matches!(program, "cat" | "head" | "tail" | "sed" | "less" | "bat") {
        return None;
    }
    let mut files = words.filter(|it| is_path(it));
    let first = files.next()?;
    files.next().is_none().then(|| first.to_owned())
}

/// The statements of a window, in order.
pub(super) fn statements<'a>(window: &Window<'a>) -> Vec<Statement<'a>> {
    let mut found = Vec::new();
    for (at, item) in window.items.iter().enumerate() {
        let entry: &'a crate::Entry = item.entry;
        match &entry.kind {
            EntryKind::Prompt(text) => prose(at, Voice::User, text.as_str(), &mut found),
            EntryKind::Text(text) => prose(at, Voice::Model, text.as_str(), &mut found),
            EntryKind::Loaded(loaded)
                if matches!(loaded.kind, LoadedKind::Instructions | LoadedKind::Hook) =>
            {
                prose(at, Voice::Host, loaded.text.as_str(), &mut found);
            }
            EntryKind::Result(result) if result.failure.is_none() => {
                let Some(file) = window.call_of(result).and_then(file_of) else {
                    continue;
                };
                let name = super::act::file_name(&file);
                let end = name.rsplit('.').next().unwrap_or_default();
                if SETTINGS.contains(&end) {
                    settings(at, Voice::Tool, result.text.as_str(), &mut found);
                } else if PROSE.contains(&end) || !name.contains('.') {
                    prose(at, Voice::Tool, result.text.as_str(), &mut found);
                }
            }
            _ => {}
        }
    }
    found
}

/// The settings that an edit writes, with the line.
pub(super) fn written_settings(text: &str) -> Vec<Statement<'_>> {
    let mut found = Vec::new();
    settings(0, Voice::Model, text, &mut found);
    found
}

/// Whether `text` has the value as a word of its own.
pub(super) fn has_value(text: &str, raw: &str) -> bool {
    text.contains(raw)
        && runs(text).any(|run| {
            run == raw
                || run
                    .strip_suffix(raw)
                    .is_some_and(|rest| rest.ends_with([':', '/', '=', '@', '-']))
                || run
                    .strip_prefix(raw)
                    .is_some_and(|rest| rest.starts_with([':', '/', '=', '@', '-', 's', 'm']))
        })
}

/// Whether a line of `text` has the value and a word of what has it.
pub(super) fn states(text: &str, raw: &str, subject: &[String]) -> bool {
    text.contains(raw)
        && text
            .lines()
            .filter(|line| has_value(line, raw))
            .any(|line| {
                let stems = content_stems(&line.replace(['_', '-', '.'], " "));
                subject.iter().any(|it| stems.contains(it))
            })
}

/// Whether a sentence takes back or changes what was said before.
pub(super) fn is_correction(words: &str) -> bool {
    phrases().correction.is_match(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Statement<'_>> {
        let mut found = Vec::new();
        prose(0, Voice::User, text, &mut found);
        found
    }

    fn exclude(one: &str, two: &str) -> bool {
        let (one, two) = (of(one), of(two));
        assert!(!one.is_empty() && !two.is_empty(), "{one:?} {two:?}");
        one.iter()
            .any(|it| two.iter().any(|other| it.excludes(other)))
    }

    #[test]
    fn two_values_of_one_setting_exclude_each_other_however_they_are_written() {
        assert!(exclude(
            "The staging database listens on port 5544.",
            "The staging database port is 5433."
        ));
        assert!(exclude("`max_retries` is 3", "max retries must be 5"));
        assert!(exclude(
            "The config lives in src/config.rs.",
            "The config is in `lib/settings.rs`."
        ));
        assert!(exclude(
            "The request cache is enabled.",
            "The request cache is off."
        ));
        assert!(!exclude(
            "The session timeout is 30 s.",
            "The session timeout is 30 seconds."
        ));
        assert!(!exclude(
            "The session timeout is 60 s.",
            "The session timeout is 1 minute."
        ));
    }

    #[test]
    fn things_that_are_told_apart_by_a_word_do_not_exclude_each_other() {
        assert!(!exclude(
            "The staging database port is 5544.",
            "The production database port is 5433."
        ));
        assert!(!exclude(
            "The database port is 5544.",
            "The staging database port is 5433."
        ));
    }

    #[test]
    fn what_is_measured_supposed_or_denied_states_no_setting() {
        for text in [
            "The number of tests is 14.",
            "If the database port is 5544, stop.",
            "The database port is not 5544.",
            "Is the database port 5544?",
            "It takes 3 s.",
            "`is_safety` has one caller.",
        ] {
            assert!(of(text).is_empty(), "{text} {:?}", of(text));
        }
    }

    #[test]
    fn a_line_of_a_file_of_settings_states_one() {
        let text = "[pool]\nmax_connections = 20\nname = \"x\"\n";
        let mut found = Vec::new();
        settings(0, Voice::Tool, text, &mut found);
        assert_eq!(found.len(), 1);
        assert!(found[0].excludes(&of("max connections is 50")[0]));
    }
}
