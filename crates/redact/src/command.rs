//! Finds passwords on the command lines of well-known programs.

use std::ops::Range;

use crate::header;
use crate::hit::Hit;
use crate::span::{bare_word_span, quoted_span};
use crate::value::{
    is_generated, is_grouped_password, is_human_made_password, is_path, is_stand_in,
};
use crate::view::View;

// Chosen, not measured. Flags farther away are missed, but each program name costs a scan of this
// length, so the limit keeps the total time linear.
/// Maximum distance between a program and its flag, in bytes.
const MAX_LINE: usize = 600;

/// The position of the password relative to its flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// The whole next word.
    Whole,
    /// The next word: a user name, this separator and the password.
    AfterSign(char),
    /// The rest of the flag's own word.
    Attached,
    /// The next word, after `pass:`.
    AfterPass,
    /// Cookies, in the format of their header.
    Cookie,
    /// One of the later words.
    Later,
}

/// A program, and its flags that take a password.
pub(crate) struct Command {
    pub(crate) program: &'static str,
    flags: &'static [(&'static str, Word)],
}

const PASSWORD: &[(&str, Word)] = &[("-p", Word::Whole)];
const ATTACHED: &[(&str, Word)] = &[("-p", Word::Attached)];
const USER: &[(&str, Word)] = &[
    ("-u", Word::AfterSign(':')),
    ("--user", Word::AfterSign(':')),
    ("-U", Word::AfterSign(':')),
    ("--proxy-user", Word::AfterSign(':')),
    ("-b", Word::Cookie),
    ("--cookie", Word::Cookie),
];
const BIND: &[(&str, Word)] = &[("-w", Word::Whole)];
const SIGN_IN: &[(&str, Word)] = &[("-p", Word::Whole), ("-P", Word::Whole)];

const fn command_with_flags(
    program: &'static str,
    flags: &'static [(&'static str, Word)],
) -> Command {
    Command { program, flags }
}

