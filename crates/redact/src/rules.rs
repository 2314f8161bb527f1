//! What counts as a secret.

/// One form that secrets have.
///
/// `pattern` matches bytes of ASCII only and has one group, the secret; it is
/// free of lookaround over a distance, so that a scan takes linear time.
/// No `tag` may match a rule itself, and no secret starts with `[`: that makes
/// redaction idempotent.
pub(crate) struct Rule {
    pub(crate) tag: &'static str,
    pub(crate) pattern: &'static str,
    pub(crate) check: Check,
}

/// What a match has to be besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// Nothing more.
    Nothing,
    /// It has a digit: words and slugs mostly have none.
    Digit,
    /// It has a digit, or letters of both cases: `password` is a placeholder.
    Mixed,
    /// It has a digit, and is no path to a file.
    Given,
    /// Digits and letters take turns in it, as in no name.
    Shuffled,
    /// It looks drawn by lot, and is neither a hash nor a UUID.
    Random,
    /// It is the first line of a private key, and the key follows.
    PrivateKey,
}

impl Check {
    /// Whether `secret` passes; the key after a first line is not looked at.
    pub(crate) fn passes(self, secret: &str) -> bool {
        match self {
            Self::Nothing | Self::PrivateKey => true,
            Self::Digit => secret.bytes().any(|byte| byte.is_ascii_digit()),
            Self::Mixed => is_mixed(secret),
            Self::Given => is_given(secret),
            Self::Shuffled => is_random(secret) && turns(secret) > 2,
            Self::Random => is_random(secret),
        }
    }
}

fn is_mixed(secret: &str) -> bool {
    let has = |test: fn(&u8) -> bool| secret.as_bytes().iter().any(test);
    has(u8::is_ascii_digit) || (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase))
}

fn is_given(secret: &str) -> bool {
    let path = secret
        .strip_prefix('/')
        .is_some_and(|rest| rest.contains('/'));
    !path && secret.bytes().any(|byte| byte.is_ascii_digit())
}

/// How often a digit follows a letter, or a letter a digit.
fn turns(secret: &str) -> usize {
    let pairs = secret.as_bytes().windows(2);
    let turn = |pair: &&[u8]| match pair {
        [one, other] => {
            one.is_ascii_alphanumeric()
                && other.is_ascii_alphanumeric()
                && one.is_ascii_digit() != other.is_ascii_digit()
        }
        _ => false,
    };
    pairs.filter(turn).count()
}

/// Letters among digits, in both cases or in one piece; a hash has no other letters than `a` to
/// `f`, and a UUID besides these only its hyphens.
fn is_random(secret: &str) -> bool {
    let count = |test: fn(&u8) -> bool| secret.bytes().filter(test).count();
    let hashed = secret
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let both = count(u8::is_ascii_uppercase) > 0 && count(u8::is_ascii_lowercase) > 0;
    let digits = count(u8::is_ascii_digit);
    let whole = secret.bytes().all(|byte| byte.is_ascii_alphanumeric());
    !hashed && ((both && digits > 0) || (whole && digits > 1 && digits < secret.len()))
}

/// Where a token may start: not inside a word, unless the "word" is the letter
/// of a JSON escape such as `\n`.
macro_rules! token {
    ($pattern:literal) => {
        concat!(r"(?:\\[nrtbf]|\b{start-half})(", $pattern, ")")
    };
}

/// What follows the word "bearer": after white space as in a header, or as its
/// quoted value.
macro_rules! bearer {
    ($token:literal) => {
        concat!(
            r"(?:\\[nrtbf]|\b{start-half})(?i:bearer)",
            r#"(?:[ \t]{1,4}|\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["'])"#,
            "(",
            $token,
            ")"
        )
    };
}

/// The value given to one of the named variables: `NAME=value`, `NAME: "value"`,
/// `"NAME": "value"` and the like, quotes escaped or not.
macro_rules! setting {
    ($value:literal, $between:literal) => {
        concat!(
            r"(?:ANTHROPIC_API_KEY|OPENAI_API_KEY|GOOGLE_API_KEY|GEMINI_API_KEY",
            r"|AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|GITHUB_TOKEN|GH_TOKEN",
            r"|aws_secret_access_key|aws_session_token)",
            $between,
            "(",
            $value,
            ")"
        )
    };
}

