//! What a prompt asks for once the session has its debate.

/// The command that goes on with a debate, without its slash.
pub(crate) const CONTINUE: &str = "continue";
/// What it does.
pub(crate) const CONTINUE_ABOUT: &str = "Watch a debate that runs, go on with one that was stopped, \
or add a round to one that has its verdict";

/// Words that mean the same as the command, typed alone or with more behind them.
const CONTINUE_WORDS: [&str; 4] = ["/continue", "continue", "resume", "go on"];

/// A later prompt of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PromptIntent {
    /// The debate is to go on.
    Continue {
        /// So many rounds more, where it has its verdict.
        rounds: Option<u16>,
        /// What is said into it first.
        note: Option<String>,
    },
    /// Something is asked about it.
    Ask(String),
}

impl PromptIntent {
    /// Reads a prompt. A question that happens to begin with `continue` stays a question.
    pub(crate) fn parse(text: &str) -> Self {
        let text = text.trim();
        let lower = text.to_lowercase();
        let rest = CONTINUE_WORDS.iter().find_map(|word| {
            let rest = lower.strip_prefix(word)?;
            let is_word = rest.is_empty() || rest.starts_with([' ', ':', '.', '!', '\n']);
            is_word.then(|| text.get(word.len()..).unwrap_or_default())
        });
        let Some(rest) = rest else {
            return Self::Ask(text.to_owned());
        };
        let is_slash = text.starts_with('/');
        let has_colon = rest.starts_with(':');
        let rest = rest.trim_start_matches([':', '.', '!']).trim();
        if rest.is_empty() {
            return Self::Continue {
                rounds: None,
                note: None,
            };
        }
        if let Ok(rounds) = rest.parse() {
            return Self::Continue {
                rounds: Some(rounds),
                note: None,
            };
        }
        match is_slash || has_colon {
            true => Self::Continue {
                rounds: None,
                note: Some(rest.to_owned()),
            },
            false => Self::Ask(text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_command_to_go_on_is_not_a_question() {
        let goes_on = |rounds, note: Option<&str>| PromptIntent::Continue {
            rounds,
            note: note.map(str::to_owned),
        };
        for (text, expected) in [
            ("continue", goes_on(None, None)),
            (" Resume. ", goes_on(None, None)),
            ("go on!", goes_on(None, None)),
            ("/continue 2", goes_on(Some(2), None)),
            ("continue 3", goes_on(Some(3), None)),
            (
                "/continue Mind the cost",
                goes_on(None, Some("Mind the cost")),
            ),
            (
                "continue: mind the cost",
                goes_on(None, Some("mind the cost")),
            ),
        ] {
            assert_eq!(PromptIntent::parse(text), expected, "{text}");
        }
        for question in [
            "continue to use SQLite, or not?",
            "continued use of what?",
            "Why not plain files?",
            "resumé",
        ] {
            assert_eq!(
                PromptIntent::parse(question),
                PromptIntent::Ask(question.to_owned()),
                "{question}"
            );
        }
    }
}
