//! Detects a negation that a quotation leaves out, directly beside it or within it.

/// Words that negate the words next to them, in English, German, French and Spanish.
const NEGATIONS: &str = "not never no nor neither without cannot nobody none nicht nie niemals kein \
    keine keinen keinem keiner keines ohne weder pas jamais sans aucun aucune nunca jamás sin \
    ningún ninguna isnt arent wasnt werent dont doesnt didnt cant couldnt wont wouldnt shouldnt \
    mustnt hasnt havent hadnt";

/// Returns whether the text directly before `start` or after `end` negates the text between.
pub(crate) fn is_negated_beside(text: &str, start: usize, end: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else {
        return false;
    };
    // `!` negates a name, as in `!is_open`, but `println!(…)` is a macro call.
    let is_word = text
        .get(start..)
        .is_some_and(|it| it.starts_with(|c: char| c.is_alphabetic()));
    let is_denied = is_word && before.ends_with('!') && !before.ends_with("!!");
    is_denied || has_negation_before(before) || has_negation_after(after)
}

/// Returns whether the words that an ellipsis replaces negate the quoted words in the same sentence
/// or statement.
pub(crate) fn has_left_out_negation(words: &str) -> bool {
    let ends = ['.', '!', '?', ';', '{', '}'];
    let first = words.split(ends).next().unwrap_or("");
    let last = words.rsplit(ends).next().unwrap_or("");
    // The `…` may replace `!` before a word, so a `!` at the end is a negation.
    let is_denied = words.ends_with('!') && !words.ends_with("!!");
    let mut words = [first, last]
        .into_iter()
        .flat_map(|it| it.split(|c| !is_word_or_apostrophe(c)));
    is_denied || words.any(is_negation)
}

fn has_negation_before(before: &str) -> bool {
    let Some(before) = before.strip_suffix(' ') else {
        return false;
    };
    let words = before.trim_end_matches(is_word_or_apostrophe);
    is_negation(&before[words.len()..])
}

fn has_negation_after(after: &str) -> bool {
    let Some(after) = after.strip_prefix(' ') else {
        return false;
    };
    let rest = after.trim_start_matches(is_word_or_apostrophe);
    is_negation(&after[..after.len() - rest.len()])
}

// Only the straight apostrophe occurs, because the text is normalized.
fn is_word_or_apostrophe(c: char) -> bool {
    c.is_alphabetic() || c == '\''
}

fn is_negation(word: &str) -> bool {
    let word = word.to_lowercase();
    word.ends_with("n't") || NEGATIONS.split_whitespace().any(|it| it == word)
}
