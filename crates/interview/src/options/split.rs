//! Splits a question into its options.

/// Words between two options, in the order they are tried.
const BETWEEN: [&str; 9] = [
    " versus ",
    " vs. ",
    " vs ",
    " rather than ",
    " instead of ",
    " or rather ",
    " or ",
    " better than ",
    " than ",
];

/// Beginnings of a question before its first option, the longest first; they are removed.
const LEADS: &[&str] = &[
    "which one is better for us, ",
    "what is the better choice, ",
    "which is the better choice, ",
    "which one is better, ",
    "which is better, ",
    "what is better, ",
    "what's better, ",
    "who is better, ",
    "which is best, ",
    "which one should we choose, ",
    "which should we use, ",
    "what should we use, ",
    "should one choose ",
    "is it a better idea to ",
    "is it better for us to ",
    "is it better to ",
    "is it worth ",
    "is it wiser to ",
    "is it cheaper to ",
    "is it best to ",
    "is it better ",
    "would it be better to ",
    "would you rather ",
    "do you prefer ",
    "whether to ",
    "either ",
];

/// First words of a question about which of two things is better.
const COMPARISONS: [&str; 5] = ["is ", "are ", "was ", "were ", "will "];

/// Comparatives before `than`.
const COMPARATIVES: [&str; 14] = [
    "better",
    "more useful",
    "more important",
    "safer",
    "cheaper",
    "faster",
    "healthier",
    "wiser",
    "smarter",
    "easier",
    "worse",
    "nicer",
    "greener",
    "a better choice",
];

/// Returns the options of a question in order; `None` if there are fewer than two.
pub(super) fn split_options(text: &str) -> Option<Vec<String>> {
    let lower = text.to_lowercase();
    // Offsets in `lower` are used in `text`, so both must have the same length.
    if lower.len() != text.len() {
        return None;
    }
    if let Some(yes_no) = lower.strip_suffix(" or not") {
        return (!yes_no.is_empty()).then_some(()).and(None);
    }
    let (at, word) = find_separator(&lower)?;
    let lead = LEADS.iter().find(|lead| lower.starts_with(**lead));
    let from = lead.map_or(0, |lead| lead.len());
    let first = text.get(from..at)?;
    let (first, lower_first) = (strip_comparative(first), lower.get(from..at)?);
    let rest = text.get(at + word.len()..)?;
    // Three or more options, as in `A, B or C`: the caller needs only the number.
    let listed: Vec<&str> = first
        .split(", ")
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .collect();
    if listed.len() > 1 || rest.to_lowercase().contains(" or ") {
        return Some(vec![String::new(); 3]);
    }
    let compared =
        word.ends_with("than ") || lower_first.trim_end() != first.to_lowercase().trim_end();
    let first = match compared {
        true => strip_comparison(first),
        false => first,
    };
    let tidy = |option: &str| option.trim_matches([' ', ',', '\'', '"']).to_owned();
    let both = vec![tidy(first), tidy(rest)];
    both.iter().all(|option| !option.is_empty()).then_some(both)
}

fn find_separator(lower: &str) -> Option<(usize, &'static str)> {
    BETWEEN
        .iter()
        .find_map(|word| lower.find(word).map(|at| (at, *word)))
}

/// Reduces `electric cars better` to `electric cars`.
fn strip_comparative(option: &str) -> &str {
    let lower = option.to_lowercase();
    let end = COMPARATIVES
        .iter()
        .find_map(|word| lower.strip_suffix(&format!(" {word}")).map(str::len));
    end.and_then(|end| option.get(..end)).unwrap_or(option)
}

/// Reduces `Are electric cars` to `electric cars`.
fn strip_comparison(option: &str) -> &str {
    let lower = option.to_lowercase();
    let begins = COMPARISONS.iter().find(|word| lower.starts_with(**word));
    begins
        .and_then(|word| option.get(word.len()..))
        .unwrap_or(option)
}
