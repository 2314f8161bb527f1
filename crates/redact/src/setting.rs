//! Finds values assigned to the names of secrets, in any syntax.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::hit::Hit;
use crate::name::{self, Name};
use crate::prose;
use crate::span::{bare_word_span, is_name_char, quoted_span, unquoted_span};
use crate::view::View;

mod answer;
mod assertion;
mod before;
mod dump;
mod element;
mod kind;
mod part;
mod table;
mod tie;

// The longest pattern after a name, `entry` in `BETWEEN`, spans some 230 bytes; the rest is for the
// beginning of the value.
/// How far after a name a pattern looks, in bytes.
const MAX_NEAR: usize = 400;
// Chosen, not measured: a longer name is cut there, and the remaining part is still classified.
// Each mark costs a scan of this length on both sides.
/// Maximum number of name characters on either side of the part that marks it.
const MAX_SIDE: usize = 64;

// Chosen, not measured: a longer value is a document, not a secret. Each name costs a scan of this
// length.
/// Maximum length of an element's value, in bytes.
const MAX_ELEMENT: usize = 512;

/// Words before a name with which a shell, a Dockerfile or a command line sets it.
const SETTERS: [&str; 19] = [
    "ENV",
    "ARG",
    "-x",
    "-gx",
    "-Ux",
    "-xg",
    "-xU",
    "-lx",
    "-xgU",
    "setenv",
    "SetEnv",
    "set",
    "setx",
    "/M",
    "launchctl",
    "#define",
    "def",
    "-U",
    "-g",
];

/// How a value is connected to its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tie {
    /// `name=value`, without a space.
    Tight,
    /// `name: value`, `name = value`.
    Loose,
    /// `name value`, in commands and files that use this syntax.
    Word,
    /// `("name", "value")` and similar: only a quoted value counts.
    Quote,
    /// `<name>value</name>`.
    Tag,
    /// A parameter in the query of a URL, or `name=value` in a list separated by semicolons.
    Part,
    /// In the next field of a row: `NAME,value,…`.
    Field,
}

/// Text between a name and its value beyond a single separator.
struct Between {
    /// The rest of an entry whose name is itself a value: `name: X`, `value: v`.
    entry: Regex,
    /// A type, after a colon or a space: `: string =`, ` string =`.
    kind: Regex,
    /// A constructor around the value: `b"…"`, `String::from("…")`.
    wrap: Regex,
    /// A default after an operator: `|| "…"`, `or "…"`.
    other: Regex,
    /// The text in a browser test between a field's name and the text typed into it.
    typed: Regex,
}

#[expect(clippy::expect_used, reason = "a test compiles them")]
static BETWEEN: LazyLock<Between> = LazyLock::new(|| {
    let compiled = |pattern: &str| Regex::new(pattern).expect("the patterns are valid");
    Between {
        entry: compiled(
            r#"^["']?(?:\s{0,4},?\s{1,60}["']?(?:android:)?(?i:value|content|data|val|wert|valeur|valor)["']?[ \t]{0,4}[:=][ \t]{0,4}|[ \t]{0,3}\{[^}]{0,200}?\bdefault[ \t]{0,8}=[ \t]{0,4})"#,
        ),
        kind: compiled(
            r"^(?:[ \t]{0,3}:[ \t]{0,3}|[ \t]{1,3})[&A-Za-z<>\[\]'?_.:|*]{1,40}(?:\(\d+\))?[ \t]{0,3}(?::=|=)[ \t]{0,3}",
        ),
        wrap: compiled(
            r#"^(?:<<)?(?:(?:Some|String::from|new String|SecretString::(?:new|from)|SecretStr|Secret|Secret::new|Buffer\.from|bytes|Bytes::from|str|base64\.b64decode|b64decode|ConvertTo-SecureString(?: -String)?|raw|sensitive|to_string|tostring)[ (]{1,2})?(?:b|r|f|u|L|N|@|rb|br)?(?:["'`])"#,
        ),
        other: compiled(r#"^["'\])}]{0,3}[ \t]{0,3}(?:\|\|=?|\?\?=?|\bor\b|,)[ \t]{0,3}["'`]"#),
        typed: compiled(
            r#"^["'`\])]{1,5}(?:(?:\.(?:first|clear|click|should|focus)\([^()\n]{0,40}\))?\.(?:fill|type|typeText|sendKeys|send_keys|setValue|set_value|set|pressSequentially|press_sequentially|enterText|addValue)\(|, with: ?|, ?)["'`]"#,
        ),
    }
});

/// The examination of one name in a view.
struct NameScan<'v> {
    view: &'v View<'v>,
    text: &'v str,
    name: Range<usize>,
    /// Where the line of the name begins, within the limit.
    line_start: usize,
    kind: Name,
}

