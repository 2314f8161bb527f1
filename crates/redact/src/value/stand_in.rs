//! Recognizes values that cannot be secrets: template marks, times and versions.

/// Returns whether `value` is a name between the marks of a template: `@@NAME@@`, `##name##`,
/// `[[NAME]]`, `%(name)s`.
pub(super) fn is_template_name(value: &str) -> bool {
    let name = |name: &str| {
        name.len() > 1
            && name.starts_with(|char: char| char.is_ascii_alphabetic())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
    };
    let pairs = [
        ("@@", "@@"),
        ("##", "##"),
        ("%%", "%%"),
        ("[[", "]]"),
        ("<<", ">>"),
        ("((", "))"),
        ("~~", "~~"),
        ("||", "||"),
        ("$$", "$$"),
        ("%(", ")s"),
        ("{%", "%}"),
    ];
    pairs.iter().any(|(open, close)| {
        value
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
            .is_some_and(|inner| name(inner.trim()))
    }) || single_mark_name(value).is_some_and(|inner| {
        // A password could begin and end with the same character, so the name must be a constant.
        inner.contains('_')
            && inner
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    })
}

/// Returns the name between two identical characters: `@NAME@`, `#NAME#`.
fn single_mark_name(value: &str) -> Option<&str> {
    ['@', '#', '~', '|', '%', '^'].iter().find_map(|sign| {
        let rest = value.strip_prefix(*sign)?;
        rest.strip_suffix(*sign)
    })
}

/// Returns whether `value` is a path below a variable: `$CI_API_URL/projects`.
pub(super) fn is_variable_path(value: &str) -> bool {
    let Some((name, _)) = value
        .strip_prefix('$')
        .and_then(|rest| rest.split_once('/'))
    else {
        return false;
    };
    let part = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    name.contains('_') && name.bytes().all(part)
}

/// Returns whether `value` is the address of an Ethereum account or contract, which is public.
pub(super) fn is_ethereum_address(value: &str) -> bool {
    value
        .strip_prefix("0x")
        .is_some_and(|rest| rest.len() == 40 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Returns whether `value` is a Ruby question method: `password.present?`.
pub(super) fn is_question(value: &str) -> bool {
    let name = |part: &str| {
        part.starts_with(|char: char| char.is_ascii_lowercase() || matches!(char, '_' | '@'))
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'@' | b'&'))
    };
    value
        .strip_suffix('?')
        .is_some_and(|call| call.contains('.') && call.split('.').all(name))
}

/// Returns whether `value` is a wildcard for variables with the same prefix: `CLOUD_*`.
pub(super) fn is_variable_wildcard(value: &str) -> bool {
    value.strip_suffix("_*").is_some_and(|name| {
        name.bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    })
}

/// Returns whether `value` is a date, with or without a time: `2026-05-02`, `2026-05-02T18:00:00Z`.
pub(super) fn is_time(value: &str) -> bool {
    let bytes = value.as_bytes();
    let (Some(date), rest) = (bytes.get(..10), bytes.get(10..).unwrap_or_default()) else {
        return false;
    };
    let is_date = date.iter().enumerate().all(|(at, byte)| match at {
        4 | 7 => matches!(byte, b'-' | b'/'),
        _ => byte.is_ascii_digit(),
    });
    let part = |byte: &u8| byte.is_ascii_digit() || b"T:.,+-Z ".contains(byte);
    is_date && rest.iter().all(part)
}

/// Returns whether `value` is a package version with an epoch, such as `1:4.13+dfsg1-4ubuntu3.2`.
pub(super) fn is_package_version(value: &str) -> bool {
    let inner = value.trim_matches(['(', ')', '[', ']']);
    let Some((epoch, version)) = inner.split_once(':') else {
        return false;
    };
    let number = |text: &str| text.len() < 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let part =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".+~-:".contains(&byte);
    let mut pieces = version.split('.');
    !epoch.is_empty()
        && number(epoch)
        && pieces
            .next()
            .is_some_and(|piece| !piece.is_empty() && number(piece))
        && pieces
            .next()
            .is_some_and(|piece| piece.starts_with(|char: char| char.is_ascii_digit()))
        && version.bytes().all(part)
}

#[cfg(test)]
mod tests {
    use super::{is_package_version, is_template_name, is_time};

    #[test]
    fn what_no_secret_looks_like_is_told_from_passwords() {
        for mark in [
            "@@DB_PASSWORD@@",
            "##token##",
            "[[ API_KEY ]]",
            "%(key)s",
            "@DB_PASS@",
        ] {
            assert!(is_template_name(mark), "{mark}");
        }
        for password in ["@@Granite7walk@", "#Granite#", "@@", "##7walk##"] {
            assert!(!is_template_name(password), "{password}");
        }
        assert!(is_time("2026-05-02") && is_time("2026-05-02T18:00:00.123+02:00"));
        assert!(!is_time("2026-05-02Walk") && !is_time("20260502walk"));
        assert!(is_package_version("1:4.13+dfsg1-1ubuntu3.2"));
        assert!(is_package_version("(2:8.2.3995-1)"));
        assert!(!is_package_version("1:Granite4.walk") && !is_package_version("ops:4.13"));
    }
}
