//! The HTTP client.

use std::time::Duration;

use agon_record::event::{CauseCode, Class};
use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, NoProxy, Proxy};

use crate::agent::CallFailure;
use crate::dialect::DialectError;
use crate::environment::Environment;
use crate::profile::Address;

// Linux resends a lost first packet after 1, 3 and 7 s (RFC 6298), so this leaves time for an
// answer to the third one.
/// The time limit for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Returns a client for streams, and a plain client. They do not follow redirects, and do not use a
/// proxy for URLs on this machine.
///
/// # Errors
///
/// If the client cannot be created.
pub(super) fn build_client(
    address: &Address,
    here: &Environment,
) -> Result<(genai::Client, reqwest::Client), CallFailure> {
    let builder = base_client_builder().connect_timeout(CONNECT_TIMEOUT);
    let builder = if address.is_loopback() {
        builder
    } else {
        with_env_proxy(builder.https_only(true), here)?
    };
    let client = builder.build().map_err(|_| {
        user_failure(
            "cannot create an encrypted connection; check that the system's certificates are installed",
        )
    })?;
    let streams = genai::Client::builder()
        .with_reqwest(client.clone())
        .build();
    let streams = streams.map_err(|_| CallFailure::Bug("the HTTP client was not accepted"))?;
    Ok((streams, client))
}

/// Returns the settings of all clients: no redirects, no proxy and no compression.
pub(crate) fn base_client_builder() -> ClientBuilder {
    // Ignore an error: another part of the program may already have installed a provider, which
    // works too.
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        // No compression, because a small compressed body could expand to a huge one.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        // Do not look up `localhost`, because the system may resolve it to another machine.
        .resolve_to_addrs("localhost", &LOCALHOST)
        .user_agent(concat!("agon/", env!("CARGO_PKG_VERSION")))
}

// The port is 0 because reqwest ignores it and uses the port of the requested address.
/// The addresses of `localhost`.
const LOCALHOST: [std::net::SocketAddr; 2] = [
    std::net::SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0),
    std::net::SocketAddr::new(std::net::IpAddr::V6(std::net::Ipv6Addr::LOCALHOST), 0),
];

/// Sets the proxy from the environment, if there is one.
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
        .map_err(|_| user_failure("HTTPS_PROXY or ALL_PROXY is not a valid proxy address"))?
        .no_proxy(but.and_then(NoProxy::from_string));
    Ok(builder.proxy(proxy))
}

fn user_failure(what: &'static str) -> CallFailure {
    let error = DialectError::new(CauseCode::Failed, Class::User, what);
    CallFailure::Said(Box::new(error))
}
