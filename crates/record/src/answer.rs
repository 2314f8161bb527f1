//! Compares short answers.

/// Returns whether two short answers say the same thing.
///
/// Ignores case, punctuation and white space, except for characters that carry meaning, as in
/// `C++`, `C#` and `> 5`. An answer without a letter or digit equals no other.
///
/// ```
/// use agon_record::answer::same_answer;
/// assert!(same_answer("Plain files.", " plain\tFiles"));
/// assert!(!same_answer("C", "C++"));
/// assert!(!same_answer("", ""));
/// ```
pub fn same_answer(one: &str, other: &str) -> bool {
    let one = normalize_answer(one);
    one.chars().any(char::is_alphanumeric) && one == normalize_answer(other)
}

fn normalize_answer(answer: &str) -> String {
    let lower = answer.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric() && !"+#<>=$%".contains(c));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::same_answer;
    use proptest::prelude::*;

    #[test]
    fn case_punctuation_and_white_space_do_not_count() {
        for (one, other) in [
            ("SQLite", "sqlite."),
            ("plain files", "**Plain-files!**"),
            ("Use Rust", "use\n  “Rust”"),
            ("ÉTÉ", "été"),
        ] {
            assert!(same_answer(one, other), "{one:?} and {other:?}");
        }
    }

    #[test]
    fn what_carries_meaning_counts() {
        for (one, other) in [
            ("C", "C++"),
            ("C", "C#"),
            ("< 5", "> 5"),
            ("3.1", "31"),
            ("yes", "no"),
            ("", ""),
            ("?!", "…"),
        ] {
            assert!(!same_answer(one, other), "{one:?} and {other:?}");
        }
    }

    proptest! {
        #[test]
        fn an_answer_in_other_dress_is_the_same(words in prop::collection::vec("[a-z0-9]{1,8}", 1..5)) {
            let plain = words.join(" ");
            let dressed = format!("  *{}*. ", words.join(" — ").to_uppercase());
            prop_assert!(same_answer(&plain, &dressed));
        }
    }
}
