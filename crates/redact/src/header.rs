//! Finds secrets in request headers: `Authorization` and cookies.

use crate::hit::Hit;
use crate::randomness;
use crate::span::unquoted_span;
use crate::value::{is_generated, is_hash, is_random, is_stand_in};

/// Names of cookie attributes and of cookies that only store preferences.
const OPEN: &[&str] = &[
    "path",
    "domain",
    "expires",
    "max-age",
    "samesite",
    "secure",
    "httponly",
    "priority",
    "version",
    "theme",
    "lang",
    "locale",
    "language",
    "tz",
    "timezone",
    "consent",
    "_ga",
    "_gid",
    "_gat",
    "_fbp",
    "utm_source",
    "country",
    "currency",
    "cookie_consent",
];

/// Returns the value of the `Authorization` header that ends at `at`.
pub(crate) fn authorization_value(text: &str, at: usize) -> Option<Hit> {
    let name_end = at;
    let (at, rest) = skip_opening_tag(text, at)?;
    let is_element = at > name_end;
    let sign = rest.len()
        - rest
            .trim_start_matches(['"', '\'', ']', ')', ' ', '\t'])
            .len();
    let is_word = rest.starts_with(" \"") || rest.starts_with(" '");
    if sign > 8 || !(is_element || is_word || rest[sign..].starts_with([':', '=', ','])) {
        return None;
    }
    let value =
        rest[sign..].trim_start_matches([':', '=', '>', ',', ' ', '\t', '"', '\'', '`', '(', '@']);
    let mut start = text.len() - value.len();
    if start > at + sign + 12 {
        return None;
    }
    let scheme = value
        .bytes()
        .take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'-')
        .count();
    let named = scheme > 1 && scheme < 24 && value[scheme..].starts_with([' ', '=']);
    if named {
        start += scheme + 1;
        start += text[start..].len()
            - text[start..]
                .trim_start_matches([' ', '\t', '"', '\''])
                .len()
                .min(text[start..].len());
    }
    let basic = named && value[..scheme].eq_ignore_ascii_case("basic");
    let span = unquoted_span(text, start, b",;)}]");
    let token = text.get(span.clone())?;
    let mixed = token.bytes().any(|byte| byte.is_ascii_digit())
        || (token.bytes().any(|byte| byte.is_ascii_uppercase())
            && token.bytes().any(|byte| byte.is_ascii_lowercase()));
    let enough = if basic {
        token.len() >= 8 && mixed
    } else {
        token.len() >= 10
            && (is_generated(token)
                || is_random(token)
                || randomness::is_uuid(token)
                || token.len() >= 32
                    && is_hash(token)
                    && token.bytes().any(|it| it.is_ascii_digit()))
    };
    let rule = if basic { "basic-auth" } else { "authorization" };
    (enough && !is_stand_in(token) && !token.contains(['(', '$', '{']))
        .then_some(Hit { rule, span })
}

/// Returns where the value begins (after the tag, if an XML attribute names the header, else at
/// `at`), and the text from there.
fn skip_opening_tag(text: &str, at: usize) -> Option<(usize, &str)> {
    let rest = text.get(at..)?;
    let Some(inner) = rest.strip_prefix("\">") else {
        return Some((at, rest));
    };
    let inner = inner.trim_start();
    let value = inner.strip_prefix("<value>").unwrap_or(inner);
    let start = text.len() - value.len();
    Some((start, value)).filter(|(start, _)| *start < at + 80)
}

/// Returns the values of the cookies in a header whose name ends at `at`.
pub(crate) fn cookie_values(text: &str, at: usize) -> Vec<Hit> {
    let mut hits = Vec::new();
    let Some(rest) = text.get(at..) else {
        return hits;
    };
    let pairs = rest.trim_start_matches(['"', '\'', ']', ' ', ':', '=', ',', '`', '(', '\t']);
    if rest.len() - pairs.len() > 10 || rest.len() == pairs.len() {
        return hits;
    }
    let mut at = text.len() - pairs.len();
    for _ in 0..24 {
        let name = text[at..]
            .bytes()
            .take(64)
            .take_while(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'|' | b'%')
            })
            .count();
        if name == 0 || !text[at + name..].starts_with('=') {
            return hits;
        }
        let span = unquoted_span(text, at + name + 1, b";,");
        let open = OPEN.contains(&text[at..at + name].to_lowercase().as_str());
        if !open && is_session_cookie(&text[at..at + name], &text[span.clone()]) {
            let (rule, span) = ("cookie", span.clone());
            hits.push(Hit { rule, span });
        }
        let rest = text[span.end..].trim_start_matches([';', ' ']);
        if rest.len() == text.len() - span.end {
            return hits;
        }
        at = text.len() - rest.len();
    }
    hits
}

