use super::*;
use crate::files::file;

fn violations(files: &[SourceFile], exceptions: &[Exception]) -> Vec<String> {
    let sources = read_sources(files);
    check(files, &sources, exceptions).unwrap().1
}

fn refusals(kind: Kind, words: &str) -> Vec<String> {
    Phrases::new().unwrap().refusals(&Text::new(1, kind, words))
}

#[test]
fn each_phrase_is_found_in_every_kind_of_text() {
    for phrase in PHRASES {
        for kind in [Kind::String, Kind::Comment, Kind::Prose, Kind::Cell] {
            let found = refusals(kind, phrase.example);
            assert!(
                found.iter().any(|it| it.ends_with(phrase.instead)),
                "{}: {found:?}",
                phrase.example
            );
        }
    }
}

#[test]
fn ordinary_english_is_not_refused() {
    for words in [
        "There is no file, it is no longer there, and it is no more than 3.",
        "Amends a belief; the letters a to z; an understanding; the command mentioned.",
        "AGON_HOME stands for the folder. Hand-offs are listed. Circles are drawn in green.",
        "Takes the folder and goes back. Nothing is sent where a copy exists.",
    ] {
        assert_eq!(
            refusals(Kind::String, words),
            Vec::<String>::new(),
            "{words}"
        );
    }
}

#[test]
fn quotations_and_code_are_not_read() {
    let words = "Writes `anew` for \"nobody\".";
    assert_eq!(refusals(Kind::Comment, words), Vec::<String>::new());
}

#[test]
fn a_phrase_is_found_across_wrapped_lines_with_the_line_of_its_text() {
    let files = [
        file(
            "crates/a/src/lib.rs",
            "fn a() {}\n// The debate goes\n// on.\n",
        ),
        file("docs/a.md", "# A\n\nThe file\nlies there.\n"),
    ];
    assert_eq!(
        violations(&files, &[]),
        [
            "crates/a/src/lib.rs:2: `goes on`: write `continues` or `runs`",
            "docs/a.md:3: `lies`: write `is` or `is stored in`",
        ]
    );
}

#[test]
fn copies_and_test_data_are_not_read() {
    let files = [
        file("plugins/a/skills/b.md", "anew"),
        file("crates/a/tests/fixtures/b.md", "anew"),
        file("crates/a/tests/b.rs", "// anew\n"),
        file("xtask/src/a/tests.rs", "// anew\n"),
    ];
    assert_eq!(violations(&files, &[]), Vec::<String>::new());
}

#[test]
fn long_cells_sentences_and_lines_of_help_are_refused() {
    let words = |count: usize| vec!["word"; count].join(" ");
    let line = "x".repeat(99);
    let files = [
        file(
            "docs/a.md",
            &format!(
                "{}.\n\n{}.\n\n| {} | {} |\n",
                words(40),
                words(41),
                words(25),
                words(26)
            ),
        ),
        file(
            "crates/cli/src/args/a.rs",
            &format!(
                "const HELP: &str = \"Two words\\n{line}\";\nconst WRAPPED: &str = \"is {line}\";\n"
            ),
        ),
        file("docs/names.md", &format!("| {} |\n", "`a`, ".repeat(20))),
        file("crates/a/README.md", &words(60)),
    ];
    assert_eq!(
        violations(&files, &[]),
        [
            "crates/cli/src/args/a.rs:1: a line of help has 99 columns, 98 fit".to_owned(),
            format!(
                "docs/a.md:3: the sentence `{}…` has 41 words, 40 fit",
                &words(10)[..40]
            ),
            "docs/a.md:5: a table's cell has 26 words, 25 fit".to_owned(),
        ]
    );
}

#[test]
fn an_exception_covers_its_text_and_one_without_use_is_refused() {
    let files = [file("docs/a.md", "Begins anew.\n\nMend it.\n")];
    let except = |path, text| Exception {
        path,
        text,
        reason: "",
    };
    assert_eq!(
        violations(
            &files,
            &[except("docs/", "anew"), except("docs/b.md", "anew")]
        ),
        [
            "docs/a.md:3: `mend`: write `fix`",
            "the exception for `anew` in docs/b.md has no use: remove it",
        ]
    );
}
