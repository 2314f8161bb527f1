//! Finds secrets by the words, calls and lines around them.

use std::ops::Range;

use crate::hit::Hit;
use crate::span::{bare_word_span, length_without_punctuation, quoted_span};
use crate::value::{
    grouped_password_length, is_generated, is_hash, is_human_made_password, is_path, is_stand_in,
};
use crate::view::View;

// The same as a setting's pattern (`MAX_NEAR` in `setting.rs`). It limits the cost of each mark,
// which keeps the total time linear.
/// Maximum length of a call or a line, in bytes.
const MAX_LINE: usize = 400;
// Chosen, not measured: enough for a particle, a colon and a space. A higher limit takes any ASCII
// word in the sentence for a password; a lower one misses words after longer particles.
/// Maximum number of characters of another script between a password's name and its value.
const MAX_SCRIPT: usize = 10;

/// The form of the text after certain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phrase {
    /// The secret itself.
    Value,
    /// The secret, if nothing else follows on the line.
    LineEnd,
    /// The arguments of a call, the last of which is the password.
    LastArgument,
    /// The arguments of a call, in which any long random string is the key.
    AnyArgument,
    /// The arguments of a call, in which every long random string is a key.
    AllArguments,
    /// The string before the words.
    Before,
    /// An ASCII word after some characters of another script.
    Script,
    /// A user name and the password.
    Pair,
    /// A password piped to a program.
    Piped,
    /// The seed of a second factor, in one piece or in groups of four.
    Seed,
}

