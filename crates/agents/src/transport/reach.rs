//! Checks whether a tool's configured address accepts connections.
//!
//! If the connection is refused, some tools wait for minutes, and one waits forever.

use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::environment::Environment;
use crate::profile::{BaseUrl, is_host_of_service};

// Linux resends a lost first packet after 1 s and again after 3 s (RFC 6298), so one lost packet
// does not hide a refusal.
/// The time limit for connecting. A slower address counts as reachable.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Returns the first of a profile's URLs that refuses a connection.
///
/// Addresses that are slow, use a proxy or cannot be parsed are left to the tool.
pub(super) async fn find_refused_address(urls: &[BaseUrl], here: &Environment) -> Option<String> {
    for url in urls {
        let Some(address) = read_base_url(url, here).and_then(|text| parse_address(&text)) else {
            continue;
        };
        if has_proxy(here) && !is_loopback(&address.host) {
            continue;
        }
        let target = (address.host.as_str(), address.port);
        if let Ok(Err(_)) = timeout(CONNECT_TIMEOUT, TcpStream::connect(target)).await {
            return Some(format!("{}:{}", address.host, address.port));
        }
    }
    None
}

/// Returns the host and port of the first URL that leads neither to this machine nor to a built-in
/// service.
pub(crate) fn other_address(urls: &[BaseUrl], here: &Environment) -> Option<String> {
    let addresses = urls.iter().filter_map(|url| read_base_url(url, here));
    let mut addresses = addresses.filter_map(|text| parse_address(&text));
    let other = addresses.find(|it| !is_loopback(&it.host) && !is_host_of_service(&it.host))?;
    Some(format!("{}:{}", other.host, other.port))
}

/// The size limit, in bytes, of the tool's configuration file.
const MAX_CONFIG_BYTES: u64 = 4 << 20;

fn read_base_url(url: &BaseUrl, here: &Environment) -> Option<String> {
    match url {
        BaseUrl::Env { env } => here.var_text(env).map(str::to_owned),
        BaseUrl::File {
            file,
            named_by,
            table,
            key,
        } => {
            let text =
                agon_files::read_to_string(&here.expand_path(file), MAX_CONFIG_BYTES).ok()?;
            let file: toml::Table = toml::from_str(&text).ok()?;
            let name = file.get(named_by)?.as_str()?;
            let url = file.get(table)?.get(name)?.get(key)?;
            url.as_str().map(str::to_owned)
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Address {
    host: String,
    port: u16,
}

fn parse_address(url: &str) -> Option<Address> {
    let (port, rest) = match url.trim().split_once("://")? {
        ("http", rest) => (80, rest),
        ("https", rest) => (443, rest),
        _ => return None,
    };
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit('@').next()?;
    let (host, given) = match authority.strip_prefix('[') {
        Some(six) => {
            let (host, rest) = six.split_once(']')?;
            (host, rest.strip_prefix(':'))
        }
        None => authority
            .split_once(':')
            .map_or((authority, None), |(host, port)| (host, Some(port))),
    };
    let port = given.map_or(Ok(port), str::parse).ok()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-_:".contains(c);
    (!host.is_empty() && host.len() < 254 && host.chars().all(plain)).then(|| Address {
        host: host.to_owned(),
        port,
    })
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host == "::1" || host.starts_with("127.")
}

fn has_proxy(here: &Environment) -> bool {
    [
        "HTTPS_PROXY",
        "https_proxy",
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
        "all_proxy",
    ]
    .iter()
    .any(|name| here.var_text(name).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_out_of_a_url() {
        let found = |url| parse_address(url).map(|found| format!("{} {}", found.host, found.port));
        let urls = [
            ("http://127.0.0.1:8101/v1", Some("127.0.0.1 8101")),
            ("https://api.example", Some("api.example 443")),
            ("http://user:pass@host:9/x?y#z", Some("host 9")),
            ("http://[::1]:8080/", Some("::1 8080")),
            ("http://host/@path", Some("host 80")),
            ("ftp://host", None),
            ("host:80", None),
            ("http://", None),
            ("http://host:99999", None),
            ("http://ho st/", None),
        ];
        for (url, expected) in urls {
            assert_eq!(found(url).as_deref(), expected, "{url}");
        }
    }
}
