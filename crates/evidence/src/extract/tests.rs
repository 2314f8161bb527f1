use super::*;
use crate::known::KnownPaths;
use proptest::prelude::*;

/// The files found in a text, as `COMMIT:PATH:FIRST-LAST`; other citations unchanged.
fn found(text: &str) -> Vec<String> {
    let known = KnownPaths::new(["src/store/blob.rs", "README", "bin/run", "store.rs"]);
    let found = extract_citations(text, &known);
    found.iter().map(|it| said(&it.citation)).collect()
}

fn said(citation: &Citation) -> String {
    let mut said = String::new();
    if let Some(commit) = &citation.commit {
        said += &format!("{commit}:");
    }
    said += citation.file.as_deref().unwrap_or("");
    said += citation.url.as_deref().unwrap_or("");
    if let Some([first, last]) = citation.lines {
        said += &format!(":{first}-{last}");
    }
    said
}

#[test]
fn lines_are_read_in_every_form() {
    for (text, expected) in [
        ("src/a.rs:10", "src/a.rs:10-10"),
        ("see src/a.rs:10.", "src/a.rs:10-10"),
        ("src/a.rs:10:5 is", "src/a.rs:10-10"),
        ("src/a.rs:10-20,", "src/a.rs:10-20"),
        ("src/a.rs:10–20", "src/a.rs:10-20"),
        ("src/a.rs:L10-L20", "src/a.rs:10-20"),
        ("src/a.rs#L10", "src/a.rs:10-10"),
        ("src/a.rs#L10-L20", "src/a.rs:10-20"),
        ("src/a.rs#L10C3-L20C5", "src/a.rs:10-20"),
        ("src/a.ts(10,5): error", "src/a.ts:10-10"),
        ("(src/a.rs:10)", "src/a.rs:10-10"),
        ("**src/a.rs:10**", "src/a.rs:10-10"),
        ("`src/a.rs:10`", "src/a.rs:10-10"),
        ("`src/a.rs`:10", "src/a.rs:10-10"),
        ("`src/a.rs`, line 10", "src/a.rs:10-10"),
        ("`src/a.rs` line 10", "src/a.rs:10-10"),
        ("`src/a.rs` (line 10)", "src/a.rs:10-10"),
        ("src/a.rs (lines 10-20)", "src/a.rs:10-20"),
        ("src/a.rs, lines 10 to 20", "src/a.rs:10-20"),
        ("src/a.rs at lines 10 through 20", "src/a.rs:10-20"),
        ("src/a.rs on line 10", "src/a.rs:10-10"),
        ("src/a.rs between lines 10 and 20", "src/a.rs:10-20"),
        ("between lines 10 and 20 of src/a.rs", "src/a.rs:10-20"),
        ("line 10 of the top-level `a.json`", "a.json:10-10"),
        ("line 10 of our root `a.json`", "a.json:10-10"),
        (
            "line 10 in the automatically generated module src/a.rs",
            "src/a.rs:10-10",
        ),
        (
            "line 10 of the workspace's own `Cargo.toml`",
            "Cargo.toml:10-10",
        ),
        (
            "line 10 of the test settings file src/a.rs",
            "src/a.rs:10-10",
        ),
        ("Zeile 10 der obersten `a.json`", "a.json:10-10"),
        ("lines 10–20 of that same src/a.rs", "src/a.rs:10-20"),
        ("line 10 of top-level `a.json`", "a.json:10-10"),
        // The line belongs to something else.
        ("line 10 of the test imports src/a.rs", "src/a.rs"),
        ("line 10 of that function is in src/a.rs", "src/a.rs"),
        ("line 10 of the code and src/a.rs", "src/a.rs"),
        ("line 10 of the client's own `a.json`", "a.json"),
        ("line 10 of the client `a.json`", "a.json"),
        ("line 10 of the log src/a.rs", "src/a.rs"),
        ("line 10 of something near src/a.rs", "src/a.rs"),
        ("line 10 of the quite long and winding src/a.rs", "src/a.rs"),
        ("src/a.rs L10-L20", "src/a.rs:10-20"),
        ("in `src/x.rs` around line 40", "src/x.rs:35-45"),
        ("src/x.rs near line 3", "src/x.rs:1-8"),
        ("File \"src/a.py\", line 10, in f", "src/a.py:10-10"),
        ("lines 10 to 20 of src/x.rs", "src/x.rs:10-20"),
        ("Lines 10-20 in `src/x.rs`", "src/x.rs:10-20"),
        ("line 40 of the file src/x.rs", "src/x.rs:40-40"),
        ("around line 40 in src/x.rs", "src/x.rs:35-45"),
        ("src\\store\\a.rs:10", "src\\store\\a.rs:10-10"),
        ("C:\\x\\a.rs:10", "C:\\x\\a.rs:10-10"),
        ("./src/a.rs:10", "./src/a.rs:10-10"),
        ("/etc/app.conf:3", "/etc/app.conf:3-3"),
        ("[blob](src/a.rs#L10-L20)", "src/a.rs:10-20"),
        ("[src/b.rs](src/a.rs#L10)", "src/a.rs:10-10"),
        ("[`src/b.rs`](src/a.rs#L10)", "src/a.rs:10-10"),
        (
            "node_modules/@types/a.d.ts:4",
            "node_modules/@types/a.d.ts:4-4",
        ),
        ("Makefile:12", "Makefile:12-12"),
        ("blob.rs:7", "blob.rs:7-7"),
        ("src/a.rs:20-10", "src/a.rs:20-20"),
        ("_src/a.rs:10_", "src/a.rs:10-10"),
        ("src/a.rs:4 and 9 tests", "src/a.rs:4-4"),
        ("What about lines 4 to 9 of src/a.rs?", "src/a.rs:4-9"),
        ("What about line 4 of src/a.rs?", "src/a.rs:4-4"),
        ("Round two was about line 4 of src/a.rs.", "src/a.rs:4-4"),
        ("at about line 14 of src/a.rs", "src/a.rs:9-19"),
        ("【F:src/a.rs†L4-L9】", "src/a.rs:4-9"),
        ("[src/a.rs†L4]", "src/a.rs:4-4"),
        ("【src/store/blob.rs†L4–L9】", "src/store/blob.rs:4-9"),
        ("【F:/srv/a.rs†L4】", "/srv/a.rs:4-4"),
        ("```4:9:src/a.rs\nfn a()\n```", "src/a.rs:4-9"),
        (
            "````4:9:src/store/blob.rs\nline 2\n````",
            "src/store/blob.rs:4-9",
        ),
        ("src/C#/a.rs:4", "src/C#/a.rs:4-4"),
        ("`src/F#/x/a.rs`, line 4", "src/F#/x/a.rs:4-4"),
        ("src/a.rs 第 4 行", "src/a.rs:4-4"),
        ("src/a.rs 第 4 至 9 行", "src/a.rs:4-9"),
        ("src/a.rs の 4 行目", "src/a.rs:4-4"),
        ("в src/a.rs, строки 4–9", "src/a.rs:4-9"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
}

#[test]
fn a_path_counts_without_lines_when_it_looks_like_one_or_is_known() {
    for (text, expected) in [
        ("in src/a.rs there is", "src/a.rs"),
        ("in `config.toml` there is", "config.toml"),
        ("the store.rs of", "store.rs"),
        ("run bin/run now", "bin/run"),
        ("src/store/blob.rs.", "src/store/blob.rs"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
}

#[test]
fn lines_belong_to_the_path_that_they_are_said_to_be_in() {
    for (text, expected) in [
        ("`a.md:3` and L5 in `b.md`", vec!["a.md:3-3", "b.md:5-5"]),
        (
            "a.md#L3; L5-L9 of src/store/blob.rs.",
            vec!["a.md:3-3", "src/store/blob.rs:5-9"],
        ),
        (
            "`a.md:3`, L5 and L7 of `b.md`",
            vec!["a.md:3-3", "b.md:5-5", "b.md:7-7"],
        ),
        (
            "a.md:3, 6 and 8, and L5 of b.md",
            vec!["a.md:3-3", "a.md:6-6", "a.md:8-8", "b.md:5-5"],
        ),
        ("a.md:3, line 5 of b.md", vec!["a.md:3-3", "b.md:5-5"]),
        ("a.md line 3, line 5 in b.md", vec!["a.md:3-3", "b.md:5-5"]),
        ("a.md L3 and L5 in `b.md`", vec!["a.md:3-3", "b.md:5-5"]),
        ("a.md L3 and L5 in the loop", vec!["a.md:3-3", "a.md:5-5"]),
        (
            "a.md, lines 5 and 7 of b.md",
            vec!["a.md", "b.md:5-5", "b.md:7-7"],
        ),
        ("see a.md and line 5 in b.md", vec!["a.md", "b.md:5-5"]),
        ("`a.md`; lines 5–7 of `b.md`", vec!["a.md", "b.md:5-7"]),
        (
            "line 3 of `a.md` and line 5 in `b.md`",
            vec!["a.md:3-3", "b.md:5-5"],
        ),
        (
            "`src/new.rs:3` and L5 in `src/store/blob.rs`",
            vec!["src/new.rs:3-3", "src/store/blob.rs:5-5"],
        ),
        // Lines attached to a path stay with it.
        ("a.md:L3 in b.md", vec!["a.md:3-3", "b.md"]),
        ("a.md line 3 in b.md", vec!["a.md:3-3", "b.md"]),
        ("a.md:3 and L5; b.md", vec!["a.md:3-3", "a.md:5-5", "b.md"]),
        (
            "a.md:3 and L5, b.md:7",
            vec!["a.md:3-3", "a.md:5-5", "b.md:7-7"],
        ),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn each_range_of_a_list_is_a_place() {
    let ab = ["a.rs:3-5", "a.rs:9-12"];
    let abc = ["a.rs:4-4", "a.rs:9-9", "a.rs:12-12"];
    for (text, expected) in [
        ("`a.rs:3-5,9-12`", &ab[..]),
        ("`a.rs`:3–5, 9–12", &ab),
        ("a.rs:3-5 and 9-12 show it", &ab),
        ("`a.rs` L3-L5 and L9-L12", &ab),
        ("a.rs#L3-L5, #L9-L12", &ab),
        ("a.rs#L3-L5,L9-L12", &ab),
        ("`a.rs`, lines 3–5 and 9–12, say", &ab),
        ("`a.rs` (lines 3-5, 9-12)", &ab),
        ("a.rs lines 3 to 5 and lines 9 to 12", &ab),
        ("a.rs (3-5, 9-12)", &ab),
        ("lines 3 to 5 and 9 to 12 of `a.rs`", &ab),
        ("lines 3-5, and lines 9-12 in a.rs", &ab),
        ("L3-L5 and L9-L12 of the generated a.rs", &ab),
        ("Zeilen 3 bis 5 und 9 bis 12 der Datei a.rs", &ab),
        ("a.rs:4, 9 and 12.", &abc),
        ("a.rs:4,9,12", &abc),
        ("`a.rs:4` and `:9`; also `:12`.", &abc),
        ("a.rs#L4, #L9 and #L12", &abc),
        ("Lines 4, 9 and 12 of a.rs", &abc),
        ("a.rs does so in lines 4, 9 and 12.", &abc),
        (
            "a.rs:3-5, 7 and 9-12",
            &["a.rs:3-5", "a.rs:7-7", "a.rs:9-12"],
        ),
        ("lines 4 and 9 of a.rs", &abc[..2]),
        ("a.rs, lines 4 and 9", &abc[..2]),
        // Other numbers are not lines.
        ("a.rs:3-5, 20 tests", &ab[..1]),
        ("a.rs:3-5 and 10-20 ms later", &ab[..1]),
        ("a.rs, lines 3-5, and 20 tests", &ab[..1]),
        ("a.rs:4, line 9 of b.rs", &["a.rs:4-4", "b.rs:9-9"]),
        (
            "a.rs:4, lines 9 and 12 of b.rs",
            &["a.rs:4-4", "b.rs:9-9", "b.rs:12-12"],
        ),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn a_row_of_a_table_has_the_lines_of_its_path() {
    for (text, expected) in [
        (
            "| File | Line | What |\n|---|---|---|\n| `a.rs` | 12–20 | limit |\n| b.rs | 7 | x |",
            &["a.rs:12-20", "b.rs:7-7"][..],
        ),
        (
            "| Lines | Path |\n|:-:|---|\n| L12-L20 | `a.rs` |",
            &["a.rs:12-20"],
        ),
        (
            "so:\n\n| **Datei** | **Zeile(n)** |\n|---|---|\n| a.rs | 3–5, 9 |\n\nand b.rs",
            &["a.rs:3-5", "a.rs:9-9", "b.rs"],
        ),
        ("File | Line\n--- | ---\na.rs | 12", &["a.rs:12-12"]),
        (
            "| File | Place | Beside |\n|---|---|---|\n| a.rs | 4 | b.rs |",
            &["a.rs:4-4", "b.rs"],
        ),
        // Another column, additional text in the cell, explicit lines, two files, no header.
        ("| File | Count |\n|---|---|\n| a.rs | 12 |", &["a.rs"]),
        ("| File | Line |\n|---|---|\n| a.rs | 12 of 30 |", &["a.rs"]),
        ("| File | Line |\n|---|---|\n| a.rs:3 | 12 |", &["a.rs:3-3"]),
        (
            "| What | Line |\n|---|---|\n| a.rs, b.rs | 12 |",
            &["a.rs", "b.rs"],
        ),
        ("| File | Line |\n\n| a.rs | 12 |", &["a.rs"]),
        ("cat a.rs | 12", &["a.rs"]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn more_backticks_than_close_a_span_end_within_no_character() {
    for letters in 0..24 {
        let after = format!("{}é see b.rs:4", "x".repeat(letters));
        let text = format!("i{}some words{}{after}", "`".repeat(20), "`".repeat(9));
        assert_eq!(found(&text), ["b.rs:4-4"], "{text}");
    }
}

#[test]
fn a_bracket_before_an_ending_is_part_of_a_name() {
    for (text, expected) in [
        ("see `src/new/[id].tsx`.", "src/new/[id].tsx"),
        ("see src/new/[id].tsx:4.", "src/new/[id].tsx:4-4"),
        ("line 4 of `src/new/[id].tsx`", "src/new/[id].tsx:4-4"),
        (
            "`src/[...rest].edit.tsx`, lines 4-9",
            "src/[...rest].edit.tsx:4-9",
        ),
        ("`src/[[lang]].tsx:4`", "src/[[lang]].tsx:4-4"),
        ("`src/($lang).tsx:4`", "src/($lang).tsx:4-4"),
        ("`[id].tsx:4`", "[id].tsx:4-4"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
    for text in ["any `[id].tsx`", "a list[0].rs", "(see it).md", "f(x).rs"] {
        assert_eq!(found(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn words_are_said_to_stand_at_a_place_only_where_the_text_says_so() {
    let is_claimed = |text: &str| {
        let found = extract_citations(text, &KnownPaths::new(["a.rs"]));
        let guesses = found.iter().flat_map(|it| &it.guesses);
        guesses.filter(|it| it.quoted).count() == 1
    };
    for text in [
        "What stands at a.rs:3 is “never more than five”.",
        "I checked this: what stands at lines 3 to 5 of `a.rs` is “never more than five”",
        "The wording at a.rs:3 is “never more than five”.",
        "“never more than five” (line 3 of `a.rs`)",
        "“never more than five” (lines 3 to 5 of the generated a.rs).",
        "For the record, “never more than five” (`a.rs:3`).",
        "The first reply is mistaken: “never more than five” (a.rs:3).",
        "Against that stands a plain fact: “never more than five” (lines 3 to 5 of `a.rs`).",
        "a.rs:3, verbatim: “never more than five”",
        "a.rs:3, word for word: “never more than five”",
        "According to a.rs:3, “never more than five”.",
        "Laut a.rs:3, „never more than five“.",
        "“never more than five”, says a.rs:3.",
        "“never more than five”, according to line 3 of `a.rs`.",
        "“never more than five”, as a.rs:3 puts it.",
        "“never more than five” is what stands at a.rs:3.",
        "“never more than five” is what a.rs:3 says.",
        "It boils down to this: “never more than five”, says a.rs:3.",
        "See b.rs. “never more than five” (a.rs:3).",
    ] {
        assert!(is_claimed(text), "{text}");
    }
    for text in [
        "a.rs:3 is “never more than five” lines away.",
        "The code at a.rs:3 is “never more than bad”.",
        "The opponent is mistaken: “never more than five” (a.rs:3).",
        "The first reply says: “never more than five” (a.rs:3).",
        "In short: “never more than five” (a.rs:3).",
        "My proposal: “never more than five” (a.rs:3).",
        "It boils down to this: “never more than five” (a.rs:3).",
        "The bug in one sentence: “never more than five” (a.rs:3).",
        "Run this: “never more than five” (a.rs:3).",
        "The first reply is mistaken: “never more than five”. See a.rs:3.",
        "The first reply is mistaken: “never more than five” and a.rs:3 shows it",
        "What should stand at a.rs:3 is “never more than five”.",
        "What stands at a.rs:3 is not “never more than five”.",
        "According to the opponent, “never more than five” (a.rs:3).",
        "“never more than five”, says the opponent of a.rs:3.",
        "“never more than five”, as a.rs:3 shows.",
        "“never more than five” (as in a.rs:3).",
        "“never more than five” is what a.rs:3 does.",
        "It literally breaks: “never more than five”",
    ] {
        assert!(!is_claimed(text), "{text}");
    }
}

#[test]
fn the_code_below_a_head_with_its_place_is_said_to_stand_there() {
    let guesses = |text: &str| {
        extract_citations(text, &KnownPaths::default())[0]
            .guesses
            .clone()
    };
    let code = "let a = all();";
    for (text, quoted) in [
        (format!("```4:9:src/a.rs\n{code}\n```"), true),
        (
            format!("It begins so:\n\n```4:4:src/a.rs\n{code}\n```\nand ends."),
            true,
        ),
        (format!("It should be\n```4:9:src/a.rs\n{code}\n```"), false),
    ] {
        let words = code.to_owned();
        assert_eq!(guesses(&text), [Guess { words, quoted }], "{text}");
    }
    let shortened = guesses("```4:9:src/a.rs\nlet a = 1;\n// ... the rest ...\n```");
    assert!(!shortened[0].quoted);
}

#[test]
fn what_is_no_place_is_not_taken_for_one() {
    for text in [
        "version 1.2.3 and v2.0.1-rc.1",
        "at 12:30 or 12:30:45, 2026-11-21T10:00:00Z",
        "a ratio of 3:1, or 16:9",
        "std::fs::read and tokio::main",
        "mail a.b@example.com or me@host.rs",
        "example.com:8080 and localhost:3000",
        "127.0.0.1:80 and [::1]:80",
        "e.g. this, i.e. that, etc. and so on",
        "Node.js 18, Vue.js and Next.js",
        "and/or either/or 24/7 n/a",
        "self.retries.len() > 3",
        "a..b ... c",
        "on 3/4/2026 about 1/2",
        "key: value, x:10, y:20",
        "deadbeef is a word, 1234567 a number",
        "the line 10 and lines 3-4",
    ] {
        assert_eq!(found(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn pages_are_taken_whole_and_their_paths_are_no_files() {
    for (text, expected) in [
        (
            "see https://example.com/a/b.rs#L10.",
            "https://example.com/a/b.rs#L10",
        ),
        ("(http://localhost:8080/x.js)", "http://localhost:8080/x.js"),
        (
            "[a](https://example.com/x_(y))",
            "https://example.com/x_(y)",
        ),
        ("<https://example.com/a.md>,", "https://example.com/a.md"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
    assert_eq!(
        found("ftp://example.com/a.rs:4 file://x/y.rs"),
        ["//example.com/a.rs:4-4", "//x/y.rs"]
    );
}

#[test]
fn commits_are_taken_with_the_path_beside_them() {
    let whole = "0123456789abcdef0123456789abcdef01234567";
    for (text, expected) in [
        (
            "src/a.rs:10 at commit 3f1c9ae",
            "3f1c9ae:src/a.rs:10-10".to_owned(),
        ),
        (
            "in commit `3f1c9ae`, src/a.rs says",
            "3f1c9ae:src/a.rs".to_owned(),
        ),
        ("3f1c9ae:src/a.rs", "3f1c9ae:src/a.rs".to_owned()),
        ("src/a.rs@3f1c9ae:10", "3f1c9ae:src/a.rs:10-10".to_owned()),
        ("Commit 3F1C9AE broke it", "3f1c9ae:".to_owned()),
        (&format!("since {whole} it"), format!("{whole}:")),
        (
            "src/a.rs:10 holds. Commit 3f1c9ae is another",
            "src/a.rs:10-10".to_owned(),
        ),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
}

#[test]
fn several_places_come_in_order_and_once() {
    assert_eq!(
        found("src/a.rs:1 and src/b.rs:2, again src/b.rs:2; then https://example.com/x"),
        ["src/a.rs:1-1", "src/b.rs:2-2", "https://example.com/x"]
    );
}

#[test]
fn code_and_quotations_near_a_path_are_guessed_to_stand_there() {
    let text = "`src/a.rs:41` has `const MAX: u32 = 5;`, so `retry` says “never more than five”, “as it must”.";
    let found = extract_citations(text, &KnownPaths::default());
    let guess = |words: &str, quoted| Guess {
        words: words.into(),
        quoted,
    };
    assert_eq!(
        found[0].guesses,
        [
            guess("const MAX: u32 = 5;", true),
            guess("retry", false),
            guess("never more than five", true),
            guess("as it must", false),
        ]
    );
    let fenced = extract_citations(
        "src/a.rs:4\n```rust\nfn all() {\n}\n```",
        &KnownPaths::default(),
    );
    assert_eq!(fenced[0].guesses, [guess("fn all() {\n}", true)]);
    let far = extract_citations(
        "src/a.rs:4 is one.\n\nAnother has `let a = 1;`",
        &KnownPaths::default(),
    );
    assert_eq!(far[0].guesses, []);
}

#[test]
fn hostile_texts_take_little_time() {
    for text in [
        "a/".repeat(40_000),
        "src/a.rs:".repeat(10_000),
        "`".repeat(70_000),
        "`a ".repeat(30_000),
        "line 1 of ".repeat(8_000),
        "://".repeat(30_000),
        "http://(".repeat(10_000),
        "0123abc".repeat(10_000),
        "commit ".repeat(10_000),
        "a.rs ".repeat(15_000),
        "é.rs:1".repeat(10_000),
        "\"“«".repeat(10_000),
        "```1:2:a.rs\n".repeat(5_000),
        "a.rs:1 and L2 in ".repeat(3_800),
        "the comment \"a b c d\" at a.rs:1 ".repeat(2_000),
        "a#/".repeat(20_000),
        "| File | Line |\n".repeat(4_000),
        "| a.rs | 3 |\n".repeat(5_000),
        "a.rs:1-2,3-4,5-6 and ".repeat(3_000),
        "lines 3 to 5 and 9 to 12 of the ".repeat(2_000),
        "/[a].rs".repeat(9_000),
        "[".repeat(30_000) + &"]".repeat(30_000) + ".rs",
        "' a\n".repeat(15_000),
        "upstream a.rs ".repeat(4_000),
    ] {
        let started = std::time::Instant::now();
        let found = extract_citations(&text, &KnownPaths::default());
        assert!(found.len() <= MAX_CITATIONS);
        // Quadratic time would take minutes.
        assert!(started.elapsed().as_secs() < 60, "{}", &text[..10]);
    }
}

proptest! {
    #[test]
    fn whatever_the_text_spans_are_inside_it(text in any::<String>()) {
        for it in extract_citations(&text, &KnownPaths::new(["a", "src/a.rs", "b c.rs", "é.rs"])) {
            prop_assert!(text.get(it.span[0]..it.span[1]).is_some());
        }
    }

    #[test]
    fn texts_of_the_right_characters_do_no_harm(
        text in "([a-c/.:#L0-9` \\n@\\\\()\"-]|\\.rs|src/|line |lines |commit |https://|é){0,60}"
    ) {
        for it in extract_citations(&text, &KnownPaths::new(["a", "src/a.rs", "b c.rs", "é.rs"])) {
            prop_assert!(text.get(it.span[0]..it.span[1]).is_some());
            if let Some([first, last]) = it.citation.lines {
                prop_assert!(0 < first && first <= last);
            }
        }
    }

    #[test]
    fn a_place_among_words_is_found_with_its_lines(
        path in "[a-z]{2,8}(/[a-z]{2,8}){1,3}\\.(rs|py|ts|go|md)",
        first in 1_u32..9_999,
        more in 0_u32..50,
        before in "[a-z ,]{0,20}",
        after in "[ ,;][a-z ,]{0,20}",
    ) {
        let place = format!("{path}:{first}-{}", first + more);
        let found = extract_citations(&format!("{before} {place}{after}"), &KnownPaths::default());
        prop_assert_eq!(found.len(), 1);
        prop_assert_eq!(said(&found[0].citation), place);
    }
}
