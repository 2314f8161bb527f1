//! Decides whether a text presents quoted words as the content of a place, or as something that a
//! person says, wants or misses.
//!
//! Only words that are clearly presented as content may be called wrong; Agon merely searches for
//! others. Only the phrases listed here count as such a claim.

use super::span::{Claim, Span};
use lexicon::*;

mod lexicon;

// Chosen, not measured: more than the distance between words and a path (`NEAR` in `code.rs`), and
// enough to reach the beginning of most sentences.
/// Maximum number of bytes read before and after the words.
const NEAR: usize = 200;

/// Sets the claim of each span: the place that contains the words, according to the text. `places`
/// are the byte ranges that name places, in order. Takes linear time.
pub(super) fn mark_claims(text: &str, spans: &mut [Span], places: &[[usize; 2]]) {
    let masked = mask(text, spans, places);
    // If a place ends inside a character, masking fails, so leave all claims open.
    if masked.len() != text.len() {
        return;
    }
    let mut previous = Claim::None;
    for at in 0..spans.len() {
        let Some(span) = spans.get(at) else { continue };
        let [from, to] = span.at;
        let inside = places.partition_point(|place| place[1] <= from);
        let names_a_place = places.get(inside).is_some_and(|place| place[0] < to);
        let claim = match span.claim {
            Claim::Never => Claim::Never,
            _ if names_a_place || !span.quoted => Claim::None,
            _ => determine_claim(&masked, span, places, previous),
        };
        previous = claim;
        if let Some(span) = spans.get_mut(at) {
            span.claim = claim;
        }
    }
}

/// The character that replaces a place in a masked text.
const PLACE: u8 = 1;
/// The character that replaces quoted words in a masked text.
const WORDS: u8 = 2;

/// Masks each place and each quotation with a run of one character, so that their own words do not
/// count.
fn mask(text: &str, spans: &[Span], places: &[[usize; 2]]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut fill = |[from, to]: [usize; 2], with: u8| {
        if let Some(part) = bytes.get_mut(from..to) {
            part.fill(with);
        }
    };
    spans.iter().for_each(|span| fill(span.at, WORDS));
    places.iter().for_each(|place| fill(*place, PLACE));
    String::from_utf8(bytes).unwrap_or_default()
}

fn determine_claim(masked: &str, span: &Span, places: &[[usize; 2]], previous: Claim) -> Claim {
    let [from, to] = span.at;
    if is_denied(rest_after(masked, to)) {
        return Claim::None;
    }
    let lead = introduction_before(masked, from, span.is_block);
    let words = Lead::of(lead);
    let is_message = words.last() == Some("message") && words.introduces_words();
    if words.iter().any(indicates_other_speaker) && !is_message {
        return Claim::None;
    }
    // The line above a fence may deny that the place contains the words: `it should be:`.
    if span.has_head
        && line_above(masked, lead, from)
            .iter()
            .any(indicates_other_speaker)
    {
        return Claim::None;
    }
    let after_words = lead.rfind(char::from(WORDS)).map(|at| &lead[at + 1..]);
    let nearest = Lead::of(after_words.unwrap_or(lead));
    let next = places.get(places.partition_point(|place| place[0] < to));
    let next = next.filter(|place| leads_to_place(masked, to, **place));
    if nearest.attributes_words() {
        return match next.filter(|_| nearest.places() == 0) {
            Some(place) => Claim::At(*place),
            None => place_named_before(masked, from, places, nearest.places()),
        };
    }
    if after_words.is_some() {
        // In `says "…" and then "…"`, the second quotation is from the same place.
        let is_list = nearest.is_plain() && !nearest.is_empty();
        return match is_list && matches!(previous, Claim::At(_) | Claim::Elsewhere) {
            true => previous,
            false => Claim::None,
        };
    }
    if !nearest.is_empty() {
        let is_announced = |place: &[usize; 2]| {
            let between = masked.get(to..place[0]).unwrap_or("");
            nearest.announces_fact() && is_bracket(between)
                || nearest.is_without_speech() && is_attribution(masked, to, *place)
        };
        let place = next.filter(|it| nearest.introduces_words() || is_announced(it));
        let place = place.filter(|it| !is_denied(rest_after(masked, it[1])));
        return place.map_or(Claim::None, |it| Claim::At(*it));
    }
    if let Some(place) = next
        && !span.is_question()
    {
        return Claim::At(*place);
    }
    let is_alone = masked[..from].trim_start().is_empty()
        && masked[to..]
            .trim_start_matches([' ', '\n', '\r', '.'])
            .is_empty();
    match is_alone {
        true => Claim::Elsewhere,
        false => Claim::None,
    }
}

