//! Front matter in YAML, every scalar quoted, so that no reader takes one for something else.

use crate::content::front_matter::quote;

/// The front matter of a file that is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrontMatter {
    lines: String,
}

impl FrontMatter {
    /// Adds a text.
    pub(crate) fn text(self, key: &str, value: &str) -> Self {
        self.bare(key, &quote(value))
    }

    /// Adds a text, where there is one.
    pub(crate) fn text_if(self, key: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(key, value),
            None => self,
        }
    }

    /// Adds how varied answers are to be, where that is set.
    pub(crate) fn temperature(self, value: Option<f64>) -> Self {
        match value {
            Some(value) => self.bare("temperature", &value.to_string()),
            None => self,
        }
    }

    /// Adds a value that is written already, such as a number.
    pub(crate) fn bare(mut self, key: &str, value: &str) -> Self {
        self.lines.push_str(&format!("{key}: {value}\n"));
        self
    }

    /// Adds a list of texts.
    pub(crate) fn list(mut self, key: &str, values: &[String]) -> Self {
        self.lines.push_str(&format!("{key}:\n"));
        for value in values {
            self.lines.push_str(&format!("  - {}\n", quote(value)));
        }
        self
    }

    /// Adds a list of texts, where it has any.
    pub(crate) fn list_if(self, key: &str, values: &[String]) -> Self {
        match values.is_empty() {
            true => self,
            false => self.list(key, values),
        }
    }

    /// Adds a map of texts to texts, in their order.
    pub(crate) fn map(mut self, key: &str, values: &[(String, String)]) -> Self {
        self.lines.push_str(&format!("{key}:\n"));
        for (name, value) in values {
            let line = format!("  {}: {}\n", quote(name), quote(value));
            self.lines.push_str(&line);
        }
        self
    }

    /// Adds a map to the map that was added last, under `key` in it.
    pub(crate) fn map_below(mut self, key: &str, values: &[(String, String)]) -> Self {
        self.lines.push_str(&format!("  {}:\n", quote(key)));
        for (name, value) in values {
            let line = format!("    {}: {}\n", quote(name), quote(value));
            self.lines.push_str(&line);
        }
        self
    }

    /// The file with `body` below it.
    pub(crate) fn with_body(self, body: &str) -> String {
        format!("---\n{}---\n\n{body}\n", self.lines)
    }
}
