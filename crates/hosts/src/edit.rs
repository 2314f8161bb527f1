//! Inserts a server into a configuration and removes it, without changing anything else.

pub mod hooks;
mod json;
mod splice;
mod toml_text;

use serde_json::Value;

use crate::json::Dialect;

pub use self::splice::Splice;

/// Format in which a host stores its servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerFormat {
    /// A map under this key of a JSON file.
    Json {
        /// The JSON dialect that the host reads.
        dialect: Dialect,
        /// The key.
        key: &'static str,
    },
    /// Tables below this table of a TOML file.
    Toml {
        /// The table.
        table: &'static str,
    },
}

/// Why a configuration was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// It cannot be parsed.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// The key for the servers has another type.
    #[error("its key `{0}` is not a map")]
    NoMap(String),
    /// The edit would change more than the server.
    #[error("its formatting cannot be edited without changing other parts")]
    NotExact,
}

// Byte order mark, which some editors write. Edits keep it.
const MARK: &str = "\u{feff}";

impl ServerFormat {
    /// Returns the server `name` in `text`.
    ///
    /// # Errors
    ///
    /// If `text` cannot be parsed.
    pub fn find(self, text: &str, name: &str) -> Result<Option<Value>, EditError> {
        let (_, text) = split_byte_order_mark(text);
        let root = self.parse(text)?;
        Ok(root
            .get(self.container())
            .and_then(|all| all.get(name).cloned()))
    }

    /// Returns `text` with the server `name`, which must not be in it yet.
    ///
    /// # Errors
    ///
    /// If the edit would change anything else.
    pub fn insert(self, text: &str, name: &str, entry: &Value) -> Result<String, EditError> {
        let (mark, text) = split_byte_order_mark(text);
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

    /// Returns `text` without the server `name` and, if `owns_map`, without an empty map of servers.
    ///
    /// # Errors
    ///
    /// If the edit would change anything else.
    pub fn remove(self, text: &str, name: &str, owns_map: bool) -> Result<String, EditError> {
        let (mark, text) = split_byte_order_mark(text);
        let wanted = self.without(text, name, owns_map)?;
        let edited = match self {
            Self::Json { dialect, key } => json::remove(text, dialect, key, name, owns_map)?,
            Self::Toml { table } => toml_text::remove(text, table, name)?,
        };
        exact(mark, edited, &self.without_empty_table(wanted), |text| {
            self.parse(text)
                .map(|found| self.without_empty_table(found))
        })
    }

    /// Returns `text` without the text that `splice` inserted, if that is exactly the server `name`.
    pub fn undo(self, text: &str, name: &str, splice: &Splice, owns_map: bool) -> Option<String> {
        let undone = splice.undo(text)?;
        let (_, before) = split_byte_order_mark(text);
        let (_, after) = split_byte_order_mark(&undone);
        let wanted = self.without(before, name, owns_map).ok()?;
        let wanted = self.without_empty_table(wanted);
        let found = self
            .parse(after)
            .map(|found| self.without_empty_table(found));
        let is_exact = found.is_ok_and(|found| found == wanted);
        is_exact.then_some(undone)
    }

    /// Returns whether `text` can be parsed.
    pub(crate) fn can_parse(self, text: &str) -> bool {
        let (_, text) = split_byte_order_mark(text);
        self.parse(text).is_ok()
    }

    /// Returns whether `text` has a map of servers.
    pub(crate) fn has_map(self, text: &str) -> bool {
        let (_, text) = split_byte_order_mark(text);
        self.parse(text)
            .is_ok_and(|root| root.get(self.container()).is_some())
    }

    fn container(self) -> &'static str {
        match self {
            Self::Json { key, .. } => key,
            Self::Toml { table } => table,
        }
    }

    /// Parses `text`; empty text is an empty map.
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
            Some(_) => Err(EditError::Unreadable("it is not a map".to_owned())),
        }
    }

    /// Returns the value of `text` without the server `name`.
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

    /// Removes an empty TOML table from `root` for comparisons. Whether it exists depends only on
    /// how the tables below it were written, which does not matter to hosts.
    fn without_empty_table(self, mut root: Value) -> Value {
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

/// Returns whether a configuration has neither settings nor comments.
pub(crate) fn is_blank(text: &str) -> bool {
    let (_, text) = split_byte_order_mark(text);
    let rest: String = text.split_whitespace().collect();
    rest.is_empty() || rest == "{}"
}

/// Returns `edited` with its byte order mark if it parses to exactly `wanted`, else an error.
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

fn split_byte_order_mark(text: &str) -> (&'static str, &str) {
    match text.strip_prefix(MARK) {
        Some(rest) => (MARK, rest),
        None => ("", text),
    }
}
