//! Errors in a defaults file: the place, what is wrong, and how to fix it.

/// An error in a layer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}{}: {what}", .line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct DefaultsError {
    /// The file, or the name of the variable or request.
    pub path: String,
    /// The line, from 1, if it is a file.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
    /// How to fix it.
    pub hint: String,
}

/// An error in an entry, before it is known which layer set it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The path of keys to the entry.
    pub(super) keys: Vec<String>,
    /// What is wrong.
    pub(super) what: String,
    /// How to fix it.
    pub(super) hint: String,
}

/// The errors in the merged layers.
#[derive(Debug, Default)]
pub(super) struct Faults(pub(super) Vec<Fault>);

impl Faults {
    pub(super) fn add(&mut self, keys: &[&str], what: impl Into<String>, hint: impl Into<String>) {
        self.0.push(Fault {
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            what: what.into(),
            hint: hint.into(),
        });
    }

    /// Reports `name` if it is not one of `known`.
    pub(super) fn require_known<'a>(
        &mut self,
        keys: &[&str],
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        let known: Vec<_> = known.into_iter().collect();
        if !known.contains(&name) {
            let hint = format!("use one of {}", known.join(", "));
            self.add(keys, format!("unknown {what} `{name}`"), hint);
        }
    }

    /// Reports a name that could not be typed or used as a file name.
    pub(super) fn require_name(&mut self, keys: &[&str], name: &str) {
        let is_fine = name.starts_with(|c: char| c.is_ascii_lowercase())
            && !name.ends_with('-')
            && name
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        if !is_fine {
            let hint = "use lower-case letters and digits, with hyphens between them";
            self.add(keys, format!("`{name}` is not a valid name"), hint);
        }
    }

    /// Reports an entry without a description.
    pub(super) fn require_about(&mut self, keys: &[&str], about: &str) {
        if about.trim().is_empty() {
            self.add(keys, "it has no description", "add a one-line `about`");
        }
    }
}

/// Returns the line of `text` that sets the entry at `keys`, otherwise the line of the nearest
/// enclosing entry, otherwise 1.
pub(super) fn line_of(text: &str, keys: &[String]) -> usize {
    let Ok(document) = toml_edit::Document::parse(text) else {
        return 1;
    };
    let mut item = document.as_item();
    let mut start = None;
    for key in keys {
        let Some(table) = item.as_table_like() else {
            break;
        };
        let Some((found, next)) = table.get_key_value(key) else {
            break;
        };
        start = found.span().or_else(|| next.span()).or(start);
        item = next;
    }
    let before = start.and_then(|span| text.get(..span.start));
    before.map_or(1, |before| before.matches('\n').count() + 1)
}