/// Finds the name of a setting around `stem`. Returns the secret values assigned to it, and where
/// the name ends.
pub(crate) fn find_secrets(view: &View<'_>, stem: &Range<usize>) -> (Vec<Hit>, usize) {
    let text = view.text.as_ref();
    // Skip `pat` in longer words such as path and pattern: they are common and do not name a
    // secret.
    if text[stem.clone()].eq_ignore_ascii_case("pat")
        && text
            .as_bytes()
            .get(stem.end)
            .is_some_and(u8::is_ascii_alphabetic)
    {
        return (Vec::new(), stem.end);
    }
    let signed = usize::from(text[stem.clone()].ends_with('='));
    let name = name_span(text, &(stem.start..stem.end - signed));
    let end = name.end;
    if is_in_resource_name(text, name.start) {
        return (Vec::new(), end);
    }
    // Return early for most words of prose, because the character after them cannot connect a name
    // to a value.
    let Some(next) = text[end..].chars().next() else {
        return (Vec::new(), end);
    };
    if !(next.is_ascii_punctuation()
        || next.is_whitespace()
        || next.is_alphabetic()
        || "»”’".contains(next))
    {
        return (Vec::new(), end);
    }
    let before = word_before(text, name.start);
    let parent = || part::parent_key(text, name.start).unwrap_or(before);
    let before = match &text[name.clone()] {
        "key" if next == ':' => parent(),
        _ => before,
    };
    let kind = name::classify_name(before, &text[name.clone()]);
    // In the query of a URL, any parameter called `key` may have a secret value.
    let asked = || {
        matches!(
            text.as_bytes().get(name.start.wrapping_sub(1)),
            Some(b'?' | b'&')
        ) && text[name.clone()].eq_ignore_ascii_case("key")
            && next == '='
    };
    let spoken = || is_vendor_key_sentence(before, &text[name.clone()], &text[end..]);
    let kind = kind
        .or_else(|| asked().then_some(Name::Key))
        .or_else(|| spoken().then_some(Name::Token));
    let Some(kind) = kind else {
        return (Vec::new(), end);
    };
    let look = NameScan {
        view,
        text,
        line_start: line_start(text, name.start),
        name,
        kind,
    };
    (look.find_hits(), end)
}

/// Returns whether a sentence states a vendor's key: `the Acme key is …`.
fn is_vendor_key_sentence(before: &str, name: &str, rest: &str) -> bool {
    const OTHERS: [&str; 16] = [
        "The",
        "A",
        "This",
        "That",
        "Redis",
        "S3",
        "Object",
        "Registry",
        "GPG",
        "PGP",
        "SSH",
        "Cache",
        "Partition",
        "Sort",
        "Public",
        "Which",
    ];
    // Vendors that are often written in lower case; others must begin with a capital.
    const VENDORS: [&str; 20] = [
        "openai",
        "anthropic",
        "datadog",
        "cloudflare",
        "stripe",
        "github",
        "gitlab",
        "sendgrid",
        "mailgun",
        "twilio",
        "algolia",
        "sentry",
        "pagerduty",
        "opsgenie",
        "grafana",
        "mistral",
        "cohere",
        "rails",
        "unsplash",
        "wandb",
    ];
    name == "key"
        && (before.starts_with(|char: char| char.is_ascii_uppercase()) || VENDORS.contains(&before))
        && !OTHERS.contains(&before)
        && ([" is ", " was ", ": "]
            .iter()
            .any(|sign| rest.starts_with(sign))
            || announces_value(rest)
            || is_followed_by_random_word(rest))
}

