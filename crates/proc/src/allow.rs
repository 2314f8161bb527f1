//! Filters the environment variables of a child by lists of allowed names.

use std::collections::BTreeMap;
use std::ffi::OsString;

/// Variables for locations and language, which every child gets.
pub const PLACE_VARIABLES: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_DIRS",
    "XDG_DATA_DIRS",
];

/// Proxies and certificates, for children that use the network.
pub const NETWORK_VARIABLES: &[&str] = &[
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "NODE_USE_SYSTEM_CA",
    "CURL_CA_BUNDLE",
    "REQUESTS_CA_BUNDLE",
];

/// Parts of names that mark a secret. A full name in a list overrides them.
const SECRET_PARTS: &[&str] = &[
    "KEY",
    "TOKEN",
    "SECRET",
    "PASS",
    "PSWD",
    "CREDENTIAL",
    "CREDS",
    "AUTH",
    "COOKIE",
    "PRIVATE",
    "JWT",
    "BEARER",
    "SIGNATURE",
    "CONNECTION_STRING",
    "CONN_STR",
    "WEBHOOK",
    "LICENSE",
];

/// The same, but only at the end of a name or as the whole name.
const SECRET_ENDINGS: &[&str] = &[
    "PWD", "PAT", "DSN", "PIN", "OTP", "SEED", "MNEMONIC", "HEADERS",
];

/// Returns whether a variable of this name probably contains a secret.
pub fn names_secret(name: &str) -> bool {
    let name = name.to_uppercase();
    let ends = |ending: &&str| {
        let before = name.strip_suffix(*ending);
        before.is_some_and(|before| before.is_empty() || before.ends_with('_'))
    };
    SECRET_PARTS.iter().any(|part| name.contains(part)) || SECRET_ENDINGS.iter().any(ends)
}

/// Returns whether `patterns` allow the variable `name` with this `value`.
///
/// A pattern is a full name, or contains one `*`. A variable matched by a `*` must not look like a
/// secret, neither by its name nor by a password in an address.
///
/// ```
/// use agon_proc::allows_variable;
///
/// let list = ["CARGO_*", "CARGO_REGISTRY_TOKEN"];
/// assert!(allows_variable(&list, "CARGO_HOME", "/srv/cargo"));
/// assert!(allows_variable(&list, "CARGO_REGISTRY_TOKEN", "named in full"));
/// assert!(!allows_variable(&list, "CARGO_REGISTRIES_OURS_TOKEN", "taken in by the family"));
/// assert!(!allows_variable(&list, "CARGO_REGISTRIES_OURS_INDEX", "https://ada:word@ours.example"));
/// ```
pub fn allows_variable<S: AsRef<str>>(patterns: &[S], name: &str, value: &str) -> bool {
    let mut by_family = false;
    for pattern in patterns {
        match pattern.as_ref().split_once('*') {
            None if pattern.as_ref() == name => return true,
            None => {}
            Some((start, end)) => {
                by_family |= name.len() >= start.len() + end.len()
                    && name.starts_with(start)
                    && name.ends_with(end);
            }
        }
    }
    by_family && !names_secret(name) && !has_password_in_address(value)
}

/// Returns whether a value is a URL with a user name and a password.
fn has_password_in_address(value: &str) -> bool {
    value.match_indices("://").any(|(at, mark)| {
        let rest = &value[at + mark.len()..];
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let user = authority.rsplit_once('@').map(|(user, _)| user);
        user.is_some_and(|user| user.contains(':'))
    })
}

/// Returns the variables of `vars` that the lists allow. A name that is not text is never passed
/// on.
pub fn allowed_variables(
    vars: &BTreeMap<OsString, OsString>,
    lists: &[&[&str]],
) -> BTreeMap<OsString, OsString> {
    let allowed = |(name, value): &(&OsString, &OsString)| {
        // A value that is not text, such as a path in another encoding, is checked only by its
        // name.
        let value = value.to_string_lossy();
        let name = name.to_str();
        name.is_some_and(|name| lists.iter().any(|list| allows_variable(list, name, &value)))
    };
    let kept = vars.iter().filter(allowed);
    kept.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known_and_names_of_places_are_not_taken_for_them() {
        for name in [
            "API_KEYS",
            "OPENAI_APIKEY",
            "PGPASSWORD",
            "MYSQL_PWD",
            "PWD",
            "GITHUB_PAT",
            "PAT",
            "NPM_CONFIG__AUTH",
            "SSH_AUTH_SOCK",
            "AZURE_STORAGE_CONNECTION_STRING",
            "SENTRY_DSN",
            "CI_JOB_JWT_V2",
            "cargo_registry_token",
            "OTEL_EXPORTER_OTLP_HEADERS",
        ] {
            assert!(names_secret(name), "{name}");
        }
        for name in [
            "PATH",
            "LC_ALL",
            "CARGO_HOME",
            "RUSTUP_TOOLCHAIN",
            "NODE_ENV",
            "VERTEX_REGION_CLAUDE",
            "GOOGLE_CLOUD_PROJECT",
            "SHIPPING",
        ] {
            assert!(!names_secret(name), "{name}");
        }
    }

    #[test]
    fn a_family_takes_in_no_secret_and_a_name_in_full_is_taken_at_its_word() {
        let list = ["NODE_*", "DATABASE_URL"];
        assert!(allows_variable(&list, "NODE_ENV", "test"));
        assert!(!allows_variable(&list, "NODE_AUTH_TOKEN", "x"));
        assert!(!allows_variable(&list, "NODE", "x"));
        assert!(!allows_variable(&list, "NODE_MIRROR", "https://u:p@host/x"));
        assert!(allows_variable(&list, "NODE_MIRROR", "https://host/a:b@c"));
        assert!(allows_variable(
            &list,
            "DATABASE_URL",
            "postgres://u:p@host/db"
        ));
        assert!(!allows_variable(&list, "DATABASE_URL_2", "x"));
    }
}
