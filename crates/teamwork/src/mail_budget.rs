//! Fits messages into the room that a reader has.

use agon_caller::Failure;
use agon_team::id::MessageId;
use agon_team::mail::{MailState, Trust};
use agon_team::store::Letter;
use agon_tokens::{count_tokens, truncate_to_tokens};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::text::{fence_letter, sender};

/// A message, as its reader gets it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamLetter {
    /// Its id.
    pub message: MessageId,
    /// Its thread.
    pub thread: MessageId,
    /// Its sender: a member, `person` or `team`.
    pub from: String,
    /// How far to trust it. This depends only on the sender, not on the text.
    pub trust: Trust,
    /// When it was sent, in milliseconds since 1970.
    pub sent_ms: i64,
    /// Whether its sender marked it as urgent.
    pub urgent: bool,
    /// Its delivery state.
    pub state: MailState,
    /// The sender, and the message in a fence that it cannot leave: data, whatever it says.
    pub text: String,
    /// Where the body continues if it was cut; null if it is complete.
    pub rest: Option<Cursor>,
}

/// A position in a thread: a byte in the body of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cursor {
    /// The message.
    pub message: MessageId,
    /// The byte offset, from 0.
    pub at: usize,
}

/// The room for messages, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailBudget {
    tokens: usize,
}

// English text has at least four bytes per token; one is left for the rest of the message.
/// The bytes of message bodies that are read for each token of room.
const BYTES_PER_TOKEN: usize = 3;

/// The fewest tokens of a body that are worth showing.
const MIN_TOKENS: usize = 20;

impl MailBudget {
    /// No limit.
    pub const UNLIMITED: Self = Self { tokens: usize::MAX };

    /// A limit in o200k tokens, counted in the JSON form.
    pub const fn tokens(tokens: usize) -> Self {
        Self { tokens }
    }

    /// Returns how many bytes of message bodies may fit.
    pub(super) const fn bytes(self) -> usize {
        self.tokens.saturating_mul(BYTES_PER_TOKEN)
    }

    fn has_room_for(self, letters: &[TeamLetter]) -> bool {
        let all: Vec<String> = letters.iter().map(json).collect();
        // A token has at least one byte, so a short text fits without counting tokens.
        let bytes: usize = all.iter().map(String::len).sum();
        bytes <= self.tokens
            || all.iter().map(|one| count_tokens(one)).sum::<usize>() <= self.tokens
    }
}

fn json(letter: &TeamLetter) -> String {
    serde_json::to_string(letter).unwrap_or_default()
}

/// Returns every message, shortened as needed to fit the budget. None is left out, because all of
/// them count as delivered.
pub(super) fn show_all(letters: &[Letter], budget: MailBudget) -> Result<Vec<TeamLetter>, Failure> {
    let show = |cap: usize| -> Result<Vec<TeamLetter>, Failure> {
        letters
            .iter()
            .map(|letter| letter_from_byte(letter, 0, cap))
            .collect()
    };
    let whole = show(usize::MAX)?;
    if budget.has_room_for(&whole) {
        return Ok(whole);
    }
    let mut cap = budget.tokens;
    loop {
        let shown = show(cap)?;
        if cap <= MIN_TOKENS || budget.has_room_for(&shown) {
            return Ok(shown);
        }
        cap = cap * 3 / 4;
    }
}

/// Returns as many messages as fit, starting at a cursor, and the cursor for the rest.
pub(super) fn show_within(
    letters: &[Letter],
    from: Option<&Cursor>,
    budget: MailBudget,
) -> Result<(Vec<TeamLetter>, Option<Cursor>), Failure> {
    let begins = from.map_or(0, |from| {
        letters.partition_point(|letter| letter.message < from.message)
    });
    let mut shown = Vec::new();
    for letter in letters.iter().skip(begins) {
        let at = from
            .filter(|from| from.message == letter.message)
            .map_or(0, |from| from.at);
        let one = letter_from_byte(letter, at, usize::MAX)?;
        shown.push(one);
        if budget.has_room_for(&shown) {
            continue;
        }
        shown.pop();
        if !shown.is_empty() {
            let next = Cursor {
                message: letter.message,
                at,
            };
            return Ok((shown, Some(next)));
        }
        let mut cap = budget.tokens;
        loop {
            let one = letter_from_byte(letter, at, cap)?;
            if cap <= MIN_TOKENS || budget.has_room_for(std::slice::from_ref(&one)) {
                let next = one.rest.clone();
                return Ok((vec![one], next));
            }
            cap = cap * 3 / 4;
        }
    }
    Ok((shown, None))
}

