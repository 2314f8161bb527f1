//! Sentences that give something a value.

use std::sync::LazyLock;

use regex::Regex;

use super::stated::Statement;
use super::subject::subject;
use super::value::value;
use crate::patterns::Voice;
use crate::patterns::act::is_path;
use crate::prose::{sentences, strip_quotes};

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
    Regex::new(r"(?i)\b(?:what|where|how|who|which|if|would|could|might|maybe|perhaps|e\.g|for example|such as|not|n['’]t|never|no longer|was|were|from \S+ to|instead|unless|either|or|between|than|try|trying|let me|let's|about|around|roughly|approximately|line|lines|step|phase|option|issue|pr|section|chapter|page|commit)\b|n['’]t\b|#\d").ok()
});

/// Whether a word is a file, with or without a line of it.
fn is_file(word: &str) -> bool {
    let bare = strip_quotes(word.trim_matches([',', ';', '(', ')', '.', ':']));
    let file = bare.split(':').next().unwrap_or(bare);
    is_path(file) && file.contains('.')
}

/// Whether what leads to a value is a file: `src/a.rs:12` says where, not what.
fn is_line_of_file(before: &str) -> bool {
    before.ends_with(':') && before.split_whitespace().next_back().is_some_and(is_file)
}

/// Whether a bare "to" leads to a name: "applying it to `a`" gives nothing a value, "up to 30" does.
fn is_way(before: &str, raw: &str) -> bool {
    let before = before.trim_end_matches(['`', '"', '“']).trim_end();
    let mut words = before.split_whitespace().rev();
    let is_to = words.next() == Some("to");
    let verb = words.next().unwrap_or_default().to_lowercase();
    let sets = [
        "set", "default", "defaults", "points", "point", "goes", "go", "written", "equal",
    ];
    is_to && !sets.contains(&verb.as_str()) && !raw.starts_with(|c: char| c.is_ascii_digit())
}

/// Adds the values that sentences of `text` give.
pub(super) fn prose<'a>(item: usize, voice: Voice, text: &'a str, found: &mut Vec<Statement<'a>>) {
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
            if is_line_of_file(&clause[..start]) || is_way(&clause[..start], raw) {
                continue;
            }
            let rest = format!("{} {}", &clause[..start], &clause[end..]);
            // A file alone has many values: "a.rs: x" and "in a.rs there is y" go together.
            let others = rest.split_whitespace().filter(|it| !is_file(it));
            let others: Vec<&str> = others.collect();
            if others.len() < rest.split_whitespace().count()
                && subject(&others.join(" ")).is_none()
            {
                continue;
            }
            let subject = subject(&rest);
            if let Some(subject) = subject {
                found.push(Statement {
                    item,
                    voice,
                    subject,
                    raw,
                    value,
                    words: sentence.text,
                });
            }
        }
    }
}
