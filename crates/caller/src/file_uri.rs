//! File URIs from editors and hosts.

use std::path::PathBuf;

use url::Url;

/// Returns the absolute path of a `file://` URI on this machine, without line numbers. `None` for
/// any other URI and for a path that is not UTF-8.
pub fn path_of_file_uri(uri: &str) -> Option<PathBuf> {
    // Check the prefix first: the library also accepts `file:a` as an absolute path.
    uri.strip_prefix("file:///")
        .or(uri.strip_prefix("file://localhost/"))?;
    let path = Url::parse(uri).ok()?.to_file_path().ok()?;
    path.to_str().is_some().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_address_is_a_whole_path_on_this_machine_or_none() {
        let path = |uri| path_of_file_uri(uri).map(|path| path.display().to_string());
        for (uri, expected) in [
            ("file:///srv/a%20b/c", "/srv/a b/c"),
            ("file://localhost/x", "/x"),
            ("file:///x.rs#L3:12", "/x.rs"),
            ("file:///x.rs?lines=3", "/x.rs"),
            ("file:///srv/../etc/x", "/etc/x"),
            ("file:///caf%C3%A9", "/caf\u{e9}"),
        ] {
            assert_eq!(path(uri).as_deref(), Some(expected), "{uri}");
        }
        for uri in [
            "https://example.org/x",
            "file://host/x",
            "file:///%ff",
            "file:x",
            "/x",
            "",
        ] {
            assert_eq!(path(uri), None, "{uri}");
        }
    }
}
