//! What the name of a setting says of its value.

use std::borrow::Cow;

/// What a name promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// A variable that a well-known tool reads its key from.
    Known,
    /// What people type: any word may be it.
    Password,
    /// What programs make: long and random.
    Token,
    /// A key of some kind: only if it looks drawn by lot.
    Key,
    /// `auth`, whose value is a name and a password in base64.
    Auth,
    /// A signature, in the query of an address.
    Signature,
}

const KNOWN: &[&str] = &[
    "anthropic api key",
    "openai api key",
    "google api key",
    "gemini api key",
    "aws secret access key",
    "aws session token",
    "github token",
    "gh token",
];

const PASSWORDS: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "kennwort",
    "passphrase",
    "pwd",
    "passcode",
    "contraseña",
    "contrasena",
    "contrasenya",
    "senha",
    "motdepasse",
    "wachtwoord",
    "lösenord",
    "losenord",
    "hasło",
    "haslo",
    "losung",
    "zugangscode",
    "userpass",
    "dbpass",
    "storepass",
    "keypass",
    "sshpass",
    "requirepass",
    "masterpass",
    "bindpw",
    "rootpw",
    "authtok",
    "mysqlpass",
    "adminpass",
    "smtppass",
    "mailpass",
    "ftppass",
    "ldappass",
    "redispass",
    "authpass",
    "certpass",
    "loginpass",
    "adminpw",
    "dbpw",
    "passw",
];

/// What stands in words for a password, whatever their endings.
const PASSWORD_STEMS: &[&str] = &[
    "lösenord",
    "losenord",
    "passord",
    "adgangskod",
    "salasan",
    "hasł",
    "jelsz",
    "şifre",
    "парол",
];

/// Two words that name a password only together.
const PASSWORD_PAIRS: &[(&str, &str)] = &[
    ("phrase", "secrète"),
    ("phrase", "secrete"),
    ("frase", "secreta"),
    ("frase", "segreta"),
    ("wlan", "schlüssel"),
    ("wlan", "schluessel"),
    ("setup", "key"),
    ("wlan", "key"),
    ("wifi", "key"),
    ("wpa", "key"),
    ("wpa2", "key"),
    ("wireless", "key"),
];

const PASSWORD_WORDS: &[&str] = &[
    "pass",
    "pw",
    "mdp",
    "clave",
    "psk",
    "passe",
    "masterauth",
    "userpw",
    "rootpass",
    "paswd",
    "ordine",
    "credentials",
    "credential",
];

const TOKENS: &[&str] = &[
    "token",
    "secret",
    "apikey",
    "secretkey",
    "accesskey",
    "privatekey",
    "authkey",
    "accountkey",
    "jeton",
    "geheimnis",
    "segredo",
    "secreto",
    "segreto",
    "encryptionkey",
    "signingkey",
    "masterkey",
    "sharedkey",
    "sessionid",
    "sessid",
    "phpsessid",
    "jsessionid",
    "sharedaccesskey",
    "validationkey",
    "decryptionkey",
    "machinekey",
    "licensekey",
    "presharedkey",
    "apitoken",
    "dockerconfigjson",
    "dockercfg",
    "authtoken",
    "webhooksecret",
    "productkey",
    "passwordsalt",
    "clientsecret",
];

const KEYS: &[&str] = &[
    "key",
    "schlüssel",
    "schluessel",
    "clé",
    "cle",
    "chave",
    "chiave",
    "clave",
    "salt",
];

