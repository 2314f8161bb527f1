//! A conversation that outlives its session: the tool saves it, and it is resumed by its ID.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use agon_record::event::Usage;

/// A tool's ID for a conversation.
///
/// One to 128 bytes of `a-z`, `A-Z`, `0-9`, `_` and `-`, the first neither `-` nor `_`: it is
/// passed as an argument, so it must not look like a flag.
///
/// ```
/// # use agon_agents::ConversationId;
/// assert!("ses_dfc3cc4d9ffelZJ3GOiRtjmBGw".parse::<ConversationId>().is_ok());
/// assert!("--yolo".parse::<ConversationId>().is_err());
/// assert!("latest session".parse::<ConversationId>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationId(String);

impl ConversationId {
    /// Creates an ID in the form of a random UUID (version 4) from these bits.
    pub fn random(bits: u128) -> Self {
        // RFC 9562, 5.4: bits 48 to 51, counted from the left, are the version; 4 means random.
        const VERSION: u128 = 0xF << 76;
        // RFC 9562, 4.1: bits 64 and 65, counted from the left, are the variant; `10` is the
        // variant of the RFC.
        const VARIANT: u128 = 0b11 << 62;
        let bits = (bits & !VERSION & !VARIANT) | (4 << 76) | (0b10 << 62);
        let hex = format!("{bits:032x}");
        let parts = [
            &hex[..8],
            &hex[8..12],
            &hex[12..16],
            &hex[16..20],
            &hex[20..],
        ];
        Self(parts.join("-"))
    }

    /// Returns the ID as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ConversationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ConversationId {
    type Err = ConversationIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let starts = text
            .bytes()
            .next()
            .is_some_and(|b| b.is_ascii_alphanumeric());
        if starts && text.len() <= 128 && text.bytes().all(inside) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ConversationIdError)
        }
    }
}

/// The error for a text that is not a valid conversation ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a valid conversation ID")]
pub struct ConversationIdError;

/// A conversation that its tool saves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedConversation {
    /// The conversation's ID; before the first call, the ID to use if the tool lets the caller
    /// choose.
    pub id: ConversationId,
    /// Whether a prompt was already sent in this conversation.
    pub begun: bool,
    /// The empty working folder of the conversation: some tools find a conversation only from the
    /// folder in which it began.
    pub folder: PathBuf,
    /// Usage of all calls so far, if the tool reports it.
    pub spent: Usage,
}

impl SavedConversation {
    /// Returns the usage of the last call alone: `total`, which the tool reports for the whole
    /// conversation, minus the usage already counted.
    pub(crate) fn last_call_usage(&self, total: Usage) -> Usage {
        let before = self.spent;
        let counts_on = total.input >= before.input && total.output >= before.output;
        if !self.begun || total.estimated || !counts_on {
            return total;
        }
        let cost = total.cost_micros;
        Usage {
            input: total.input - before.input,
            cached: total.cached.saturating_sub(before.cached),
            output: total.output - before.output,
            cost_micros: cost.map(|cost| cost.saturating_sub(before.cost_micros.unwrap_or(0))),
            estimated: false,
        }
    }

    /// Adds the usage of a call to the total.
    pub(crate) fn add_usage(&mut self, usage: Usage) {
        if usage.estimated {
            return;
        }
        let spent = &mut self.spent;
        spent.input = spent.input.saturating_add(usage.input);
        spent.cached = spent.cached.saturating_add(usage.cached);
        spent.output = spent.output.saturating_add(usage.output);
        if let Some(cost) = usage.cost_micros {
            spent.cost_micros = Some(spent.cost_micros.unwrap_or(0).saturating_add(cost));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_name_is_a_uuid() {
        let form = regex::Regex::new(
            "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
        );
        let form = form.unwrap();
        for bits in [0, u128::MAX, 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef] {
            let name = ConversationId::random(bits);
            assert_eq!(name.as_str().parse(), Ok(name.clone()));
            assert!(form.is_match(name.as_str()), "{name}");
        }
    }

    #[test]
    fn what_could_be_taken_for_anything_else_is_no_name() {
        let long = "a".repeat(129);
        for text in [
            "",
            "-r",
            "--last",
            "_x",
            "a b",
            "a/b",
            "../a",
            "a\n",
            "ä",
            "a=b",
            long.as_str(),
        ] {
            assert_eq!(
                text.parse::<ConversationId>(),
                Err(ConversationIdError),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_total_that_goes_on_is_taken_apart_and_one_that_began_anew_is_not() {
        let usage = |input, cached, output| Usage {
            input,
            cached,
            output,
            ..Usage::default()
        };
        let mut kept = SavedConversation {
            id: ConversationId::random(1),
            begun: false,
            folder: PathBuf::new(),
            spent: Usage::default(),
        };
        assert_eq!(
            kept.last_call_usage(usage(1000, 300, 50)),
            usage(1000, 300, 50)
        );
        kept.add_usage(usage(1000, 300, 50));
        kept.begun = true;
        assert_eq!(
            kept.last_call_usage(usage(2000, 600, 100)),
            usage(1000, 300, 50)
        );
        assert_eq!(kept.last_call_usage(usage(900, 0, 40)), usage(900, 0, 40));
    }
}
