//! The one that connects.

use std::time::Duration;

use agon_record::event::{CauseCode, Class};
use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, NoProxy, Proxy};

use crate::agent::CallFailure;
use crate::dialect::DialectError;
use crate::environment::Environment;
use crate::profile::Address;

// Linux repeats a lost first packet after 1, 3 and 7 s (RFC 6298): the third one still has time to
// be answered.
/// The time for a connection.
const TO_CONNECT: Duration = Duration::from_secs(10);

/// A client that follows no redirect and, on this machine, uses no proxy: for streams, and by itself.
///
/// # Errors
///
/// If no connection can be made here at all.
pub(super) fn build_client(
    address: &Address,
    here: &Environment,
) -> Result<(genai::Client, reqwest::Client), CallFailure> {
    let builder = base_client_builder().connect_timeout(TO_CONNECT);
    let builder = if address.is_loopback() {
        builder
    } else {
        with_env_proxy(builder.https_only(true), here)?
    };
    let client = builder.build().map_err(|_| {
        user_failure(
            "no encrypted connection can be made here: are the system's certificates installed?",
        )
    })?;
    let streams = genai::Client::builder()
        .with_reqwest(client.clone())
        .build();
    let streams =
        streams.map_err(|_| CallFailure::Bug("a client that was handed over was not taken"))?;
    Ok((streams, client))
}

/// What every connection has in common: it goes where it is told, and takes bytes as they are.
pub(crate) fn base_client_builder() -> ClientBuilder {
    // Another part of the program may have chosen one already: either will do.
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        // A few bytes could become many.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        // The name could be made to mean another machine.
        .resolve_to_addrs("localhost", &LOCALHOST)
        .user_agent(concat!("agon/", env!("CARGO_PKG_VERSION")))
}

// reqwest takes the port from the address that is asked, whatever stands here, so it is 0.
/// The port is that of the address asked.
const LOCALHOST: [std::net::SocketAddr; 2] = [
    std::net::SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0),
    std::net::SocketAddr::new(std::net::IpAddr::V6(std::net::Ipv6Addr::LOCALHOST), 0),
];

/// Through the proxy that the environment names, where it names one.
fn with_env_proxy(
    builder: ClientBuilder,
    here: &Environment,
) -> Result<ClientBuilder, CallFailure> {
    let first = |names: [&str; 4]| names.into_iter().find_map(|name| here.var_text(name));
    let Some(proxy) = first(["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]) else {
        return Ok(builder);
    };
    let but = here
        .var_text("NO_PROXY")
        .or_else(|| here.var_text("no_proxy"));
    let proxy = Proxy::https(proxy)
        .map_err(|_| user_failure("HTTPS_PROXY or ALL_PROXY is no address of a proxy"))?
        .no_proxy(but.and_then(NoProxy::from_string));
    Ok(builder.proxy(proxy))
}

fn user_failure(what: &'static str) -> CallFailure {
    let error = DialectError::new(CauseCode::Failed, Class::User, what);
    CallFailure::Said(Box::new(error))
}