/// What makes a secret of a key.
const SECRET_KEYS: &[&str] = &[
    "api",
    "access",
    "secret",
    "private",
    "account",
    "auth",
    "encryption",
    "encrypt",
    "signing",
    "sign",
    "master",
    "shared",
    "storage",
    "service",
    "license",
    "licence",
    "subscription",
    "deploy",
    "deployment",
    "session",
    "admin",
    "root",
    "webhook",
    "hmac",
    "jwt",
    "aes",
    "crypto",
    "cipher",
    "ssh",
    "write",
    "ingest",
    "server",
    "live",
    "consumer",
    "app",
    "application",
    "integration",
    "preshared",
    "psk",
    "decryption",
    "recovery",
    "unlock",
    "token",
    "secrète",
    "secrete",
    "secreta",
    "segreta",
    "privée",
    "privada",
    "privata",
    "acceso",
    "acesso",
    "accès",
    "acces",
    "geheimer",
    "zugriffs",
    "zugangs",
    "personal",
    "bot",
    "salt",
    "cookie",
    "data",
    "client",
    "functions",
    "function",
    "host",
    "primary",
    "secondary",
    "validation",
    "authentication",
    "security",
    "password",
    "encrypted",
    "rest",
    "sdk",
    "ingestion",
    "insights",
    "instrumentation",
    "routing",
    "user",
    "team",
    "org",
];

/// What makes none of it.
const OPEN_KEYS: &[&str] = &[
    "public",
    "publishable",
    "foreign",
    "cache",
    "partition",
    "sort",
    "row",
    "map",
    "object",
    "lookup",
    "idempotency",
    "socket",
    "translation",
    "message",
    "json",
    "dict",
    "unique",
    "composite",
    "index",
    "site",
    "range",
    "group",
    "bucket",
    "pub",
    "hot",
    "arrow",
    "react",
    "event",
    "context",
    "meta",
    "query",
    "storage key",
    "i18n",
    "locale",
    "config",
    "sha",
    "hash",
    "host public",
    "primary key id",
];

/// Words after the one that counts, which do not change what the value is.
const TAILS: &[&str] = &[
    "value",
    "b64",
    "base64",
    "text",
    "plain",
    "plaintext",
    "raw",
    "str",
    "old",
    "new",
    "current",
    "confirm",
    "confirmation",
    "prod",
    "production",
    "staging",
    "dev",
    "live",
    "stage",
    "eu",
    "us",
    "main",
    "base",
    "data",
    "fallback",
    "alt",
    "backup",
    "default",
    "qa",
    "uat",
    "ci",
    "private",
];

/// What kind of secret a setting called `name` holds, given the word `before` it; `None` if it
/// names no secret.
pub(crate) fn classify_name(before: &str, name: &str) -> Option<Name> {
    let lower = lowercase_words(name);
    if KNOWN.contains(&lower.as_ref()) {
        return Some(Name::Known);
    }
    let mut parts: Vec<&str> = lower.split(' ').filter(|word| !word.is_empty()).collect();
    let whole = parts.len();
    while let Some(last) = parts.last() {
        let tail = last.bytes().all(|byte| byte.is_ascii_digit()) || TAILS.contains(last);
        if !tail || parts.len() < 2 {
            break;
        }
        parts.pop();
    }
    let last = parts
        .last()?
        .trim_end_matches(|char: char| char.is_ascii_digit());
    // A key's data is the key in a file of a cluster, but what is called so elsewhere is anything.
    if whole > parts.len() && lower.ends_with(" data") && last != "key" {
        return None;
    }
    if parts.contains(&"public")
        || parts.contains(&"publishable")
        || parts.contains(&"hash")
        || parts.contains(&"csrf")
        // The id of an access key in an address that is signed.
        || parts.contains(&"amz") && last == "credential"
    {
        return None;
    }
    let before = before.to_lowercase();
    let previous = match parts.len() {
        1 => before.as_str(),
        count => parts[count - 2],
    };
    // Languages in which the kind follows: `clé d'API`, `jeton_acces`.
    let is_second = |word: &str| SECRET_KEYS.contains(&word) || word == "accesso";
    let led = parts.len() > 1
        && matches!(
            parts[parts.len() - 2],
            "cle" | "clé" | "clave" | "chave" | "chiave" | "jeton" | "ficha"
        )
        && is_second(last);
    if led {
        return Some(Name::Token);
    }
    // A pattern is called so, too.
    if last == "pat" {
        return (parts.len() > 1 || name.starts_with("--")).then_some(Name::Key);
    }
    if last == "keys" && !SECRET_KEYS.contains(&previous) {
        return None;
    }
    let last = singular(last);
    if ends_with_any(last, PASSWORDS)
        || PASSWORD_WORDS.contains(&last)
        || PASSWORD_STEMS.iter().any(|stem| last.contains(stem))
        || PASSWORD_PAIRS.contains(&(previous, last))
    {
        return Some(Name::Password);
    }
    // A key of a wallet, in the format for import.
    if ends_with_any(last, TOKENS) || matches!(last, "wif" | "totp") {
        return Some(Name::Token);
    }
    if matches!(last, "sig" | "signature") {
        return Some(Name::Signature);
    }
    if last == "auth" {
        return Some(Name::Auth);
    }
    if matches!(last, "cookie" | "session" | "sid") {
        return (parts.len() > 1 && !matches!(previous, "set" | "http")).then_some(Name::Key);
    }
    let is_key = KEYS.contains(&last)
        || ["schlüssel", "schluessel"]
            .iter()
            .any(|word| last.ends_with(word));
    if !is_key || OPEN_KEYS.contains(&previous) {
        return None;
    }
    let german = last.ends_with("schlüssel") && last.len() > "schlüssel".len();
    if SECRET_KEYS.contains(&previous) || german {
        return Some(Name::Token);
    }
    // In capitals it is a constant, not the key of an entry.
    (parts.len() > 1 || name == "KEY").then_some(Name::Key)
}