/// Returns the place that contains the words, according to the text: the place named together with
/// them, or else the only place named before.
fn place_named_before(masked: &str, from: usize, places: &[[usize; 2]], with_them: usize) -> Claim {
    let count = places.partition_point(|place| place[1] <= from);
    let Some(place) = count.checked_sub(1).and_then(|at| places.get(at)) else {
        // `It reads "…"` before any place refers to a place that another text names.
        return Claim::Elsewhere;
    };
    let is_near = masked
        .get(place[1]..from)
        .is_some_and(|it| it.len() <= NEAR);
    match (with_them, count) {
        (1, _) => Claim::At(*place),
        (0, 1) if is_near => Claim::At(*place),
        _ => Claim::None,
    }
}

/// Returns the text that introduces words: the sentence before them, or the line above if they
/// begin a line.
fn introduction_before(masked: &str, to: usize, is_block: bool) -> &str {
    let lowest = to.saturating_sub(NEAR);
    let from = (lowest..=to).find(|at| masked.is_char_boundary(*at));
    let window = masked.get(from.unwrap_or(to)..to).unwrap_or("");
    let kept = window.trim_end();
    if window[kept.len()..].contains('\n') && !is_block && !kept.ends_with(':') {
        return "";
    }
    // A complete sentence before the quoted words does not introduce them.
    let end = kept.strip_suffix(['.', '!', '?', ';']);
    let is_whole = |it: &str| it.ends_with([char::from(PLACE), char::from(WORDS), ')', '`']);
    if end.is_some_and(is_whole) && kept.len() < window.len() {
        return "";
    }
    let ends = ["\n", ". ", "! ", "? ", "; ", "。"];
    let starts = ends
        .iter()
        .filter_map(|end| Some(kept.rfind(end)? + end.len()));
    &kept[starts.max().unwrap_or(0)..]
}

/// Returns the words of the line above a fence; `head` is the head of the fence.
fn line_above(masked: &str, head: &str, from: usize) -> Lead {
    let to = masked[..from].trim_end().len().saturating_sub(head.len());
    Lead::of(introduction_before(masked, to, true))
}

/// Returns the text directly after words, up to the next clause.
fn rest_after(masked: &str, from: usize) -> &str {
    let to = masked.len().min(from + NEAR);
    let to = (from..=to).rev().find(|at| masked.is_char_boundary(*at));
    let rest = masked.get(from..to.unwrap_or(from)).unwrap_or("");
    let stops = [',', '.', ';', ':', '\n', '(', '–', '—', '\u{1}', '\u{2}'];
    let mut end = rest.find(stops).unwrap_or(rest.len());
    for word in [" and ", " but ", " so ", " which ", " und "] {
        end = end.min(rest.find(word).unwrap_or(end));
    }
    &rest[..end]
}

/// Returns whether the text after words denies that the place contains them.
fn is_denied(rest: &str) -> bool {
    let words = Lead::of(rest);
    words.iter().take(6).any(indicates_other_speaker)
}

/// Returns whether only a bracket or a preposition separates words from the place after them.
fn leads_to_place(masked: &str, from: usize, place: [usize; 2]) -> bool {
    let Some(between) = masked.get(from..place[0]).filter(|it| it.len() <= NEAR / 4) else {
        return false;
    };
    if is_bracket(between) || is_attribution(masked, from, place) {
        return true;
    }
    let words: Vec<String> = Lead::of(between).words;
    if between.contains(". ") || between.contains('\n') {
        return false;
    }
    let stands = [
        "in", "at", "on", "from", "is", "stands", "line", "steht", "in", "the", "comment",
    ];
    if !words.is_empty() {
        return !between.contains(['–', '—', ':', ';', ','])
            && words.iter().all(|it| stands.contains(&it.as_str()));
    }
    // In `"…" — a.rs:10`, the words are from the place, unless a sentence about the place
    // continues.
    let rest = masked
        .get(place[1]..)
        .unwrap_or("")
        .trim_start_matches(['`', '*', '"', '\'']);
    rest.trim_start_matches([')', ']', '.', ';']).is_empty()
        || rest.trim_start_matches(['.', ')']).starts_with('\n')
}

