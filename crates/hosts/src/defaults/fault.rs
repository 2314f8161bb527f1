//! What is wrong with a file, its place, and what to do.

/// Why a layer does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}{}: {what}", .line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct DefaultsError {
    /// The file, or what it is where it is none.
    pub path: String,
    /// The line, from 1, where it is a file.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub hint: String,
}

/// What is wrong with an entry, before it is known which layer set it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The keys that lead to it.
    pub(super) keys: Vec<String>,
    /// What is wrong.
    pub(super) what: String,
    /// What to do.
    pub(super) hint: String,
}

/// The faults of what the layers add up to.
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

    /// Refuses `name` where it is none of `known`.
    pub(super) fn require_known<'a>(
        &mut self,
        keys: &[&str],
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        let known: Vec<_> = known.into_iter().collect();
        if !known.contains(&name) {
            let hint = format!("there is {}", known.join(", "));
            self.add(keys, format!("there is no {what} `{name}`"), hint);
        }
    }

    /// Refuses a name that could not be typed or be a file's.
    pub(super) fn require_name(&mut self, keys: &[&str], name: &str) {
        let is_fine = name.starts_with(|c: char| c.is_ascii_lowercase())
            && !name.ends_with('-')
            && name
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        if !is_fine {
            let hint = "use lower-case letters, digits and hyphens between them";
            self.add(keys, format!("`{name}` is not a name"), hint);
        }
    }

    /// Refuses an entry that does not say what it is for.
    pub(super) fn require_about(&mut self, keys: &[&str], about: &str) {
        if about.trim().is_empty() {
            self.add(
                keys,
                "it does not say what it is for",
                "add `about`, a line",
            );
        }
    }
}

/// The line of `text` in which the entry at `keys` is set; where that is not there, of the nearest
/// entry around it, else the first.
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
