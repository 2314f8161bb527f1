//! A server put into a configuration and taken out of it, with all else left as it is.

pub mod hooks;
mod json;
mod splice;
mod toml_text;

use serde_json::Value;

use crate::json::Dialect;

pub use self::splice::Splice;

/// How a host writes its servers down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerFormat {
    /// A map under this key of a JSON file.
    Json {
        /// What the host reads besides plain JSON.
        dialect: Dialect,
        /// The key.
        key: &'static str,
    },
    /// Tables below this one of a TOML file.
    Toml {
        /// The table.
        table: &'static str,
    },
}

/// Why a configuration is left alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The host could not read it either.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// Something else stands where the servers are to be.
    #[error("`{0}` in it is no map")]
    NoMap(String),
    /// What the edit came to would have changed more than the server.
    #[error("it is written in a way that cannot be edited without changing more of it")]
    NotExact,
}

// Some editors put it before the text; it stays there.
const MARK: &str = "\u{feff}";

impl ServerFormat {
    /// The server `name` in `text`.
    ///
    /// # Errors
    ///
    /// If the host could not read it.
    pub fn find(self, text: &str, name: &str) -> Result<Option<Value>, EditError> {
        let (_, text) = split_mark(text);
        let root = self.parse(text)?;
        Ok(root
            .get(self.container())
            .and_then(|all| all.get(name).cloned()))
    }

    /// `text` with the server `name`, which is not in it yet.
    ///
    /// # Errors
    ///
    /// If nothing but that cannot be changed.
    pub fn insert(self, text: &str, name: &str, entry: &Value) -> Result<String, EditError> {
        let (mark, text) = split_mark(text);
        let mut wanted = self.parse(text)?;
        let servers = wanted.as_object_mut().map(|root| {
            root.entry(self.container())
                .or_insert_with(|| Value::Object(Default::default()))
        });
        match servers {
            Some(Value::Object(servers)) => {
                servers.insert(name.to_owned(), entry.clone());
            }
            Some(_) | None => return Err(EditError::NoMap(self.container().to_owned())),
        }
        let edited = match self {
            Self::Json { dialect, key } => json::insert(text, dialect, key, name, entry)?,
            Self::Toml { table } => toml_text::insert(text, table, name, entry)?,
        };
        exact(mark, edited, &wanted, |text| self.parse(text))
    }

    /// `text` without the server `name`, and without an empty map of servers where `owns_map`.
    ///
    /// # Errors
    ///
    /// If nothing but that cannot be changed.
    pub fn remove(self, text: &str, name: &str, owns_map: bool) -> Result<String, EditError> {
        let (mark, text) = split_mark(text);
        let wanted = self.without(text, name, owns_map)?;
        let edited = match self {
            Self::Json { dialect, key } => json::remove(text, dialect, key, name, owns_map)?,
            Self::Toml { table } => toml_text::remove(text, table, name)?,
        };
        exact(mark, edited, &self.normal(wanted), |text| {
            self.parse(text).map(|found| self.normal(found))
        })
    }

    /// `text` without what `splice` put into it, where that is just the server `name`.
    pub fn undo(self, text: &str, name: &str, splice: &Splice, owns_map: bool) -> Option<String> {
        let undone = splice.undo(text)?;
        let (_, before) = split_mark(text);
        let (_, after) = split_mark(&undone);
        let wanted = self.without(before, name, owns_map).ok()?;
        let wanted = self.normal(wanted);
        let found = self.parse(after).map(|found| self.normal(found));
        let is_exact = found.is_ok_and(|found| found == wanted);
        is_exact.then_some(undone)
    }

    /// Whether the host could read `text`.
    pub(crate) fn reads(self, text: &str) -> bool {
        let (_, text) = split_mark(text);
        self.parse(text).is_ok()
    }

    /// Whether there is a map of servers in `text`.
    pub(crate) fn has_map(self, text: &str) -> bool {
        let (_, text) = split_mark(text);
        self.parse(text)
            .is_ok_and(|root| root.get(self.container()).is_some())
    }

    fn container(self) -> &'static str {
        match self {
            Self::Json { key, .. } => key,
            Self::Toml { table } => table,
        }
    }

    /// The whole value of `text`; a map where there is nothing in it.
    fn parse(self, text: &str) -> Result<Value, EditError> {
        let parsed = match self {
            Self::Json { dialect, .. } => dialect.parse(text),
            Self::Toml { .. } => toml::from_str(text)
                .map(Some)
                .map_err(|error| error.to_string()),
        };
        match parsed.map_err(EditError::Unreadable)? {
            None => Ok(Value::Object(Default::default())),
            Some(root) if root.is_object() => Ok(root),
            Some(_) => Err(EditError::Unreadable("it is no map".to_owned())),
        }
    }

    /// What `text` would be without the server `name`.
    fn without(self, text: &str, name: &str, owns_map: bool) -> Result<Value, EditError> {
        let mut wanted = self.parse(text)?;
        let container = self.container();
        if let Some(root) = wanted.as_object_mut()
            && let Some(Value::Object(servers)) = root.get_mut(container)
        {
            servers.shift_remove(name);
            if servers.is_empty() && owns_map {
                root.shift_remove(container);
            }
        }
        Ok(wanted)
    }

    /// `root` without an empty table of TOML: whether that is there depends on how those below it
    /// were written, and no host tells the two apart.
    fn normal(self, mut root: Value) -> Value {
        if let Self::Toml { table } = self
            && let Some(all) = root.as_object_mut()
            && all
                .get(table)
                .and_then(Value::as_object)
                .is_some_and(|it| it.is_empty())
        {
            all.shift_remove(table);
        }
        root
    }
}

/// Whether nothing is in the text of a configuration that anyone would miss: no setting and no comment.
pub(crate) fn is_blank(text: &str) -> bool {
    let (_, text) = split_mark(text);
    let rest: String = text.split_whitespace().collect();
    rest.is_empty() || rest == "{}"
}

/// `edited` behind `mark`, if it says `wanted` and nothing else.
fn exact<T: PartialEq>(
    mark: &str,
    edited: String,
    wanted: &T,
    parse: impl Fn(&str) -> Result<T, EditError>,
) -> Result<String, EditError> {
    match parse(&edited) {
        Ok(found) if found == *wanted => Ok(format!("{mark}{edited}")),
        Ok(_) | Err(_) => Err(EditError::NotExact),
    }
}

fn split_mark(text: &str) -> (&'static str, &str) {
    match text.strip_prefix(MARK) {
        Some(rest) => (MARK, rest),
        None => ("", text),
    }
}