/// Returns whether only a bracket separates words from a place.
fn is_bracket(between: &str) -> bool {
    let trimmed = between.trim_matches([' ', '\n', '`', '*', '"', '\'', '<', '.']);
    let brackets = ["(", "[", "【", "【F:", "(see", "(in", "(at", "(from"];
    brackets.contains(&trimmed)
}

/// Returns whether the text attributes words to the place after them: `"…", says a.rs:3`, `"…" is
/// what stands at a.rs:3`, `"…", as a.rs:3 puts it`.
fn is_attribution(masked: &str, from: usize, place: [usize; 2]) -> bool {
    let Some(between) = masked.get(from..place[0]).filter(|it| it.len() <= NEAR / 4) else {
        return false;
    };
    if between.contains(['\n', ':', ';', '.']) {
        return false;
    }
    let words = Lead::of(between);
    // `as in a.rs:3` and `what a.rs:3 does` do not attribute the words by themselves.
    let is_open = words.iter().any(|it| has(OPEN_ATTRIBUTIONS, it))
        && !words.iter().any(|it| has(VERBS, it) || has(WRITTEN, it));
    let rest = rest_after(masked, place[1]);
    let verb = Lead::of(rest);
    let verb = verb.words.first().map_or("", String::as_str);
    let has_verb = matches!(verb, "says" | "states" | "reads" | "has" | "puts" | "sagt");
    let first = words.words.first().map_or("", String::as_str);
    has(FIRST_OF_ATTRIBUTION, first)
        && words.iter().all(|it| has(ATTRIBUTIONS, it))
        && (has_verb || !is_open)
        && !is_denied(rest)
}

/// The words of the text before or after a quotation, in lower case, with `PLACE` for each place.
struct Lead {
    words: Vec<String>,
    /// The punctuation after the last word.
    end: String,
}

impl Lead {
    fn of(text: &str) -> Self {
        let place = char::from(PLACE);
        let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '_');
        let mut words: Vec<String> = Vec::new();
        let mut end = String::new();
        let mut is_open = false;
        for c in text.chars() {
            let is_word = is_of_word(c) || c == place;
            if is_word {
                let last = words
                    .last_mut()
                    .filter(|it| is_open && it.ends_with(place) == (c == place));
                match last {
                    Some(word) => word.extend(c.to_lowercase()),
                    None => words.push(c.to_lowercase().collect()),
                }
                end.clear();
            } else {
                end.push(c);
            }
            is_open = is_word;
        }
        // Ignore line numbers and the numbers of list items here.
        words.retain(|it| !it.bytes().all(|byte| byte.is_ascii_digit()));
        for word in &mut words {
            if word.contains(place) {
                *word = place.to_string();
            }
        }
        Self { words, end }
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn last(&self) -> Option<&str> {
        self.words.last().map(String::as_str)
    }

    /// Returns whether this text introduces words of the place that follows: `the comment "…" at
    /// a.rs:3`, `to be exact, "…" (a.rs:3)`.
    fn introduces_words(&self) -> bool {
        let last = self.last().unwrap_or("");
        let is_of_file = |it: &str| has(NOUNS, it) || it == "message";
        let is_free = |it: &str| has(PLAIN, it) || has(LEAD_INS, it);
        let before = self.words.len().saturating_sub(1);
        if is_of_file(last) {
            let mut before = self.iter().take(before);
            return before.all(|it| is_free(it) || has(NOUNS, it));
        }
        self.iter().all(is_free) && matches!(self.end_punctuation(), "," | ":")
    }

    /// Returns whether this text announces a fact after its colon, to refute another reply rather
    /// than to quote it: `the first reply is mistaken: "…" (a.rs:3)`.
    fn announces_fact(&self) -> bool {
        let lists = [FACTS, BESIDE_FACTS, PLAIN, LEAD_INS];
        self.iter().any(|it| has(FACTS, it))
            && self.iter().all(|word| lists.iter().any(|it| has(it, word)))
            && self.end_punctuation() == ":"
    }

