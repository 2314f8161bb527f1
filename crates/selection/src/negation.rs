//! Detects negation in requests.

use crate::words::Word;

/// Words that negate what follows them in their clause. In Chinese, the pairs of characters that say
/// "do not" and "no need to".
const NEGATORS: &[&str] = &[
    "dont", "kein", "keine", "keinen", "keiner", "never", "no", "not", "ohne", "sans", "sin",
    "skip", "without", "不必", "不用", "不要", "无需",
];

// As in "do not start a debate" and "I don't want to use the skill debate".
/// Content words that may be between a negator and the negated word.
const CARRIERS: &[&str] = &[
    "begin", "call", "hold", "kind", "load", "open", "run", "skill", "start",
];

/// Returns whether `word` negates the following words.
pub(crate) fn negates(word: &Word) -> bool {
    NEGATORS.binary_search(&word.written.as_str()).is_ok()
}

/// Returns whether the word `at` of `request` is negated: a negator precedes it in the same clause, with
/// only function words between them. "Not only" and "why not" do not negate.
pub(crate) fn is_negated(request: &[Word], at: usize) -> bool {
    find_negator(request, at).is_some()
}

/// Returns whether `request` forbids the word `at`: "do not debate this", "never debate".
pub(crate) fn is_forbidden(request: &[Word], at: usize) -> bool {
    find_negator(request, at).is_some_and(|place| {
        let before = place.checked_sub(1).and_then(|place| request.get(place));
        let is_do_not = is_one_of(request.get(place), &["not"]) && is_one_of(before, &["do"]);
        is_do_not || is_one_of(request.get(place), &["dont", "never"])
    })
}

/// Returns the index of the word that negates the word `at`.
fn find_negator(request: &[Word], at: usize) -> Option<usize> {
    let (before, from) = request.split_at_checked(at)?;
    let mut after = from.first();
    for (place, word) in before.iter().enumerate().rev() {
        if after.is_some_and(|after| after.starts_clause) {
            return None;
        }
        if negates(word) {
            let previous = place.checked_sub(1).and_then(|place| before.get(place));
            let previous = previous.filter(|_| !word.starts_clause);
            let counts = !is_one_of(after, &["just", "only"]) && !is_one_of(previous, &["why"]);
            return counts.then_some(place);
        }
        let is_carrier = CARRIERS.binary_search(&word.written.as_str()).is_ok();
        // "I do not have a test set" asks for a test set, so "have" ends the negation.
        let ends = is_one_of(Some(word), &["but", "had", "has", "have", "if"]);
        if word.is_content && !is_carrier || ends {
            return None;
        }
        after = Some(word);
    }
    None
}

fn is_one_of(word: Option<&Word>, all: &[&str]) -> bool {
    word.is_some_and(|word| all.contains(&word.written.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words;

    /// Whether the word `debate` of `request` is negated.
    fn is_no_debate(request: &str) -> bool {
        let words = words(request);
        let at = words.iter().position(|word| word.written == "debate");
        is_negated(&words, at.unwrap())
    }

    #[test]
    fn the_lists_are_sorted_as_the_search_in_them_demands() {
        assert!(NEGATORS.is_sorted() && CARRIERS.is_sorted());
    }

    #[test]
    fn a_negator_before_it_in_its_clause_negates_it() {
        for request in [
            "no debate",
            "please do not debate this",
            "Don't debate it",
            "I don't want to start a debate",
            "never use the skill debate for this",
            "answer without a debate",
            "ohne debate, bitte",
            "不要debate",
        ] {
            assert!(is_no_debate(request), "{request}");
        }
    }

    #[test]
    fn a_thing_is_forbidden_by_an_order_and_not_by_its_absence() {
        let is_forbidden = |request: &str| {
            let words = words(request);
            let at = words.iter().position(|word| word.written == "debate");
            is_forbidden(&words, at.unwrap())
        };
        assert!(is_forbidden("Do not debate this, decide"));
        assert!(is_forbidden("and don't start a debate"));
        assert!(is_forbidden("never debate"));
        assert!(!is_forbidden("there was no debate yet"));
        assert!(!is_forbidden("I do not have a debate"));
    }

    #[test]
    fn a_negator_of_something_else_does_not_negate_it() {
        for request in [
            "debate this, do not vote",
            "No, debate this",
            "I do not agree: debate it",
            "not sure whether we should, debate it",
            "not only debate it, decide",
            "why not debate this",
            "why don't we debate this",
            "no vote but a debate",
            "debate",
        ] {
            assert!(!is_no_debate(request), "{request}");
        }
    }
}
