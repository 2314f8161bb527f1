//! Decides whether a page may be fetched, without connecting to it.
//!
//! A client calls [`vet_page_url`] for every address, including each redirect, and connects only to
//! one of the returned addresses. Resolving the name again could return another machine.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

// The limit that sitemaps.org sets for the URL of a page.
/// The longest address of a page, in bytes.
const MAX_BYTES: usize = 2_048;

// RFC 2068, 10.3: more than five redirects are usually a loop. Tested by
// `tests/suite/pages.rs::what_cannot_be_read_says_why_and_nothing_that_the_server_wrote`.
/// Maximum number of redirects.
pub const MAX_REDIRECTS: usize = 5;

/// Resolves host names.
pub trait Resolve {
    /// Returns all addresses of a host name.
    ///
    /// # Errors
    ///
    /// If the host has no address or the look-up fails.
    fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// A page that Agon may fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vetted {
    /// The address of the page, without user name and password.
    pub url: Url,
    /// The port to connect to.
    pub port: u16,
    /// The addresses to connect to; never empty.
    pub addresses: Vec<IpAddr>,
}

/// The reason why a page may not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum PageRefusal {
    /// The text is not a web address.
    #[error("it is not a web address")]
    NoUrl,
    /// The address is longer than 2,048 bytes.
    #[error("its URL is too long")]
    TooLong,
    /// The address is neither `http` nor `https`.
    #[error("it is neither http nor https")]
    Scheme,
    /// The address contains a user name or a password.
    #[error("its URL contains credentials")]
    Credentials,
    /// A page under `https` redirects to `http`.
    #[error("it redirects from https to http")]
    Downgrade,
    /// The page redirects too often.
    #[error("it redirects more than {MAX_REDIRECTS} times")]
    Redirects,
    /// The host name has no address.
    #[error("its host is unknown")]
    Unresolved(#[source] io::Error),
    /// One of the host's addresses is not on the public internet.
    #[error("its host is not on the public internet")]
    NotPublic {
        /// The address.
        address: IpAddr,
    },
}

/// Checks whether a page may be fetched, and returns the addresses to connect to.
///
/// `from` are the pages that redirected to it, the first one first. All addresses of the host must
/// be public; a single other address refuses the page.
///
/// # Errors
///
/// The reason why the page may not be fetched.
pub fn vet_page_url(
    url: &str,
    from: &[Vetted],
    resolver: &dyn Resolve,
) -> Result<Vetted, PageRefusal> {
    if url.len() > MAX_BYTES {
        return Err(PageRefusal::TooLong);
    }
    let url = match from.last() {
        Some(last) => last.url.join(url),
        None => Url::parse(url),
    };
    let mut url = url.map_err(|_| PageRefusal::NoUrl)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(PageRefusal::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(PageRefusal::Credentials);
    }
    if from.len() > MAX_REDIRECTS {
        return Err(PageRefusal::Redirects);
    }
    let was_secret = from.last().is_some_and(|last| last.url.scheme() == "https");
    if was_secret && url.scheme() == "http" {
        return Err(PageRefusal::Downgrade);
    }
    let port = url.port_or_known_default().ok_or(PageRefusal::NoUrl)?;
    let addresses = match url.host().ok_or(PageRefusal::NoUrl)? {
        Host::Ipv4(address) => vec![IpAddr::V4(address)],
        Host::Ipv6(address) => vec![IpAddr::V6(address)],
        Host::Domain(name) => resolver.addresses(name).map_err(PageRefusal::Unresolved)?,
    };
    if addresses.is_empty() {
        return Err(PageRefusal::Unresolved(io::ErrorKind::NotFound.into()));
    }
    if let Some(address) = addresses.iter().find(|it| !is_public(**it)) {
        return Err(PageRefusal::NotPublic { address: *address });
    }
    url.set_fragment(None);
    Ok(Vetted {
        url,
        port,
        addresses,
    })
}

/// Returns whether an address is on the public internet, according to the IANA registries of
/// special addresses.
///
/// ```
/// # use agon_evidence::is_public;
/// assert!(is_public([93, 184, 215, 14].into()));
/// assert!(!is_public([169, 254, 169, 254].into()));
/// ```
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    match a {
        0 | 10 | 127 | 224.. => false,
        100 => !matches!(b, 64..=127),
        // Exclude metadata services of cloud providers, as in 169.254.0.0/16.
        168 => (b, c) != (63, 129),
        169 => b != 254,
        172 => !matches!(b, 16..=31),
        192 => !matches!(
            (b, c),
            (0, 0 | 2) | (31, 196) | (52, 193) | (88, 99) | (168, _) | (175, 48)
        ),
        198 => !matches!((b, c), (18..=19, _) | (51, 100)),
        203 => (b, c) != (0, 113),
        _ => true,
    }
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = embedded_v4(address) {
        return is_public_v4(inner);
    }
    let [a, b, ..] = address.segments();
    // Only 2000::/3 is assigned. Exclude its ranges for documentation, benchmarks and tunnels.
    let special = matches!(
        (a, b),
        (0x2001, 0x0000..=0x01ff | 0x0db8) | (0x3fff, 0x0000..=0x0fff) | (0x5f00, _)
    );
    (0x2000..=0x3fff).contains(&a) && !special
}