/// The words, in any case.
pub(crate) const PHRASES: &[(&str, Phrase)] = &[
    ("identified by ", Phrase::Value),
    ("identified by password ", Phrase::Value),
    ("_password by ", Phrase::Value),
    ("add-mask::", Phrase::Value),
    ("convertto-securestring ", Phrase::Value),
    ("vault login ", Phrase::Value),
    ("add-authtoken ", Phrase::Value),
    ("ngrok authtoken ", Phrase::Value),
    ("doctl auth init -t ", Phrase::Value),
    ("api key provided: ", Phrase::Value),
    ("invalid api key: ", Phrase::Value),
    ("invalid token: ", Phrase::Value),
    ("> auth ", Phrase::LineEnd),
    ("\nauth ", Phrase::LineEnd),
    ("getconnection(", Phrase::LastArgument),
    ("pdo(", Phrase::LastArgument),
    (".login(", Phrase::LastArgument),
    (".authenticate(", Phrase::LastArgument),
    ("mysqli(", Phrase::LastArgument),
    ("mysqli_connect(", Phrase::LastArgument),
    ("pg_connect(", Phrase::AnyArgument),
    ("auth=(", Phrase::LastArgument),
    ("basicauth(", Phrase::LastArgument),
    ("passwordauthentication(", Phrase::LastArgument),
    ("networkcredential(", Phrase::LastArgument),
    ("credential(", Phrase::LastArgument),
    ("credentials(", Phrase::LastArgument),
    ("basic_auth(", Phrase::LastArgument),
    ("client(", Phrase::AnyArgument),
    ("twilio')(", Phrase::AnyArgument),
    ("twilio\")(", Phrase::AnyArgument),
    ("totp(", Phrase::AnyArgument),
    ("oauth1userhandler(", Phrase::AllArguments),
    ("oauthhandler(", Phrase::AllArguments),
    ("oauth1(", Phrase::AllArguments),
    ("oauth1session(", Phrase::AllArguments),
    ("twilio(", Phrase::AllArguments),
    ("provider :", Phrase::AllArguments),
    ("wallet(", Phrase::AnyArgument),
    ("privatekeytoaccount(", Phrase::AnyArgument),
    ("jwt.sign(", Phrase::AnyArgument),
    ("jwt.verify(", Phrase::AnyArgument),
    ("jwt.encode(", Phrase::AnyArgument),
    ("client.create(", Phrase::AnyArgument),
    ("algoliasearch(", Phrase::AnyArgument),
    ("plainauth(", Phrase::LastArgument),
    ("->connect(", Phrase::LastArgument),
    ("basic_auth ", Phrase::LastArgument),
    (".tochararray(", Phrase::Before),
    ("importprivkey ", Phrase::Value),
    ("nickserv identify ", Phrase::Value),
    ("unsafeplaintext(", Phrase::Value),
    ("stats auth ", Phrase::Pair),
    ("creds are ", Phrase::Pair),
    ("密码", Phrase::Script),
    ("密碼", Phrase::Script),
    ("口令", Phrase::Script),
    ("パスワード", Phrase::Script),
    ("비밀번호", Phrase::Script),
    ("암호", Phrase::Script),
    ("login is ", Phrase::Pair),
    ("login: ", Phrase::Pair),
    ("logins: ", Phrase::Pair),
    ("credentials are ", Phrase::Pair),
    ("credentials: ", Phrase::Pair),
    ("creds: ", Phrase::Pair),
    ("zugangsdaten: ", Phrase::Pair),
    ("zugangsdaten sind ", Phrase::Pair),
    ("zugangsdaten lauten ", Phrase::Pair),
    ("identifiants : ", Phrase::Pair),
    ("identifiants sont ", Phrase::Pair),
    ("credenciales: ", Phrase::Pair),
    ("credenciales son ", Phrase::Pair),
    ("credenciais: ", Phrase::Pair),
    ("credenciais são ", Phrase::Pair),
    ("credenziali: ", Phrase::Pair),
    ("credenziali sono ", Phrase::Pair),
    ("log in with ", Phrase::Pair),
    ("log in as ", Phrase::Pair),
    ("login with ", Phrase::Pair),
    ("sign in with ", Phrase::Pair),
    ("sign in as ", Phrase::Pair),
    ("anmelden mit ", Phrase::Pair),
    ("einloggen mit ", Phrase::Pair),
    ("connecte-toi avec ", Phrase::Pair),
    ("inicia sesión con ", Phrase::Pair),
    ("accedi con ", Phrase::Pair),
    ("entre com ", Phrase::Pair),
    ("echo ", Phrase::Piped),
    ("printf ", Phrase::Piped),
    ("<<<", Phrase::Piped),
    ("key manually: ", Phrase::Seed),
    ("code manually: ", Phrase::Seed),
    ("secret manually: ", Phrase::Seed),
    ("enter this key: ", Phrase::Seed),
    ("enter this code: ", Phrase::Seed),
    ("manual entry key: ", Phrase::Seed),
    ("manual entry code: ", Phrase::Seed),
    ("manual entry: ", Phrase::Seed),
    ("authenticator key: ", Phrase::Seed),
    ("authenticator secret: ", Phrase::Seed),
];

/// Commands that read a piped password.
const READERS: &[&str] = &[
    "sudo",
    "passwd",
    "login",
    "gpg",
    "password",
    "-stdin",
    "kinit",
    "cryptsetup",
    "wg set",
    "private-key",
    "vault",
    "_pass",
    "secret",
    "ssh-add",
    "openssl",
    "netrc",
    "ansible",
    "passphrase",
    "pass-file",
    "passfile",
    "token",
];

