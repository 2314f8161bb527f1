//! Recognizes verbs and forms their gerunds.

/// Verbs that follow `should` in questions of choice.
const VERBS: &[&str] = &[
    "abandon",
    "abolish",
    "accept",
    "adopt",
    "allow",
    "allocate",
    "apply",
    "archive",
    "arm",
    "ask",
    "assign",
    "attend",
    "automate",
    "avoid",
    "ban",
    "be",
    "become",
    "begin",
    "block",
    "borrow",
    "bring",
    "build",
    "buy",
    "cache",
    "call",
    "cancel",
    "change",
    "charge",
    "check",
    "choose",
    "close",
    "come",
    "commit",
    "commute",
    "compete",
    "compile",
    "continue",
    "convert",
    "cook",
    "copy",
    "cut",
    "delete",
    "deploy",
    "deprecate",
    "develop",
    "discontinue",
    "do",
    "donate",
    "drink",
    "drive",
    "drop",
    "eat",
    "embrace",
    "employ",
    "encourage",
    "end",
    "enforce",
    "enter",
    "exercise",
    "exist",
    "expand",
    "explore",
    "fix",
    "fly",
    "focus",
    "follow",
    "fork",
    "fund",
    "get",
    "give",
    "go",
    "grow",
    "have",
    "help",
    "hire",
    "hold",
    "host",
    "implement",
    "import",
    "improve",
    "increase",
    "install",
    "introduce",
    "invest",
    "join",
    "keep",
    "launch",
    "learn",
    "lease",
    "leave",
    "legalise",
    "legalize",
    "let",
    "limit",
    "live",
    "lower",
    "maintain",
    "make",
    "mandate",
    "marry",
    "merge",
    "migrate",
    "monitor",
    "move",
    "offer",
    "open",
    "order",
    "outlaw",
    "outsource",
    "own",
    "pay",
    "permit",
    "pick",
    "play",
    "prefer",
    "prohibit",
    "promote",
    "protect",
    "provide",
    "publish",
    "put",
    "raise",
    "read",
    "rebuild",
    "receive",
    "recycle",
    "reduce",
    "refactor",
    "regulate",
    "reject",
    "release",
    "remain",
    "remove",
    "rent",
    "replace",
    "require",
    "restrict",
    "retire",
    "reuse",
    "rewrite",
    "run",
    "save",
    "sell",
    "send",
    "serve",
    "set",
    "ship",
    "sign",
    "skip",
    "sleep",
    "solve",
    "speak",
    "spend",
    "split",
    "sponsor",
    "start",
    "stay",
    "stick",
    "stop",
    "store",
    "study",
    "subsidise",
    "subsidize",
    "support",
    "switch",
    "take",
    "tax",
    "teach",
    "tell",
    "test",
    "train",
    "travel",
    "treat",
    "try",
    "turn",
    "upgrade",
    "use",
    "visit",
    "vote",
    "wait",
    "walk",
    "watch",
    "wear",
    "win",
    "work",
    "write",
];

/// Verbs with several syllables that double their last letter.
const DOUBLING: &[&str] = &[
    "begin", "commit", "permit", "prefer", "admit", "submit", "refer", "occur", "forget", "format",
];

/// Returns whether a word may be a verb after `should`. A capitalized word is a name: `Go`.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.contains(&word)
}

/// Returns the gerund of a verb.
pub(super) fn gerund(verb: &str) -> String {
    if let Some(stem) = verb.strip_suffix("ie") {
        return format!("{stem}ying");
    }
    let keeps_e = ["ee", "ye", "oe"].iter().any(|end| verb.ends_with(end)) || verb == "be";
    if let Some(stem) = verb.strip_suffix('e').filter(|_| !keeps_e) {
        return format!("{stem}ing");
    }
    match doubled_letter(verb) {
        Some(letter) => format!("{verb}{letter}ing"),
        None => format!("{verb}ing"),
    }
}

/// Returns the last letter of a verb that doubles it: a consonant after one vowel, in a short verb.
fn doubled_letter(verb: &str) -> Option<char> {
    let letters: Vec<char> = verb.chars().collect();
    let &[.., before, vowel, last] = letters.as_slice() else {
        return None;
    };
    let is_vowel = |c: char| "aeiou".contains(c);
    // In `quit` the `u` is not a vowel sound, so it does not count as a syllable.
    let vowels = letters.iter().zip(letters.iter().skip(1));
    let silent = vowels
        .filter(|(one, next)| **one == 'q' && **next == 'u')
        .count();
    let syllables = letters.iter().filter(|c| is_vowel(**c)).count() - silent;
    let short = !is_vowel(before) || silent > 0;
    let ends = is_vowel(vowel) && !is_vowel(last) && !"wxy".contains(last);
    (ends && short && (syllables == 1 || DOUBLING.contains(&verb))).then_some(last)
}

/// Returns a phrase that begins with a verb in its gerund form; `None` if it does not begin with a
/// verb.
///
/// All verbs joined by `and` are changed.
pub(super) fn gerund_phrase(phrase: &str) -> Option<String> {
    let phrase = strip_to(phrase);
    let mut words = phrase.split(' ');
    let first = words.next().filter(|word| is_verb(word))?;
    let mut out = gerund(first);
    let mut joined = false;
    for word in words {
        out.push(' ');
        match joined && is_verb(word) {
            true => out.push_str(&gerund(word)),
            false => out.push_str(word),
        }
        joined = word == "and";
    }
    Some(out)
}

/// Removes the `to` of an infinitive.
pub(super) fn strip_to(phrase: &str) -> &str {
    phrase.strip_prefix("to ").unwrap_or(phrase)
}
