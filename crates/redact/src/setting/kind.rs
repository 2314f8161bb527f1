//! Checks whether a value looks like the kind of secret that its name implies.

use super::{NameScan, Tie};
use crate::name::{self, Name};
use crate::prose;
use crate::randomness;
use crate::value::{
    self, is_generated, is_human_made_password, is_identifier, is_stand_in, is_words_and_number,
};

// An encrypted session key alone has 342 base64 characters (2048 bits), but texts often truncate
// it.
/// Minimum length of a sealed value, in bytes.
const MIN_SEALED: usize = 120;
// Large, because sealed values of other keys may come between.
/// Maximum distance between a name and the words that mark its value as sealed, in bytes.
const MAX_SEALED: usize = 4096;

impl NameScan<'_> {
    pub(super) fn is_secret_value(&self, tie: Tie, is_quoted: bool, value: &str) -> bool {
        let length = value.len();
        // The placeholder check is last, because it is the slowest.
        (4..=4096).contains(&length)
            && (is_quoted || !value::starts_with_call(value))
            && !self.is_sealed(value)
            && self.fits_name_kind(tie, is_quoted, value)
            && !is_stand_in(value)
            && !self.repeats_name(value)
    }

    /// Returns whether `value` looks like the kind of secret that the name implies.
    fn fits_name_kind(&self, tie: Tie, is_quoted: bool, value: &str) -> bool {
        let length = value.len();
        let loose = tie == Tie::Loose && !is_quoted;
        let spaces = value.contains(char::is_whitespace);
        let uuid = randomness::is_uuid(value);
        match self.kind {
            _ if tie == Tie::Field => length >= 16 && (is_generated(value) || uuid),
            Name::Token | Name::Key if is_quoted && value::has_many_symbols(value) => true,
            Name::Key if uuid => self.is_env_variable_name() && self.word_count() > 1,
            Name::Known if spaces || value.contains(['(', '{', '$']) => false,
            Name::Known if tie == Tie::Tight => true,
            Name::Known
                if tie == Tie::Loose
                    && length >= 8
                    && value.contains(|c: char| c.is_ascii_digit()) =>
            {
                true
            }
            Name::Password if spaces => {
                is_quoted && prose::is_passphrase(value) || value::is_grouped_password(value)
            }
            Name::Password if loose => {
                let phrase = self.text[self.name.clone()]
                    .to_ascii_lowercase()
                    .ends_with("passphrase");
                is_generated(value)
                    || phrase && (is_words_and_number(value, '-') || prose::is_passphrase(value))
                    || (is_human_made_password(value)
                        && !value.ends_with([';', '('])
                        && !self.is_call(value))
            }
            // In a query, letters that form no words are a password; elsewhere they may be a file
            // name.
            Name::Password if tie == Tie::Part && randomness::is_random_letters(value) => true,
            Name::Password => {
                is_generated(value)
                    || is_human_made_password(value)
                    || is_words_and_number(value, '-')
                    || prose::is_passphrase(value)
            }
            Name::Token if spaces => false,
            Name::Token | Name::Known => {
                let secret = self.text[self.name.clone()].eq_ignore_ascii_case("secret");
                let uuid =
                    length == 36 && value::is_hash(value) && (secret || self.word_count() > 1);
                // The value of an environment variable is rarely a word of a sentence, so a loose
                // tie is enough.
                let is_firm = !loose
                    || self.is_env_variable_name()
                        && self.word_count() > 1
                        && !self.is_call(value)
                        && !value.starts_with('/')
                        && value.contains(|c: char| c.is_ascii_digit())
                        && (randomness::looks_random(value)
                            || value.contains(['!', '@', '#', '$', '%', '^', '*']));
                let hex = length >= 16
                    && value::is_hash(value)
                    && value::letter_digit_changes(value) > 4
                    && !uuid;
                let drawn = (is_generated(value) || hex && self.word_count() > 1)
                    && (length >= 16 || is_firm)
                    && !self.is_call(value);
                drawn
                    || uuid
                    || (is_firm
                        && length >= 10
                        && is_human_made_password(value)
                        && !is_identifier(value)
                        && !value::is_path(value))
            }
            Name::Key => {
                let part =
                    |byte: u8| byte.is_ascii_alphanumeric() || b"_-+/=.~:%!$@#&*^".contains(&byte);
                length >= 16 && is_generated(value) && value.bytes().all(part)
            }
            Name::Auth
                if tie == Tie::Tight
                    && (is_human_made_password(value) || is_generated(value))
                    && !spaces
                    && !is_identifier(value) =>
            {
                true
            }
            Name::Auth => {
                is_quoted
                    && length >= 12
                    && length.is_multiple_of(4)
                    && is_base64(value)
                    && value::is_random(value)
                    || (is_quoted && is_base64(value) && value.ends_with('=') && length >= 12)
            }
            Name::Signature => {
                tie == Tie::Part && length >= 20 && value.bytes().any(|byte| byte.is_ascii_digit())
            }
        }
    }

    /// Returns whether `value` is encrypted in a SealedSecret, which only a cluster can open.
    pub(super) fn is_sealed(&self, value: &str) -> bool {
        let from = self.name.start.saturating_sub(MAX_SEALED);
        let before = &self.text[self.text.ceil_char_boundary(from)..self.name.start];
        value.starts_with("Ag") && value.len() >= MIN_SEALED && before.contains("encryptedData:")
    }

    /// Returns whether the name is in capitals, like the names of environment variables.
    pub(super) fn is_env_variable_name(&self) -> bool {
        let name = self.text[self.name.clone()].as_bytes();
        !name.iter().any(u8::is_ascii_lowercase)
    }

    /// Returns whether the name is a plural.
    pub(super) fn is_plural_name(&self) -> bool {
        let name = &self.text[self.name.clone()];
        let word = name.rsplit(['_', '-', '.']).next().unwrap_or(name);
        let lower = word.to_ascii_lowercase();
        let lower = lower
            .char_indices()
            .find_map(|(at, _)| {
                let end = &lower[at..];
                (name::singular(end).len() < end.len()).then_some(end)
            })
            .unwrap_or_default();
        !lower.is_empty()
    }

    fn is_call(&self, value: &str) -> bool {
        value.contains('(') && value.contains(')') || value.contains("::")
    }

    /// Returns whether `value` only repeats the name.
    fn repeats_name(&self, value: &str) -> bool {
        let name = self.text[self.name.clone()].trim_matches(['-', '_', '.']);
        value.eq_ignore_ascii_case(name)
            || (value.len() > 4
                && name.len() > 4
                && value
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit())
                && value.contains('_')
                && value.bytes().any(|b| b.is_ascii_uppercase())
                && !is_generated(value))
    }
}

fn is_base64(value: &str) -> bool {
    value.bytes().all(|byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
    })
}
