//! Globs of a repository in the languages of hosts. Where a language cannot say a glob exactly, it is not
//! said there.

use super::spelling::spellings_of;
use super::{GlobFault, TOO_MANY};

/// The most globs, and patterns, that one may stand for.
const MAX_ALTERNATIVES: usize = 256;

// For a policy it is one letter, however that is spelled: for hosts one or two characters, of which those
// that read JavaScript's text count some twice.
const ONE_LETTER: GlobFault = GlobFault("its `?` is not always a whole letter");

/// A glob without alternatives, in one spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob {
    /// Its text, without a `/` at its end.
    text: String,
    /// Whether it covers what is below it.
    covers_below: bool,
}

impl Glob {
    /// The globs that `text` stands for: one for each spelling of each of its alternatives.
    pub(crate) fn all_of(text: &str) -> Result<Vec<Self>, GlobFault> {
        let covers_below = !names_files_only(text);
        let named = text.strip_suffix('/').unwrap_or(text);
        let mut expanded = Vec::new();
        expand(named, &mut expanded)?;
        let mut globs = Vec::new();
        for text in expanded {
            let left = MAX_ALTERNATIVES - globs.len();
            let spelled = spellings_of(&text, left)?.into_iter();
            globs.extend(spelled.map(|text| Self { text, covers_below }));
        }
        Ok(globs)
    }

    /// As a line of a file that git ignores by, from the folder on. What such a line names is covered
    /// with all below it.
    pub(crate) fn as_ignored(&self) -> Result<&str, GlobFault> {
        if self.text.contains('?') {
            return Err(ONE_LETTER);
        }
        match self
            .text
            .contains(['(', ')', '\\', '[', ']', '{', '}', ','])
        {
            true => Err(GlobFault("its rules cannot quote what stands in the glob")),
            false => Ok(&self.text),
        }
    }

    /// As patterns in which `*` stands for any text, with `/` in it or not.
    pub(crate) fn as_wildcards(&self) -> Result<Vec<String>, GlobFault> {
        const FAULT: GlobFault =
            GlobFault("its `*` also stands for `/`, so it cannot say the glob");
        if self
            .text
            .contains(['?', '[', ']', '{', '}', '\\', '~', '$'])
        {
            return Err(FAULT);
        }
        let mut made = vec![String::new()];
        let mut parts = self.text.split('/').peekable();
        while let Some(part) = parts.next() {
            let next = parts.peek().copied();
            let begins: &[&str] = match (part, next) {
                ("**", None) => &["*"],
                // It stands for any folders, and the next part begins with any text.
                ("**", Some(next)) if next.starts_with('*') => &[""],
                ("**", Some(_)) => &["", "*/"],
                _ => {
                    let rest = part.strip_prefix('*').unwrap_or(part);
                    let is_after_folders = made.iter().any(|text| text.ends_with('\u{0}'));
                    if rest.contains('*') || part.starts_with('*') && !is_after_folders {
                        return Err(FAULT);
                    }
                    let end = if next.is_some() { "/" } else { "" };
                    for text in &mut made {
                        *text = format!("{}{part}{end}", text.trim_end_matches('\u{0}'));
                    }
                    continue;
                }
            };
            // A mark: folders were named, so a `*` that follows may have `/` in it.
            let mark = match next.is_some_and(|next| next.starts_with('*')) {
                true => "\u{0}",
                false => "",
            };
            let grown = made.iter().flat_map(|text| {
                begins
                    .iter()
                    .map(move |begin| format!("{}{begin}{mark}", text.trim_end_matches('\u{0}')))
            });
            made = grown.collect();
            if made.len() > MAX_ALTERNATIVES {
                return Err(TOO_MANY);
            }
        }
        if self.covers_below {
            let below = made.clone().into_iter().filter(|text| !text.ends_with('*'));
            made.extend(below.map(|text| format!("{text}/*")).collect::<Vec<_>>());
        }
        Ok(made)
    }

    /// As the path of a file or folder, with all below it.
    pub(crate) fn as_literal(&self) -> Result<&str, GlobFault> {
        const FAULT: GlobFault = GlobFault("it knows paths and no patterns");
        let named = self.text.strip_suffix("/**").unwrap_or(&self.text);
        match named.contains(['*', '?', '[', ']', '{', '}', '\\']) {
            true => Err(FAULT),
            false => Ok(named),
        }
    }

