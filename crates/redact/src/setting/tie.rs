//! Determines how a value is connected to its name, and where it begins.

use super::{BETWEEN, MAX_SIDE, NameScan, SETTERS, Tie, may_continue_entry};
use crate::name::Name;

impl NameScan<'_> {
    /// Returns how a value is connected to the name (`=`, `:`, a space, a tag), and where it
    /// begins.
    pub(super) fn find_tie(&self) -> Option<(Tie, usize)> {
        let end = self.name.end;
        let between = &*BETWEEN;
        let rest = self.text_near(end);
        if rest.len() > 1
            && matches!(
                rest.as_bytes()[0],
                b'"' | b'\'' | b',' | b'\n' | b'\r' | b' '
            )
            && may_continue_entry(rest)
            && self.is_whole_field()
            && let Some(found) = between.entry.find(rest)
        {
            return Some((Tie::Loose, end + found.end()));
        }
        // A C# property: the value follows `{ get; … }` and `=`.
        const GETTER: &str = " { get";
        if let Some(sign) = rest
            .strip_prefix(GETTER)
            .and_then(|it| it.find("} = \""))
            .filter(|sign| *sign < 40)
        {
            return Some((Tie::Loose, end + GETTER.len() + sign + 4));
        }
        // The value follows a later flag: `gh secret set NAME --repo owner/name --body value`.
        if rest.starts_with(" -") {
            let line = rest.split('\n').next().unwrap_or_default();
            for flag in [" --body ", " --value "] {
                if let Some(at) = line.find(flag) {
                    return Some((Tie::Word, end + at + flag.len()));
                }
            }
        }
        if let Some(at) = self.child_value() {
            return Some((Tie::Loose, at));
        }
        if let Some(found) = self.tie_to_element() {
            return Some(found);
        }
        let selects = matches!(self.byte_before_name(), b'#' | b'=' | b'"' | b'\'');
        if rest.starts_with(['"', '\'', '`', ']', ')'])
            && let Some(found) = between.typed.find(rest)
            && (selects || found.as_str().contains(['.', 'w']))
        {
            return Some((Tie::Quote, end + found.end() - 1));
        }
        let mut at = end;
        let mark = self.byte_at(at);
        let closed = matches!(mark, b'"' | b'\'' | b'`');
        at += usize::from(closed);
        while matches!(self.byte_at(at), b'*' | b']' | b')') && at < end + 4 {
            at += 1;
        }
        let sign = self.skip_blanks(at);
        let spaced = sign > at;
        if matches!(self.byte_at(sign), b',' | b';')
            && !(closed || spaced)
            && self.is_variable_at_line_start()
            && self.byte_at(sign + 1).is_ascii_alphanumeric()
            && !between.wrap.is_match(self.text_near(sign + 1))
        {
            return Some((Tie::Field, sign + 1));
        }
        // Quoted words that merely end with a name are prose, so the next quotation is not the
        // value.
        if closed
            && self.byte_before_name() != mark
            && !matches!(self.byte_at(sign), b':' | b'=' | b'>')
        {
            return None;
        }
        match (self.byte_at(sign), self.byte_at(sign + 1)) {
            // `?=` and `+=` assign in makefiles and loops.
            (b'?' | b'+', b'=') => Some((Tie::Loose, self.skip_blanks(sign + 2))),
            (b':', b':') if self.byte_at(sign + 2) == b'=' => {
                Some((Tie::Loose, self.skip_blanks(sign + 3)))
            }
            (b':', b':') => None,
            (b':', b'-') if self.byte_before_name() == b'{' => Some((Tie::Tight, sign + 2)),
            (b':' | b'=', _) => self.tie_after_sign(sign, spaced || closed),
            (b'-', b'>') => Some((Tie::Loose, self.skip_blanks(sign + 2))),
            (
                b',',
                b' ' | b'"' | b'\'' | b'`' | b'\n' | b'\r' | b'$' | b'b' | b'r' | b'f' | b'@',
            ) if closed
                || self.byte_before_name() == b'{'
                || self.text[self.name.clone()].ends_with(|c: char| c.is_ascii_uppercase()) =>
            {
                Some((Tie::Quote, self.skip_whitespace(sign + 1)))
            }
            (b'(', _) if !spaced && !closed => Some((Tie::Quote, self.skip_whitespace(sign + 1))),
            (b'!', b'=') => Some((
                Tie::Quote,
                self.skip_whitespace(sign + 2 + usize::from(self.byte_at(sign + 2) == b'=')),
            )),
            // The content of `<ns:name>`, or of an element named by an attribute.
            (b'>', _) if closed || matches!(self.byte_before_name(), b'<' | b':') => {
                Some((Tie::Tag, sign + 1))
            }
            (b'<', b'/') if rest.starts_with("</key>") => {
                let string = self.skip_whitespace(end + "</key>".len());
                let value = self.text_near(string).strip_prefix("<string>")?;
                let at = string + "<string>".len();
                (!value.is_empty()).then_some((Tie::Tag, at))
            }
            (b'|', b'|') | (b'?', b'?') => self.tie_to_alternative(end),
            (b'|', _) if self.is_in_template() => None,
            (b'|', _) if self.is_whole_field() || self.ends_table_cell() => {
                Some((Tie::Loose, self.skip_blanks(sign + 1)))
            }
            (b'|', _) => None,
            _ if self.tie_to_alternative(end).is_some() => self.tie_to_alternative(end),
            _ if spaced => Some(rest)
                .filter(|rest| rest.contains('='))
                .and_then(|rest| between.kind.find(rest))
                .filter(|found| matches!(self.byte_at(end + found.end()), b'"' | b'\'' | b'`'))
                .map(|found| (Tie::Loose, end + found.end()))
                .or_else(|| self.tie_after_blank(sign)),
            _ => None,
        }
    }

    fn tie_to_alternative(&self, end: usize) -> Option<(Tie, usize)> {
        let rest = self.text_near(end);
        let sign = rest.trim_start_matches(['"', '\'', ']', ')', '}', ' ', '\t']);
        let found = sign
            .starts_with(['|', '?', 'o', ','])
            .then(|| BETWEEN.other.find(rest))??;
        Some((Tie::Quote, end + found.end() - 1))
    }

    /// Returns the first position that is not white space, on this line or the next.
    pub(super) fn skip_whitespace(&self, at: usize) -> usize {
        let blank = |byte: &u8| byte.is_ascii_whitespace();
        at + self.text.as_bytes()[at..]
            .iter()
            .take(80)
            .take_while(|byte| blank(byte))
            .count()
    }

    fn tie_after_sign(&self, sign: usize, spaced: bool) -> Option<(Tie, usize)> {
        let between = &*BETWEEN;
        if self.byte_at(sign) == b':'
            && let Some(found) = between.kind.find(self.text_near(sign))
            && between.wrap.is_match(self.text_near(sign + found.end()))
        {
            return Some((Tie::Loose, sign + found.end()));
        }
        let mut at = sign + 1;
        while matches!(self.byte_at(at), b'=' | b'>' | b'~') && at < sign + 3 {
            at += 1;
        }
        while self.byte_at(at) == b'*' && at < sign + 5 {
            at += 1;
        }
        let value = self.skip_blanks(at);
        let part = matches!(self.byte_before_name(), b'?' | b'&' | b';');
        let tie = match self.byte_at(sign) {
            b'=' if part && !spaced => Tie::Part,
            b'=' if !spaced && value == at => Tie::Tight,
            _ => Tie::Loose,
        };
        // A YAML block: the value begins on the line below its name.
        let block = matches!(self.byte_at(value), b'|' | b'>');
        let at = if block {
            self.skip_whitespace(value + 1 + usize::from(self.byte_at(value + 1) == b'-'))
        } else {
            value
        };
        Some((tie, at))
    }

    /// Finds a value separated from its name only by a space, in commands (`set NAME value`),
    /// options (`--password value`), SQL, netrc and configuration files.
    fn tie_after_blank(&self, at: usize) -> Option<(Tie, usize)> {
        if self.kind != Name::Known && self.continues_sentence(at) {
            return None;
        }
        let line_start = self.line_start;
        let line_start = self
            .text
            .ceil_char_boundary(line_start.max(self.name.start.saturating_sub(160)));
        let before = &self.text[line_start..self.name.start];
        let name = &self.text[self.name.clone()];
        let last = before.split_whitespace().next_back().unwrap_or_default();
        let last = last.trim_start_matches(['"', '\'', '`', '(', '$']);
        let set = SETTERS.contains(&last) || last.ends_with("setenv");
        let flag = name.starts_with('-');
        let earlier = self
            .text
            .floor_char_boundary(self.name.start.saturating_sub(160));
        let login = &self.text[earlier..self.name.start];
        let netrc = login.contains("login ")
            || login.contains("machine ")
            || login.contains("-u ")
            || login.contains("user ");
        let directive = before
            .trim_start_matches(|c: char| {
                // A line number, a diff's mark or a prompt may precede the directive.
                c.is_ascii_digit()
                    || matches!(c, '+' | '-' | ' ' | '\t' | '>' | '$' | '#' | ':' | '|')
            })
            .is_empty()
            && self.is_last_word_of_line(at);
        let sql = last.eq_ignore_ascii_case("with")
            || last.eq_ignore_ascii_case("set")
            || self.kind == Name::Password && self.byte_at(at) == b'\'';
        (set || flag || netrc || directive || sql).then_some((Tie::Word, at))
    }

    /// Returns whether a lower-case word is at `at` and a sentence continues after it. This is the
    /// usual case, and never a value.
    fn continues_sentence(&self, at: usize) -> bool {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let length = rest.iter().take_while(|it| it.is_ascii_lowercase());
        let behind = rest
            .get(length.take(MAX_SIDE).count()..)
            .unwrap_or_default();
        let next = behind.get(1..5).unwrap_or_default();
        rest.len() > behind.len()
            && behind.starts_with(b" ")
            && !next.is_empty()
            && next.iter().all(|it| it.is_ascii_lowercase() || *it == b' ')
    }

    /// Returns whether a single word at `at` ends the line.
    fn is_last_word_of_line(&self, at: usize) -> bool {
        let line = self.text[at..]
            .split(['\n', '\r'])
            .next()
            .unwrap_or_default();
        let line = &line[..line.floor_char_boundary(400)];
        !line.trim().is_empty() && !line.trim().contains([' ', '\t'])
    }
}
