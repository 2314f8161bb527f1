//! Writes front matter in YAML with every scalar quoted, so that no reader takes a text for another
//! type.

use crate::content::front_matter::quote;

/// The front matter of a file that is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrontMatter {
    lines: String,
}

impl FrontMatter {
    /// Adds a text.
    pub(crate) fn text(self, key: &str, value: &str) -> Self {
        self.unquoted(key, &quote(value))
    }

    /// Adds a text if there is one.
    pub(crate) fn optional_text(self, key: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(key, value),
            None => self,
        }
    }

    /// Adds the temperature, if it is set.
    pub(crate) fn temperature(self, value: Option<f64>) -> Self {
        match value {
            Some(value) => self.unquoted("temperature", &value.to_string()),
            None => self,
        }
    }

    /// Adds a value verbatim, such as a number.
    pub(crate) fn unquoted(mut self, key: &str, value: &str) -> Self {
        self.lines.push_str(&format!("{key}: {value}\n"));
        self
    }

    /// Adds a list of strings.
    pub(crate) fn list(mut self, key: &str, values: &[String]) -> Self {
        self.lines.push_str(&format!("{key}:\n"));
        for value in values {
            self.lines.push_str(&format!("  - {}\n", quote(value)));
        }
        self
    }

    /// Adds a list of strings unless it is empty.
    pub(crate) fn non_empty_list(self, key: &str, values: &[String]) -> Self {
        match values.is_empty() {
            true => self,
            false => self.list(key, values),
        }
    }

    /// Adds a map of strings, in order.
    pub(crate) fn map(mut self, key: &str, values: &[(String, String)]) -> Self {
        self.lines.push_str(&format!("{key}:\n"));
        for (name, value) in values {
            let line = format!("  {}: {}\n", quote(name), quote(value));
            self.lines.push_str(&line);
        }
        self
    }

    /// Adds a map under `key` to the map that was added last.
    pub(crate) fn nested_map(mut self, key: &str, values: &[(String, String)]) -> Self {
        self.lines.push_str(&format!("  {}:\n", quote(key)));
        for (name, value) in values {
            let line = format!("    {}: {}\n", quote(name), quote(value));
            self.lines.push_str(&line);
        }
        self
    }

    /// Returns the file with `body` below the front matter.
    pub(crate) fn with_body(self, body: &str) -> String {
        format!("---\n{}---\n\n{body}\n", self.lines)
    }
}