/// Returns a message with its body from a byte on, in at most `cap` tokens.
fn letter_from_byte(letter: &Letter, at: usize, cap: usize) -> Result<TeamLetter, Failure> {
    let at = letter.body.floor_char_boundary(at.min(letter.body.len()));
    let body = &letter.body[at..];
    let is_whole = cap == usize::MAX || body.len() <= cap || count_tokens(body) <= cap;
    let shown = match is_whole {
        true => body.to_owned(),
        false => match truncate_to_tokens(body, cap) {
            // The beginning is empty if the body starts with many blanks; cut by bytes then.
            beginning if beginning.is_empty() => body[..body.ceil_char_boundary(cap)].to_owned(),
            beginning => beginning,
        },
    };
    let ends = at + shown.len();
    Ok(TeamLetter {
        message: letter.message,
        thread: letter.thread,
        from: sender(letter),
        trust: letter.trust,
        sent_ms: letter.sent_ms,
        urgent: letter.urgent,
        state: letter.state,
        text: fence_letter(letter, &shown)?,
        rest: (!is_whole).then_some(Cursor {
            message: letter.message,
            at: ends,
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(number: i64, body: &str) -> Letter {
        Letter {
            message: MessageId::new(number),
            thread: MessageId::new(1),
            from: "ada".to_owned(),
            trust: Trust::Peer,
            body: body.to_owned(),
            sent_ms: 0,
            urgent: false,
            state: MailState::Leased,
            fetch: 1,
        }
    }

    fn tokens(letters: &[TeamLetter]) -> usize {
        letters.iter().map(|one| count_tokens(&json(one))).sum()
    }

    /// Returns the text between the lines of the fence.
    fn body(letter: &TeamLetter) -> &str {
        let (_, rest) = letter.text.split_once('\n').unwrap();
        let (opening, rest) = rest.split_once('\n').unwrap();
        let code = opening.split(' ').nth(1).unwrap();
        rest.strip_suffix(&format!("\ndata {code}>>>")).unwrap()
    }

    #[test]
    fn several_long_letters_are_each_shown_in_part_with_their_fences_whole() {
        let long = "A line of words.\n".repeat(400);
        let letters = [letter(1, &long), letter(2, "Short."), letter(3, &long)];
        let shown = show_all(&letters, MailBudget::tokens(1_000)).unwrap();
        assert!(
            (400..=1_000).contains(&tokens(&shown)),
            "{}",
            tokens(&shown)
        );
        assert_eq!(body(&shown[1]), "Short.");
        assert_eq!(shown[1].rest, None);
        for one in [&shown[0], &shown[2]] {
            let rest = one.rest.as_ref().unwrap();
            assert_eq!(body(one), &long[..rest.at]);
        }
        let whole = show_all(&letters, MailBudget::UNLIMITED).unwrap();
        assert_eq!(body(&whole[2]), long);
    }

    #[test]
    fn a_thread_is_read_to_its_end_in_parts() {
        let bodies: Vec<String> = (1..=6)
            .map(|number| format!("{number} {}", "äöü \u{4e2d}\"\\\n".repeat(200 * number)))
            .collect();
        let letters: Vec<Letter> = (1..)
            .zip(&bodies)
            .map(|(at, body)| letter(at, body))
            .collect();
        let mut read = vec![String::new(); bodies.len()];
        let mut from = None;
        for calls in 0.. {
            assert!(calls < 200);
            let (shown, next) =
                show_within(&letters, from.as_ref(), MailBudget::tokens(600)).unwrap();
            assert!(tokens(&shown) <= 600, "{}", tokens(&shown));
            for one in &shown {
                read[usize::try_from(one.message.number()).unwrap() - 1].push_str(body(one));
            }
            match next {
                Some(next) => from = Some(next),
                None => break,
            }
        }
        assert_eq!(read, bodies);
    }
}