/// The programs.
pub(crate) const COMMANDS: &[Command] = &[
    command_with_flags("curl", USER),
    command_with_flags(
        "http ",
        &[
            ("-a", Word::AfterSign(':')),
            ("--auth", Word::AfterSign(':')),
        ],
    ),
    command_with_flags("sshpass", &[("-p", Word::Whole), ("-p", Word::Attached)]),
    command_with_flags("docker login", SIGN_IN),
    command_with_flags("podman login", SIGN_IN),
    command_with_flags("helm registry login", SIGN_IN),
    command_with_flags("oc login", SIGN_IN),
    command_with_flags("az login", SIGN_IN),
    command_with_flags("az acr login", SIGN_IN),
    command_with_flags("cf login", SIGN_IN),
    command_with_flags("argocd login", SIGN_IN),
    command_with_flags("mysql", ATTACHED),
    command_with_flags("mariadb", ATTACHED),
    command_with_flags("mongo", PASSWORD),
    command_with_flags("rabbitmqadmin", PASSWORD),
    command_with_flags("keyvault secret set", &[("--value", Word::Whole)]),
    command_with_flags("codecov", &[("-t", Word::Whole)]),
    command_with_flags("netlify", &[("--auth", Word::Whole)]),
    command_with_flags("mc alias set", &[("http", Word::Later)]),
    command_with_flags("mc config host add", &[("http", Word::Later)]),
    command_with_flags("poetry config", &[("http-basic", Word::Later)]),
    command_with_flags("redis-cli", &[("-a", Word::Whole), ("--pass", Word::Whole)]),
    command_with_flags("ldapsearch", BIND),
    command_with_flags("ldapmodify", BIND),
    command_with_flags("ldapadd", BIND),
    command_with_flags("ldapwhoami", BIND),
    command_with_flags("ldappasswd", &[("-w", Word::Whole), ("-s", Word::Whole)]),
    command_with_flags("smbclient", &[("-U", Word::AfterSign('%'))]),
    command_with_flags("rpcclient", &[("-U", Word::AfterSign('%'))]),
    command_with_flags("mosquitto_", &[("-P", Word::Whole)]),
    command_with_flags("zip ", &[("-P", Word::Whole)]),
    command_with_flags("unzip", &[("-P", Word::Whole)]),
    command_with_flags("7z ", ATTACHED),
    command_with_flags("unrar", ATTACHED),
    command_with_flags("sqlcmd", &[("-P", Word::Whole)]),
    command_with_flags("bcp ", &[("-P", Word::Whole)]),
    command_with_flags("clickhouse-client", &[("--password", Word::Whole)]),
    command_with_flags("cqlsh", PASSWORD),
    command_with_flags("ftp ", &[("-u", Word::AfterSign(','))]),
    command_with_flags(
        "wget",
        &[
            ("--password", Word::Whole),
            ("--http-password", Word::Whole),
            ("--ftp-password", Word::Whole),
            ("--proxy-password", Word::Whole),
        ],
    ),
    command_with_flags(
        "openssl",
        &[
            ("-k", Word::Whole),
            ("-6", Word::Whole),
            ("-5", Word::Whole),
            ("-1", Word::Whole),
            ("-apr1", Word::Whole),
            ("-passin", Word::AfterPass),
            ("-passout", Word::AfterPass),
            ("-pass", Word::AfterPass),
        ],
    ),
    command_with_flags("ipmitool", &[("-P", Word::Whole)]),
    command_with_flags("xfreerdp", &[("/p:", Word::Attached)]),
    command_with_flags("svn", &[]),
    command_with_flags("winexe", &[("-U", Word::AfterSign('%'))]),
    command_with_flags(
        "snmp",
        &[
            ("-A", Word::Whole),
            ("-X", Word::Whole),
            ("-c", Word::Whole),
        ],
    ),
    command_with_flags("ssh-keygen", &[("-N", Word::Whole), ("-P", Word::Whole)]),
    command_with_flags("lftp", &[("-u", Word::AfterSign(','))]),
    command_with_flags("htpasswd", &[("-", Word::Later)]),
    command_with_flags("net use", &[("/user:", Word::Later), ("\\", Word::Later)]),
    command_with_flags("composer", &[("http-basic", Word::Later)]),
    command_with_flags(
        "rabbitmqctl",
        &[("add_user", Word::Later), ("change_password", Word::Later)],
    ),
    command_with_flags("oathtool", &[("-", Word::Later)]),
    command_with_flags("printf", &[("login", Word::Later)]),
    command_with_flags("wpa_passphrase", &[("", Word::Later)]),
    command_with_flags("add-generic-password", &[("-w", Word::Whole)]),
    command_with_flags("add-internet-password", &[("-w", Word::Whole)]),
    command_with_flags("iex ", &[("--cookie", Word::Whole)]),
    command_with_flags("elixir ", &[("--cookie", Word::Whole)]),
    command_with_flags("influx", &[("-password", Word::Whole)]),
];

/// Returns the passwords in the arguments of `command`, whose program name is at `name`, and where
/// the command line ends.
pub(crate) fn find_passwords(
    view: &View<'_>,
    name: &Range<usize>,
    command: &Command,
) -> (Vec<Hit>, usize) {
    let text = view.text.as_ref();
    let before = text[..name.start].chars().next_back();
    // A `-` at the start of a line is a diff's mark, not a part of the program name.
    let changed = name.start < 2 || text.as_bytes()[name.start - 2] == b'\n';
    if before
        .filter(|sign| *sign != '-' || !changed)
        .is_some_and(|char| char.is_alphanumeric() || matches!(char, '_' | '-'))
    {
        return (Vec::new(), 0);
    }
    let end = text.floor_char_boundary(text.len().min(name.end + MAX_LINE));
    let line = &text[name.end..end];
    let end = name.end + command_end(line, &['|', ';']);
    let mut hits = Vec::new();
    // If the program name ends with a space, start there, so that the first flag is found.
    let mut at = name.end - usize::from(command.program.ends_with(' '));
    while let Some(blank) = text.get(at..end).and_then(|rest| rest.find([' ', '\t'])) {
        at += blank + 1;
        for (flag, word) in command.flags {
            let Some(rest) = text.get(at..end).and_then(|rest| rest.strip_prefix(flag)) else {
                continue;
            };
            if *word == Word::Cookie {
                hits.extend(header::cookie_values(text, end - rest.len()));
                break;
            }
            if let Some(span) = flag_password(view, end - rest.len(), *word) {
                at = span.end;
                let rule = "password-in-command";
                hits.push(Hit { rule, span });
                break;
            }
            if *word == Word::Later {
                return (hits, end);
            }
        }
    }
    (hits, end)
}

