//! Reads the sentences of a debate from its journal.

use std::path::Path;

use serde_json::Value;

/// Words about instructions, answer formats or roles.
const FOREIGN: &[&str] = &[
    "json",
    "schema",
    "instruction",
    "instructions",
    "prompt",
    "proposer",
    "challenger",
    "judge",
    "debater",
    "debate",
    "question",
    "answer",
    "sentence",
    "assistant",
    "chatbot",
    "paragraph",
    "interview",
    "example",
    "smollm",
    "rephrase",
];

/// Words that occur in every text.
const COMMON: &[&str] = &[
    "the", "and", "for", "are", "can", "not", "that", "this", "with", "than", "then", "them",
    "they", "their", "there", "have", "has", "had", "its", "but", "any", "all", "one", "more",
    "most", "over", "from", "should", "would", "could", "will", "which", "what", "when", "where",
    "who", "why", "how", "better", "every", "does", "need", "our", "you", "your",
];

/// The sentences of a debate.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    /// The option of each side.
    pub(super) sides: [String; 2],
    /// Every sentence of the moves, in order.
    pub(super) sentences: Vec<String>,
    /// Every answer in the recorded replies.
    answers: Vec<String>,
}

impl Spoken {
    /// Reads a journal; `None` if it does not exist.
    pub(super) fn read(journal: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(journal).ok()?;
        let mut spoken = Self::default();
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).ok()?;
            for event in line["events"].as_array().into_iter().flatten() {
                spoken.read_event(event);
            }
        }
        Some(spoken)
    }

    fn read_event(&mut self, event: &Value) {
        let options = &event["options"];
        if options.is_object() {
            let name = |side: &str| {
                options[side]["name"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned()
            };
            self.sides = [name("proposer"), name("challenger")];
        }
        if let Some(reply) = event["reply"]["text"].as_str() {
            let answers = reply.lines().filter_map(|line| line.strip_prefix("A: "));
            self.answers.extend(answers.map(str::to_owned));
        }
        let moves = &event["moves"];
        let texts = [
            "arguments",
            "objections",
            "alternatives",
            "responses",
            "assessments",
        ];
        for list in texts {
            for point in moves[list].as_array().into_iter().flatten() {
                self.add_sentence(&point["claim"]);
                self.add_sentence(&point["content"]);
                for ground in point["grounds"].as_array().into_iter().flatten() {
                    self.add_sentence(&ground["content"]);
                    self.add_sentence(&ground["relevance"]);
                }
                self.add_sentence(&point["warrant"]);
            }
        }
        for text in ["position", "why", "do_next", "unless"] {
            self.add_sentence(&moves[text]);
        }
    }

    fn add_sentence(&mut self, text: &Value) {
        let text = text.as_str().unwrap_or_default();
        if !text.is_empty() {
            self.sentences.push(text.to_owned());
        }
    }

    pub(super) fn has_two_sides(&self) -> bool {
        let [one, other] = &self.sides;
        !one.is_empty() && !other.is_empty() && !one.eq_ignore_ascii_case(other)
    }

    /// Returns whether a sentence contains a word of the topic or of an option.
    pub(super) fn is_on_topic(&self, topic: &str, sentence: &str) -> bool {
        let subject = format!("{topic} {} {}", self.sides[0], self.sides[1]);
        let subject = content_words(&subject);
        let words = content_words(sentence);
        words
            .iter()
            .any(|word| subject.iter().any(|known| is_form_of(word, known)))
    }

    /// Returns the sentences that are not the beginning of a recorded answer, so the program wrote
    /// them.
    pub(super) fn sentences_without_answer(&self) -> Vec<&String> {
        let sentences = self.sentences.iter();
        let answered = |text: &str| self.answers.iter().any(|it| it.starts_with(text));
        sentences.filter(|text| !answered(text)).collect()
    }
}

/// Returns whether a sentence contains markup, or a word about instructions, JSON or roles that is
/// not in the topic.
pub(super) fn has_foreign_word(topic: &str, sentence: &str) -> bool {
    let topic = words(topic);
    let marked = sentence.contains(['{', '}', '[', ']', '<', '>', '`', '|']);
    let words = words(sentence);
    let foreign = |word: &String| FOREIGN.contains(&word.as_str()) && !topic.contains(word);
    marked || words.iter().any(foreign)
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn content_words(text: &str) -> Vec<String> {
    let says = |word: &String| !COMMON.contains(&word.as_str()) && word.chars().count() >= 2;
    words(text).into_iter().filter(says).collect()
}

/// Returns whether two words have the same stem: at least their first three characters and half of
/// the longer word are the same, and at most four characters follow.
fn is_form_of(one: &str, other: &str) -> bool {
    let shared = one
        .chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let longest = one.chars().count().max(other.chars().count());
    one == other || (shared >= 3 && longest - shared <= 4 && shared * 2 >= longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOURNAL: &str = r#"{"events":[{"topic":"Tea or coffee?","options":{"proposer":{"name":"Tea"},"challenger":{"name":"coffee"}}}]}
{"events":[{"reply":{"text":"interview/1\n\nclaim 1\nQ: q\nA: Tea is mild, but\n\nclaim 2\nQ: q\nA: It is a JSON.\n"}}]}
{"events":[{"moves":{"arguments":[{"claim":"Tea is mild","grounds":[],"warrant":""},{"claim":"Made up."}]}}]}
"#;

    #[test]
    fn what_was_said_is_read_from_the_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        std::fs::write(&path, JOURNAL).unwrap();
        let spoken = Spoken::read(&path).unwrap();
        assert!(spoken.has_two_sides());
        assert_eq!(spoken.sentences, ["Tea is mild", "Made up."]);
        assert_eq!(spoken.sentences_without_answer(), ["Made up."]);
        assert!(spoken.is_on_topic("Tea or coffee?", "Coffees wake people up."));
        assert!(!spoken.is_on_topic("Tea or coffee?", "Made up."));
    }

    #[test]
    fn a_word_of_a_form_or_role_is_found_unless_it_is_debated() {
        assert!(has_foreign_word("Tea or coffee?", "The answer is tea."));
        assert!(has_foreign_word("Tea or coffee?", "Tea {is} mild."));
        assert!(!has_foreign_word("JSON or YAML?", "JSON is read by all."));
        assert!(!has_foreign_word("Tea or coffee?", "Tea is mild."));
    }
}