fn is_session_cookie(name: &str, value: &str) -> bool {
    let name = name.to_lowercase();
    let named = [
        "sess", "sid", "auth", "token", "jwt", "remember", "login", "csrf", "xsrf", "user", "_id",
    ]
    .iter()
    .any(|part| name.contains(part));
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    !is_stand_in(value)
        && ((named && value.len() >= 8 && (digit || is_random(value)))
            || (value.len() >= 16 && is_generated(value)))
}

/// Returns the password in the URL whose `://` ends at `at`.
pub(crate) fn address_password(text: &str, at: usize) -> Option<Hit> {
    let scheme = text[..at - 3]
        .bytes()
        .rev()
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        .count();
    if scheme == 0 {
        return None;
    }
    let span = unquoted_span(text, at, b"/?");
    let authority =
        text.get(span.start..span.end.min(text.floor_char_boundary(span.start + 512)))?;
    // A password may contain an unescaped slash, so if there is no `@`, search past the slash.
    let (info, host) = match authority.rsplit_once('@') {
        Some((info, host)) => (info, host),
        None => {
            let wide = unquoted_span(&text[..text.floor_char_boundary(at + 256)], at, b"");
            let wide =
                text.get(wide.start..wide.end.min(text.floor_char_boundary(wide.start + 256)))?;
            let (info, host) = wide.split_once('@')?;
            let (user, word) = info.split_once(':')?;
            let port = word.bytes().take_while(u8::is_ascii_digit).count();
            if user.contains(['/', '?'])
                || word.contains('?')
                || port > 0 && word[port..].starts_with('/')
                || word.len() < 6
            {
                return None;
            }
            (info, host)
        }
    };
    if !host.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '[' | '$' | '{' | '_'))
        || info.starts_with(['<', '$', '{']) && !info.contains(':')
    {
        return None;
    }
    // Sentry's key is not a secret: every page that reports errors contains it.
    if !info.contains(':') && host.contains("ingest.") && host.contains("sentry.io") {
        return None;
    }
    let (start, secret) = match info.split_once(':') {
        Some((user, secret))
            if user.len() >= 20 && is_generated(user) && is_address_password(secret, false) =>
        {
            let (rule, span) = ("password-in-address", at..at + info.len());
            return Some(Hit { rule, span });
        }
        Some((user, secret)) => (at + user.len() + 1, secret),
        None => (at, info),
    };
    let span = start..start + secret.len();
    let is_user = start == at && !info.starts_with(':');
    (is_address_password(secret, is_user)).then_some(Hit {
        rule: "password-in-address",
        span,
    })
}

/// Returns whether `secret`, before the host of a URL, is a password, or a token if `is_user`.
pub(crate) fn is_address_password(secret: &str, is_user: bool) -> bool {
    let has = |test: fn(&u8) -> bool| secret.as_bytes().iter().any(test);
    if secret.len() < 5
        || is_stand_in(secret)
        || secret.starts_with('$')
            && secret[1..]
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_')
    {
        return false;
    }
    if is_user {
        return secret.len() >= 20 && is_generated(secret);
    }
    let lower = secret.to_lowercase();
    let word = [
        "password", "passwd", "secret", "token", "pass", "pwd", "user", "key", "test", "geheim",
        "senha",
    ]
    .contains(&lower.as_str());
    let letters = secret.bytes().all(|byte| byte.is_ascii_alphabetic());
    let both = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    !word && (has(u8::is_ascii_digit) || both || !letters || secret.len() >= 10)
}
