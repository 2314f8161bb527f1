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

pub(super) const EXCEPTIONS: &[Exception] = &[
    except(
        "xtask/src/words/",
        "",
        "the table of refused phrases and its tests",
    ),
    except("CONTRIBUTING.md", "", "the page that lists refused words"),
    except(
        "content/requests/",
        "",
        "example requests, as users word them",
    ),
    except(
        "crates/evidence/src/extract/claim/lexicon.rs",
        "",
        "words that citations are recognized by",
    ),
    except(
        "crates/debates/src/suggest/refusal.rs",
        "`go on`",
        "an answer that users give",
    ),
    except(
        "crates/evidence/src/negation.rs",
        "",
        "words that negations are recognized by",
    ),
    except(
        "crates/prompt/src/injections/corpus.rs",
        "",
        "texts of attacks",
    ),
    except(
        "crates/prompt/templates/found.md",
        "",
        "a heading that the parsers of prompts read",
    ),
    except(
        "crates/debates/demo/project/",
        "",
        "the project that the demo's debate quotes",
    ),
    except("crates/local/examples/turn.txt", "", "a recorded prompt"),
    except(
        "crates/report/src/graph/font/LICENSE-OFL.txt",
        "",
        "the font's licence",
    ),
    except(
        "crates/acp/src/command.rs",
        "`go on`",
        "a word that users type",
    ),
    except(
        "content/agents/debate-orchestrator.md",
        "`nobody`",
        "a fixed text that callers look for",
    ),
    except(
        "SECURITY.md",
        "a table's cell",
        "generated: every variable that a service of OpenCode gets",
    ),
];
