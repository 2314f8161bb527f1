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
    /// It is the first line of a private key, and the key follows.
    PrivateKey,
}

impl Check {
    /// Whether `secret` passes; the key after a first line is not looked at.
    pub(crate) fn passes(self, secret: &str) -> bool {
        match self {
            Self::Nothing | Self::PrivateKey => true,
            Self::Digit => secret.bytes().any(|byte| byte.is_ascii_digit()),
        }
    }
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
            r"|AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|GITHUB_TOKEN|GH_TOKEN)",
            $between,
            "(",
            $value,
            ")"
        )
    };
}

/// Every rule. At one place the first that matches wins, so a special form
/// stands before the general one.
pub(crate) const RULES: &[Rule] = &[
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
];
