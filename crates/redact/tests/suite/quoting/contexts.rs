//! Ways of quoting a text in a reply, each with its own reader.

/// A way of quoting: a writer and a reader.
pub(crate) struct Quoting {
    pub(crate) name: &'static str,
    pub(crate) write: fn(&str) -> String,
    /// Returns the text, if the whole input can be read.
    pub(crate) read: fn(&str) -> Option<String>,
}

/// All ways of quoting.
pub(crate) const QUOTINGS: &[Quoting] = &[
    Quoting {
        name: "plain",
        write: plain,
        read: |text| between(text, "See this: ", " That is all.\n").map(str::to_owned),
    },
    Quoting {
        name: "JSON",
        write: |text| object(text).to_string(),
        read: read_json,
    },
    Quoting {
        name: "JSON in JSON",
        write: |text| object(&object(text).to_string()).to_string(),
        read: |text| read_json(&read_json(text)?),
    },
    Quoting {
        name: "JSON in JSON in JSON",
        write: |text| object(&object(&object(text).to_string()).to_string()).to_string(),
        read: |text| read_json(&read_json(&read_json(text)?)?),
    },
    Quoting {
        name: "fenced JSON",
        write: |text| format!("I looked.\n\n```json\n{:#}\n```\n", object(text)),
        read: |text| read_json(between(text, "I looked.\n\n```json\n", "\n```\n")?),
    },
    Quoting {
        name: "single quotes of a shell",
        write: |text| format!("run --text '{}' --now\n", text.replace('\'', "'\\''")),
        read: |text| {
            let inner = between(text, "run --text '", "' --now\n")?.replace("'\\''", "\u{0}");
            (!inner.contains('\'')).then(|| inner.replace('\u{0}', "'"))
        },
    },
    Quoting {
        name: "double quotes of a shell",
        write: |text| format!("run --text \"{}\" --now\n", escaped(text, "\"\\$`")),
        read: |text| {
            unescaped(between(text, "run --text \"", "\" --now\n")?, |c| {
                "\"\\$`".contains(c).then_some(c)
            })
        },
    },
    Quoting {
        name: "double quotes of YAML",
        write: |text| {
            format!(
                "first: 1\nnote: {}\nlast: 2\n",
                serde_json::Value::from(text)
            )
        },
        read: read_yaml,
    },
    Quoting {
        name: "single quotes of YAML",
        write: |text| {
            format!(
                "first: 1\nnote: '{}'\nlast: 2\n",
                text.replace('\'', "''").replace('\n', "\n\n  ")
            )
        },
        read: read_yaml,
    },
    Quoting {
        name: "a block of YAML",
        write: |text| {
            format!(
                "first: 1\nnote: |-\n  {}\nlast: 2\n",
                text.replace('\n', "\n  ")
            )
        },
        read: read_yaml,
    },
    Quoting {
        name: "TOML",
        write: |text| {
            format!(
                "first = 1\nnote = {}\nlast = 2\n",
                serde_json::Value::from(text)
            )
        },
        read: |text| {
            let table: toml::Table = text.parse().ok()?;
            (table.get("last")?.as_integer()? == 2)
                .then_some(table.get("note")?.as_str()?.to_owned())
        },
    },
    Quoting {
        name: "a string of Python",
        write: |text| format!("note = '{}'  # here\n", escaped(text, "'\\")),
        read: |text| {
            unescaped(between(text, "note = '", "'  # here\n")?, |c| {
                "'\\".contains(c).then_some(c)
            })
        },
    },
    Quoting {
        name: "a string of Rust or JavaScript",
        write: |text| format!("let note = \"{}\";\n", escaped(text, "\"\\")),
        read: |text| {
            unescaped(between(text, "let note = \"", "\";\n")?, |c| {
                "\"\\".contains(c).then_some(c)
            })
        },
    },
    Quoting {
        name: "a template of JavaScript",
        write: |text| format!("const note = `{}`;\n", escaped(text, "`\\$")),
        read: |text| {
            unescaped(between(text, "const note = `", "`;\n")?, |c| {
                "`\\$".contains(c).then_some(c)
            })
        },
    },
    Quoting {
        name: "code in Markdown",
        write: |text| format!("It has ``{text}`` there.\n"),
        read: |text| between(text, "It has ``", "`` there.\n").map(str::to_owned),
    },
    Quoting {
        name: "a quotation in Markdown",
        write: |text| format!("> {}\n\nSo it goes.\n", text.replace('\n', "\n> ")),
        read: |text| Some(between(text, "> ", "\n\nSo it goes.\n")?.replace("\n> ", "\n")),
    },
];

fn plain(text: &str) -> String {
    format!("See this: {text} That is all.\n")
}

fn object(text: &str) -> serde_json::Value {
    serde_json::json!({"id": "c-1", "moves": [{"content": text, "weight": 0.5}], "done": true})
}

fn read_json(text: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    let content = value["moves"][0]["content"].as_str()?.to_owned();
    // Everything else is unchanged.
    (value == object(&content)).then_some(content)
}

fn read_yaml(text: &str) -> Option<String> {
    let value: serde_yaml_ng::Value = serde_yaml_ng::from_str(text).ok()?;
    let whole = value["first"].as_i64()? == 1 && value["last"].as_i64()? == 2;
    whole.then_some(value["note"].as_str()?.to_owned())
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

fn escaped(text: &str, signs: &str) -> String {
    let mut out = String::new();
    for char in text.chars() {
        if signs.contains(char) {
            out.push('\\');
        }
        match char {
            '\n' => out.push_str("\\n"),
            char => out.push(char),
        }
    }
    out
}

/// Undoes the escapes, if every character that needs one has one.
fn unescaped(text: &str, sign: fn(char) -> Option<char>) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next()? {
                'n' => out.push('\n'),
                other => out.push(sign(other)?),
            },
            char if sign(char).is_some() => return None,
            char => out.push(char),
        }
    }
    Some(out)
}
