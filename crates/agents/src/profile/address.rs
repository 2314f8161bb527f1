//! The address of a model server.

use std::fmt;
use std::str::FromStr;

use reqwest::Url;
use serde::Deserialize;

// Chosen, not measured: a URL is a host and a short path. A higher limit would accept text pasted
// by mistake; a lower one would reject long host names.
/// The length limit of a URL, in bytes.
const MAX_BYTES: usize = 200;

/// A URL to which prompts, and possibly a key, may be sent: with `https`, or with `http` on this
/// machine. It contains no secret and does not end with a `/`.
///
/// ```
/// # use agon_agents::profile::Address;
/// let address: Address = "http://127.0.0.1:11434/v1/".parse()?;
/// assert_eq!(address.to_string(), "http://127.0.0.1:11434/v1");
/// assert!(address.is_loopback());
/// assert!("http://models.example/v1".parse::<Address>().is_err());
/// assert!("https://ada:pass@models.example/v1".parse::<Address>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Address(Url);

/// The reason why a text is not a valid address of a model server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The text is not a valid URL.
    #[error("not a valid address; use one such as https://models.example/v1")]
    NoUrl,
    /// The address uses plain `http` to another machine, so anyone on the network could read the
    /// data.
    #[error("http is allowed only for servers on this machine; use https")]
    Plain,
    /// The URL contains a user name or password, but URLs are recorded and shown.
    #[error(
        "the URL must not contain a user name or password; set `key_env` to the variable with the key"
    )]
    Credentials,
    /// The address has a query or a fragment, but Agon appends a path to it.
    #[error("the URL must not contain a query or a fragment")]
    Query,
}

impl Address {
    /// Returns whether the URL is on this machine.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.0)
    }

    /// Returns host and port, for messages.
    pub fn host_and_port(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        let port = self.0.port_or_known_default().unwrap_or_default();
        format!("{host}:{port}")
    }

    /// Returns whether the URL has a path after host and port.
    pub(crate) fn has_path(&self) -> bool {
        self.0.path() != "/"
    }

    /// Returns the URL with these path segments appended, each escaped.
    pub(crate) fn join_path(&self, parts: &[&str]) -> Url {
        let mut url = self.0.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(parts);
        }
        url
    }
}

fn is_loopback(url: &Url) -> bool {
    // The URL parser has already normalised IPv4 addresses such as `127.1`, so parsing the host is
    // enough.
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || bare
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        if text.len() > MAX_BYTES {
            return Err(AddressError::NoUrl);
        }
        let mut url = Url::parse(text).map_err(|_| AddressError::NoUrl)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::Credentials);
        }
        match url.scheme() {
            "https" => {}
            "http" if is_loopback(&url) => {}
            "http" => return Err(AddressError::Plain),
            _ => return Err(AddressError::NoUrl),
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(AddressError::Query);
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(AddressError::NoUrl);
        }
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        Ok(Self(url))
    }
}

impl TryFrom<String> for Address {
    type Error = AddressError;

    fn try_from(text: String) -> Result<Self, AddressError> {
        text.parse()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, AddressError> {
        text.parse::<Address>().map(|address| address.to_string())
    }

    #[test]
    fn an_address_has_one_form() {
        for (text, form) in [
            ("https://api.openai.com/v1/", "https://api.openai.com/v1"),
            ("HTTPS://API.openai.com:443/v1", "https://api.openai.com/v1"),
            ("https://api.openai.com/v1//", "https://api.openai.com/v1"),
            (
                "https://models.example/a%2Fb///",
                "https://models.example/a%2Fb",
            ),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://localhost:8080//", "http://localhost:8080"),
            ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
            ("http://127.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(form), "{text}");
            assert_eq!(text.parse::<Address>(), form.parse(), "{text}");
        }
    }

    #[test]
    fn what_others_could_read_or_what_holds_a_secret_is_refused() {
        for (text, why) in [
            ("http://models.example/v1", AddressError::Plain),
            ("http://192.168.1.5:11434/v1", AddressError::Plain),
            ("http://localhost.example/v1", AddressError::Plain),
            ("http://127.0.0.1.example/v1", AddressError::Plain),
            ("http://0.0.0.0:11434/v1", AddressError::Plain),
            ("https://k@models.example/v1", AddressError::Credentials),
            ("http://a:b@127.0.0.1/v1", AddressError::Credentials),
            ("https://models.example/v1?key=1", AddressError::Query),
            ("https://models.example/v1#a", AddressError::Query),
            ("ftp://127.0.0.1/v1", AddressError::NoUrl),
            ("unix:/run/models", AddressError::NoUrl),
            ("127.0.0.1:11434", AddressError::NoUrl),
            ("", AddressError::NoUrl),
        ] {
            assert_eq!(read(text), Err(why), "{text}");
        }
    }
}
