//! Strips a question of its punctuation, its heading and its purpose.

/// First words of the purpose or condition of a choice.
const SETTINGS: [&str; 4] = ["for", "when", "if", "as"];

/// Ends of a heading before two options: `Which is better: A or B?`.
const HEADING_ENDS: [char; 3] = [':', '—', '–'];

/// A topic reduced to its options.
pub(super) struct BareTopic {
    /// The topic on one line, without punctuation at the end.
    pub(super) whole: String,
    /// The question without heading and purpose.
    pub(super) text: String,
    /// The purpose of the choice, such as `for the job store`; may be empty.
    pub(super) setting: String,
}

impl BareTopic {
    pub(super) fn read(topic: &str) -> Self {
        let line = topic.split_whitespace().collect::<Vec<_>>().join(" ");
        let whole = line.trim_matches(|c: char| c.is_whitespace() || "?.!\"“”".contains(c));
        let (heading, asked) = split_heading(whole);
        let (text, mut setting) = split_setting(asked);
        if setting.is_empty() {
            setting = heading.map(heading_setting).unwrap_or_default();
        }
        Self {
            whole: whole.to_owned(),
            text: text.trim_matches([' ', ',']).to_owned(),
            setting,
        }
    }
}

/// Splits off a heading before a colon, a dash or a comma.
fn split_heading(text: &str) -> (Option<&str>, &str) {
    let colon = text
        .char_indices()
        .find(|(at, c)| HEADING_ENDS.contains(c) && text[at + c.len_utf8()..].starts_with(' '));
    if let Some((at, c)) = colon {
        return (Some(text[..at].trim()), text[at + c.len_utf8()..].trim());
    }
    // A heading such as `For the job store` ends at the only comma, which is before any `or`.
    if let Some((head, rest)) = text.split_once(", ")
        && !contains_word(head, "or")
        && !rest.contains(", ")
        && (begins_with_setting(head) || asks_which(head))
    {
        return (Some(head), rest);
    }
    (None, text)
}

/// Returns the purpose of a choice from a heading.
fn heading_setting(heading: &str) -> String {
    if begins_with_setting(heading) {
        return lower_first(heading);
    }
    match asks_which(heading) {
        true => split_setting(heading).1,
        false => format!("for {}", lower_first_word(heading)),
    }
}

fn asks_which(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default().to_lowercase();
    ["which", "what", "who"].contains(&first.as_str())
}

fn begins_with_setting(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default().to_lowercase();
    SETTINGS.contains(&first.as_str())
}

/// Splits off the purpose: everything from the last ` for ` after the options.
fn split_setting(text: &str) -> (&str, String) {
    let options_begin = ["or", "vs", "vs.", "versus", "than"]
        .iter()
        .filter_map(|word| text.to_lowercase().find(&format!(" {word} ")))
        .max()
        .unwrap_or(0);
    let behind = text.get(options_begin + 1..).unwrap_or_default();
    let at = SETTINGS
        .iter()
        .filter_map(|word| behind.find(&format!(" {word} ")))
        .min();
    match at {
        Some(at) if options_begin > 0 || asks_which(text) => {
            let at = options_begin + 1 + at;
            (text[..at].trim(), text[at..].trim().to_owned())
        }
        _ => (text, String::new()),
    }
}

fn contains_word(text: &str, word: &str) -> bool {
    text.split(' ').any(|it| it.eq_ignore_ascii_case(word))
}

/// Returns the text with a lower-case first letter.
fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}

/// As [`lower_first`], but keeps a name such as `SQLite` or `API`.
pub(super) fn lower_first_word(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    match first.chars().skip(1).any(char::is_uppercase) {
        true => text.to_owned(),
        false => lower_first(text),
    }
}

/// Returns the text with a capital first letter.
pub(super) fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
