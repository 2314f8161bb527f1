//! Quotations in prose: those attributed to a place, and those only mentioned.

use super::*;

const QUAY: &str = "\
// A berth must not be given to two ships at a time.
fn berth(ship: u32) -> Slot {
    // Ships without a pilot wait outside the harbour.
    slots.first_free(ship)
}
// Every pilot signs the book before he leaves.
";

fn harbour() -> (Repo, Source) {
    let repo = Repo::new();
    repo.write("src/quay.rs", QUAY).write(
        "src/pier.rs",
        "// The crane lifts forty tons and no more.\n",
    );
    repo.commit();
    let source = Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap();
    (repo, source)
}

fn stamps(source: &Source, at: &str, content: &str) -> Vec<String> {
    let stamps = Resolver::new(source).resolve_ground(&ground(at, content));
    stamps
        .iter()
        .map(|it| it.stamp.kind().name().to_owned())
        .collect()
}

#[test]
fn words_that_are_said_to_stand_there_are_wrong_when_they_do_not() {
    let (_repo, source) = harbour();
    let words = "Every pilot burns the book before he leaves.";
    for (at, content) in [
        ("src/quay.rs:6", "It reads: \"WORDS\""),
        ("src/quay.rs:6", "It says `WORDS`, in so many words."),
        ("src/quay.rs:6", "There it stands: “WORDS”."),
        ("src/quay.rs:6", "The comment there is \"WORDS\"."),
        ("src/quay.rs:6", "The line has the comment `WORDS`."),
        ("src/quay.rs:6", "Dort steht: „WORDS“"),
        ("src/quay.rs:6", "> WORDS"),
        ("src/quay.rs:6", "```rust\n// WORDS\n```"),
        ("src/quay.rs:6", "What stands there is\n\n```\nWORDS\n```"),
        ("src/quay.rs:6", "Verbatim: “WORDS”"),
        ("line 6 of `src/quay.rs`", "Word for word: \"WORDS\""),
        ("What stands at src/quay.rs:6 is “WORDS”.", "So it is."),
        ("“WORDS” (line 6 of `src/quay.rs`)", "So it is."),
        ("For the record, “WORDS” (src/quay.rs:6).", "So it is."),
        ("The reply is mistaken: “WORDS” (src/quay.rs:6).", "So."),
        ("According to line 6 of src/quay.rs, “WORDS”.", "So it is."),
        ("“WORDS”, says src/quay.rs:6.", "So it is."),
        ("src/quay.rs:6 says \"WORDS\"", "So it is."),
        ("\"WORDS\" (src/quay.rs:6)", "So it is."),
        ("“WORDS” – `src/quay.rs:6`", "So it is."),
        ("the comment “WORDS” at src/quay.rs:6", "So it is."),
        (
            "I looked: the line \"WORDS\" in `src/quay.rs` line 6.",
            "So it is.",
        ),
        ("the text \"WORDS\" at src/quay.rs:6, so it holds", "So."),
        ("The message \"WORDS\" at src/quay.rs:6.", "So it is."),
        ("To be precise, “WORDS” (src/quay.rs:6).", "So it is."),
        ("We verified: \"WORDS\" (`src/quay.rs:6`).", "So it is."),
        ("“WORDS” 【F:src/quay.rs†L6】", "So it is."),
        ("```6:6:src/quay.rs\n// WORDS\n```", "So it is."),
        ("the sources", "src/quay.rs:6:\n\n> WORDS\n\nThat is all."),
        ("the sources", "`src/quay.rs` (line 6)\n\n```\nWORDS\n```\n"),
        (
            "the sources",
            "The comment at src/quay.rs:6 reads \"WORDS\"",
        ),
        ("the sources", "The words \"WORDS\" stand in src/quay.rs:6."),
    ] {
        let with = |words: &str| {
            let at = at.replace("WORDS", words);
            stamps(&source, &at, &content.replace("WORDS", words))
        };
        if !content.contains("The words") {
            assert_eq!(with(words), ["wrong"], "{at} {content}");
        }
        let right = "Every pilot signs the book before he leaves.";
        assert_eq!(with(right), ["found"], "{at} {content}");
        let other = "Ships without a pilot wait outside the harbour.";
        assert_ne!(with(other), ["found"], "{at} {content}");
    }
}

