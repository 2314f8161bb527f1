//! Translates a repository's globs into the syntax of hosts. A glob that a host cannot express exactly is
//! not translated.

use super::spelling::spellings_of;
use super::{GlobFault, TOO_MANY};

/// Maximum globs or patterns that one glob may expand to.
const MAX_ALTERNATIVES: usize = 256;

// In a policy, `?` matches one letter in any encoding. In hosts, it matches one code point or one
// UTF-16 unit, and a letter may have several of them.
const ONE_LETTER: GlobFault = GlobFault("its `?` may match only a part of a letter");

/// A glob without alternatives, in one spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob {
    /// Its text, without a final `/`.
    text: String,
    /// Whether it covers everything below it.
    covers_below: bool,
}

impl Glob {
    /// Expands `text`: one glob for each spelling of each alternative.
    pub(crate) fn expand_all(text: &str) -> Result<Vec<Self>, GlobFault> {
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

    /// Returns the glob as a line of a `.gitignore`, relative to the folder. Such a line covers everything
    /// below the named path.
    pub(crate) fn as_gitignore_line(&self) -> Result<&str, GlobFault> {
        if self.text.contains('?') {
            return Err(ONE_LETTER);
        }
        match self
            .text
            .contains(['(', ')', '\\', '[', ']', '{', '}', ','])
        {
            true => Err(GlobFault("its rules cannot quote characters of the glob")),
            false => Ok(&self.text),
        }
    }

    /// Returns the glob as patterns in which `*` matches any text, including `/`.
    pub(crate) fn as_wildcard_patterns(&self) -> Result<Vec<String>, GlobFault> {
        const FAULT: GlobFault =
            GlobFault("its `*` also matches `/`, so it cannot express the glob");
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
                // The next part begins with `*`, which also matches any folders here, so `**` adds
                // nothing.
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
            // NUL marks the end of a `**`, after which a `*` at the start of a part may also match
            // `/`.
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

    /// Returns the glob as a literal path, which covers everything below it.
    pub(crate) fn as_literal(&self) -> Result<&str, GlobFault> {
        const FAULT: GlobFault = GlobFault("its rules can name paths but not patterns");
        let named = self.text.strip_suffix("/**").unwrap_or(&self.text);
        match named.contains(['*', '?', '[', ']', '{', '}', '\\']) {
            true => Err(FAULT),
            false => Ok(named),
        }
    }

    /// Fails if the host's version would allow more than the policy: after a letter, the host's `*` also
    /// matches a combining accent, which makes another letter for the policy.
    pub(crate) fn can_except(&self) -> Result<(), GlobFault> {
        const FAULT: GlobFault =
            GlobFault("its `*` also matches an accent on the letter before it");
        let mut pairs = self.text.chars().zip(self.text.chars().skip(1));
        let is_letter = |c: char| !c.is_ascii() || c.is_ascii_alphabetic() || "<=>".contains(c);
        match pairs.any(|(before, star)| star == '*' && is_letter(before)) {
            true => Err(FAULT),
            false => Ok(()),
        }
    }

    /// Returns whether it covers everything below it.
    pub(crate) const fn covers_below(&self) -> bool {
        self.covers_below
    }

    /// Returns the glob as a regular expression that cannot match beyond the end of an argument.
    pub(crate) fn as_regex(&self) -> Result<String, GlobFault> {
        if self.text.contains(['[', ']', '\\', '"']) {
            return Err(GlobFault(
                "its expressions cannot safely quote characters of the glob",
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
                            // `**` inside a name means the same as `*`, so skip the second star.
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

/// Expression for any text within an argument.
pub(crate) const ANY: &str = r"[^\x00]*";
/// Expression for one character of a name in a path.
const ONE: &str = r"[^/\x00]";

/// Escapes a text for a regular expression.
pub(crate) fn escaped_text(text: &str) -> String {
    text.chars().map(escaped).collect()
}

fn escaped(letter: char) -> String {
    match r"\.+*?()|[]{}^$".contains(letter) {
        true => format!("\\{letter}"),
        false => letter.to_string(),
    }
}

/// Returns whether the last part has an extension and, from there on, no class or alternative that could
/// lack one. Such a glob names files and covers nothing below them.
fn names_files_only(text: &str) -> bool {
    let last = text.rsplit('/').next().unwrap_or(text);
    let dot = last.rfind('.').filter(|at| *at > 0);
    dot.is_some_and(|at| !last[at..].contains(['{', '}', '[', ']', '\\']))
}

/// Placeholders for literal braces during expansion; globs never contain these characters.
const LITERAL_BRACES: (char, char) = ('\u{1}', '\u{2}');

/// Expands alternatives such as `{a,b}`. `{a}` also stands for itself.
fn expand(text: &str, found: &mut Vec<String>) -> Result<(), GlobFault> {
    let Some((before, inside, after)) = first_braces(text) else {
        if found.len() == MAX_ALTERNATIVES {
            return Err(TOO_MANY);
        }
        found.push(
            text.replace(LITERAL_BRACES.0, "{")
                .replace(LITERAL_BRACES.1, "}"),
        );
        return Ok(());
    };
    let alternatives = split_alternatives(inside);
    for one in &alternatives {
        // The glob matcher of policies ignores an empty alternative, so its meaning is unclear.
        if one.is_empty() {
            return Err(GlobFault("the glob has an empty alternative"));
        }
        expand(&format!("{before}{one}{after}"), found)?;
    }
    if let [one] = alternatives.as_slice() {
        let (open, close) = LITERAL_BRACES;
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
        let mut globs = Glob::expand_all(text).unwrap();
        assert_eq!(globs.len(), 1, "{globs:?}");
        globs.remove(0)
    }

    #[test]
    fn alternatives_are_globs_of_their_own() {
        let texts = |text| -> Vec<String> {
            let globs = Glob::expand_all(text).unwrap().into_iter();
            globs.map(|glob| glob.text).collect()
        };
        assert_eq!(texts("a/{b,c{d,e}}/f"), ["a/b/f", "a/cd/f", "a/ce/f"]);
        assert_eq!(texts("{{x}}/a"), ["x/a", "{x}/a", "{x}/a", "{{x}}/a"]);
        assert_eq!(texts("docs/"), ["docs"]);
        assert!(one("docs/").covers_below && !one("docs/a.md").covers_below);
        let covers_below = |text| Glob::expand_all(text).unwrap()[0].covers_below;
        assert!(covers_below("docs/{a.md,b}") && !covers_below("docs/{a,b}.md"));
    }

    #[test]
    fn a_glob_that_stands_for_too_many_is_refused_at_once() {
        assert_eq!(Glob::expand_all(&"{a,b}".repeat(8)).unwrap().len(), 256);
        for count in [9, 22, 40] {
            assert_eq!(Glob::expand_all(&"{a,b}".repeat(count)), Err(TOO_MANY));
        }
        // 256 spellings, and what would be more.
        let spelled = "\u{e4}".repeat(8);
        assert_eq!(Glob::expand_all(&spelled).unwrap().len(), 256);
        let more = format!("{{{spelled},a,b}}");
        assert_eq!(Glob::expand_all(&more), Err(TOO_MANY));
        assert!(one(&"**/a/".repeat(7)).as_wildcard_patterns().is_ok());
        for count in [9, 40] {
            assert_eq!(
                one(&"**/a/".repeat(count)).as_wildcard_patterns(),
                Err(TOO_MANY)
            );
        }
    }

    #[test]
    fn an_empty_alternative_is_refused() {
        for text in ["{a,}", "{,a}", "src/{a,}.rs", "x{a,{b,}}", "{}", "{a,,b}"] {
            assert!(Glob::expand_all(text).is_err(), "{text}");
        }
    }

    #[test]
    fn wildcards_say_only_what_they_can_say_exactly() {
        let said = |text| one(text).as_wildcard_patterns().map_err(|_| ());
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
            assert_eq!(glob.as_gitignore_line(), Err(ONE_LETTER));
            assert_eq!(glob.as_regex(), Err(ONE_LETTER));
            assert!(glob.as_wildcard_patterns().is_err() && glob.as_literal().is_err());
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
