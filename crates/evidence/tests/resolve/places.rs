//! Words at a place, elsewhere, nowhere, and places that do not exist.

use super::*;

#[test]
fn words_at_the_place_are_found() {
    let (_repo, source) = project();
    for (citation, expected) in [
        (
            file(
                "src/retry.rs",
                Some([16, 16]),
                Some("const MAX_RETRIES: u32 = 5;"),
            ),
            "found: src/retry.rs:16",
        ),
        (
            file(
                "src/retry.rs",
                Some([3, 4]),
                Some("Retries are capped at MAX_RETRIES"),
            ),
            "found: src/retry.rs:3-4",
        ),
        (
            file("src/retry.rs", Some([1, 20]), Some("try_send(to).is_ok()")),
            "found: src/retry.rs:9",
        ),
        (
            file("src/retry.rs", None, Some("pub fn send(\n to: &str")),
            "found: src/retry.rs:5-6",
        ),
        (
            file("src/retry.rs", None, Some("for _ in … return Ok(())")),
            "found: src/retry.rs:8-10 (with words left out)",
        ),
        (
            file("src/retry.rs", Some([16, 16]), Some("const max_retries")),
            "found: src/retry.rs:16 (in other upper and lower case)",
        ),
        (
            file("docs/notes.md", None, Some("is five retries")),
            "found: docs/notes.md:1",
        ),
        (
            file("retry.rs", Some([13, 13]), Some("Err(Error::TooMany)")),
            "found: src/retry.rs:13",
        ),
        (
            file("src\\retry.rs", Some([13, 13]), Some("Err(Error::TooMany)")),
            "found: src/retry.rs:13",
        ),
        (
            file("mod.rs", None, Some("fn alpha_beta_gamma")),
            "found: src/a/mod.rs:2",
        ),
        (
            file("src/retry.rs", Some([5, 7]), None),
            "found: src/retry.rs:5-7 (the lines exist, no words given)",
        ),
        (
            file("src/retry.rs", Some([16, 17]), None),
            "found: src/retry.rs:16 (the lines exist, no words given)",
        ),
        (
            file("src/retry.rs", None, None),
            "found: src/retry.rs (the file exists, no lines or words given)",
        ),
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}

#[test]
fn lines_written_into_the_name_of_the_file_are_its_lines() {
    let (_repo, source) = project();
    for (path, expected) in [
        ("src/retry.rs:13", "found: src/retry.rs:13"),
        ("src/retry.rs#L10-L13", "found: src/retry.rs:13"),
        (
            "src/retry.rs (line 3)",
            "moved: stands at src/retry.rs:13, not at 3",
        ),
        (
            "src/gone.rs:13",
            "missing: no such file; there is src/retry.rs:13",
        ),
    ] {
        let citation = file(path, None, Some("Err(Error::TooMany)"));
        assert_eq!(said(&source, &citation), expected, "{path}");
    }
}

#[test]
fn lines_out_of_all_bounds_do_no_harm() {
    let (_repo, source) = project();
    for lines in [
        [0, u32::MAX],
        [u32::MAX, u32::MAX],
        [u32::MAX, 0],
        [1, u32::MAX],
    ] {
        for words in [
            None,
            Some("}"),
            Some("Error"),
            Some("Err(Error::TooMany)"),
            Some("not there at all"),
        ] {
            let citation = file("src/retry.rs", Some(lines), words);
            assert!(!said(&source, &citation).is_empty());
        }
    }
}

#[test]
fn a_source_can_be_shared_and_a_resolver_sent() {
    fn shared<T: Send + Sync>(_: &T) {}
    fn sent<T: Send>(_: &T) {}
    let source = Source::none();
    shared(&source);
    sent(&Resolver::new(&source));
}

#[test]
fn words_at_other_lines_have_moved_there() {
    let (_repo, source) = project();
    for (citation, expected) in [
        (
            file(
                "src/retry.rs",
                Some([15, 15]),
                Some("const MAX_RETRIES: u32 = 5;"),
            ),
            "moved: stands at src/retry.rs:16, not at 15",
        ),
        (
            file("src/retry.rs", Some([12, 13]), Some("0..MAX_RETRIES")),
            "moved: stands at src/retry.rs:8, not at 12-13",
        ),
        (
            file("src/retry.rs", Some([90, 95]), Some("Err(Error::TooMany)")),
            "moved: stands at src/retry.rs:13, not at 90-95",
        ),
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}

#[test]
fn wrong_words_show_what_stands_there_the_nearest_place_and_where_else_they_stand() {
    let (repo, source) = project();
    let altered = file(
        "src/retry.rs",
        Some([1, 1]),
        Some("const MAX_RETRIES: u32 = 3;"),
    );
    let Stamp::Wrong {
        there,
        nearest,
        elsewhere,
    } = Resolver::new(&source).resolve(&altered)
    else {
        panic!("not wrong");
    };
    assert_eq!(there.place, place("src/retry.rs", [1, 1]));
    assert_eq!(there.text[0], "/// Sends, and sends again.");
    assert_eq!(there.blob, blake3::hash(RETRY.as_bytes()).to_hex().as_str());
    assert_eq!(nearest.unwrap().place, place("src/retry.rs", [16, 16]));
    assert_eq!(elsewhere, []);

    let other = file("src/retry.rs", Some([1, 1]), Some("fn alpha_beta_gamma()"));
    assert_eq!(
        said(&source, &other),
        "wrong: the words are not in src/retry.rs; they stand in src/a/mod.rs:2"
    );
    drop(repo);
}

#[test]
fn what_does_not_exist_is_missing_and_says_what_there_is() {
    let (_repo, source) = project();
    for (citation, expected) in [
        (
            file("src/retri.rs", None, None),
            "missing: no such file; there is src/retry.rs",
        ),
        (
            file("src/quantum.rs", None, Some("Err(Error::TooMany)")),
            "missing: no such file; there is src/retry.rs:13",
        ),
        (
            file("src/retry.rs", Some([40, 50]), None),
            "missing: no such lines; the last one is 16",
        ),
        (
            file("src/retry.rs", Some([10, 90]), None),
            "missing: no such lines; the last one is 16",
        ),
        (
            file("src/retry.rs", Some([0, 0]), None),
            "missing: no such lines; the last one is 16",
        ),
        (
            file("src/retry.rs", Some([40, 50]), Some("sends twice only")),
            "missing: no such lines; the last one is 16",
        ),
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}

#[test]
fn common_words_count_only_at_exact_lines() {
    let (_repo, source) = project();
    for (citation, expected) in [
        (
            file("src/retry.rs", Some([11, 11]), Some("}")),
            "found: src/retry.rs:11 (by common words, at the exact lines)",
        ),
        (
            file("src/retry.rs", Some([5, 5]), Some("}")),
            "wrong: the words are not in src/retry.rs",
        ),
        (
            file("src/retry.rs", Some([1, 16]), Some("}")),
            "unchecked: the words are too common to tell a place",
        ),
        (
            file("src/retry.rs", None, Some("}")),
            "unchecked: the words are too common to tell a place",
        ),
        (
            file("src/retry.rs", Some([7, 7]), Some("Error")),
            "found: src/retry.rs:7 (by common words, at the exact lines)",
        ),
        (
            file("src/retry.rs", Some([1, 1]), Some("Error")),
            "wrong: the words are not in src/retry.rs",
        ),
        (
            file("src/retry.rs", None, Some("Error")),
            "unchecked: the words are too common to tell a place",
        ),
        (
            file("src/retry.rs", None, Some("TooMany")),
            "found: src/retry.rs:13",
        ),
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}
