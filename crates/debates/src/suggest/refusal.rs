//! The user's no to a suggestion, in the prompt after it.

use super::sentence;

/// First words of a no.
const FIRST_WORDS: &[&str] = &[
    "no", "nope", "nah", "not", "don", "dont", "never", "skip", "later", "without", "nein", "nö",
    "nee", "nicht", "später", "kein", "keine", "ohne", "lieber", "lass",
];
/// Words that, directly before `debate`, refuse one anywhere in a prompt.
const BEFORE_DEBATE: &[&str] = &[
    "no", "not", "t", "dont", "without", "skip", "stop", "keine", "ohne", "nicht",
];

/// Returns whether a prompt refuses what was offered before it.
pub(super) fn is_refusal(prompt: &str) -> bool {
    let words = sentence::words(prompt);
    let fillers = ["please", "ok", "okay", "well", "bitte", "hm", "and"];
    let first = words.iter().find(|word| !fillers.contains(&word.as_str()));
    let is_no = first.is_some_and(|word| FIRST_WORDS.contains(&word.as_str()));
    let mut debates = words.iter().enumerate();
    let is_no_debate = debates.any(|(at, word)| {
        let before = words.get(at.saturating_sub(2)..at).unwrap_or_default();
        word.starts_with("debat") && before.iter().any(|it| BEFORE_DEBATE.contains(&it.as_str()))
    });
    is_no || is_no_debate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_no_is_seen_in_the_words_that_people_type() {
        for no in [
            "no",
            "No.",
            "No, just do it",
            "nope, go on",
            "not now",
            "Don't.",
            "don’t debate this",
            "ok, no debate please",
            "go on without a debate",
            "skip the debate",
            "Nein, mach weiter",
            "Nicht jetzt",
            "keine Debatte",
            "Mach es ohne Debatte.",
            "Lieber nicht",
        ] {
            assert!(is_refusal(no), "{no}");
        }
        for other in [
            "yes",
            "yes, debate it",
            "Start the debate",
            "ja, bitte",
            "Now rename the field.",
            "Add a note to the README",
            "Which tools would debate?",
            "",
        ] {
            assert!(!is_refusal(other), "{other}");
        }
    }
}