/// Finds the secrets after the words at `place`.
pub(crate) fn find_secrets(view: &View<'_>, place: &Range<usize>, phrase: Phrase) -> Vec<Hit> {
    let rule = "secret-in-context";
    let span = match phrase {
        Phrase::Value => word_at(view, place.end).filter(|span| is_secret_like(view, span)),
        Phrase::LineEnd => word_at(view, place.end).filter(|span| {
            let rest = &view.text[span.end..];
            is_secret_like(view, span)
                && (rest.is_empty() || rest.starts_with(['\n', '\r', '`', '"']))
        }),
        Phrase::LastArgument => {
            // Search from the end, because the name of a database or a host may follow the
            // password.
            let all = string_arguments(view, place);
            all.into_iter()
                .skip(1)
                .rfind(|span| is_secret_like(view, span))
        }
        Phrase::AllArguments => {
            let drawn = string_arguments(view, place).into_iter().filter(|span| {
                let value = &view.text[span.clone()];
                value.len() >= 16 && is_generated(value) && !is_stand_in(value) && !is_path(value)
            });
            return drawn.map(|span| Hit { rule, span }).collect();
        }
        Phrase::Before => string_before(view, place.start),
        Phrase::Script => ascii_word_after(view, place.end),
        Phrase::AnyArgument => string_arguments(view, place)
            .into_iter()
            .rev()
            .find(|span| {
                let value = &view.text[span.clone()];
                value.len() >= 16
                    && is_generated(value)
                    && !is_stand_in(value)
                    && !is_path(value)
                    && !value.starts_with("AC")
                    // Addresses and lists of settings are left to the rules that find the secrets
                    // in them.
                    && !value.contains("://")
                    && !(value.contains(';') && value.contains('='))
                    || is_base32(value)
            }),
        Phrase::Pair => password_of_pair(view, place.end),
        Phrase::Piped => piped_password(view, place),
        Phrase::Seed => totp_seed_at(view, place.end),
    };
    span.map(|span| Hit { rule, span }).into_iter().collect()
}

/// Returns the password in `name / password`, `name:password` and similar pairs.
fn password_of_pair(view: &View<'_>, at: usize) -> Option<Range<usize>> {
    let text = view.text.as_ref();
    let name = bare_word_span(text, at);
    let rest = &text[name.start..];
    let bare_name =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | '`' | '"' | '+');
    let length = rest
        .find(|c: char| !bare_name(c))
        .filter(|length| (1..64).contains(length))?;
    let after = &rest[length..];
    let signs = [
        " / ", "/", ":", ": ", " : ", " and ", " und ", " et ", " y ", " e ", ", ", " | ",
    ];
    let sign = signs
        .iter()
        .filter(|sign| after.starts_with(**sign))
        .max_by_key(|sign| sign.len())?;
    let span = word_at(view, name.start + length + sign.len())?;
    let value = &text[span.clone()];
    (is_secret_like(view, &span) && value.len() >= 8 && !value.contains('/')).then_some(span)
}

fn is_base32(value: &str) -> bool {
    value.len() >= 16
        && value
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte))
}

/// Returns the seed of a second factor at `at`.
fn totp_seed_at(view: &View<'_>, at: usize) -> Option<Range<usize>> {
    let text = view.text.as_ref();
    let groups = grouped_password_length(text.get(at..)?);
    if groups > 0 {
        return Some(at..at + groups);
    }
    word_at(view, at).filter(|span| is_base32(&text[span.clone()].to_ascii_uppercase()))
}

/// Returns the quoted or bare word at `at`.
fn word_at(view: &View<'_>, at: usize) -> Option<Range<usize>> {
    let text = view.text.as_ref();
    let rest = text.get(at..)?;
    let start = at + rest.len() - rest.trim_start_matches([' ', '\t']).len();
    if text[start..].starts_with(['"', '\'']) {
        return quoted_span(view, start);
    }
    let span = bare_word_span(text, start);
    (!span.is_empty()).then_some(span)
}

/// Returns the string that ends directly before `at`, on the same line.
fn string_before(view: &View<'_>, at: usize) -> Option<Range<usize>> {
    let text = view.text.as_ref();
    let inner = text.get(..at)?.strip_suffix('"')?;
    let from = text.ceil_char_boundary(inner.len().saturating_sub(MAX_LINE));
    let open = inner.get(from..)?.rfind(['"', '\n'])?;
    let span = from + open + 1..inner.len();
    (text[from + open..].starts_with('"') && is_secret_like(view, &span)).then_some(span)
}

