//! Example requests have nothing of the requests that the match is measured with.

use std::collections::BTreeSet;
use std::path::Path;

use super::measure::labelled;

/// How many words in a row make an example a copy of a measured request.
const WORDS: usize = 5;

// Five words of Chinese have seven to ten characters.
/// The same in characters of a script without blanks.
const IDEOGRAPHS: usize = 7;

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Every [`WORDS`] words and every [`IDEOGRAPHS`] characters that follow one another in `text`.
fn sequences(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase().replace(['\'', '’'], "");
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() || is_ideograph(c))
        .filter(|word| !word.is_empty())
        .collect();
    let words = words.windows(WORDS).map(|window| window.join(" "));
    let ideographs = lower.split(|c| !is_ideograph(c)).flat_map(|run| {
        let run: Vec<char> = run.chars().collect();
        let windows = run.windows(IDEOGRAPHS).map(|it| it.iter().collect());
        windows.collect::<Vec<String>>()
    });
    words.chain(ideographs).collect()
}

#[test]
fn sequences_are_of_words_and_of_characters_where_there_are_no_blanks() {
    let some = sequences("Don't you dare, move: it!");
    assert_eq!(Vec::from_iter(some), ["dont you dare move it"]);
    assert_eq!(
        Vec::from_iter(sequences("服务器为什么崩溃 now")),
        ["务器为什么崩溃", "服务器为什么崩"]
    );
    assert_eq!(Vec::from_iter(sequences("a b c d")), [""; 0]);
}

#[test]
fn no_example_shares_five_words_in_a_row_with_a_measured_request() {
    let measured: BTreeSet<String> = ["held", "languages"]
        .into_iter()
        .flat_map(labelled)
        .flat_map(|request| sequences(&request.request))
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content/requests");
    // The place alone: whoever edits examples should not read the measured requests.
    let mut shared = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            count += 1;
            if !sequences(line).is_disjoint(&measured) {
                shared.push(format!("{}:{number}", path.display()));
            }
        }
    }
    assert!(count > 2_000, "{count}");
    assert_eq!(shared, [""; 0], "write examples of other content");
}