/// Returns the IPv4 address that is embedded in an IPv6 address.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let of = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match [a, b, c, d, e, f] {
        // IPv4-mapped, IPv4-compatible and translated addresses (well-known and local prefix).
        [0, 0, 0, 0, 0, 0xffff | 0] | [0, 0, 0, 0, 0xffff, 0] | [0x64, 0xff9b, 0, 0, 0, 0] => {
            Some(of(g, h))
        }
        [0x64, 0xff9b, 1, ..] => Some(Ipv4Addr::LOCALHOST),
        [0x2002, high, low, ..] => Some(of(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Host names for a test.
    struct Hosts(&'static [(&'static str, &'static [&'static str])]);

    impl Resolve for Hosts {
        fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
            let known = self.0.iter().find(|(name, _)| *name == host);
            let (_, addresses) = known.ok_or(io::ErrorKind::NotFound)?;
            Ok(addresses.iter().map(|it| it.parse().unwrap()).collect())
        }
    }

    const HOSTS: Hosts = Hosts(&[
        ("example.com", &["93.184.215.14", "2606:2800:21f:cb07::1"]),
        ("mixed.example", &["93.184.215.14", "10.0.0.1"]),
        ("inner.example", &["192.168.1.4"]),
        ("nothing.example", &[]),
    ]);

    fn said(url: &str) -> String {
        vet_page_url(url, &[], &HOSTS)
            .map_or_else(|refused| refused.to_string(), |it| it.url.to_string())
    }

    #[test]
    fn a_public_page_may_be_asked_for_at_its_addresses() {
        let vetted = vet_page_url("https://example.com/a?b#c", &[], &HOSTS).unwrap();
        assert_eq!(vetted.url.as_str(), "https://example.com/a?b");
        assert_eq!(vetted.port, 443);
        let addresses: Vec<_> = vetted.addresses.iter().map(IpAddr::to_string).collect();
        assert_eq!(addresses, ["93.184.215.14", "2606:2800:21f:cb07::1"]);
    }

    #[test]
    fn a_page_that_is_not_public_is_refused_however_it_is_written() {
        let refused = "its host is not on the public internet";
        for url in [
            "http://127.0.0.1/",
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f.0.0.1/",
            "http://017700000001/",
            "http://0.0.0.0/",
            "http://[::1]/",
            "http://[::]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:a9fe:a9fe]/",
            "http://[::127.0.0.1]/",
            "http://[64:ff9b::10.0.0.1]/",
            "http://[64:ff9b:1::1]/",
            "http://[2002:7f00:1::]/",
            "http://[2001:0:7f00:1::]/",
            "http://[fe80::1]/",
            "http://[fd00:ec2::254]/",
            "http://[ff02::1]/",
            "http://169.254.169.254/latest/meta-data/",
            "http://168.63.129.16/",
            "http://100.64.0.1/",
            "http://10.1.2.3/",
            "http://172.16.0.1/",
            "http://192.168.0.1/",
            "http://198.18.0.1/",
            "http://224.0.0.1/",
            "http://255.255.255.255/",
            "https://inner.example/",
            "https://mixed.example/",
        ] {
            assert_eq!(said(url), refused, "{url}");
        }
    }

    #[test]
    fn what_is_no_page_is_refused_with_the_reason() {
        for (url, refused) in [
            ("file:///etc/passwd", "it is neither http nor https"),
            ("ftp://example.com/", "it is neither http nor https"),
            ("gopher://example.com/", "it is neither http nor https"),
            ("https://a:b@example.com/", "its URL contains credentials"),
            ("example.com", "it is not a web address"),
            ("https://", "it is not a web address"),
            ("https://gone.example/", "its host is unknown"),
            ("https://nothing.example/", "its host is unknown"),
        ] {
            assert_eq!(said(url), refused, "{url}");
        }
        let long = format!("https://example.com/{}", "a".repeat(MAX_BYTES));
        assert_eq!(said(&long), "its URL is too long");
    }

    #[test]
    fn every_page_that_is_sent_on_to_is_asked_about_anew() {
        let first = vet_page_url("https://example.com/a/b", &[], &HOSTS).unwrap();
        let next = vet_page_url("../c", std::slice::from_ref(&first), &HOSTS).unwrap();
        assert_eq!(next.url.as_str(), "https://example.com/c");
        let from = |url: &str| {
            vet_page_url(url, std::slice::from_ref(&first), &HOSTS)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            from("http://169.254.169.254/"),
            "it redirects from https to http"
        );
        assert_eq!(
            from("//10.0.0.1/"),
            "its host is not on the public internet"
        );
        assert_eq!(
            from("//inner.example/"),
            "its host is not on the public internet"
        );
        let many = vec![first; MAX_REDIRECTS + 1];
        assert!(matches!(
            vet_page_url("/x", &many, &HOSTS),
            Err(PageRefusal::Redirects)
        ));
        assert!(vet_page_url("/x", &many[1..], &HOSTS).is_ok());
    }

    proptest! {
        #[test]
        fn an_address_is_judged_the_same_in_both_kinds(bits in any::<u32>()) {
            let address = Ipv4Addr::from(bits);
            let mapped = IpAddr::V6(address.to_ipv6_mapped());
            prop_assert_eq!(is_public(mapped), is_public(address.into()));
            let std_knows = address.is_private() || address.is_loopback() || address.is_link_local()
                || address.is_multicast() || address.is_broadcast() || address.is_unspecified()
                || address.is_documentation();
            prop_assert!(!(std_knows && is_public(address.into())));
        }

        #[test]
        fn no_text_makes_it_fall_over(url in any::<String>()) {
            prop_assert!(vet_page_url(&url, &[], &HOSTS).is_err());
        }
    }
}
