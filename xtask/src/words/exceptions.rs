//! Texts that keep a refused phrase, or are longer than the limits, each with the reason.

/// A text that may stay as it is.
pub(super) struct Exception {
    /// The file, or a folder with `/` at its end.
    pub(super) path: &'static str,
    /// A part of the violation's text; empty for everything in the file.
    pub(super) text: &'static str,
    #[expect(dead_code, reason = "for the reader")]
    pub(super) reason: &'static str,
}

const fn except(path: &'static str, text: &'static str, reason: &'static str) -> Exception {
    Exception { path, text, reason }
}

pub(super) const EXCEPTIONS: &[Exception] = &[except(
    "xtask/src/words/",
    "",
    "the table of refused phrases and its tests",
)];