/// Returns the password in the word after a flag that ends at `at`.
fn flag_password(view: &View<'_>, at: usize, word: Word) -> Option<Range<usize>> {
    let text = view.text.as_ref();
    let rest = text.get(at..)?;
    if matches!(word, Word::Later | Word::Cookie) {
        return first_password_like_word(view, at);
    }
    let apart = rest.len() - rest.trim_start_matches([' ', '\t', '=']).len();
    let start = match word {
        Word::Attached if apart > 0 => return None,
        Word::Attached => at,
        Word::Whole | Word::AfterSign(_) | Word::AfterPass
            if apart == 0
                && !rest.starts_with(['"', '\''])
                && !matches!(word, Word::AfterSign(_)) =>
        {
            return None;
        }
        Word::Whole | Word::AfterSign(_) | Word::AfterPass | Word::Later | Word::Cookie => {
            at + apart
        }
    };
    let is_quoted = text[start..].starts_with(['"', '\'']);
    let whole = if is_quoted {
        quoted_span(view, start)?
    } else {
        bare_word_span(text, start)
    };
    let value = text.get(whole.clone())?;
    let skipped = match word {
        Word::Whole | Word::Attached | Word::Later | Word::Cookie => 0,
        Word::AfterSign(sign) => value.find(sign)? + 1,
        Word::AfterPass => value.strip_prefix("pass:").map(|_| 5)?,
    };
    let value = &value[skipped..];
    let number = value.bytes().all(|byte| byte.is_ascii_digit());
    let name = value.starts_with('-')
        || value.contains("://")
        || value.contains('/') && word == Word::Whole && value.starts_with(['/', '.', '~']);
    let letters = value.bytes().all(|byte| byte.is_ascii_alphabetic());
    let fits = value.len() >= 4
        && !(number && (word != Word::AfterSign(':') || value.len() < 6))
        && !name
        && !(letters && value.len() < 8)
        && !is_stand_in(value)
        && (!value.contains(' ') || is_grouped_password(value));
    fits.then_some(whole.start + skipped..whole.end)
}

/// Returns where the command at the start of `text` ends: at a line end or one of `signs`. Also
/// recognizes an escaped line end directly before a quotation mark.
fn command_end(text: &str, signs: &[char]) -> usize {
    let ends = |(place, sign): &(usize, char)| match sign {
        '\n' => !text[place + 1..].starts_with(['\'', '"']),
        sign => signs.contains(sign),
    };
    text.char_indices()
        .find(ends)
        .map_or(text.len(), |(place, _)| place)
}

/// Returns the first word after `at`, on the same line, that looks like a password.
fn first_password_like_word(view: &View<'_>, at: usize) -> Option<Range<usize>> {
    let text = view.text.as_ref();
    let end = text.floor_char_boundary(text.len().min(at + MAX_LINE));
    let end = at + command_end(text.get(at..end)?, &['|', ';', '>']);
    let mut at = at;
    while let Some(blank) = text.get(at..end).and_then(|rest| rest.find([' ', '\t'])) {
        at += blank + 1;
        let is_quoted = text[at..].starts_with(['"', '\'']);
        let span = if is_quoted {
            quoted_span(view, at)
        } else {
            Some(bare_word_span(text, at))
        };
        let Some(span) = span.filter(|span| span.end <= end) else {
            continue;
        };
        let value = &text[span.clone()];
        let base32 = value.len() >= 16
            && value
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte));
        let fits = !value.starts_with(['-', '/', '.', '\\'])
            && !is_stand_in(value)
            && !is_path(value)
            && !value.contains([' ', ':', '/']);
        if fits && (is_generated(value) || is_human_made_password(value) || base32) {
            return Some(span);
        }
    }
    None
}