/// Tokens that are known by how they begin. At one place the first that matches wins, so a special
/// form stands before the general one.
pub(crate) const TOKENS: &[Rule] = &[
    Rule {
        tag: "anthropic-key",
        pattern: token!(r"sk-ant-[A-Za-z0-9_-]{10,}"),
        check: Check::Nothing,
    },
    Rule {
        tag: "openai-key",
        pattern: token!(r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{10,}"),
        check: Check::Nothing,
    },
    Rule {
        tag: "sk-key",
        pattern: token!(r"sk-[A-Za-z0-9]{20,}[A-Za-z0-9_-]*"),
        check: Check::Nothing,
    },
    Rule {
        tag: "sk-key",
        pattern: token!(r"sk-[A-Za-z0-9_-]{20,}"),
        check: Check::Digit,
    },
    Rule {
        tag: "google-key",
        pattern: token!(r"AIza[A-Za-z0-9_-]{20,}"),
        check: Check::Nothing,
    },
    Rule {
        tag: "google-oauth",
        pattern: token!(r"GOCSPX-[A-Za-z0-9_-]{20,}"),
        check: Check::Nothing,
    },
    Rule {
        tag: "google-oauth",
        pattern: token!(r"ya29\.[A-Za-z0-9_-]{20,}"),
        check: Check::Nothing,
    },
    Rule {
        tag: "github-token",
        pattern: token!(r"github_pat_[A-Za-z0-9_]{20,}"),
        check: Check::Nothing,
    },
    Rule {
        tag: "github-token",
        pattern: token!(r"gh[opusr]_[A-Za-z0-9]{20,}"),
        check: Check::Nothing,
    },
    Rule {
        tag: "aws-access-key",
        pattern: token!(r"A(?:KI|SI)A[A-Z0-9]{16}\b{end-half}"),
        check: Check::Nothing,
    },
    Rule {
        tag: "crates-io-token",
        pattern: token!(r"cio[A-Za-z0-9]{32}\b{end-half}"),
        check: Check::Mixed,
    },
    Rule {
        tag: "fly-token",
        pattern: token!(r"(?:fo1_[A-Za-z0-9_-]{43}|fm2_[A-Za-z0-9+/=_-]{40,})"),
        check: Check::Nothing,
    },
    Rule {
        tag: "new-relic-key",
        pattern: token!(r"NRAK-[A-Z0-9]{27}"),
        check: Check::Nothing,
    },
    Rule {
        tag: "planetscale-token",
        pattern: token!(r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=-]{32,}"),
        check: Check::Nothing,
    },
    Rule {
        tag: "tailscale-key",
        pattern: token!(r"tskey-[a-z]{2,10}-[A-Za-z0-9]{10,}-[A-Za-z0-9]{20,}"),
        check: Check::Nothing,
    },
    Rule {
        tag: "discord-webhook",
        pattern: r"(?:discord|discordapp)\.com/api/webhooks/([0-9]{17,20}/[A-Za-z0-9_-]{60,})",
        check: Check::Nothing,
    },
    Rule {
        tag: "private-key",
        pattern: r"(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)",
        check: Check::PrivateKey,
    },
    Rule {
        tag: "bearer-token",
        pattern: bearer!(r"[A-Za-z0-9]{20,}[A-Za-z0-9_~+/.-]*=*"),
        check: Check::Nothing,
    },
    Rule {
        tag: "bearer-token",
        pattern: bearer!(r"[A-Za-z0-9_~+/.-]{10,}=*"),
        check: Check::Digit,
    },
];

/// What stands where a secret stands: values of settings, and passwords in addresses.
pub(crate) const SETTINGS: &[Rule] = &[
    Rule {
        tag: "basic-auth",
        pattern: concat!(
            r#"(?i:authorization)\\?["']?[ \t]{0,4}:[ \t]{0,4}\\?["']?"#,
            r"(?i:basic)[ \t]{1,4}([A-Za-z0-9+/]{12,}={0,2})"
        ),
        check: Check::Mixed,
    },
    // What stands before the host of an address.
    Rule {
        tag: "password-in-address",
        pattern: concat!(
            r"(?:postgres|postgresql|mysql|mariadb|mongodb|mongodb\+srv|redis|rediss|amqp|amqps|nats",
            r"|postgresql\+psycopg2?|postgresql\+asyncpg|mysql\+pymysql|mysql\+mysqldb|mssql\+pyodbc",
            r"|https?|ftps?|sftp|smtps?|imaps?|ldaps?|ssh|git)://",
            r"[A-Za-z0-9._%~+-]{0,64}:([A-Za-z0-9._%~!#$^&*+,;=-]{5,256})@[A-Za-z0-9\[]"
        ),
        check: Check::Mixed,
    },
    // Directly after `=`, or in quotes: whatever it is.
    Rule {
        tag: "key-setting",
        pattern: setting!(
            r"[A-Za-z0-9+/_][A-Za-z0-9+/_.~=:@%-]{3,}",
            r#"(?:=\\?["'`]?|\\?["'`]?\]?[ \t]{0,4}(?::=?|=>?)[ \t]{0,4}\\?["'`])"#
        ),
        check: Check::Nothing,
    },
    // After `: ` or ` = ` without quotes: it may as well be prose or code.
    Rule {
        tag: "key-setting",
        pattern: setting!(
            r"[A-Za-z0-9+/_][A-Za-z0-9+/_.~=:@%-]{7,}",
            r#"\\?["'`]?\]?[ \t]{0,4}(?::=?|=>?)[ \t]{0,4}"#
        ),
        check: Check::Digit,
    },
    // A value given to any name that ends like one for a secret, as in a file of settings.
    Rule {
        tag: "secret-setting",
        pattern: concat!(
            r"(?:PASSWORD|PASSWD|SECRET|TOKEN|API_KEY|APIKEY|SECRET_KEY|ACCESS_KEY|PRIVATE_KEY)",
            r#"=\\?["'`]?([A-Za-z0-9+/_][A-Za-z0-9+/_.~=:@%!#$^&*?-]{7,})"#
        ),
        check: Check::Given,
    },
    // After `: ` or `=` in any case: it may as well be a type, a call or prose.
    Rule {
        tag: "secret-setting",
        pattern: concat!(
            r"(?i:password|passwd|secret|token|api_?key|api-key|secret_?key|access_?key)",
            r"[ \t]{0,3}[:=][ \t]{0,3}([A-Za-z0-9+/_][A-Za-z0-9+/_.~=:@%!#$^&*?-]{9,})"
        ),
        check: Check::Shuffled,
    },
    // The same in any case, where the value is quoted.
    Rule {
        tag: "secret-setting",
        pattern: concat!(
            r"(?i:password|passwd|secret|token|api_?key|api-key|secret_?key|access_?key)",
            r#"\\?["'`]?\]?[ \t]{0,4}(?::=?|=>?)[ \t]{0,4}\\?["'`]"#,
            r#"([A-Za-z0-9+/_][A-Za-z0-9+/_.~=:@%!-]{13,})\\?["'`]"#
        ),
        check: Check::Random,
    },
];
