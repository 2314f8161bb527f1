use super::*;
use proptest::prelude::*;

fn places(words: &str, text: &str) -> Option<Occurrences> {
    Anchor::new(words)?.find_anywhere(&SearchableText::new(text))
}

fn at(lines: &[[u32; 2]], note: Option<Note>) -> Option<Occurrences> {
    Some(Occurrences {
        lines: lines.to_vec(),
        note,
    })
}

#[test]
fn words_are_found_with_their_lines() {
    let text = "one\nlet total = sum(a, b);\n\nlet total = sum(a, b);\n";
    assert_eq!(
        places("let total = sum( a,b )", text),
        at(&[[2, 2], [4, 4]], None)
    );
    assert_eq!(places("b);\n\nlet total", text), at(&[[2, 4]], None));
}

#[test]
fn a_word_that_goes_on_is_another_word() {
    assert_eq!(places("MAX = 5", "MAX = 50;"), None);
    assert_eq!(places("retries", "max_retries"), None);
    assert_eq!(places("最大", "重试最大次数"), at(&[[1, 1]], None));
}

#[test]
fn an_ellipsis_is_first_taken_as_it_stands_and_then_for_words_left_out() {
    assert_eq!(places("f(...args)", "f(...args)"), at(&[[1, 1]], None));
    let text = "fn send(\n    a: u8,\n    b: u8,\n) -> Result<()> {";
    let left_out = Some(Note::WordsLeftOut);
    assert_eq!(
        places("fn send(... -> Result", text),
        at(&[[1, 4]], left_out)
    );
    assert_eq!(places("-> Result ... fn send", text), None);
    assert_eq!(
        places("from . … version", "from .a import version"),
        at(&[[1, 1]], left_out)
    );
    let far = format!("fn send(\n{}) -> Result<()>", "    a: u8,\n".repeat(400));
    assert_eq!(places("fn send(... -> Result", &far), None);
}

#[test]
fn other_case_is_other_words_but_for_the_first_letter_of_a_sentence() {
    let note = Some(Note::CaseDiffers);
    assert_eq!(places("max", "MAX\nmax"), at(&[[2, 2]], None));
    assert_eq!(places("max retries", "Max Retries"), None);
    assert_eq!(
        places("Retries are capped", "the retries are capped"),
        at(&[[1, 1]], note)
    );
    assert_eq!(places("öfter als", "Öfter als"), at(&[[1, 1]], note));
    // Names are not sentences.
    assert_eq!(places("send(to)", "Send(to)"), None);
    assert_eq!(places("send", "Send"), None);
    let anywhere = Anchor::new("MAX retries").unwrap();
    let text = SearchableText::new("one\nmax\nRetries");
    assert_eq!(anywhere.find_ignoring_case(&text), at(&[[2, 3]], None));
}

#[test]
fn quotes_and_stops_around_the_words_are_not_theirs() {
    let found = at(&[[1, 1]], None);
    assert_eq!(
        places("\"retries are capped\".", "the retries are capped at"),
        found
    );
    for words in [
        "`the retries`",
        "“`the retries`”",
        "``the retries``",
        "```\nthe retries\n```",
        "```c++\n// the retries\n```",
    ] {
        assert_eq!(places(words, "// the retries are"), found, "{words}");
    }
    // They may still be quotation marks.
    assert_eq!(places("'a' + 'b'", "'a' + 'b'"), found);
    assert_eq!(
        places("retries are // capped", "// the retries are\n// capped"),
        at(&[[1, 2]], None)
    );
}

#[test]
fn words_weigh_by_their_letters() {
    for (words, weight) in [
        ("}", Weight::None),
        ("i++", Weight::None),
        ("return", Weight::Weak),
        ("MAX_RETRIES", Weight::Strong),
    ] {
        assert_eq!(Anchor::new(words).unwrap().weight(), weight, "{words}");
    }
    assert!(Anchor::new(" ``` ").is_none());
}

#[test]
fn a_hostile_text_takes_little_time() {
    let text = "a ".repeat(1_000_000);
    assert_eq!(places("a a ... a b", &text), None);
    assert_eq!(
        places(&"a ".repeat(10_000), &text).map(|it| it.lines),
        Some(vec![[1, 1]])
    );
}

proptest! {
    #[test]
    fn whole_words_of_a_text_are_found_in_their_lines(
        lines in prop::collection::vec("[a-z]{1,6}( [a-z]{1,6}){0,5}", 1..12),
        from in any::<prop::sample::Index>(),
        count in 1_usize..4,
    ) {
        let from = from.index(lines.len());
        let to = lines.len().min(from + count);
        let words = lines[from..to].join(" ");
        let found = places(&words, &lines.join("\n")).unwrap();
        let expected = [from as u32 + 1, to as u32];
        prop_assert!(found.lines.contains(&expected), "{found:?} has no {expected:?}");
    }

    #[test]
    fn no_words_and_no_text_make_it_fall_over(words in any::<String>(), text in any::<String>()) {
        let found = places(&words, &text);
        prop_assert!(found.is_none_or(|it| !it.lines.is_empty()));
    }
}
