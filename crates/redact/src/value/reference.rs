//! Recognizes values that only refer to the real value.

use super::is_identifier;

/// Returns whether the value is a variable, a template, a call or a path to the real value.
pub(super) fn is_reference(value: &str) -> bool {
    let variable = |rest: &str| {
        !rest.is_empty()
            && rest
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !rest.starts_with(|c: char| c.is_ascii_digit())
    };
    let held = |open: &str, close: &str| value.contains(open) && value.contains(close);
    value.strip_prefix('$').is_some_and(variable)
        || value
            .strip_prefix('%')
            .and_then(|rest| rest.strip_suffix('%'))
            .is_some_and(variable)
        || value.strip_prefix("env:").is_some()
        || held("${", "}")
        || value.starts_with("$(")
        || value.starts_with("${")
        || held("{{", "}}")
        || value.starts_with("{{")
        || held("#{", "}")
        || held("<%", "%>")
        || (value.starts_with('{') && value.ends_with('}'))
        || (value.starts_with('%') && value.len() == 2)
        || value
            .strip_prefix(['!', ':', '@', '&', '*'])
            .is_some_and(|rest| {
                rest.bytes().filter(u8::is_ascii_digit).count() < 2
                    && is_identifier(rest.trim_end_matches(['?', '!', ',']))
            })
        || (value.starts_with("__") && value.ends_with("__"))
        || [
            "vault:",
            "op://",
            "ENC[",
            "ENC(",
            "arn:",
            "ref+",
            "secret://",
            "keychain:",
            "projects/",
            "SHA256:",
            "sha256:",
            "SHA512:",
            "sha256-",
            "sha384-",
            "sha512-",
            "sha1-",
            "MD5:",
            "md5:",
            "h1:",
            "file://",
            "file:",
            "http://",
            "https://",
            "sm://",
            "ssm:",
            "awssm://",
            "gcpsm://",
            "azurekeyvault://",
            "@Microsoft.KeyVault",
            "process.env",
            "os.environ",
            "os.getenv",
            "import.meta",
            "self.",
            "this.",
            "config.",
            "settings.",
            "env.",
            "ENV[",
            "secrets.",
            "var.",
            "local.",
            "data.",
            "module.",
            "params.",
            "options.",
            "opts.",
            "args.",
            "request.",
            "req.",
            "ctx.",
            "std::",
            "System.",
            "Deno.env",
            "Bun.env",
            "input.",
            "values.",
            "Values.",
        ]
        .iter()
        .any(|start| value.starts_with(start))
}
