//! `agon --version`, and what a report of a problem needs to know about this build.

use std::ffi::OsString;

/// What `agon --version` prints.
pub(crate) const VERSION_LINE: &str = concat!("agon ", env!("CARGO_PKG_VERSION"), "\n");

/// The commit that `cargo xtask package` built. A build of your own has none, so that a new commit
/// does not cause this crate to be compiled again.
const COMMIT: Option<&str> = option_env!("AGON_BUILD_COMMIT");

/// The features of this program, and whether this build has them. Released builds have no
/// `failpoints`, and `cargo xtask package` refuses a program with them.
const FEATURES: [(&str, bool); 4] = [
    ("failpoints", cfg!(feature = "failpoints")),
    ("local-model", cfg!(feature = "local-model")),
    ("png", cfg!(feature = "png")),
    ("telemetry", cfg!(feature = "telemetry")),
];

/// Returns what to print if these words only ask for the version; `None` otherwise.
pub(crate) fn answer(words: &[OsString]) -> Option<String> {
    let is_version = |word: &OsString| word == "--version" || word == "-V";
    let is_verbose = |word: &OsString| word == "--verbose" || word == "-v";
    match words {
        [word] if is_version(word) => Some(VERSION_LINE.to_owned()),
        [word] if word == "-vV" || word == "-Vv" => Some(describe_build()),
        [first, second]
            if (is_version(first) && is_verbose(second))
                || (is_verbose(first) && is_version(second)) =>
        {
            Some(describe_build())
        }
        _ => None,
    }
}

/// Returns the version, the commit, the features and the target, one per line.
fn describe_build() -> String {
    let names = FEATURES.iter().filter(|(_, is_in)| *is_in);
    let names: Vec<_> = names.map(|(name, _)| *name).collect();
    let features = match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(", "),
    };
    let commit = COMMIT.unwrap_or("unknown");
    let target = target();
    format!("{VERSION_LINE}commit: {commit}\nfeatures: {features}\ntarget: {target}\n")
}

/// Returns the target triple of this build. Cargo gives it only to build scripts, and this crate
/// needs no other.
fn target() -> String {
    let arch = std::env::consts::ARCH;
    let rest = if cfg!(target_os = "macos") {
        "apple-darwin"
    } else if cfg!(target_os = "windows") {
        "pc-windows-msvc"
    } else if cfg!(target_env = "musl") {
        "unknown-linux-musl"
    } else {
        "unknown-linux-gnu"
    };
    format!("{arch}-{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer_to(line: &str) -> Option<String> {
        let words: Vec<_> = line.split(' ').map(OsString::from).collect();
        answer(&words)
    }

    #[test]
    fn only_words_that_ask_for_nothing_else_get_the_version() {
        for line in ["--version", "-V"] {
            assert_eq!(answer_to(line).as_deref(), Some(VERSION_LINE), "{line}");
        }
        for line in ["--version --verbose", "--verbose -V", "-V -v", "-vV", "-Vv"] {
            assert_eq!(answer_to(line), Some(describe_build()), "{line}");
        }
        for line in [
            "--verbose",
            "-v",
            "-vVv",
            "-V list",
            "list --version",
            "-V -V",
            "",
        ] {
            assert_eq!(answer_to(line), None, "{line}");
        }
    }

    #[test]
    fn a_build_is_described_by_four_lines() {
        let text = describe_build();
        let lines = text.lines().skip(1);
        let keys: Vec<_> = lines.filter_map(|line| line.split(": ").next()).collect();
        assert_eq!(keys, ["commit", "features", "target"]);
        let features = text.contains("features: none");
        assert_eq!(features, FEATURES.iter().all(|(_, is_in)| !is_in), "{text}");
        let arch = format!("target: {}-", std::env::consts::ARCH);
        assert!(text.contains(&arch), "{text}");
    }
}
