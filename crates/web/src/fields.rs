//! The fields of a form or of an address.

use axum::http::Uri;
use url::form_urlencoded;

/// The fields of a form or of an address, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Parses `application/x-www-form-urlencoded`. Bytes that are not UTF-8 are replaced.
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let pairs = form_urlencoded::parse(bytes);
        Self(pairs.into_owned().collect())
    }

    /// Returns the fields of an address after its `?`.
    pub(crate) fn of_query(address: &Uri) -> Self {
        Self::parse(address.query().unwrap_or_default().as_bytes())
    }

    /// Returns the first field of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut found = self.0.iter().filter(|(own, _)| own == name);
        found.next().map(|(_, value)| value.as_str())
    }

    /// Returns the first field of this name without spaces around it, if it is not empty.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.get(name)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    }

    /// Returns the fields except those named `name`, encoded for an address.
    pub(crate) fn without(&self, name: &str) -> String {
        let kept = self.0.iter().filter(|(own, _)| own != name);
        form_urlencoded::Serializer::new(String::new())
            .extend_pairs(kept)
            .finish()
    }
}

/// Returns the address of the page of the debate `name`.
pub(crate) fn debate_address(name: &str) -> String {
    format!("/debates/{}", path_segment(name))
}

/// Encodes a text for one segment of a path.
pub(crate) fn path_segment(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                encoded.push(char::from(byte));
            }
            byte => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_decoded_and_a_segment_never_contains_a_slash() {
        let fields = Fields::parse(b"q=a+b%26c&key=k&q=second&empty=+");
        assert_eq!(fields.get("q"), Some("a b&c"));
        assert_eq!(fields.text("empty"), None);
        assert_eq!(fields.without("key"), "q=a+b%26c&q=second&empty=+");
        assert_eq!(debate_address("../a b/ä"), "/debates/..%2Fa%20b%2F%C3%A4");
    }
}
