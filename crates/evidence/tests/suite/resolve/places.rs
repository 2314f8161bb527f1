//! Words at the cited place, elsewhere or nowhere, and places that do not exist.

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
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}

#[test]
fn a_place_of_which_nothing_is_quoted_is_a_place_and_not_found() {
    let (_repo, source) = project();
    for (citation, expected) in [
        (
            file("src/retry.rs", Some([5, 7]), None),
            "place: src/retry.rs:5-7, nothing quoted",
        ),
        (
            file("src/retry.rs", Some([16, 17]), None),
            "place: src/retry.rs:16, nothing quoted",
        ),
        (
            file("src/retry.rs", None, None),
            "place: src/retry.rs, nothing quoted",
        ),
        (
            file("src/retry.rs", Some([5, 5]), Some("")),
            "place: src/retry.rs:5, nothing quoted",
        ),
        (
            file("src/retry.rs", None, Some(" \"``\" ")),
            "place: src/retry.rs, nothing quoted",
        ),
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}

#[test]
fn words_in_another_case_are_wrong_and_said_to_differ_in_nothing_else() {
    let (_repo, source) = project();
    for (citation, expected) in [
        (
            file("src/retry.rs", Some([16, 16]), Some("const max_retries")),
            "wrong: src/retry.rs:16 has the words in a different case",
        ),
        (
            file("src/retry.rs", Some([1, 1]), Some("const max_retries")),
            "wrong: src/retry.rs:16 has the words in a different case",
        ),
        (
            file("src/retry.rs", None, Some("ERR(ERROR::TOOMANY)")),
            "wrong: src/retry.rs:13 has the words in a different case",
        ),
        (
            file("src/retry.rs", Some([13, 13]), Some("err(Error::TooMany)")),
            "wrong: src/retry.rs:13 has the words in a different case",
        ),
        // Except for the first letter of a sentence.
        (
            file(
                "src/retry.rs",
                Some([1, 1]),
                Some("sends, and sends again."),
            ),
            "wrong: src/retry.rs:1 has the words in a different case",
        ),
        (
            file("src/retry.rs", Some([3, 4]), Some("retries are capped at")),
            "found: src/retry.rs:3-4 (in a different case)",
        ),
        (
            file("docs/notes.md", None, Some("The *cap* is `five`")),
            "found: docs/notes.md:1",
        ),
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}

#[test]
fn marks_around_the_words_are_not_theirs() {
    let (_repo, source) = project();
    for words in [
        "`const MAX_RETRIES: u32 = 5;`",
        "\"const MAX_RETRIES: u32 = 5;\"",
        "“`const MAX_RETRIES: u32 = 5;`”",
        "```rust\nconst MAX_RETRIES: u32 = 5;\n```",
    ] {
        let citation = file("src/retry.rs", Some([16, 16]), Some(words));
        assert_eq!(
            said(&source, &citation),
            "found: src/retry.rs:16",
            "{words}"
        );
    }
    for words in ["`/// Retries are capped`", "`// Retries are capped`"] {
        let citation = file("src/retry.rs", Some([3, 3]), Some(words));
        assert_eq!(said(&source, &citation), "found: src/retry.rs:3", "{words}");
    }
    let altered = file(
        "src/retry.rs",
        Some([16, 16]),
        Some("`const MAX_RETRIES: u32 = 6;`"),
    );
    assert_eq!(
        said(&source, &altered),
        "wrong: the words are not in src/retry.rs"
    );
}

#[test]
fn a_path_below_the_folder_that_was_pinned_is_one_of_its_own_everywhere() {
    let (repo, source) = project();
    let manifest = blake3::hash(&source.manifest().to_bytes()).to_hex();
    let root = repo.path().canonicalize().unwrap();
    let mark = RootMark::for_folder(&manifest, root.to_str().unwrap());
    let whole = |path: &str| root.join(path).display().to_string();
    let citation = file(
        &whole("src/retry.rs"),
        Some([13, 13]),
        Some("Err(Error::TooMany)"),
    );
    let known = source.clone().with_mark(Some(mark.clone()));
    assert_eq!(said(&known, &citation), "found: src/retry.rs:13");
    let spelled = file(&whole("src/retry.rs:13"), None, Some("Err(Error::TooMany)"));
    assert_eq!(said(&known, &spelled), "found: src/retry.rs:13");
    let invented = file(&whole("src/retri.rs"), None, None);
    assert_eq!(
        said(&known, &invented),
        "missing: no such file; there is src/retry.rs"
    );
    let prose = ground(
        &format!("{}:13", whole("src/retry.rs")),
        "`Err(Error::TooMany)`",
    );
    let stamps = Resolver::new(&known).resolve_ground(&prose);
    assert_eq!(stamps[0].stamp.to_string(), "found: src/retry.rs:13");
    // Restored from the record, without the folder.
    let kept = RootMark::from_stored(&manifest, mark.hash());
    let mut resolver = Resolver::new(&known);
    resolver.resolve(&citation);
    let held = resolver.archive().blobs;
    let later = Source::from_stored(source.manifest().clone(), Default::default(), held);
    assert_eq!(
        said(&later.with_mark(Some(kept)), &citation),
        "found: src/retry.rs:13"
    );
    // Another debate has another mark.
    let other = RootMark::from_stored(&"0".repeat(64), mark.hash());
    assert_eq!(
        said(&source.with_mark(Some(other)), &citation),
        "missing: the path leads out of the project; there is src/retry.rs:13"
    );
}

#[test]
fn a_path_that_leads_out_of_the_project_is_missing() {
    let (_repo, source) = project();
    let source = source.with_mark(Some(RootMark::for_folder("", "/srv/a/project")));
    for (path, expected) in [
        ("/etc/passwd", "missing: the path leads out of the project"),
        (
            "../secret.txt",
            "missing: the path leads out of the project",
        ),
        (
            "~/.ssh/config",
            "missing: the path leads out of the project",
        ),
        // The disks of another system are unknown here.
        ("C:\\src\\a.rs", "unchecked: outside the source"),
        (
            "/tmp/elsewhere/src/retry.rs",
            "missing: the path leads out of the project; there is src/retry.rs",
        ),
    ] {
        assert_eq!(said(&source, &file(path, None, None)), expected, "{path}");
    }
    let mut resolver = Resolver::new(&source);
    let mut prose = |source: &str| {
        let stamps = resolver.resolve_ground(&ground(source, "So it is."));
        stamps[0].stamp.to_string()
    };
    // Prose also names addresses and system paths; with line numbers, the author claims to have
    // read the file.
    assert_eq!(prose("/api/v1/users.json"), "unchecked: outside the source");
    assert_eq!(
        prose("/opt/copy/src/invented.rs:12"),
        "missing: the path leads out of the project"
    );
}

#[test]
fn a_path_from_the_root_of_a_disk_is_unchecked_where_the_project_is_not_known_by_its_folder() {
    let (repo, source) = project();
    let whole = repo.path().join("src/retry.rs").display().to_string();
    for path in [whole.as_str(), "/etc/passwd", "`file:///opt/a.rs`"] {
        let citation = file(path, Some([13, 13]), Some("Err(Error::TooMany)"));
        let expected = "unchecked: outside the source";
        assert_eq!(said(&source, &citation), expected, "{path}");
    }
    assert_eq!(
        said(&source, &file("../secret.txt", None, None)),
        "missing: the path leads out of the project"
    );
}

#[test]
fn lines_written_into_the_name_of_the_file_are_its_lines() {
    let (_repo, source) = project();
    for (path, expected) in [
        ("src/retry.rs:13", "found: src/retry.rs:13"),
        ("src/retry.rs#L10-L13", "found: src/retry.rs:13"),
        (
            "src/retry.rs (line 3)",
            "moved: the words are at src/retry.rs:13, not at 3",
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
            "moved: the words are at src/retry.rs:16, not at 15",
        ),
        (
            file("src/retry.rs", Some([12, 13]), Some("0..MAX_RETRIES")),
            "moved: the words are at src/retry.rs:8, not at 12-13",
        ),
        (
            file("src/retry.rs", Some([90, 95]), Some("Err(Error::TooMany)")),
            "moved: the words are at src/retry.rs:13, not at 90-95",
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
        case_differs: false,
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
        "wrong: the words are not in src/retry.rs; they are in src/a/mod.rs:2"
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
            "found: src/retry.rs:11 (matched by shared words, at the exact lines)",
        ),
        (
            file("src/retry.rs", Some([5, 5]), Some("}")),
            "wrong: the words are not in src/retry.rs",
        ),
        (
            file("src/retry.rs", Some([1, 16]), Some("}")),
            "unchecked: the words are too common to identify a place",
        ),
        (
            file("src/retry.rs", None, Some("}")),
            "unchecked: the words are too common to identify a place",
        ),
        (
            file("src/retry.rs", Some([7, 7]), Some("Error")),
            "found: src/retry.rs:7 (matched by shared words, at the exact lines)",
        ),
        (
            file("src/retry.rs", Some([1, 1]), Some("Error")),
            "wrong: the words are not in src/retry.rs",
        ),
        (
            file("src/retry.rs", None, Some("Error")),
            "unchecked: the words are too common to identify a place",
        ),
        (
            file("src/retry.rs", None, Some("TooMany")),
            "found: src/retry.rs:13",
        ),
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}

/// Windows has no such names: there a backslash always separates folders.
#[cfg(unix)]
#[test]
fn a_backslash_in_a_name_is_no_separator_where_a_file_has_it() {
    let repo = Repo::new();
    repo.write("src/a\\b.rs", "fn with_a_backslash() {}\n")
        .write("\\", "only one backslash in here\n")
        .write("src/c/d.rs", "fn in_a_folder_below() {}\n");
    repo.commit();
    let source = Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap();
    for (citation, expected) in [
        (
            file("src/a\\b.rs", Some([1, 1]), Some("fn with_a_backslash")),
            "found: src/a\\b.rs:1",
        ),
        (
            file("\\", None, Some("only one backslash in here")),
            "found: \\:1",
        ),
        (
            file("src\\c\\d.rs", None, Some("fn in_a_folder_below")),
            "found: src/c/d.rs:1",
        ),
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}