// The length of an MD5 sum; random keys are rarely shorter.
/// Minimum length of a key that directly follows its name, in bytes.
const MIN_BARE_KEY: usize = 32;

/// Returns whether `rest` begins with a space and a long random word.
fn is_followed_by_random_word(rest: &str) -> bool {
    let word = rest
        .strip_prefix(' ')
        .and_then(|it| it.split([' ', '\n', ',']).next());
    word.is_some_and(|word| {
        (MIN_BARE_KEY..=4 * MIN_BARE_KEY).contains(&word.len())
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && crate::value::is_generated(word)
    })
}

// `for the staging cluster in Dublin` has 34 bytes.
/// Maximum distance between a name and the words that announce its value, in bytes.
const MAX_AFTERTHOUGHT: usize = 48;

/// Returns whether `rest` begins with a few words of a sentence that then announces a value: ` for
/// staging: …`, ` you asked for is`.
fn announces_value(rest: &str) -> bool {
    const STARTS: [&str; 6] = [" for ", " of ", " you ", " we ", " I ", " from "];
    let near = &rest[..rest.floor_char_boundary(MAX_AFTERTHOUGHT)];
    let part = |char: char| char.is_ascii_alphanumeric() || matches!(char, ' ' | '-' | '_');
    let words = &near[..near.find(|char| !part(char)).unwrap_or(near.len())];
    STARTS.iter().any(|start| rest.starts_with(start))
        && (words.contains(" is ")
            || rest[words.len()..].starts_with(": ")
            || rest[words.len()..].starts_with('\n') && words.ends_with(" is"))
}

/// Returns whether the word at `at` is part of a cloud resource name: `arn:aws:…:secret:…`.
fn is_in_resource_name(text: &str, at: usize) -> bool {
    if text[..at].ends_with("checksum/") {
        return true;
    }
    if text.as_bytes().get(at.wrapping_sub(1)) != Some(&b':') {
        return false;
    }
    let from = text.ceil_char_boundary(at.saturating_sub(2 * MAX_SIDE));
    let word = text[from..at].rsplit([' ', '\n', '\t', '"', '\'', '`', '(', '=']);
    word.take(1).any(|word| word.starts_with("arn:"))
}

/// Returns whether the text after a name may continue its entry. Cheaper than a failing pattern.
fn may_continue_entry(rest: &str) -> bool {
    let between = |char: char| char.is_whitespace() || matches!(char, '"' | '\'' | ',');
    let next = rest.trim_start_matches(between);
    next.starts_with("android:") || next.starts_with(['{', 'v', 'V', 'c', 'C', 'd', 'D', 'w', 'W'])
}

/// Returns the range of the whole name around `stem`, at most `MAX_SIDE` characters on either side.
fn name_span(text: &str, stem: &Range<usize>) -> Range<usize> {
    let left = text[..stem.start]
        .char_indices()
        .rev()
        .take(MAX_SIDE)
        .take_while(|(_, char)| is_name_char(*char))
        .last()
        .map_or(stem.start, |(at, _)| at);
    let right = text[stem.end..]
        .char_indices()
        .take(MAX_SIDE)
        .find(|(_, char)| !is_name_char(*char))
        .map_or_else(
            || {
                text[stem.end..]
                    .char_indices()
                    .nth(MAX_SIDE)
                    .map_or(text.len(), |(at, _)| stem.end + at)
            },
            |(at, _)| stem.end + at,
        );
    let name = &text[left..right];
    let end = right - (name.len() - name.trim_end_matches(['.', '-']).len());
    left..end.max(stem.end)
}

/// Returns the word before a position, on the same line.
fn word_before(text: &str, at: usize) -> &str {
    let before = text[..at].trim_end_matches([' ', '\t']);
    if before.len() == at {
        return "";
    }
    let start = before
        .char_indices()
        .rev()
        .take(MAX_SIDE)
        .take_while(|(_, char)| char.is_alphanumeric())
        .last()
        .map_or(before.len(), |(at, _)| at);
    &before[start..]
}