#[test]
fn words_of_somebody_else_and_proposals_are_never_wrong() {
    let (_repo, source) = harbour();
    for content in [
        "The comment should read \"Every pilot tells the harbour master first\".",
        "It would read better as `let slot = slots.take(ship, pilot)`.",
        "`make harbour docs` succeeds either way.",
        "At night the call ends in \"no pilot is on duty\" and the ship waits.",
        "The other side says \"a berth is given to every ship\", which is not so.",
        "You claim that it says \"a berth is given to every ship\".",
        "The ticket was called \"berths are given out twice a day\".",
        "It does not say \"a berth is given to every ship\".",
        "There is no `assert!(ship < slots.len(), true)` here.",
        "It has \"a berth for every ship\" nowhere.",
        "Write `let slot = slots.take(ship, pilot)` there.",
        "Fix:\n\n```rust\nlet slot = slots.take(ship, pilot);\n```",
        "```diff\n- slots.first_free(ship)\n+ slots.take(ship, pilot)\n```",
        "```console\n$ make harbour\nerror: no pilot is on duty\n```",
        "As the saying goes, \"many hands make light work of it\".",
        "My opponent wrote:\n\n> A berth is given to every ship.",
        "\"Where is the pilot ever asked for this?\" is the question.",
    ] {
        assert_eq!(
            stamps(&source, "src/quay.rs:2", content),
            ["place"],
            "{content}"
        );
    }
    for text in [
        "The opponent holds that \"a berth is given to every ship\", but src/quay.rs:2 shows the opposite.",
        "You asked \"where is the pilot ever asked for?\" – at src/quay.rs:2.",
        "The commit \"give berths out twice a day\" touched src/quay.rs:2.",
        "If src/quay.rs:2 says \"a berth for every ship there is\", we are done.",
        "Before the last change src/quay.rs:2 said \"a berth for every ship there is\".",
        "src/quay.rs:2 has \"a berth for every ship there is\" only after the patch.",
        "src/quay.rs:2: \"a berth for every ship there is\" is my summary of it.",
        "Put the comment \"a berth is given to every ship\" at src/quay.rs:2.",
        "The comment \"a berth is given to every ship\" at src/quay.rs:2 is missing.",
        "The commit message \"give berths out twice a day\" at src/quay.rs:2.",
        "The error message \"no pilot is on duty\" comes up at src/quay.rs:2.",
        "I checked with \"make the whole harbour\" (src/quay.rs:2).",
        "The captain says to be exact, \"a berth is given to every ship\" (src/quay.rs:2).",
        "It could be:\n```2:2:src/quay.rs\nlet slot = slots.take(ship, pilot);\n```",
        "```1:4:src/quay.rs\nfn berth(ship: u32) -> Slot {\n    // … all as before …\n```",
        "Unlike src/pier.rs:1, src/quay.rs:2 counts; nobody says \"a berth for every ship\".",
    ] {
        let said = stamps(&source, text, "So it is.");
        assert!(said.iter().all(|it| it == "place"), "{text}: {said:?}");
    }
}

#[test]
fn each_quotation_at_a_place_must_stand_there() {
    let (_repo, source) = harbour();
    let first = "A berth must not be given to two ships at a time.";
    for (second, expected) in [
        ("Ships without a pilot wait outside the harbour.", "found"),
        ("Ships with a pilot wait outside the harbour.", "wrong"),
        ("Every pilot signs the book before he leaves.", "moved"),
    ] {
        for content in [
            format!("It says \"{first}\" and then \"{second}\"."),
            format!("First it says \"{first}\", later \"{second}\"."),
        ] {
            assert_eq!(
                stamps(&source, "src/quay.rs:1-3", &content),
                [expected],
                "{content}"
            );
        }
    }
    // Two places, each with its own quotation.
    let text = "src/quay.rs:1 says \"A berth must not be given to two ships at a time.\", whereas \
                src/pier.rs:1 says \"The crane lifts forty tons and no more.\"";
    assert_eq!(stamps(&source, text, ""), ["found", "found"]);
}

#[test]
fn an_ellipsis_for_a_negation_is_marked() {
    let (_repo, source) = harbour();
    for (words, expected) in [
        (
            "A berth must … be given to two ships",
            " (a negation next to the words is left out)",
        ),
        (
            "A berth ... be given to two ships",
            " (a negation next to the words is left out)",
        ),
        (
            "Ships … wait outside the harbour",
            " (a negation next to the words is left out)",
        ),
        ("A berth must not … to two ships", " (with words left out)"),
        ("Every pilot … before he leaves", " (with words left out)"),
    ] {
        let citation = file("src/quay.rs", None, Some(words));
        let said = said(&source, &citation);
        assert!(
            said.starts_with("found: ") && said.ends_with(expected),
            "{words}: {said}"
        );
    }
}

#[test]
fn altered_words_in_a_file_of_one_byte_for_each_letter_are_wrong() {
    let repo = Repo::new();
    let text = "Die Fähre fährt täglich über den großen Fluß.\nKein Schiff legt nachts ab.\n";
    let bytes: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    repo.write("alt/fahrplan.txt", bytes);
    repo.commit();
    let source = Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap();
    for (words, expected) in [
        ("Die Fähre fährt täglich über den großen Fluß.", "found"),
        ("Die Fähre fährt stündlich über den großen Fluß.", "wrong"),
        ("Ein Schiff legt nachts immer ab.", "wrong"),
        // The text in a wrong encoding, or with unreadable characters dropped.
        ("Die F„hre f„hrt t„glich", "unchecked"),
        ("Die F\u{fffd}hre f\u{fffd}hrt t\u{fffd}glich", "unchecked"),
        ("über größte", "unchecked"),
    ] {
        let citation = file("alt/fahrplan.txt", Some([1, 2]), Some(words));
        let said = said(&source, &citation);
        assert!(said.starts_with(expected), "{words}: {said}");
    }
    let prose = ground(
        "alt/fahrplan.txt:1",
        "It reads: \"Die Fähre fährt stündlich über den Fluß.\"",
    );
    let stamps = Resolver::new(&source).resolve_ground(&prose);
    assert_eq!(stamps[0].stamp.kind(), StampKind::Wrong);
}
