//! Decides which requests are answered.
//!
//! A page of another site can make the user's browser send requests to this server. It cannot read
//! the key, send the cookie (`SameSite=Strict`), change `Host` or `Origin`, or send the header of a
//! write. Each of these is checked on its own, so that a mistake in one does not open the server.

use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri};

use crate::endpoint::Endpoint;
use crate::fields::Fields;
use crate::key::Key;

/// The header of a write by a program. A form of another site cannot send it, and a script of
/// another site would need this server's permission.
pub(crate) const WRITE_HEADER: HeaderName = HeaderName::from_static("x-agon");
/// The field of a form that proves that the form came from this server.
pub(crate) const PROOF_FIELD: &str = "proof";
/// The address of the protocol server that the front end may add.
pub(crate) const MOUNTED: &str = "/mcp";
/// The parameter of the first address that contains the key.
pub(crate) const KEY_PARAMETER: &str = "key";

/// The rules for requests to one server.
pub(crate) struct Gate {
    key: Key,
    /// The key of people who may only watch; `None` if there is no address for them.
    watching: Option<Key>,
    endpoint: Endpoint,
    /// The origins whose pages are those of this server.
    origins: Vec<String>,
    is_read_only: bool,
}

/// What a request may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everything.
    Full,
    /// Read the debates and the team.
    Watching,
}

/// A request that is answered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Admitted {
    /// It came with the cookie, or with the key of a program.
    Known(Access),
    /// It came with the key in its address: the browser gets the cookie and is sent to this
    /// address without the key.
    Arrived(Access, String),
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
    /// It would write, with the key of people who may only watch.
    Watching,
    /// It would write, without proof that the user wants that.
    Proof,
    /// The method is not in use here.
    Method,
    /// The body is too large.
    Size,
    /// The body did not arrive in time.
    Slow,
    /// People who only watch have all places for them.
    Busy,
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
            Self::Watching => (StatusCode::FORBIDDEN, "This address is for watching only."),
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
            Self::Busy => (
                StatusCode::SERVICE_UNAVAILABLE,
                "Too many people watch now. Load the page again later.",
            ),
            Self::Unfinished => (
                StatusCode::GATEWAY_TIMEOUT,
                "Agon did not finish in time. What you asked for may still be done: load the page again before you repeat it.",
            ),
        }
    }
}

impl Gate {
    pub(crate) fn new(key: Key, endpoint: Endpoint, is_shared: bool, is_read_only: bool) -> Self {
        Self {
            watching: is_shared.then(|| key.watching()),
            key,
            origins: endpoint.origins(),
            endpoint,
            is_read_only,
        }
    }

    /// Returns the address that opens the pages.
    pub(crate) fn address(&self) -> String {
        self.address_with(&self.key)
    }

    /// Returns the address that only shows the debates and the team, if there is one.
    pub(crate) fn watching_address(&self) -> Option<String> {
        let key = self.watching.as_ref()?;
        Some(self.address_with(key))
    }

    fn address_with(&self, key: &Key) -> String {
        format!("{}/?{KEY_PARAMETER}={}", self.origin(), key.as_str())
    }

    /// Returns the address without the key.
    pub(crate) fn origin(&self) -> String {
        self.endpoint.origin()
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Returns the value of the field [`PROOF_FIELD`] for the forms of this server.
    pub(crate) fn form_proof(&self) -> String {
        self.key.form_proof()
    }

    /// Returns the header that gives the browser its cookie.
    pub(crate) fn set_cookie(&self, access: Access) -> String {
        let key = match (access, &self.watching) {
            (Access::Watching, Some(key)) => key,
            (Access::Watching, None) | (Access::Full, _) => &self.key,
        };
        let secure = if self.endpoint.is_encrypted() {
            "; Secure"
        } else {
            ""
        };
        format!(
            "{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000{secure}",
            self.cookie_name(access),
            key.as_str()
        )
    }

    /// Returns the name of a cookie. A browser sends a cookie to every port of a host, so each
    /// server has its own. A user who tries the watching address keeps the other one.
    fn cookie_name(&self, access: Access) -> String {
        let port = self.endpoint.port();
        match access {
            Access::Full => format!("agon-{port}"),
            Access::Watching => format!("agon-{port}-watch"),
        }
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
        let is_own = |host: &str| {
            let mut origins = self.origins.iter();
            origins.any(|own| own.split_once("://").is_some_and(|(_, own)| own == host))
        };
        if hosts.next().is_some() || !host.is_some_and(is_own) {
            return Err(Refusal::Host);
        }
        for origin in headers.get_all(ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            if !self.origins.iter().any(|own| own == origin) {
                return Err(Refusal::Origin);
            }
        }
        let is_write = match *method {
            Method::GET | Method::HEAD => false,
            Method::POST => true,
            // The end of a client's session.
            Method::DELETE if uri.path() == MOUNTED => true,
            _ => return Err(Refusal::Method),
        };
        if !is_write && let Some((access, location)) = self.arrival(uri) {
            return Ok(Admitted::Arrived(access, location));
        }
        let access = self.access(headers).ok_or(Refusal::Key)?;
        match (is_write, access) {
            (true, Access::Watching) => Err(Refusal::Watching),
            (true, Access::Full) if self.is_read_only => Err(Refusal::ReadOnly),
            (_, access) => Ok(Admitted::Known(access)),
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
        let is_program =
            headers.contains_key(WRITE_HEADER) || self.bearer_access(headers) == Some(Access::Full);
        match is_form || is_program {
            true => Ok(()),
            false => Err(Refusal::Proof),
        }
    }

    /// Returns the address without the key, if it contains a right one.
    fn arrival(&self, uri: &Uri) -> Option<(Access, String)> {
        let query = Fields::of_query(uri);
        let access = self.access_of(query.get(KEY_PARAMETER)?)?;
        let rest = query.without(KEY_PARAMETER);
        // A path with two slashes at its start would be the address of another server.
        let path = uri.path().trim_start_matches('/');
        let location = match rest.is_empty() {
            true => format!("/{path}"),
            false => format!("/{path}?{rest}"),
        };
        Some((access, location))
    }

    /// Returns what the holder of `key` may do; `None` for a wrong one.
    fn access_of(&self, key: &str) -> Option<Access> {
        if self.key.matches(key) {
            return Some(Access::Full);
        }
        let watching = self.watching.as_ref()?;
        watching.matches(key).then_some(Access::Watching)
    }

    /// Returns the most that the cookies and the key of a program in a request allow.
    fn access(&self, headers: &HeaderMap) -> Option<Access> {
        let cookies = headers.get_all(COOKIE).iter();
        let cookies = cookies.filter_map(|cookies| cookies.to_str().ok());
        let pairs = cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        // A cookie counts only under its own name, so that the name says what it may do.
        let by_cookie = pairs.filter_map(|(name, key)| {
            let access = self.access_of(key)?;
            (name == self.cookie_name(access)).then_some(access)
        });
        let found: Vec<Access> = by_cookie.chain(self.bearer_access(headers)).collect();
        let is_full = found.contains(&Access::Full);
        let watching = found.first().copied();
        if is_full {
            Some(Access::Full)
        } else {
            watching
        }
    }

    fn bearer_access(&self, headers: &HeaderMap) -> Option<Access> {
        let given = headers.get(AUTHORIZATION)?.to_str().ok()?;
        self.access_of(given.strip_prefix("Bearer ")?.trim())
    }
}
