//! Passwords on the command lines of well-known programs.

use std::ops::Range;

use crate::hit::Hit;
use crate::span::{bare, quoted};
use crate::value::{is_drawn, is_path, is_stand_in, is_thought_up};
use crate::view::View;

// Chosen, not measured: a flag behind it is missed. Each name of a program costs a look at so much
// text, so the bound keeps the whole linear.
/// How far from its program a flag is looked for.
const MAX_LINE: usize = 600;

/// What the word after a flag holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// The password.
    Whole,
    /// A user's name, a sign and the password.
    AfterSign(char),
    /// The password in the same word as the flag.
    Attached,
    /// The password after `pass:`.
    AfterPass,
    /// The password in one of the words behind.
    Later,
}

/// A program, and the flags that take a password.
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
];
const BIND: &[(&str, Word)] = &[("-w", Word::Whole)];
const SIGN_IN: &[(&str, Word)] = &[("-p", Word::Whole), ("-P", Word::Whole)];

const fn of(program: &'static str, flags: &'static [(&'static str, Word)]) -> Command {
    Command { program, flags }
}

/// The programs.
pub(crate) const COMMANDS: &[Command] = &[
    of("curl", USER),
    of(
        "http ",
        &[
            ("-a", Word::AfterSign(':')),
            ("--auth", Word::AfterSign(':')),
        ],
    ),
    of("sshpass", &[("-p", Word::Whole), ("-p", Word::Attached)]),
    of("docker login", SIGN_IN),
    of("podman login", SIGN_IN),
    of("helm registry login", SIGN_IN),
    of("oc login", SIGN_IN),
    of("az login", SIGN_IN),
    of("az acr login", SIGN_IN),
    of("cf login", SIGN_IN),
    of("argocd login", SIGN_IN),
    of("mysql", ATTACHED),
    of("mariadb", ATTACHED),
    of("mongo", PASSWORD),
    of("rabbitmqadmin", PASSWORD),
    of("codecov", &[("-t", Word::Whole)]),
    of("netlify", &[("--auth", Word::Whole)]),
    of("mc alias set", &[("http", Word::Later)]),
    of("mc config host add", &[("http", Word::Later)]),
    of("poetry config", &[("http-basic", Word::Later)]),
    of("redis-cli", &[("-a", Word::Whole), ("--pass", Word::Whole)]),
    of("ldapsearch", BIND),
    of("ldapmodify", BIND),
    of("ldapadd", BIND),
    of("ldapwhoami", BIND),
    of("ldappasswd", &[("-w", Word::Whole), ("-s", Word::Whole)]),
    of("smbclient", &[("-U", Word::AfterSign('%'))]),
    of("rpcclient", &[("-U", Word::AfterSign('%'))]),
    of("mosquitto_", &[("-P", Word::Whole)]),
    of("zip ", &[("-P", Word::Whole)]),
    of("unzip", &[("-P", Word::Whole)]),
    of("7z ", ATTACHED),
    of("unrar", ATTACHED),
    of("sqlcmd", &[("-P", Word::Whole)]),
    of("bcp ", &[("-P", Word::Whole)]),
    of("clickhouse-client", &[("--password", Word::Whole)]),
    of("cqlsh", PASSWORD),
    of("ftp ", &[("-u", Word::AfterSign(','))]),
    of(
        "wget",
        &[
            ("--password", Word::Whole),
            ("--http-password", Word::Whole),
            ("--ftp-password", Word::Whole),
            ("--proxy-password", Word::Whole),
        ],
    ),
    of(
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
    of("ipmitool", &[("-P", Word::Whole)]),
    of("xfreerdp", &[("/p:", Word::Attached)]),
    of("svn", &[]),
    of("winexe", &[("-U", Word::AfterSign('%'))]),
    of(
        "snmp",
        &[
            ("-A", Word::Whole),
            ("-X", Word::Whole),
            ("-c", Word::Whole),
        ],
    ),
    of("ssh-keygen", &[("-N", Word::Whole), ("-P", Word::Whole)]),
    of("lftp", &[("-u", Word::AfterSign(','))]),
    of("htpasswd", &[("-", Word::Later)]),
    of("net use", &[("/user:", Word::Later), ("\\", Word::Later)]),
    of("composer", &[("http-basic", Word::Later)]),
    of(
        "rabbitmqctl",
        &[("add_user", Word::Later), ("change_password", Word::Later)],
    ),
    of("oathtool", &[("-", Word::Later)]),
    of("printf", &[("login", Word::Later)]),
    of("influx", &[("-password", Word::Whole)]),
];

/// What `command`, whose name stands at `name`, is given.
pub(crate) fn find(view: &View<'_>, name: &Range<usize>, command: &Command) -> (Vec<Hit>, usize) {
    let text = view.text.as_ref();
    let before = text[..name.start].chars().next_back();
    // A line of a difference begins with such a sign.
    let changed = name.start < 2 || text.as_bytes()[name.start - 2] == b'\n';
    if before
        .filter(|sign| *sign != '-' || !changed)
        .is_some_and(|char| char.is_alphanumeric() || matches!(char, '_' | '-'))
    {
        return (Vec::new(), 0);
    }
    let end = text.floor_char_boundary(text.len().min(name.end + MAX_LINE));
    let line = &text[name.end..end];
    let end = name.end + line_end(line, &['|', ';']);
    let mut hits = Vec::new();
    // The blank after a short program's name is part of it.
    let mut at = name.end - usize::from(command.program.ends_with(' '));
    while let Some(blank) = text.get(at..end).and_then(|rest| rest.find([' ', '\t'])) {
        at += blank + 1;
        for (flag, word) in command.flags {
            let Some(rest) = text.get(at..end).and_then(|rest| rest.strip_prefix(flag)) else {
                continue;
            };
            if let Some(span) = given(view, end - rest.len(), *word) {
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

/// The password in the word that follows a flag that ends at `at`.
fn given(view: &View<'_>, at: usize, word: Word) -> Option<Range<usize>> {
    let text = view.text.as_ref();
    let rest = text.get(at..)?;
    if word == Word::Later {
        return later(view, at);
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
        Word::Whole | Word::AfterSign(_) | Word::AfterPass | Word::Later => at + apart,
    };
    let is_quoted = text[start..].starts_with(['"', '\'']);
    let whole = if is_quoted {
        quoted(view, start)?
    } else {
        bare(text, start)
    };
    let value = text.get(whole.clone())?;
    let skipped = match word {
        Word::Whole | Word::Attached | Word::Later => 0,
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
        && !value.contains(' ');
    fits.then_some(whole.start + skipped..whole.end)
}

/// Where the command at the start of `text` ends: at a line's end or one of `signs`. A line's end
/// right before a quotation mark is one that is written out.
fn line_end(text: &str, signs: &[char]) -> usize {
    let ends = |(place, sign): &(usize, char)| match sign {
        '\n' => !text[place + 1..].starts_with(['\'', '"']),
        sign => signs.contains(sign),
    };
    text.char_indices()
        .find(ends)
        .map_or(text.len(), |(place, _)| place)
}

/// The first word behind `at`, on the same line, that looks like a password.
fn later(view: &View<'_>, at: usize) -> Option<Range<usize>> {
    let text = view.text.as_ref();
    let end = text.floor_char_boundary(text.len().min(at + MAX_LINE));
    let end = at + line_end(text.get(at..end)?, &['|', ';', '>']);
    let mut at = at;
    while let Some(blank) = text.get(at..end).and_then(|rest| rest.find([' ', '\t'])) {
        at += blank + 1;
        let is_quoted = text[at..].starts_with(['"', '\'']);
        let span = if is_quoted {
            quoted(view, at)
        } else {
            Some(bare(text, at))
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
        if fits && (is_drawn(value) || is_thought_up(value) || base32) {
            return Some(span);
        }
    }
    None
}
