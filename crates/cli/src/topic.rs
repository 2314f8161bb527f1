//! The topic as it was typed: plain, or `A vs B about TOPIC`.

use crate::error::{Exit, Failure};

/// Bytes of the longest topic.
const LONGEST: usize = 16 * 1024;

/// What the words of a topic ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// What is debated.
    pub(crate) topic: String,
    /// The two tools, when they are named.
    pub(crate) tools: Option<[String; 2]>,
    /// Whether a quick debate is asked for.
    pub(crate) quick: bool,
    /// Whether a thorough debate is asked for.
    pub(crate) thorough: bool,
    /// The rounds, when they are named.
    pub(crate) rounds: Option<u16>,
}

/// Reads the words of a topic.
///
/// They are taken apart only when two of the `known` tools stand around `vs`
/// and `about` follows; otherwise all of it is the topic.
pub(crate) fn read(text: &str, known: &[String]) -> Result<Asked, Failure> {
    check(text, "topic")?;
    let topic = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if topic.is_empty() {
        return Err(
            Failure::new(Exit::Usage, "missing_parameter", "there is no topic")
                .parameter("topic")
                .hint("say what to debate: agon debate \"SQLite or plain files?\""),
        );
    }
    let asked = versus(&topic, known).unwrap_or(Asked {
        topic,
        ..Asked::default()
    });
    if asked
        .rounds
        .is_some_and(|rounds| !(1..=5).contains(&rounds))
    {
        return Err(
            Failure::new(Exit::Usage, "invalid_parameter", "a duel has 1 to 5 rounds")
                .parameter("rounds"),
        );
    }
    Ok(asked)
}

/// `text` as one line, every word as it was typed; `what` names it, such as `motion`.
///
/// # Errors
///
/// If it is empty, too long, or has characters that cannot be seen.
pub(crate) fn one_line(text: &str, what: &str) -> Result<String, Failure> {
    check(text, what)?;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        let message = format!("the {what} is empty");
        return Err(Failure::new(Exit::Usage, "invalid_parameter", message).parameter(what));
    }
    Ok(line)
}

fn check(text: &str, what: &str) -> Result<(), Failure> {
    let refuse = |message: String| {
        Err(Failure::new(Exit::Usage, "invalid_parameter", message).parameter(what))
    };
    if text.len() > LONGEST {
        return refuse(format!(
            "a {what} has at most {LONGEST} bytes, this one has {}",
            text.len()
        ));
    }
    let odd = |c: &char| (c.is_control() && !c.is_whitespace()) || is_hidden(*c);
    match text.chars().find(odd) {
        Some(c) => refuse(format!(
            "a {what} cannot have U+{:04X}, which is not visible",
            c as u32
        )),
        None => Ok(()),
    }
}

/// Bidirectional controls, zero-width characters and tags.
pub(crate) fn is_hidden(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

fn versus(topic: &str, known: &[String]) -> Option<Asked> {
    let words: Vec<_> = topic.split(' ').collect();
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

    let mut asked = Asked {
        tools: Some(tools),
        ..Asked::default()
    };
    let around = head[..vs - 1].iter().chain(&head[vs + 2..]);
    let words_around: Vec<_> = around.map(String::as_str).collect();
    for (at, word) in words_around.iter().enumerate() {
        match *word {
            "quick" | "quickly" | "fast" => asked.quick = true,
            "thorough" | "thoroughly" | "deep" => asked.thorough = true,
            "round" | "rounds" => {
                asked.rounds = at.checked_sub(1).and_then(|n| number(words_around[n]));
            }
            "a" | "debate" | "in" | "with" | "and" | "for" | "let" => {}
            other if number(other).is_some() => {}
            _ => return None,
        }
    }
    let rest = words[about + 1..].join(" ");
    let quotes = ['"', '\u{201C}', '\u{201D}'];
    asked.topic = rest.trim_matches(quotes).to_owned();
    (!asked.topic.is_empty()).then_some(asked)
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
    use super::*;

    fn known() -> Vec<String> {
        ["claude", "codex", "gemini"].map(str::to_owned).into()
    }

    fn asked(text: &str) -> Asked {
        read(text, &known()).unwrap()
    }

    #[test]
    fn two_tools_around_vs_take_their_seats() {
        let expected = Asked {
            topic: "tabs or spaces".to_owned(),
            tools: Some(["codex".to_owned(), "gemini".to_owned()]),
            ..Asked::default()
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
                Asked {
                    topic: text.to_owned(),
                    ..Asked::default()
                }
            );
        }
    }

    #[test]
    fn what_cannot_be_seen_is_refused() {
        for text in ["a\u{202E}b", "a\0b", "a\u{1b}[31mb", "\u{200B}"] {
            assert_eq!(
                read(text, &known()).unwrap_err().exit,
                Exit::Usage,
                "{text:?}"
            );
        }
        assert_eq!(
            read("  \n ", &known()).unwrap_err().code,
            "missing_parameter"
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