/// Returns the ASCII word after a few characters of the script that names the password.
fn ascii_word_after(view: &View<'_>, at: usize) -> Option<Range<usize>> {
    let text = view.text.as_ref();
    let near = text.get(at..)?.char_indices().take(MAX_SCRIPT);
    let mut near = near.skip_while(|(_, c)| !c.is_ascii_alphanumeric() && *c != '\n');
    let start = at + near.next().filter(|(_, c)| *c != '\n')?.0;
    let sign = |c: char| !c.is_ascii_graphic() || matches!(c, '"' | '\'' | '`' | '<' | '>');
    let rest = &text[start..];
    let rest = &rest[..rest.find(sign).unwrap_or(rest.len())];
    let span = start..start + length_without_punctuation(rest);
    is_secret_like(view, &span).then_some(span)
}

/// Returns the strings among the arguments of the call that opens at the end of `place`, or of a
/// call without brackets, which ends with the line.
fn string_arguments(view: &View<'_>, place: &Range<usize>) -> Vec<Range<usize>> {
    let bytes = view.text.as_bytes();
    let mut all = Vec::new();
    let at = place.end;
    let bracket = bytes.get(at - 1) == Some(&b'(');
    let (mut at, end, mut open) = (at, bytes.len().min(at + MAX_LINE), 1_usize);
    while at < end {
        match bytes[at] {
            b'\n' if !bracket => return all,
            mark @ (b'"' | b'\'')
                if bytes.get(at + 1) == Some(&mark) && bytes.get(at + 2) == Some(&b',') =>
            {
                all.push(at + 1..at + 1);
                at += 1;
            }
            b'"' | b'\'' => match quoted_span(view, at) {
                Some(span) => {
                    at = span.end;
                    all.push(span);
                }
                None => return all,
            },
            b'(' => open += 1,
            b')' => open -= 1,
            b';' | b'{' => return all,
            _ => {}
        }
        if open == 0 {
            return all;
        }
        at += 1;
    }
    all
}

fn is_secret_like(view: &View<'_>, span: &Range<usize>) -> bool {
    let value = &view.text[span.clone()];
    value.len() >= 6
        && !value.contains(char::is_whitespace)
        && !is_stand_in(value)
        && !is_path(value)
        && !value.contains("://")
        && (is_generated(value)
            || is_human_made_password(value)
            || value.len() > 30 && is_hash(value))
}

/// Returns the value that `echo`, `printf` or `<<<` passes to a password-reading command on the
/// same line.
fn piped_password(view: &View<'_>, place: &Range<usize>) -> Option<Range<usize>> {
    let text = view.text.as_ref();
    let rest = text[place.end..].trim_start_matches(' ');
    let at = text.len() - rest.len();
    let at = if rest.starts_with("-n ") || rest.starts_with("-e ") {
        at + 3
    } else {
        at
    };
    let mut span = word_at(view, at)?;
    let value = &text[span.clone()];
    let value = match value.split_once(':') {
        // In `USER:PASSWORD`, only the part after the colon is secret.
        Some((user, secret))
            if !user.is_empty()
                && user.len() < 24
                && user.bytes().all(|byte| {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
                }) =>
        {
            span.start += user.len() + 1;
            secret
        }
        Some(_) | None => value,
    };
    if !is_secret_like(view, &span) || value.starts_with('-') {
        return None;
    }
    let from = text.ceil_char_boundary(place.start.saturating_sub(MAX_LINE));
    let from = text[from..place.start]
        .rfind('\n')
        .map_or(from, |end| from + end + 1);
    let until = text.floor_char_boundary((span.end + MAX_LINE / 2).min(text.len()));
    let until = span.end
        + text[span.end..until.max(span.end)]
            .find('\n')
            .unwrap_or(until.max(span.end) - span.end);
    let around = [&text[from..place.start], &text[span.end..until]];
    let pipes = around[1].contains(['|', '>', ')'])
        || around[0].contains(['<', '-'])
        || text[place.clone()].starts_with('<');
    let reads = around.iter().any(|part| {
        let lower = part.to_lowercase();
        READERS.iter().any(|reader| lower.contains(reader))
    });
    (pipes && reads).then_some(span)
}