impl NameScan<'_> {
    fn find_hits(&self) -> Vec<Hit> {
        let tied = self.find_tie();
        // Plurals are more often mentioned or listed than assigned, so accept only explicit
        // assignments.
        if self.is_plural_name() {
            let given = tied.filter(|(tie, _)| matches!(tie, Tie::Tight | Tie::Loose | Tie::Part));
            let span = given.and_then(|(tie, at)| self.value_span(tie, at));
            let rule = "secret-setting";
            return span.map(|span| Hit { rule, span }).into_iter().collect();
        }
        let value = tied.and_then(|(tie, at)| self.value_span(tie, at));
        let spans: Vec<_> = match (value, tied) {
            (Some(span), _) => {
                let next = self.next_value(span.end);
                [Some(span), next].into_iter().flatten().collect()
            }
            (None, None | Some((Tie::Loose | Tie::Word, _))) => match self.prose_value() {
                Some(span) => {
                    let next = prose::new_value_after(self.view, span.end, self.kind);
                    [Some(span), next].into_iter().flatten().collect()
                }
                None => self.listed_values(),
            },
            (None, Some((Tie::Tight | Tie::Quote | Tie::Tag | Tie::Part | Tie::Field, _))) => {
                let answer = self.answered_value().or_else(|| self.row_value());
                self.asserted_values().into_iter().chain(answer).collect()
            }
        };
        let rule = match self.kind {
            Name::Known => "key-setting",
            Name::Signature => "signature-in-address",
            Name::Password | Name::Token | Name::Key | Name::Auth => "secret-setting",
        };
        spans.into_iter().map(|span| Hit { rule, span }).collect()
    }

    /// Returns the values in tables and test reports.
    fn listed_values(&self) -> Vec<Range<usize>> {
        [
            self.value_before_name().into_iter().collect(),
            self.row_value().into_iter().collect(),
            self.column_values(),
            self.field_values(),
            self.dumped_values(),
            self.asserted_values(),
            self.answered_value().into_iter().collect(),
        ]
        .into_iter()
        .find(|values| !values.is_empty())
        .unwrap_or_default()
    }

    /// Returns the number of words in the name. If the name counts as a secret only because of the
    /// preceding word, that word is included.
    fn word_count(&self) -> usize {
        let name = &self.text[self.name.clone()];
        let parts = name.split(['_', '-', '.']).filter(|word| !word.is_empty());
        let humps = name.chars().skip(1).any(char::is_uppercase);
        let paired = self.kind == Name::Token && name::classify_name("", name) != Some(self.kind);
        parts.count() + usize::from(humps) + usize::from(paired)
    }

    fn prose_value(&self) -> Option<Range<usize>> {
        let spoken = matches!(self.kind, Name::Password | Name::Token | Name::Known)
            || self.kind == Name::Key && self.is_env_variable_name();
        if !spoken || self.ends_quotation() || self.is_verb_pass() {
            return None;
        }
        let uuid = || self.kind != Name::Password && self.word_count() > 1;
        let said = prose::value_after(self.view, self.name.end, self.kind)
            .filter(|span| !self.is_harmless_in_context(span));
        said.or_else(|| prose::uuid_after(self.text, self.name.end).filter(|_| uuid()))
            .or_else(|| prose::value_before(self.view, self.name.start, self.kind))
    }

    /// Returns whether the name is the word `pass` and no sentence about a password follows: tests
    /// pass, and a loop has a first pass.
    fn is_verb_pass(&self) -> bool {
        const SAYS: [&str; 10] = [
            " is ",
            " was ",
            " for ",
            " ist ",
            " war ",
            " changed ",
            " set ",
            "?",
            ":",
            "=",
        ];
        let rest = &self.text[self.name.end..];
        self.text[self.name.clone()].eq_ignore_ascii_case("pass")
            && !SAYS.iter().any(|word| rest.starts_with(word))
    }

    fn byte_at(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Returns whether the name ends a quotation that is followed by an argument or an element.
    fn ends_quotation(&self) -> bool {
        let rest = self
            .text
            .as_bytes()
            .get(self.name.end..)
            .unwrap_or_default();
        matches!(
            rest,
            [b'"' | b'\'' | b'`', b',' | b';' | b')' | b']' | b'}', ..]
        )
    }

    /// Returns whether the name is a variable's name at the start of a line.
    fn is_variable_at_line_start(&self) -> bool {
        let name = &self.text[self.name.clone()];
        name.bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
            && matches!(self.byte_before_name(), b'\n' | b',' | b';' | b'\t')
    }

    /// Returns whether the name is a whole cell, element or entry value, and not the end of a
    /// sentence in it.
    fn is_whole_field(&self) -> bool {
        let line = &self.text[self.line_start..self.name.start];
        let marks = |char: char| matches!(char, '"' | '\'' | '`' | '*' | ' ' | '\t' | '$');
        let before = line.trim_end_matches(marks);
        let mark = self.byte_before_name();
        let quoted = matches!(mark, b'"' | b'\'' | b'`') && self.byte_at(self.name.end) == mark;
        quoted
            || before.is_empty()
            || before.ends_with([
                ':', '=', '-', ',', '(', '[', '{', '<', '>', '|', '+', '/', '.',
            ])
    }

    /// Returns whether the name ends a table cell with at most one more word.
    fn ends_table_cell(&self) -> bool {
        let line = &self.text[self.line_start..self.name.start];
        line.rsplit_once('|')
            .is_some_and(|(_, cell)| cell.split_whitespace().count() < 2)
    }

    /// Returns the text at `at`, up to the maximum length of a pattern.
    fn text_near(&self, at: usize) -> &str {
        let rest = self.text.get(at..).unwrap_or_default();
        &rest[..rest.floor_char_boundary(MAX_NEAR)]
    }

    fn byte_before_name(&self) -> u8 {
        self.name
            .start
            .checked_sub(1)
            .map_or(b'\n', |at| self.byte_at(at))
    }

    fn skip_blanks(&self, at: usize) -> usize {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        at + self.text.as_bytes()[at..]
            .iter()
            .take(24)
            .take_while(|byte| blank(byte))
            .count()
    }

    /// Returns the range of the value that begins at `at`, if it is a secret.
    fn value_span(&self, tie: Tie, at: usize) -> Option<Range<usize>> {
        let wrap = BETWEEN.wrap.find(self.text_near(at));
        let open = wrap.map(|found| at + found.end() - 1);
        let (span, is_quoted) = match open {
            Some(open) => (quoted_span(self.view, open)?, true),
            None => match tie {
                Tie::Quote => return None,
                Tie::Tag => {
                    let near = self.text.get(at..)?;
                    let near = &near[..near.floor_char_boundary(MAX_ELEMENT)];
                    let end = near.find(['<', '\n'])?;
                    if !self.text[at + end..].starts_with("</") {
                        return None;
                    }
                    let value = &self.text[at..at + end];
                    let value = value.strip_suffix("]]>").unwrap_or(value);
                    (at..at + value.len(), false)
                }
                Tie::Part => (unquoted_span(self.text, at, b"&;"), false),
                Tie::Field => (unquoted_span(self.text, at, b",;"), false),
                Tie::Tight | Tie::Loose | Tie::Word => (bare_word_span(self.text, at), false),
            },
        };
        let span = self.without_user_name(self.without_host(span, is_quoted));
        let span = self.with_groups(span, is_quoted);
        let value = self.text.get(span.clone())?;
        let behind = self.text.get(span.end..).unwrap_or_default();
        if is_quoted && self.is_key(span.end)
            || behind.starts_with("...")
            || behind.starts_with('…')
        {
            return None;
        }
        // Spaces inside a nested quotation are not part of the value, as in `-e "X=' … '"`.
        let value = value.trim();
        (!value.is_empty() && self.is_secret_value(tie, is_quoted, value)).then_some(span)
    }

    /// Returns whether the quotation that ends at `at` names the next value.
    fn is_key(&self, at: usize) -> bool {
        let sign = self.skip_blanks(at + 1);
        self.byte_at(sign) == b':' && self.byte_at(sign + 1) != b':'
    }
}

/// Returns where the line of `at` begins, within the limit.
fn line_start(text: &str, at: usize) -> usize {
    let from = text.ceil_char_boundary(at.saturating_sub(MAX_NEAR));
    memchr::memrchr(b'\n', &text.as_bytes()[from..at]).map_or(from, |end| from + end + 1)
}
