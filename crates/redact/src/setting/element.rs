//! Finds values in XML elements that an element, attribute or parent names.

use super::{NameScan, Tie};

/// Names of elements that contain only their parent's value, in lower case.
const VALUE_TAGS: [&str; 5] = ["value", "string", "val", "data", "text"];
// A log puts about 40 bytes before each line: a time and a level.
/// Maximum length of a log's label before a line, in bytes.
const MAX_LABEL: usize = 60;

impl NameScan<'_> {
    /// Returns the value of an element that begins with the name, or has it in an attribute:
    /// `<Password>`, `<string name="api_key" …>`, each also with the value in a child element.
    pub(super) fn tie_to_element(&self) -> Option<(Tie, usize)> {
        let end = self.name.end;
        let line = &self.text[self.line_start..self.name.start];
        let open = memchr::memrchr(b'<', line.as_bytes())?;
        let inside = &line[open + 1..];
        if inside.contains('>') || inside.starts_with(['/', '!', '?']) {
            return None;
        }
        let rest = self.text_near(end);
        let close = rest.find('>')?;
        let attributes = &rest[..close];
        if attributes.contains(['<', '\n']) || attributes.ends_with('/') {
            return None;
        }
        // If an attribute contains the value itself, the content of the element is not the value.
        let is_attribute = inside.contains(['=', ' ']);
        if is_attribute && !attributes.starts_with(['"', '\'']) || has_value_attribute(attributes) {
            return None;
        }
        let mut at = end + close + 1;
        at += self.blank_length(at);
        if let Some(tag) = self.text_near(at).strip_prefix('<') {
            let length = tag.find(|char: char| !char.is_ascii_alphanumeric())?;
            let known = VALUE_TAGS.contains(&tag[..length].to_ascii_lowercase().as_str());
            let cdata = tag.starts_with("![CDATA[");
            at += match cdata {
                true => 1 + "![CDATA[".len(),
                false if known => 1 + tag[..tag.find('>').filter(|end| *end < 80)?].len() + 1,
                false => return None,
            };
        }
        Some((Tie::Tag, at))
    }

    /// Returns the length of white space and of a log's label before the next line.
    fn blank_length(&self, at: usize) -> usize {
        let rest = self.text_near(at);
        let blank = rest.len() - rest.trim_start().len();
        if !rest[..blank].contains('\n') {
            return blank;
        }
        let label = rest[blank..].find('<').filter(|label| *label < MAX_LABEL);
        let is_label = |label: &&usize| {
            rest[blank..blank + **label]
                .bytes()
                .all(|byte| byte.is_ascii_digit() || b" \t-:.+TZ|>/".contains(&byte))
        };
        blank + label.as_ref().filter(is_label).copied().unwrap_or(0)
    }
}

/// Returns whether one of `attributes` contains the value.
fn has_value_attribute(attributes: &str) -> bool {
    [" value=", " content=", " default="]
        .iter()
        .any(|name| attributes.contains(name))
}
