//! Where a server listens, and under which addresses browsers reach it.

use std::net::{IpAddr, SocketAddr};

use agon_caller::{Code, Failure};
use url::Url;

/// The address under which browsers reach a server behind a proxy, such as
/// `https://agon.example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicOrigin(String);

impl PublicOrigin {
    /// Reads an address of the form `https://HOST` or `http://HOST:PORT`.
    ///
    /// # Errors
    ///
    /// If it is not a web address, or has a path, a user or anything else after the port.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let url = Url::parse(text).ok().filter(|url| {
            matches!(url.scheme(), "http" | "https")
                && url.path() == "/"
                && url.query().is_none()
                && url.fragment().is_none()
                && url.username().is_empty()
                && url.password().is_none()
        });
        let url = url.ok_or_else(|| {
            let message = "the origin is not an address such as https://agon.example.org";
            Failure::new(Code::InvalidParameter, message)
                .parameter("origin")
                .hint("give the scheme and the host, and a port if it is not the default")
        })?;
        Ok(Self(url.origin().ascii_serialization()))
    }
}

/// Where a server listens.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    address: SocketAddr,
    origin: Option<PublicOrigin>,
}

impl Endpoint {
    pub(crate) fn new(address: SocketAddr, origin: Option<PublicOrigin>) -> Self {
        Self { address, origin }
    }

    /// Returns the address under which the server prints its links, without a slash at its end.
    pub(crate) fn origin(&self) -> String {
        match &self.origin {
            Some(origin) => origin.0.clone(),
            None => format!("http://{}", self.address),
        }
    }

    /// Returns every origin whose pages are those of this server.
    pub(crate) fn origins(&self) -> Vec<String> {
        let mut hosts = vec![self.address.to_string()];
        if self.address.ip().is_loopback() {
            hosts.push(format!("localhost:{}", self.address.port()));
        }
        let own = hosts.into_iter().map(|host| format!("http://{host}"));
        // Browsers leave out the default port, and other clients name it.
        let own = own.flat_map(|own| {
            let url = Url::parse(&own).ok();
            let short = url.map(|url| url.origin().ascii_serialization());
            let short = short.filter(|short| *short != own);
            [Some(own), short].into_iter().flatten()
        });
        own.chain(self.origin.iter().map(|origin| origin.0.clone()))
            .collect()
    }

    /// Returns whether every link leads over an encrypted connection.
    pub(crate) fn is_encrypted(&self) -> bool {
        let origin = self.origin.as_ref();
        origin.is_some_and(|origin| origin.0.starts_with("https://"))
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }
}

/// Returns whether a server at `ip` with this origin can be reached only from this computer.
///
/// # Errors
///
/// If it listens on every interface and no origin says under which names browsers reach it.
pub(crate) fn is_local(ip: IpAddr, origin: Option<&PublicOrigin>) -> Result<bool, Failure> {
    if ip.is_unspecified() && origin.is_none() {
        let message = format!("{ip} is every address of this computer, so no host name is known");
        return Err(Failure::new(Code::InvalidParameter, message)
            .parameter("listen")
            .hint("listen at one address, or add --origin with the address that browsers use"));
    }
    Ok(ip.is_loopback() && origin.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_a_scheme_and_a_host_and_nothing_else() {
        for (text, origin) in [
            ("https://Agon.Example.org/", "https://agon.example.org"),
            ("https://agon.example.org:443", "https://agon.example.org"),
            ("http://10.0.0.7:8080", "http://10.0.0.7:8080"),
        ] {
            assert_eq!(PublicOrigin::parse(text).unwrap().0, origin);
        }
        for text in [
            "agon.example.org",
            "ftp://agon.example.org",
            "https://a@agon.example.org",
            "https://agon.example.org/a",
            "https://agon.example.org/?a",
            "javascript:alert(1)",
            "",
        ] {
            assert!(PublicOrigin::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_server_knows_its_addresses_with_and_without_the_default_port() {
        let origins = |address: &str| Endpoint::new(address.parse().unwrap(), None).origins();
        assert_eq!(
            origins("[::1]:80"),
            [
                "http://[::1]:80",
                "http://[::1]",
                "http://localhost:80",
                "http://localhost"
            ]
        );
        assert_eq!(
            origins("127.0.0.1:80"),
            [
                "http://127.0.0.1:80",
                "http://127.0.0.1",
                "http://localhost:80",
                "http://localhost"
            ]
        );
        assert_eq!(origins("10.0.0.7:8080"), ["http://10.0.0.7:8080"]);
        // Browsers name no other port so.
        assert_eq!(
            origins("[::1]:443"),
            ["http://[::1]:443", "http://localhost:443"]
        );
    }

    #[test]
    fn only_a_loopback_address_without_an_origin_is_local() {
        let origin = PublicOrigin::parse("https://agon.example.org").unwrap();
        let local = |ip: &str, origin| is_local(ip.parse().unwrap(), origin);
        assert!(local("127.0.0.1", None).unwrap() && local("::1", None).unwrap());
        assert!(!local("10.0.0.7", None).unwrap());
        assert!(!local("127.0.0.1", Some(&origin)).unwrap());
        assert!(!local("0.0.0.0", Some(&origin)).unwrap());
        assert!(local("0.0.0.0", None).is_err() && local("::", None).is_err());
    }
}