    /// Whether what it lets through is no more than a policy would: where `*` follows a letter, the host
    /// also takes the letter and an accent for it, which is another letter for the policy.
    pub(crate) fn can_except(&self) -> Result<(), GlobFault> {
        const FAULT: GlobFault =
            GlobFault("its `*` also stands for the accent of a letter before it");
        let mut pairs = self.text.chars().zip(self.text.chars().skip(1));
        let is_letter = |c: char| !c.is_ascii() || c.is_ascii_alphabetic() || "<=>".contains(c);
        match pairs.any(|(before, star)| star == '*' && is_letter(before)) {
            true => Err(FAULT),
            false => Ok(()),
        }
    }

    /// Whether it covers what is below it.
    pub(crate) const fn covers_below(&self) -> bool {
        self.covers_below
    }

    /// As a regular expression, in which no text crosses the end of an argument.
    pub(crate) fn as_regex(&self) -> Result<String, GlobFault> {
        if self.text.contains(['[', ']', '\\', '"']) {
            return Err(GlobFault(
                "its expressions are not to quote what stands in the glob",
            ));
        }
        if self.text.contains('?') {
            return Err(ONE_LETTER);
        }
        let mut regex = String::new();
        let mut parts = self.text.split('/').peekable();
        while let Some(part) = parts.next() {
            let is_last = parts.peek().is_none();
            match (part, is_last) {
                ("**", true) => regex.push_str(ANY),
                ("**", false) => regex.push_str(&format!("({ANY}/|)")),
                _ => {
                    let mut was_star = false;
                    for letter in part.chars() {
                        match letter {
                            // Two that do not stand alone are one.
                            '*' if was_star => {}
                            '*' => regex.push_str(&format!("{ONE}*")),
                            _ => regex.push_str(&escaped(letter)),
                        }
                        was_star = letter == '*';
                    }
                    if !is_last {
                        regex.push('/');
                    }
                }
            }
        }
        if self.covers_below {
            regex = format!("({regex}|{regex}/{ANY})");
        }
        Ok(regex)
    }
}

/// Any text of an argument.
pub(crate) const ANY: &str = r"[^\x00]*";
/// A letter of a name in a path.
const ONE: &str = r"[^/\x00]";

/// A text in a regular expression.
pub(crate) fn escaped_text(text: &str) -> String {
    text.chars().map(escaped).collect()
}

fn escaped(letter: char) -> String {
    match r"\.+*?()|[]{}^$".contains(letter) {
        true => format!("\\{letter}"),
        false => letter.to_string(),
    }
}

/// Whether its last part has an extension, and no class or alternatives from there on, which could be
/// without one: it names files then, and covers nothing below them.
fn names_files_only(text: &str) -> bool {
    let last = text.rsplit('/').next().unwrap_or(text);
    let dot = last.rfind('.').filter(|at| *at > 0);
    dot.is_some_and(|at| !last[at..].contains(['{', '}', '[', ']', '\\']))
}

/// Braces that are of a name while others are expanded. A glob has no such characters.
const OF_NAME: (char, char) = ('\u{1}', '\u{2}');

/// The texts that a text with `{a,b}` stands for. `{a}` stands for itself, too.
fn expand(text: &str, found: &mut Vec<String>) -> Result<(), GlobFault> {
    let Some((before, inside, after)) = first_braces(text) else {
        if found.len() == MAX_ALTERNATIVES {
            return Err(TOO_MANY);
        }
        found.push(text.replace(OF_NAME.0, "{").replace(OF_NAME.1, "}"));
        return Ok(());
    };
    let alternatives = split_alternatives(inside);
    for one in &alternatives {
        // What matches globs takes it for none.
        if one.is_empty() {
            return Err(GlobFault("one of the alternatives of the glob is empty"));
        }
        expand(&format!("{before}{one}{after}"), found)?;
    }
    if let [one] = alternatives.as_slice() {
        let (open, close) = OF_NAME;
        expand(&format!("{before}{open}{one}{close}{after}"), found)?;
    }
    Ok(())
}

fn first_braces(text: &str) -> Option<(&str, &str, &str)> {
    let start = text.find('{')?;
    let mut depth = 0;
    for (at, letter) in text.char_indices().skip_while(|(at, _)| *at < start) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..start], &text[start + 1..at], &text[at + 1..]));
        }
    }
    None
}

