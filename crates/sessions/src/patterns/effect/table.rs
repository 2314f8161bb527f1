//! Tables of programs and their subcommands.

/// A program that only prints something.
pub(super) struct Looking {
    pub(super) name: &'static str,
    /// Options with which it changes a file.
    pub(super) writing: &'static [&'static str],
    /// Options with which it runs another program.
    pub(super) running: &'static [&'static str],
    /// The letters of its options without a value.
    pub(super) flags: &'static str,
}

const fn plain(name: &'static str) -> Looking {
    Looking {
        name,
        writing: &[],
        running: &[],
        flags: "",
    }
}

/// Programs that only print something.
pub(super) const LOOKING: &[Looking] = &[
    plain("["),
    plain("ag"),
    plain("awk"),
    plain("basename"),
    plain("bat"),
    plain("cat"),
    plain("cd"),
    plain("column"),
    plain("cut"),
    plain("date"),
    plain("df"),
    plain("diff"),
    plain("dirname"),
    plain("du"),
    plain("echo"),
    plain("egrep"),
    Looking {
        name: "fd",
        writing: &[],
        running: &["-x", "-X", "--exec", "--exec-batch"],
        flags: "HIugsiFaLp0lq1",
    },
    plain("fgrep"),
    plain("file"),
    Looking {
        name: "find",
        writing: &["-delete", "-fls", "-fprint", "-fprint0", "-fprintf"],
        running: &["-exec", "-execdir", "-ok", "-okdir"],
        flags: "",
    },
    plain("gawk"),
    plain("grep"),
    plain("head"),
    plain("hexdump"),
    plain("jq"),
    Looking {
        name: "less",
        writing: &["-o", "-O", "--log-file", "--LOG-FILE"],
        running: &[],
        flags: "NSRFXEeiIMmnqs",
    },
    plain("ls"),
    plain("more"),
    plain("nl"),
    plain("od"),
    plain("printf"),
    plain("ps"),
    plain("pwd"),
    plain("readlink"),
    plain("realpath"),
    Looking {
        name: "rg",
        writing: &[],
        running: &["--pre"],
        flags: "",
    },
    Looking {
        name: "sed",
        writing: &["-i", "--in-place"],
        running: &[],
        flags: "nrEsuz",
    },
    plain("sleep"),
    Looking {
        name: "sort",
        writing: &["-o", "--output"],
        running: &[],
        flags: "bdfghiMnRrVcCmsuz",
    },
    plain("stat"),
    plain("strings"),
    plain("tail"),
    plain("tr"),
    Looking {
        name: "tree",
        writing: &["-o"],
        running: &[],
        flags: "adflipsugDFNQrtvAnCJX",
    },
    plain("true"),
    plain("type"),
    plain("uname"),
    plain("uniq"),
    plain("wc"),
    plain("which"),
    plain("whoami"),
    Looking {
        name: "xxd",
        writing: &["-r"],
        running: &[],
        flags: "",
    },
];

/// Subcommands of Git that only print something.
pub(super) const GIT_LOOKING: &[&str] = &[
    "blame",
    "cat-file",
    "describe",
    "diff",
    "grep",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge-base",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "status",
];
/// Subcommands of other programs that only print something.
pub(super) const PRINTING_SUBCOMMANDS: &[(&str, &[&str])] = &[
    ("cargo", &["metadata", "search", "tree"]),
    ("docker", &["images", "inspect", "logs", "ls", "ps"]),
    ("gh", &["checks", "diff", "list", "status", "view"]),
    ("go", &["doc", "env", "list", "version"]),
    ("kubectl", &["describe", "get", "logs"]),
    ("npm", &["list", "ls", "view"]),
    ("pip", &["freeze", "list", "show"]),
    ("systemctl", &["status"]),
];
/// Subcommands that group others, as in `gh pr view`.
pub(super) const GROUPS: &[(&str, &[&str])] = &[
    (
        "docker",
        &["compose", "container", "image", "network", "volume"],
    ),
    (
        "gh",
        &[
            "auth", "cache", "gist", "issue", "label", "pr", "project", "release", "repo",
            "ruleset", "run", "secret", "variable", "workflow",
        ],
    ),
];

/// Programs that change the files they name.
pub(super) const CHANGING: &[&str] = &[
    "cp", "ln", "mv", "patch", "rm", "rustfmt", "tee", "touch", "truncate", "unlink",
];
/// Options of linters and formatters that change files.
pub(super) const FIXING: &[&str] = &["--fix", "--fix-only", "--write", "--write-changes"];
/// Subcommands of Git that change files of the work tree.
pub(super) const GIT_CHANGING: &[&str] = &[
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "clean",
    "merge",
    "mv",
    "pull",
    "rebase",
    "reset",
    "restore",
    "revert",
    "rm",
    "stash",
    "switch",
];