    /// Returns whether this text ends in a colon or a comma and attributes the next words to no
    /// speaker.
    fn is_without_speech(&self) -> bool {
        let is_free = |it: &str| !has(SPEECH, it) && !is_place(it);
        self.iter().all(is_free) && matches!(self.end_punctuation(), ":" | ",")
    }

    /// Returns the punctuation at the end of this text, without quotation marks.
    fn end_punctuation(&self) -> &str {
        let marks = [' ', '\n', '\r', '`', '*', '"', '_', '“', '„', '«'];
        self.end.trim_matches(marks)
    }

    /// Returns whether words name a text or ask for it: `what stands at`, `the wording of`.
    fn refers_to_text(words: &[String]) -> bool {
        let mut rest = words.iter().map(String::as_str);
        let asks = rest.any(|it| matches!(it, "what" | "was"));
        asks && rest.any(|it| has(VERBS, it)) || words.iter().any(|it| has(TEXTS, it))
    }

    fn is_literal(&self) -> bool {
        let text = self.words.join(" ");
        self.iter().any(|it| has(LITERALLY, it))
            || LITERALLY_IN_WORDS.iter().any(|it| text.contains(it))
    }

    fn places(&self) -> usize {
        self.iter().filter(|it| is_place(it)).count()
    }

    fn is_plain(&self) -> bool {
        self.iter().all(|it| has(PLAIN, it))
    }

    /// Returns whether this text says that a place contains the words. Any words may precede the
    /// place.
    fn attributes_words(&self) -> bool {
        let place = self.words.iter().rposition(|it| is_place(it));
        let words: Vec<&str> = self.iter().skip(place.map_or(0, |at| at + 1)).collect();
        let end = self
            .end
            .trim_matches([' ', '\n', '\r', '`', '*', '"', '_', '>', '|']);
        let has_colon = end.ends_with([':', '：']);
        let before = &self.words[..place.unwrap_or(0)];
        if words.is_empty() {
            let lead = before.join(" ");
            if end == "," && ACCORDING.iter().any(|it| lead.ends_with(it)) {
                return true;
            }
            let marks = [
                "", ":", "：", "–", "—", "-", "(", "→", "):", ")", "]", "]:", ">:", ",:",
            ];
            return place.is_some() && marks.contains(&end);
        }
        if has_colon && self.is_literal() && words.iter().all(|it| may_accompany_verbatim(it)) {
            return true;
        }
        let is_neutral = |it: &&str| has(PLAIN, it) || has(NOUNS, it) || has(PARTS, it);
        if let Some(verb) = words.iter().rposition(|it| has(VERBS, it)) {
            let (subject, object) = (&words[..verb], &words[verb + 1..]);
            let is_command =
                subject.is_empty() && place.is_none() && !has(NO_COMMANDS, words[verb]);
            let is_subject = |it: &&str| is_neutral(it) || has(VERBS, it);
            return !is_command
                && object.len() <= 4
                && subject.iter().all(is_subject)
                && object.iter().all(is_neutral);
        }
        if !words.iter().all(is_neutral) {
            return false;
        }
        let last = words.last().copied().unwrap_or("");
        let has_noun = words.iter().any(|it| has(NOUNS, it));
        let has_part = words.iter().any(|it| has(PARTS, it));
        let is_copula = matches!(last, "is" | "are" | "was" | "ist" | "sind");
        let is_plain = words.iter().all(|it| has(PLAIN, it));
        is_copula && (has_noun || has_part || is_plain && Self::refers_to_text(before))
            || has_colon && (has_noun || place.is_some())
    }
}

/// Returns whether a word may appear beside `verbatim`.
fn may_accompany_verbatim(word: &str) -> bool {
    let mut of_phrases = LITERALLY_IN_WORDS.iter().flat_map(|it| it.split(' '));
    let lists = [PLAIN, NOUNS, PARTS, LITERALLY];
    lists.iter().any(|it| has(it, word)) || of_phrases.any(|it| it == word)
}

fn is_place(word: &str) -> bool {
    word.as_bytes() == [PLACE]
}

fn indicates_other_speaker(word: &str) -> bool {
    has(OTHERS, word) || word.ends_with("n't") || word.ends_with("n’t")
}

fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|it| it == word)
}
