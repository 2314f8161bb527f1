//! Random documents whose strings consist of text that redaction looks for.

use std::ops::Range;

use crate::corpus::{Fill, SECRETS};

/// Pieces of the strings and keys.
const PIECES: &[&str] = &[
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "GITHUB_TOKEN",
    "DB_PASSWORD",
    "password",
    "passwd",
    "token",
    "secret",
    "api_key",
    "apiKey",
    "client_secret",
    "Authorization",
    "Bearer ",
    "Cookie",
    "Basic ",
    "key",
    "auth",
    "name",
    "value",
    "default",
    "relevance",
    "confidence9",
    "text",
    "It reads ",
    "The password is ",
    " is ",
    " was ",
    " or ",
    "curl -u ",
    "mysql -p",
    "--token",
    "--password ",
    "-e ",
    "docker login -p ",
    "export ",
    ":",
    ": ",
    "=",
    " = ",
    "\"",
    "'",
    "`",
    "\\",
    "\n",
    "\t",
    ",",
    ", ",
    ";",
    "|",
    "||",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "/",
    "://",
    "@",
    "?",
    "&",
    "$",
    "#",
    "-",
    "_",
    ".",
    " ",
    "é",
    "😀",
    "密码",
    "sk-",
    "sk-ant-",
    "sk-proj-",
    "ghp_",
    "github_pat_",
    "AKIA",
    "AIza",
    "xoxb-",
    "glpat-",
    "npm_",
    "eyJ",
    "hf_",
    "pypi-",
    "SG.",
    "whsec_",
    "postgres://u:",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "[redacted:github-token]",
    "[redacted:",
    "```json\n",
    "\n```\n",
    "// ",
    "\r\n",
    "null",
    "0x",
    "sha256:",
    "user:",
    "login ",
    "machine ",
    "env",
    "ENV ",
    "set ",
];

/// A document as text, and the positions of its keys.
pub(super) struct Written {
    pub(super) text: String,
    pub(super) keys: Vec<Range<usize>>,
}

/// Generates documents from a seed.
pub(super) struct Maker {
    fill: Fill,
    pretty: bool,
    escapes: bool,
}

impl Maker {
    pub(super) fn new(seed: u64) -> Self {
        let mut fill = Fill::new(seed);
        let (pretty, escapes) = (fill.below(3) == 0, fill.below(3) == 0);
        Self {
            fill,
            pretty,
            escapes,
        }
    }

    pub(super) fn document(&mut self) -> Written {
        let mut out = Written {
            text: String::new(),
            keys: Vec::new(),
        };
        self.put_value(&mut out, 0);
        out
    }

    /// One or two documents with text around them, the last one sometimes truncated.
    pub(super) fn surrounded(&mut self) -> (String, Vec<Range<usize>>) {
        let (mut text, mut keys) = (String::new(), Vec::new());
        for _ in 0..=self.fill.below(2) {
            if self.fill.below(2) == 0 {
                text.push_str(&self.string(1).replace(['{', '[', '"'], ""));
                text.push_str(["\n", " ", "\n```json\n", "="][self.fill.below(4)]);
            }
            let one = self.document();
            let at = text.len();
            text.push_str(&one.text);
            keys.extend(one.keys.iter().map(|key| key.start + at..key.end + at));
            text.push_str(["\n", "\n```\n", "\n", " and "][self.fill.below(4)]);
        }
        if self.fill.below(3) == 0 {
            let end = text.floor_char_boundary(self.fill.below(text.len()));
            text.truncate(end);
            // A key counts once its colon was written.
            let whole =
                |key: &Range<usize>| text.get(key.end..).is_some_and(|rest| rest.contains(':'));
            keys.retain(whole);
        }
        (text, keys)
    }

    fn put_value(&mut self, out: &mut Written, depth: usize) {
        let top = if depth < 4 { 12 } else { 7 };
        // A document is usually an object or a list.
        let kind = self.fill.below(top).max(if depth == 0 { 5 } else { 0 });
        match kind {
            0 => out
                .text
                .push_str(["null", "true", "false"][self.fill.below(3)]),
            1 => {
                let form = ["1{d:2}.{d:3}5", "1{d:3}", "-1.5e3", "0"][self.fill.below(4)];
                out.text.push_str(&self.fill.form(form));
            }
            2..=6 => {
                let text = self.value_text(depth);
                self.put_string(&text, out);
            }
            7..=8 => self.put_list(out, depth),
            _ => self.put_object(out, depth),
        }
    }

    fn put_list(&mut self, out: &mut Written, depth: usize) {
        out.text.push('[');
        for number in 0..self.fill.below(4) {
            self.put_gap(out, number, depth);
            self.put_value(out, depth + 1);
        }
        out.text.push(']');
    }

    fn put_object(&mut self, out: &mut Written, depth: usize) {
        out.text.push('{');
        for number in 0..self.fill.below(5) {
            self.put_gap(out, number, depth);
            let key = if self.fill.below(3) == 0 {
                self.string(1)
            } else {
                PIECES[self.fill.below(28)].to_owned()
            };
            let start = out.text.len();
            self.put_string(&key, out);
            out.keys.push(start..out.text.len());
            out.text
                .push_str([":", ": ", " : ", ":\n"][self.fill.below(4)]);
            self.put_value(out, depth + 1);
        }
        out.text.push('}');
    }

    fn put_gap(&self, out: &mut Written, number: usize, depth: usize) {
        if number > 0 {
            out.text.push(',');
        }
        if self.pretty {
            out.text.push('\n');
            out.text.push_str(&"  ".repeat(depth + 1));
        }
    }

    /// The text of a value: pieces, a secret, or another document.
    fn value_text(&mut self, depth: usize) -> String {
        match self.fill.below(8) {
            0 if depth < 3 => {
                let inner = self.document().text;
                ["", "see ", "```json\n"][self.fill.below(3)].to_owned() + &inner
            }
            1 | 2 => {
                let form = SECRETS[self.fill.below(SECRETS.len())].1;
                self.fill.form(form).replace(['⟦', '⟧'], "")
            }
            _ => self.string(6),
        }
    }

    fn string(&mut self, pieces: usize) -> String {
        let mut text = String::new();
        for _ in 0..=self.fill.below(pieces + 1) {
            if self.fill.below(4) == 0 {
                let forms = ["{n:8}", "{n:20}", "{x:32}", "{word:2}", "{b:40}", "{d:4}"];
                let form = forms[self.fill.below(forms.len())];
                text.push_str(&self.fill.form(form));
            } else {
                text.push_str(PIECES[self.fill.below(PIECES.len())]);
            }
        }
        text
    }

    fn put_string(&mut self, text: &str, out: &mut Written) {
        if !self.escapes {
            out.text
                .push_str(&serde_json::Value::from(text).to_string());
            return;
        }
        out.text.push('"');
        for char in text.chars() {
            let plain = !matches!(char, '"' | '\\') && !char.is_control();
            if plain && self.fill.below(6) > 0 {
                out.text.push(char);
                continue;
            }
            let mut units = [0; 2];
            for unit in char.encode_utf16(&mut units) {
                out.text.push_str(&format!("\\u{unit:04x}"));
            }
        }
        out.text.push('"');
    }
}
