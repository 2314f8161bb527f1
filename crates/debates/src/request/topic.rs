//! Parses the topic as typed: plain, or `A vs B about TOPIC`.

use agon_caller::{Code, Failure};
use agon_record::text::{is_hidden, is_joiner};

// About 4,000 tokens in every prompt; longer texts belong in `--context`. Tested by
// `a_topic_of_a_megabyte_is_refused`.
/// Maximum length of a topic, in bytes.
const MAX_BYTES: usize = 16 * 1024;

/// The parsed words of a topic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topic {
    /// The topic.
    pub text: String,
    /// The two tools, if named.
    pub tools: Option<[String; 2]>,
    /// Whether a quick debate is requested.
    pub quick: bool,
    /// Whether a thorough debate is requested.
    pub thorough: bool,
    /// The number of rounds, if given.
    pub rounds: Option<u16>,
}

/// Parses the words of a topic.
///
/// Splits them only if `vs` stands between two of the `known` tools and `about` follows; otherwise
/// the whole text is the topic.
pub fn read(text: &str, known: &[String]) -> Result<Topic, Failure> {
    refuse_long_or_invisible(text, "topic")?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return Err(Failure::new(Code::MissingParameter, "the topic is missing")
            .parameter("topic")
            .hint("give a topic, such as: agon debate \"SQLite or plain files?\""));
    }
    let topic = parse_versus_topic(&text, known).unwrap_or(Topic {
        text,
        ..Topic::default()
    });
    if topic
        .rounds
        .is_some_and(|rounds| !(1..=5).contains(&rounds))
    {
        return Err(
            Failure::new(Code::InvalidParameter, "a duel has 1 to 5 rounds").parameter("rounds"),
        );
    }
    Ok(topic)
}

/// Returns `text` on one line, with its words unchanged; `what` names it in errors, such as
/// `motion`.
///
/// # Errors
///
/// If it is empty, too long, or contains invisible characters.
pub fn one_line(text: &str, what: &str) -> Result<String, Failure> {
    refuse_long_or_invisible(text, what)?;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        let message = format!("the {what} is empty");
        return Err(Failure::new(Code::InvalidParameter, message).parameter(what));
    }
    Ok(line)
}

fn refuse_long_or_invisible(text: &str, what: &str) -> Result<(), Failure> {
    let refuse =
        |message: String| Err(Failure::new(Code::InvalidParameter, message).parameter(what));
    if text.len() > MAX_BYTES {
        return refuse(format!(
            "the {what} is too long: {} bytes, the limit is {MAX_BYTES}",
            text.len()
        ));
    }
    let odd = |c: &char| (c.is_control() && !c.is_whitespace()) || is_hidden(*c) || is_joiner(*c);
    match text.chars().find(odd) {
        Some(c) => refuse(format!(
            "the {what} contains U+{:04X}, which is invisible",
            c as u32
        )),
        None => Ok(()),
    }
}

fn parse_versus_topic(text: &str, known: &[String]) -> Option<Topic> {
    let words: Vec<_> = text.split(' ').collect();
    let bare = |word: &str| word.trim_matches([',', ':', ';']).to_lowercase();
    let about = words
        .iter()
        .position(|word| matches!(bare(word).as_str(), "about" | "on" | "over"))?;
    let head: Vec<_> = words[..about].iter().map(|word| bare(word)).collect();
    let vs = head
        .iter()
        .position(|word| matches!(word.as_str(), "vs" | "vs." | "versus" | "against"))?;
    let tool = |word: Option<&String>| word.filter(|word| known.contains(word)).cloned();
    let tools = [
        tool(vs.checked_sub(1).and_then(|at| head.get(at)))?,
        tool(head.get(vs + 1))?,
    ];

    let mut topic = Topic {
        tools: Some(tools),
        ..Topic::default()
    };
    let around = head[..vs - 1].iter().chain(&head[vs + 2..]);
    let words_around: Vec<_> = around.map(String::as_str).collect();
    for (at, word) in words_around.iter().enumerate() {
        match *word {
            "quick" | "quickly" | "fast" => topic.quick = true,
            "thorough" | "thoroughly" | "deep" => topic.thorough = true,
            "round" | "rounds" => {
                topic.rounds = at.checked_sub(1).and_then(|n| number(words_around[n]));
            }
            "a" | "debate" | "in" | "with" | "and" | "for" | "let" => {}
            other if number(other).is_some() => {}
            _ => return None,
        }
    }
    let rest = words[about + 1..].join(" ");
    let quotes = ['"', '\u{201C}', '\u{201D}'];
    topic.text = rest.trim_matches(quotes).to_owned();
    (!topic.text.is_empty()).then_some(topic)
}

fn number(word: &str) -> Option<u16> {
    let words = ["one", "two", "three", "four", "five"];
    match words.iter().position(|known| *known == word) {
        Some(at) => u16::try_from(at + 1).ok(),
        None => word.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use agon_caller::FailureKind;

    use super::*;

    fn known() -> Vec<String> {
        ["claude", "codex", "gemini"].map(str::to_owned).into()
    }

    fn asked(text: &str) -> Topic {
        read(text, &known()).unwrap()
    }

    #[test]
    fn two_tools_around_vs_take_their_seats() {
        let expected = Topic {
            text: "tabs or spaces".to_owned(),
            tools: Some(["codex".to_owned(), "gemini".to_owned()]),
            ..Topic::default()
        };
        assert_eq!(asked("codex vs gemini about tabs or spaces"), expected);
        assert_eq!(asked("Codex versus Gemini on \"tabs or spaces\""), expected);
    }

    #[test]
    fn words_around_the_tools_set_the_pace() {
        let quick = asked("quick codex vs claude about x");
        assert_eq!(
            (quick.quick, quick.thorough, quick.rounds),
            (true, false, None)
        );
        let three = asked("a thorough claude vs codex, three rounds, about x");
        assert_eq!(
            (three.quick, three.thorough, three.rounds),
            (false, true, Some(3))
        );
    }

    #[test]
    fn a_topic_with_vs_in_it_stays_a_topic() {
        for text in [
            "tabs vs spaces about indentation",
            "claude vs codex",
            "what about codex vs x",
        ] {
            assert_eq!(
                asked(text),
                Topic {
                    text: text.to_owned(),
                    ..Topic::default()
                }
            );
        }
    }

    #[test]
    fn what_cannot_be_seen_is_refused() {
        for text in ["a\u{202E}b", "a\0b", "a\u{1b}[31mb", "\u{200B}"] {
            assert_eq!(
                read(text, &known()).unwrap_err().kind,
                FailureKind::Usage,
                "{text:?}"
            );
        }
        assert_eq!(
            read("  \n ", &known()).unwrap_err().code,
            Code::MissingParameter
        );
        assert_eq!(
            read(&"x".repeat(1 << 20), &known())
                .unwrap_err()
                .parameter
                .unwrap(),
            "topic"
        );
    }

    #[test]
    fn no_more_rounds_than_a_duel_has() {
        assert!(read("codex vs claude, 9 rounds, about x", &known()).is_err());
    }
}
