//! A question without what stands around it: its mark, a heading before it, what it is asked for.

/// Words that begin what an option is chosen for, or when.
const SETTINGS: [&str; 4] = ["for", "when", "if", "as"];

/// Words that end a heading before two options: `Which is better: A or B?`.
const HEADING_ENDS: [char; 3] = [':', '—', '–'];

/// A topic without what stands around its options.
pub(super) struct BareTopic {
    /// The topic, as one line without its mark.
    pub(super) whole: String,
    /// What is asked, without heading and setting.
    pub(super) text: String,
    /// What the options are chosen for, such as `for the job store`; may be empty.
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

/// A heading before a colon, a dash or a comma, and what follows it.
fn split_heading(text: &str) -> (Option<&str>, &str) {
    let colon = text
        .char_indices()
        .find(|(at, c)| HEADING_ENDS.contains(c) && text[at + c.len_utf8()..].starts_with(' '));
    if let Some((at, c)) = colon {
        return (Some(text[..at].trim()), text[at + c.len_utf8()..].trim());
    }
    // `For the job store, SQLite or plain files`: one comma, before any `or`.
    if let Some((head, rest)) = text.split_once(", ")
        && !contains_word(head, "or")
        && !rest.contains(", ")
        && (begins_with_setting(head) || asks_which(head))
    {
        return (Some(head), rest);
    }
    (None, text)
}

/// What an option is chosen for, as a heading says it.
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

/// What is asked, and what for: everything from the last ` for ` on that stands behind the options.
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

/// A text that begins with a small letter.
fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}

/// As [`lower_first`], but a name such as `SQLite` or `API` stays as it is.
pub(super) fn lower_first_word(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    match first.chars().skip(1).any(char::is_uppercase) {
        true => text.to_owned(),
        false => lower_first(text),
    }
}

/// A text that begins with a capital.
pub(super) fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
