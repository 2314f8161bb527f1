//! Lists the user's requests, each with the model's answer.

use std::collections::BTreeSet;

use agon_record::text::strip_control_characters;
use agon_tokens::count_tokens;
use serde::{Deserialize, Serialize};

use super::Quotation;
use crate::prose::Quotes;
use crate::{Entry, EntryKind};

/// A request of the user, and what the model made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The beginning of the request, on one line of at most 200 characters.
    pub request: Quotation,
    /// The beginning of the model's last message in this turn, on one such line.
    ///
    /// `None` if it wrote nothing, or if the list is so long that only later answers fit.
    pub answer: Option<Quotation>,
    /// Whether the model wrote anything in this turn.
    pub is_answered: bool,
    /// Whether the turn was aborted.
    pub is_aborted: bool,
    /// Some of the files that the model changed in this turn.
    pub edited: Vec<String>,
}

/// The user's requests in order, without the oldest ones of a long session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchanges {
    /// The listed requests, oldest first.
    pub listed: Vec<Exchange>,
    /// The number of older requests that are not listed.
    pub omitted: usize,
}

/// Most o200k tokens of the listed requests, and of the answers beside them.
pub const MAX_EXCHANGE_TOKENS: usize = 1_200;

/// Most characters quoted of the first and of the last request. Its place leads to the rest.
const MAX_ASKED: usize = 1_000;
/// Maximum number of characters of a request in the list, and of an answer.
const MAX_LINE: usize = 200;
/// Most changed files named beside a request.
const MAX_EDITED: usize = 3;
/// Maximum number of characters of the name of such a file.
const MAX_NAME: usize = 80;
/// Tokens of a line besides its words: the mark of a quotation and the turn.
const LINE_TOKENS: usize = 6;

/// Returns the words of a message of the user, unless it is empty.
///
/// A debate seat may be asked without any words of the user.
pub(super) fn prompt(entry: &Entry) -> Option<&crate::RawText> {
    match &entry.kind {
        EntryKind::Prompt(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// Returns the first and the last request.
pub(super) fn first_and_last(entries: &[&Entry], quotes: &mut Quotes) -> Vec<Quotation> {
    let mut prompts = entries.iter().filter(|it| prompt(it).is_some());
    let first = prompts.next();
    let last = prompts.next_back();
    first
        .into_iter()
        .chain(last)
        .filter_map(|entry| beginning(entry, MAX_ASKED, quotes))
        .collect()
}

/// Returns the beginning of a message, with its lines.
pub(super) fn beginning(entry: &Entry, max: usize, quotes: &mut Quotes) -> Option<Quotation> {
    let whole = whole(entry, quotes)?;
    let words = match whole.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", &whole[..at]),
        None => whole,
    };
    Some(Quotation::new(entry, words))
}

/// Returns the end of a message, with its lines.
pub(super) fn ending(entry: &Entry, max: usize, quotes: &mut Quotes) -> Option<Quotation> {
    let whole = whole(entry, quotes)?;
    let words = match whole.char_indices().nth_back(max) {
        Some((at, c)) => format!("…{}", &whole[at + c.len_utf8()..]),
        None => whole,
    };
    Some(Quotation::new(entry, words))
}

/// Returns a text without secrets and control characters.
///
/// Strip before any cut: a cut inside a control sequence would leave a part that is not
/// recognized.
fn whole(entry: &Entry, quotes: &mut Quotes) -> Option<String> {
    let text = entry.kind.text()?;
    Some(strip_control_characters(&quotes.quote(text, text.as_str())))
}

/// Returns the requests with the answers, the latest ones that fit.
pub(super) fn exchanges(
    entries: &[&Entry],
    project: Option<&str>,
    quotes: &mut Quotes,
) -> Exchanges {
    let mut found = Exchanges::default();
    let mut turn = Turn::default();
    let (mut left, mut left_of_answers) = (MAX_EXCHANGE_TOKENS, MAX_EXCHANGE_TOKENS);
    // Newest first, so that a long session costs no more than what is listed of it.
    for entry in entries.iter().rev() {
        let Some(text) = prompt(entry) else {
            if found.omitted > 0 {
                continue;
            }
            turn.add_earlier(entry, project, quotes);
            continue;
        };
        let of = std::mem::take(&mut turn);
        if found.omitted > 0 {
            found.omitted += 1;
            continue;
        }
        let request = Quotation::new(entry, quotes.excerpt(text, text.as_str(), MAX_LINE));
        let Some(rest) = left.checked_sub(count_tokens(&request.words) + LINE_TOKENS) else {
            found.omitted = 1;
            continue;
        };
        left = rest;
        let answer = of.last.and_then(|it| {
            let text = it.kind.text()?;
            let answer = Quotation::new(it, quotes.excerpt(text, text.as_str(), MAX_LINE));
            let tokens = count_tokens(&answer.words) + LINE_TOKENS;
            let rest = left_of_answers.checked_sub(tokens);
            left_of_answers = rest.unwrap_or(0);
            rest.map(|_| answer)
        });
        found.listed.push(Exchange {
            request,
            answer,
            is_answered: of.last.is_some(),
            is_aborted: of.is_aborted,
            edited: of.edited.into_iter().take(MAX_EDITED).collect(),
        });
    }
    found.listed.reverse();
    found
}

/// What follows a request, read backwards.
#[derive(Default)]
struct Turn<'a> {
    last: Option<&'a Entry>,
    is_aborted: bool,
    edited: BTreeSet<String>,
}

impl<'a> Turn<'a> {
    fn add_earlier(&mut self, entry: &'a Entry, project: Option<&str>, quotes: &Quotes) {
        match &entry.kind {
            EntryKind::Text(text) if !text.as_str().trim().is_empty() => {
                self.last.get_or_insert(entry);
            }
            EntryKind::Aborted => self.is_aborted = true,
            EntryKind::Call(call) if self.edited.len() <= MAX_EDITED => {
                for path in call.changed_files() {
                    let path = super::within(path, project);
                    self.edited.insert(quotes.quote_argument(path, MAX_NAME));
                }
            }
            _ => {}
        }
    }
}