fn split_alternatives(inside: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in inside.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&inside[start..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Glob {
        let mut globs = Glob::all_of(text).unwrap();
        assert_eq!(globs.len(), 1, "{globs:?}");
        globs.remove(0)
    }

    #[test]
    fn alternatives_are_globs_of_their_own() {
        let texts = |text| -> Vec<String> {
            let globs = Glob::all_of(text).unwrap().into_iter();
            globs.map(|glob| glob.text).collect()
        };
        assert_eq!(texts("a/{b,c{d,e}}/f"), ["a/b/f", "a/cd/f", "a/ce/f"]);
        assert_eq!(texts("{{x}}/a"), ["x/a", "{x}/a", "{x}/a", "{{x}}/a"]);
        assert_eq!(texts("docs/"), ["docs"]);
        assert!(one("docs/").covers_below && !one("docs/a.md").covers_below);
        let covers_below = |text| Glob::all_of(text).unwrap()[0].covers_below;
        assert!(covers_below("docs/{a.md,b}") && !covers_below("docs/{a,b}.md"));
    }

    #[test]
    fn a_glob_that_stands_for_too_many_is_refused_at_once() {
        assert_eq!(Glob::all_of(&"{a,b}".repeat(8)).unwrap().len(), 256);
        for count in [9, 22, 40] {
            assert_eq!(Glob::all_of(&"{a,b}".repeat(count)), Err(TOO_MANY));
        }
        // 256 spellings, and what would be more.
        let spelled = "\u{e4}".repeat(8);
        assert_eq!(Glob::all_of(&spelled).unwrap().len(), 256);
        let more = format!("{{{spelled},a,b}}");
        assert_eq!(Glob::all_of(&more), Err(TOO_MANY));
        assert!(one(&"**/a/".repeat(7)).as_wildcards().is_ok());
        for count in [9, 40] {
            assert_eq!(one(&"**/a/".repeat(count)).as_wildcards(), Err(TOO_MANY));
        }
    }

    #[test]
    fn an_empty_alternative_is_refused() {
        for text in ["{a,}", "{,a}", "src/{a,}.rs", "x{a,{b,}}", "{}", "{a,,b}"] {
            assert!(Glob::all_of(text).is_err(), "{text}");
        }
    }

    #[test]
    fn wildcards_say_only_what_they_can_say_exactly() {
        let said = |text| one(text).as_wildcards().map_err(|_| ());
        let owned = |texts: &[&str]| Ok(texts.iter().map(|&text| text.to_owned()).collect());
        assert_eq!(said("src"), owned(&["src", "src/*"]));
        assert_eq!(said("src/a.rs"), owned(&["src/a.rs"]));
        assert_eq!(said("src/**"), owned(&["src/*"]));
        assert_eq!(said("**/*.rs"), owned(&["*.rs"]));
        assert_eq!(said("docs/**/*.md"), owned(&["docs/*.md"]));
        assert_eq!(said("a/**/b.c"), owned(&["a/b.c", "a/*/b.c"]));
        assert_eq!(said("**"), owned(&["*"]));
        for text in [
            "src/*.rs", "*.rs", "src/?.rs", "a*b", "src/[ab]", "**/a*b.c",
        ] {
            assert_eq!(said(text), Err(()), "{text}");
        }
    }

    #[test]
    fn what_is_one_letter_for_a_policy_alone_is_not_said() {
        for text in ["secrets/?.pem", "a?b/**"] {
            let glob = one(text);
            assert_eq!(glob.as_ignored(), Err(ONE_LETTER));
            assert_eq!(glob.as_regex(), Err(ONE_LETTER));
            assert!(glob.as_wildcards().is_err() && glob.as_literal().is_err());
        }
        for (text, can_except) in [
            ("src/e*", false),
            ("\u{65e5}*", false),
            ("src/*.rs", true),
            ("a/**/test_*", true),
            ("**", true),
        ] {
            assert_eq!(one(text).can_except().is_ok(), can_except, "{text}");
        }
    }

    #[test]
    fn no_group_of_an_expression_is_repeated() {
        for text in ["**/a(b)*.rs", "src/**", "a*b/**/c", "x"] {
            let regex = one(text).as_regex().unwrap();
            for repeated in [")*", ")+", ")?", "){"] {
                let found = regex.replace("\\)", "").contains(repeated);
                assert!(!found, "{text}: {regex}");
            }
        }
    }
}
