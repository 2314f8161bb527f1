//! Parses the later prompts of a session, whose debate has started.

/// The command that continues a debate, without its slash.
pub(crate) const CONTINUE: &str = "continue";
/// The description of the command.
pub(crate) const CONTINUE_ABOUT: &str =
    "Follow a running debate, resume a stopped one, or add a round after the verdict";

/// Words that mean the same as the command at the start of a prompt.
const CONTINUE_WORDS: [&str; 4] = ["/continue", "continue", "resume", "go on"];

/// A later prompt of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PromptIntent {
    /// Continue the debate.
    Continue {
        /// The number of rounds to add after the verdict.
        rounds: Option<u16>,
        /// A note to add first.
        note: Option<String>,
    },
    /// Answer a question about the debate.
    Ask(String),
}

impl PromptIntent {
    /// Parses a prompt. A question that begins with `continue` stays a question.
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
    fn only_a_command_to_continue_is_not_a_question() {
        let continues = |rounds, note: Option<&str>| PromptIntent::Continue {
            rounds,
            note: note.map(str::to_owned),
        };
        for (text, expected) in [
            ("continue", continues(None, None)),
            (" Resume. ", continues(None, None)),
            ("go on!", continues(None, None)),
            ("/continue 2", continues(Some(2), None)),
            ("continue 3", continues(Some(3), None)),
            (
                "/continue Mind the cost",
                continues(None, Some("Mind the cost")),
            ),
            (
                "continue: mind the cost",
                continues(None, Some("mind the cost")),
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
