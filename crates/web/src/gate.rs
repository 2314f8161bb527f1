//! Decides which requests are answered.
//!
//! A page of another site can make the user's browser send requests to this server. It cannot read
//! the key, send the cookie (`SameSite=Strict`), change `Host` or `Origin`, or send the header of a
//! write. Each of these is checked on its own, so that a mistake in one does not open the server.

use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri};

use crate::fields::Fields;
use crate::key::Key;

/// The header of a write by a program. A form of another site cannot send it, and a script of
/// another site would need this server's permission.
pub(crate) const WRITE_HEADER: HeaderName = HeaderName::from_static("x-agon");
/// The field of a form that proves that the form came from this server.
pub(crate) const PROOF_FIELD: &str = "proof";
/// The parameter of the first address that contains the key.
pub(crate) const KEY_PARAMETER: &str = "key";

/// The rules for requests to one server.
pub(crate) struct Gate {
    key: Key,
    /// The values of `Host` that name this server.
    hosts: [String; 2],
    cookie: String,
    is_read_only: bool,
}

/// A request that is answered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Admitted {
    /// It came with the cookie, or with the key of a program.
    Known,
    /// It came with the key in its address: the browser gets the cookie and is sent to this
    /// address without the key.
    Arrived(String),
}

/// Why a request is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// `Host` names another server, as after DNS rebinding.
    Host,
    /// A page of another site sent it.
    Origin,
    /// It has neither the cookie nor the key.
    Key,
    /// It would write, and the server only reads.
    ReadOnly,
    /// It would write, without proof that the user wants that.
    Proof,
    /// The method is not in use here.
    Method,
    /// The body is too large.
    Size,
    /// The body did not arrive in time.
    Slow,
    /// Agon did not answer in time, and may still be working.
    Unfinished,
}

impl Refusal {
    /// Returns the status, and what went wrong with what to do about it.
    pub(crate) fn status_and_text(self) -> (StatusCode, &'static str) {
        match self {
            Self::Host => (
                StatusCode::MISDIRECTED_REQUEST,
                "This server answers only at the address that it printed.",
            ),
            Self::Origin => (
                StatusCode::FORBIDDEN,
                "A page of another site sent this request.",
            ),
            Self::Key => (
                StatusCode::UNAUTHORIZED,
                "This address needs its key. Open the whole address that `agon web` printed, with everything after `?key=`.",
            ),
            Self::ReadOnly => (
                StatusCode::FORBIDDEN,
                "This server only shows debates. Start it without --read-only to change them.",
            ),
            Self::Proof => (
                StatusCode::FORBIDDEN,
                "The request lacks the header `x-agon`, or the form is of an earlier page. Load the page again.",
            ),
            Self::Method => (
                StatusCode::METHOD_NOT_ALLOWED,
                "This server only answers GET, HEAD and POST.",
            ),
            Self::Size => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "The request is too large: at most 512 KiB are read.",
            ),
            Self::Slow => (
                StatusCode::REQUEST_TIMEOUT,
                "The request did not arrive in time.",
            ),
            Self::Unfinished => (
                StatusCode::GATEWAY_TIMEOUT,
                "Agon did not finish in time. What you asked for may still be done: load the page again before you repeat it.",
            ),
        }
    }
}

impl Gate {
    pub(crate) fn new(key: Key, port: u16, is_read_only: bool) -> Self {
        Self {
            key,
            hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
            // A browser sends a cookie to every port of a host, so each server has its own.
            cookie: format!("agon-{port}"),
            is_read_only,
        }
    }

    /// Returns the address that opens the pages.
    pub(crate) fn address(&self) -> String {
        let [host, _] = &self.hosts;
        format!("http://{host}/?{KEY_PARAMETER}={}", self.key.as_str())
    }

    /// Returns the address without the key.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.hosts[0])
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Returns the value of the field [`PROOF_FIELD`] for the forms of this server.
    pub(crate) fn form_proof(&self) -> String {
        self.key.form_proof()
    }

    /// Returns the header that gives the browser its cookie.
    pub(crate) fn set_cookie(&self) -> String {
        format!(
            "{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000",
            self.cookie,
            self.key.as_str()
        )
    }

    /// Decides about a request before its body is read.
    ///
    /// # Errors
    ///
    /// Returns why it is not answered.
    pub(crate) fn admit(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<Admitted, Refusal> {
        let mut hosts = headers.get_all(HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        let is_own = |host: &str| self.hosts.iter().any(|own| own == host);
        if hosts.next().is_some() || !host.is_some_and(is_own) {
            return Err(Refusal::Host);
        }
        for origin in headers.get_all(ORIGIN) {
            let origin = origin.to_str().ok();
            let host = origin.and_then(|origin| origin.strip_prefix("http://"));
            if !host.is_some_and(is_own) {
                return Err(Refusal::Origin);
            }
        }
        let is_write = match *method {
            Method::GET | Method::HEAD => false,
            Method::POST => true,
            _ => return Err(Refusal::Method),
        };
        if !is_write && let Some(location) = self.arrival(uri) {
            return Ok(Admitted::Arrived(location));
        }
        if !self.has_cookie(headers) && !self.has_bearer_key(headers) {
            return Err(Refusal::Key);
        }
        match is_write && self.is_read_only {
            true => Err(Refusal::ReadOnly),
            false => Ok(Admitted::Known),
        }
    }

    /// Checks that the user wants a write: the header or the key of a program, or the field of a
    /// form.
    ///
    /// # Errors
    ///
    /// Returns [`Refusal::Proof`] if both are missing or wrong.
    pub(crate) fn check_write(&self, headers: &HeaderMap, fields: &Fields) -> Result<(), Refusal> {
        let proof = fields.get(PROOF_FIELD).unwrap_or_default();
        let is_form = proof == self.form_proof();
        // No page of another site knows the key of a program.
        let is_program = headers.contains_key(WRITE_HEADER) || self.has_bearer_key(headers);
        match is_form || is_program {
            true => Ok(()),
            false => Err(Refusal::Proof),
        }
    }

    /// Returns the address without the key, if it contains the right one.
    fn arrival(&self, uri: &Uri) -> Option<String> {
        let query = Fields::of_query(uri);
        if !self.key.matches(query.get(KEY_PARAMETER)?) {
            return None;
        }
        let rest = query.without(KEY_PARAMETER);
        // A path with two slashes at its start would be the address of another server.
        let path = uri.path().trim_start_matches('/');
        Some(match rest.is_empty() {
            true => format!("/{path}"),
            false => format!("/{path}?{rest}"),
        })
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(COOKIE).iter();
        let cookies = cookies.filter_map(|cookies| cookies.to_str().ok());
        let mut pairs = cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| name == self.cookie && self.key.matches(value))
    }

    fn has_bearer_key(&self, headers: &HeaderMap) -> bool {
        let given = headers.get(AUTHORIZATION).and_then(|it| it.to_str().ok());
        let key = given.and_then(|given| given.strip_prefix("Bearer "));
        key.is_some_and(|key| self.key.matches(key.trim()))
    }
}