/// A word without the ending of several, where several of it are as secret.
pub(crate) fn singular(word: &str) -> &str {
    match word {
        "tokens" | "secrets" | "passwords" | "keys" | "apikeys" | "passphrases" => {
            &word[..word.len() - 1]
        }
        other => other,
    }
}

/// Whether `word` ends with one of `list`; most differ in the last letter.
fn ends_with_any(word: &str, list: &[&str]) -> bool {
    let last = word.as_bytes().last();
    list.iter()
        .any(|end| end.as_bytes().last() == last && word.ends_with(end))
}

/// The words of a name, in small letters, with blanks between.
fn lowercase_words(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len() + 4);
    let chars: Vec<char> = name.chars().collect();
    for (at, char) in chars.iter().enumerate() {
        if !char.is_alphanumeric() {
            if !out.ends_with(' ') {
                out.push(' ');
            }
            continue;
        }
        let lower = |at: usize| chars.get(at).is_some_and(|char| char.is_lowercase());
        let upper = |at: usize| chars.get(at).is_some_and(|char| char.is_uppercase());
        let hump = at > 0 && upper(at) && (lower(at - 1) || (upper(at - 1) && lower(at + 1)));
        if hump && !out.ends_with(' ') {
            out.push(' ');
        }
        out.extend(char.to_lowercase());
    }
    Cow::Owned(out.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Name, classify_name};

    #[test]
    fn names_say_what_their_value_is() {
        for (name, expected) in [
            ("DB_PASSWORD", Some(Name::Password)),
            ("smtpPassword2", Some(Name::Password)),
            ("spring.datasource.password", Some(Name::Password)),
            ("_authToken", Some(Name::Token)),
            ("secret_key_base", Some(Name::Token)),
            ("client-key-data", Some(Name::Token)),
            ("AccountKey", Some(Name::Token)),
            ("STRIPE_KEY", Some(Name::Key)),
            ("OPENAI_API_KEY", Some(Name::Known)),
            ("publicKey", None),
            ("EXT_PAT", Some(Name::Key)),
            ("recv-keys", None),
            ("cle_api", Some(Name::Token)),
            ("api_keys", Some(Name::Token)),
            ("password_hash", None),
            ("token_count", None),
            ("primary_key", Some(Name::Token)),
            ("foreign_key", None),
            ("tokenizer", None),
            ("key", None),
        ] {
            assert_eq!(classify_name("", name), expected, "{name}");
        }
        assert_eq!(classify_name("API", "key"), Some(Name::Token));
        assert_eq!(classify_name("the", "key"), None);
    }
}
