//! Texts and names in other encodings and forms never count as wrong or missing.

use super::*;

const TEXT: &str =
    "// limits of the shop\npublic const int BasketLimit = 40;\n// Größe in Zoll, naïve Rechnung\n";

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn latin1(text: &str) -> Vec<u8> {
    let bytes = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap());
    bytes.collect()
}

#[test]
fn true_words_are_found_or_unchecked_in_every_encoding() {
    let repo = Repo::new();
    repo.write(
        "wide.cs",
        utf16(&format!("\u{feff}{}", TEXT.replace('\n', "\r\n"))),
    )
    .write("wide-bare.cs", utf16(TEXT))
    .write("latin.c", latin1(TEXT))
    .write("quotes.txt", b"He said \x93never\x94 \x96 twice\n")
    .write("old.txt", TEXT.replace('\n', "\r"))
    .write(
        "mixed.txt",
        "one here\r\ntwo here\nthree here\rfour here\nfive here\n",
    )
    .write("nfd.md", "Die Gro\u{308}ße der Tu\u{308}r ist drei.\n")
    .write("Tu\u{308}r.md", "The door is three wide, they say.\n")
    .write("wide-letters.md", "ｒｅｔｒｙ limit of the shop\n")
    .write("plain.md", "Die Größe der Tür ist drei.\n");
    repo.commit();
    let source = Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap();
    for (path, line, words, expected) in [
        (
            "wide.cs",
            2,
            "public const int BasketLimit = 40;",
            "found: wide.cs:2",
        ),
        ("wide.cs", 3, "Größe in Zoll", "found: wide.cs:3"),
        (
            "wide-bare.cs",
            2,
            "public const int BasketLimit = 40;",
            "found: wide-bare.cs:2",
        ),
        (
            "latin.c",
            3,
            "Größe in Zoll, naïve Rechnung",
            "found: latin.c:3",
        ),
        ("latin.c", 3, "Gr\u{fffd}\u{fffd}e in Zoll", "unchecked: "),
        (
            "quotes.txt",
            1,
            "He said “never” – twice",
            "found: quotes.txt:1",
        ),
        (
            "old.txt",
            2,
            "public const int BasketLimit = 40;",
            "found: old.txt:2",
        ),
        ("mixed.txt", 5, "five here", "moved: "),
        ("mixed.txt", 9, "six here and there", "unchecked: "),
        (
            "nfd.md",
            1,
            "Die Größe der Tür ist drei.",
            "found: nfd.md:1",
        ),
        (
            "Tür.md",
            1,
            "The door is three wide",
            "found: Tu\u{308}r.md:1",
        ),
        (
            "wide-letters.md",
            1,
            "retry limit of the shop",
            "unchecked: ",
        ),
        ("plain.md", 1, "Die GrÃ¶ÃŸe der TÃ¼r ist", "unchecked: "),
        ("plain.md", 1, "Die Größe der Tür ist vier.", "wrong: "),
    ] {
        let citation = file(path, Some([line, line]), Some(words));
        let said = said(&source, &citation);
        assert!(said.starts_with(expected), "{path}:{line} {words}: {said}");
    }
}

#[test]
fn a_quotation_that_cuts_off_a_negation_says_so() {
    let cut = " (a negation next to the words is left out)";
    let source = Source::none().with_document(
        "d",
        "This is not a redirection of any kind.\nIt never retries the request.\nDas ist kein Fehler der Leitung.\nThe service is ready, not slow.\nif !is_open_now(door) {\nThe limit applies\nThe order doesn't change the basket.\nTotals are not rounded here.\n",
    );
    for (words, is_cut) in [
        ("a redirection of any kind", true),
        ("not a redirection of any kind", false),
        ("retries the request", true),
        ("Fehler der Leitung", true),
        ("The service is ready", false),
        ("is_open_now(door)", true),
        ("The limit applies", false),
        ("change the basket", true),
        ("Totals are", true),
    ] {
        let citation = Citation {
            document: Some("d".into()),
            anchor: Some(words.into()),
            ..Citation::default()
        };
        let said = said(&source, &citation);
        assert!(said.starts_with("found: d:"), "{words}: {said}");
        assert_eq!(said.ends_with(cut), is_cut, "{words}: {said}");
    }
}
