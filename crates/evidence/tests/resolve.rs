//! Citations looked up in real repositories.

#![expect(clippy::unwrap_used, reason = "tests")]

mod repo;

use agon_debate::moves::{Citation, Ground};
use agon_debate::stamp::{Absent, Note, Place, Stamp, StampKind, Unchecked};
use agon_evidence::{Blobs, Kept, Limits, Manifest, Resolver, Source, tally};
use repo::Repo;

const RETRY: &str = "\
/// Sends, and sends again.
///
/// Retries are capped
/// at MAX_RETRIES.
pub fn send(
    to: &str,
) -> Result<(), Error> {
    for _ in 0..MAX_RETRIES {
        if try_send(to).is_ok() {
            return Ok(());
        }
    }
    Err(Error::TooMany)
}

const MAX_RETRIES: u32 = 5;
";

fn file(file: &str, lines: Option<[u32; 2]>, anchor: Option<&str>) -> Citation {
    Citation {
        file: Some(file.into()),
        lines,
        anchor: anchor.map(Into::into),
        ..Citation::default()
    }
}

fn ground(source: &str, content: &str) -> Ground {
    Ground {
        source: source.into(),
        content: content.into(),
        relevance: String::new(),
        citation: None,
    }
}

fn place(file: &str, lines: [u32; 2]) -> Place {
    Place {
        file: file.into(),
        commit: None,
        lines,
    }
}

fn project() -> (Repo, Source) {
    let repo = Repo::new();
    repo.write("src/retry.rs", RETRY)
        .write("src/a/mod.rs", "mod one;\nfn alpha_beta_gamma() {}\n")
        .write("src/b/mod.rs", "mod two;\n")
        .write("docs/notes.md", "The *cap* is `five` retries.\n")
        .write("logo.png", b"\0\0")
        .write("large.txt", "x".repeat(3 << 20))
        .write(".gitignore", "*.log\n/out/\n")
        .write("run.log", "noise\n")
        .write("out/a/b.js", "noise\n")
        .link("escape", "../../etc");
    repo.commit();
    let source = Source::tree(&repo.path(), &Limits::default()).unwrap();
    (repo, source)
}

/// One line for each stamp.
fn said(source: &Source, citation: &Citation) -> String {
    Resolver::new(source).resolve(citation).to_string()
}

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

#[test]
fn what_cannot_be_looked_into_is_unchecked_with_the_reason() {
    let (_repo, source) = project();
    for (path, reason) in [
        ("logo.png", Unchecked::Binary),
        ("large.txt", Unchecked::Oversized),
        ("run.log", Unchecked::Ignored),
        ("out/a/b.js", Unchecked::Ignored),
        (".git/config", Unchecked::Ignored),
        ("src", Unchecked::Folder),
        (".", Unchecked::Folder),
        ("/etc/passwd", Unchecked::Outside),
        ("../secret.txt", Unchecked::Outside),
        ("escape/passwd", Unchecked::Outside),
        ("escape", Unchecked::Outside),
    ] {
        let stamp = Resolver::new(&source).resolve(&file(path, None, None));
        assert_eq!(stamp, Stamp::unchecked(reason), "{path}");
    }
    let several = Stamp::Unchecked {
        reason: Unchecked::Ambiguous,
        candidates: vec!["src/a/mod.rs".into(), "src/b/mod.rs".into()],
    };
    assert_eq!(
        Resolver::new(&source).resolve(&file("mod.rs", Some([1, 1]), None)),
        several
    );
    for (citation, reason) in [
        (
            Citation {
                url: Some("https://example.com".into()),
                ..Citation::default()
            },
            Unchecked::UrlNotAsked,
        ),
        (
            Citation {
                reasoning: Some("so".into()),
                ..Citation::default()
            },
            Unchecked::Reasoning,
        ),
        (
            Citation {
                command: Some("ls".into()),
                ..Citation::default()
            },
            Unchecked::NoRun,
        ),
        (Citation::default(), Unchecked::NoPlace),
    ] {
        assert_eq!(
            Resolver::new(&source).resolve(&citation),
            Stamp::unchecked(reason)
        );
    }
}

#[test]
fn without_a_source_files_are_unchecked_and_documents_are_not() {
    let source = Source::none()
        .with_document("brief", "The budget is 3000 a month.\n")
        .with_run("cargo test", "test result: ok. 12 passed\n");
    let document = |name: &str, words: &str| Citation {
        document: Some(name.into()),
        anchor: Some(words.into()),
        ..Citation::default()
    };
    let run = Citation {
        command: Some("$ cargo test".into()),
        output: Some("12 passed".into()),
        ..Citation::default()
    };
    for (citation, expected) in [
        (
            file("src/retry.rs", None, None),
            "unchecked: no source was pinned",
        ),
        (document("brief", "budget is 3000"), "found: brief:1"),
        (
            document("brief", "budget is 4000"),
            "wrong: the words are not in brief",
        ),
        (
            document("letter", "budget"),
            "missing: no such document; there is brief",
        ),
        (run, "found: cargo test:1"),
        (
            Citation {
                commit: Some("3f1c9ae".into()),
                ..Citation::default()
            },
            "unchecked: no source was pinned",
        ),
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}

#[test]
fn a_file_is_looked_up_in_the_commit_that_is_cited() {
    let repo = Repo::new();
    let first = repo.write("a.rs", "let limit_of_calls = 3;\n").commit();
    repo.git(&["tag", "v1"]);
    let second = repo
        .write("a.rs", "let limit_of_calls = 4;\n")
        .write("b.rs", "b\n")
        .commit();
    repo.write("a.rs", "let limit_of_calls = 5;\n");
    let source = Source::tree(&repo.path(), &Limits::default()).unwrap();
    let at = |commit: &str, path: &str, words: &str| Citation {
        commit: Some(commit.into()),
        ..file(path, Some([1, 1]), Some(words))
    };
    let short = |id: &str| id[..12].to_owned();
    for (citation, expected) in [
        (
            at(&first, "a.rs", "limit_of_calls = 3"),
            format!("found: a.rs:1 at {}", short(&first)),
        ),
        (
            at(&first[..7], "a.rs", "limit_of_calls = 3"),
            format!("found: a.rs:1 at {}", short(&first)),
        ),
        (
            at("v1", "a.rs", "limit_of_calls = 3"),
            format!("found: a.rs:1 at {}", short(&first)),
        ),
        (
            at("HEAD", "a.rs", "limit_of_calls = 4"),
            format!("found: a.rs:1 at {}", short(&second)),
        ),
        (
            at("HEAD", "a.rs", "limit_of_calls = 5"),
            "wrong: the words are not in a.rs; they stand in a.rs:1".into(),
        ),
        (
            at(&first, "b.rs", "b"),
            "missing: no such file; there is b.rs".into(),
        ),
        (
            at("0123456789", "a.rs", "b"),
            "missing: no such commit".into(),
        ),
        (
            file("a.rs", None, Some("limit_of_calls = 5")),
            "found: a.rs:1".into(),
        ),
        (
            Citation {
                commit: Some(first[..9].into()),
                ..Citation::default()
            },
            format!(
                "found:  at {} (the commit exists, no file given)",
                short(&first)
            ),
        ),
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}

#[test]
fn a_commit_that_a_shallow_clone_lacks_is_unreachable() {
    let repo = Repo::new();
    let first = repo.write("a.rs", "one\n").commit();
    repo.write("a.rs", "two\n").commit();
    let other = Repo::folder();
    let (from, to) = (
        format!("file://{}", repo.path().display()),
        other.path().join("c"),
    );
    repo::git(
        &other.path(),
        &[
            "clone",
            "--quiet",
            "--depth",
            "1",
            &from,
            &to.to_string_lossy(),
        ],
    );
    let source = Source::tree(&to, &Limits::default()).unwrap();
    let citation = Citation {
        commit: Some(first),
        ..file("a.rs", None, None)
    };
    assert_eq!(
        said(&source, &citation),
        "unreachable: the clone is shallow: it may lack the commit"
    );
}

#[test]
fn prose_is_looked_up_by_the_place_it_names() {
    let (_repo, source) = project();
    let mut resolver = Resolver::new(&source);
    for (ground, expected) in [
        (
            ground("src/retry.rs:16", "It says `const MAX_RETRIES: u32 = 5;`."),
            vec!["found: src/retry.rs:16"],
        ),
        (
            ground("src/retry.rs:3", "It says `const MAX_RETRIES: u32 = 5;`."),
            vec!["moved: stands at src/retry.rs:16, not at 3"],
        ),
        (
            ground("src/retry.rs:16", "It says `const MAX_RETRIES: u32 = 3;`."),
            vec!["wrong: the words are not in src/retry.rs"],
        ),
        (
            ground("src/retry.rs:16", "Nothing bounds `the_queue`."),
            vec!["found: src/retry.rs:16 (the lines exist, no words given)"],
        ),
        (
            ground("src/retry.rs:16", "`MAX_RETRIES` bounds it."),
            vec!["found: src/retry.rs:16"],
        ),
        (
            ground("the code", "As src/retry.rs:13 and retry.rs:99 show"),
            vec![
                "found: src/retry.rs:13 (the lines exist, no words given)",
                "missing: no such lines; the last one is 16",
            ],
        ),
        (
            ground("src/invented.rs:4", "It does."),
            vec!["missing: no such file"],
        ),
        (
            ground("experience", "It is known."),
            vec!["unchecked: no place is named"],
        ),
    ] {
        let stamps: Vec<_> = resolver
            .ground(&ground)
            .iter()
            .map(|it| it.stamp.to_string())
            .collect();
        assert_eq!(stamps, expected, "{ground:?}");
    }
}

/// Looks citations up, and gives the stamps with what they rest on, through the bytes of a record.
fn recorded(source: &Source, citations: &[Citation]) -> (Vec<Stamp>, Vec<u8>, Kept) {
    let mut resolver = Resolver::new(source);
    let stamps = citations.iter().map(|it| resolver.resolve(it)).collect();
    let kept = resolver.kept();
    let json = serde_json::to_vec(&kept.commits).unwrap();
    let commits = serde_json::from_slice(&json).unwrap();
    (
        stamps,
        source.manifest().to_bytes(),
        Kept { commits, ..kept },
    )
}

#[test]
fn what_is_kept_gives_the_same_stamps_without_the_repository() {
    let (repo, _) = project();
    let commit = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.write("src/retry.rs", RETRY.replace("= 5", "= 7"))
        .write("src/new.rs", "fn brand_new() {}\n");
    let source = Source::tree(&repo.path(), &Limits::default()).unwrap();
    let old = |words: &str| Citation {
        commit: Some(commit[..8].into()),
        ..file("src/retry.rs", Some([16, 16]), Some(words))
    };
    let citations = [
        file(
            "src/retry.rs",
            Some([16, 16]),
            Some("const MAX_RETRIES: u32 = 7;"),
        ),
        file(
            "src/retry.rs",
            Some([1, 1]),
            Some("const MAX_RETRIES: u32 = 7;"),
        ),
        file("src/retry.rs", Some([1, 1]), Some("fn alpha_beta_gamma()")),
        file("src/retry.rs", Some([1, 1]), Some("words nobody wrote")),
        file("new.rs", None, Some("fn brand_new")),
        file("mod.rs", None, Some("fn alpha_beta_gamma")),
        file("mod.rs", None, None),
        file("src/gone.rs", None, Some("fn brand_new() {}")),
        file("run.log", None, None),
        file("../out", None, None),
        old("const MAX_RETRIES: u32 = 5;"),
        old("const MAX_RETRIES: u32 = 7;"),
        Citation {
            commit: Some("feedfacefeed1".into()),
            ..file("src/retry.rs", None, None)
        },
    ];
    let (stamps, manifest, kept) = recorded(&source, &citations);
    drop(repo);
    let counts = tally(&stamps);
    assert_eq!(counts[&StampKind::Found], 4);
    assert_eq!(counts[&StampKind::Wrong], 3);

    let manifest = Manifest::from_bytes(&manifest).unwrap();
    let source = Source::from_kept(manifest, kept.commits, kept.blobs);
    let mut resolver = Resolver::new(&source);
    for (citation, stamp) in citations.iter().zip(stamps) {
        assert_eq!(resolver.resolve(citation), stamp, "{citation:?}");
    }
}

#[test]
fn a_file_that_is_only_named_as_another_place_is_kept_too() {
    let (_repo, source) = project();
    for citation in [
        file("src/retry.rs", Some([1, 1]), Some("fn alpha_beta_gamma()")),
        file("src/gone.rs", None, Some("fn alpha_beta_gamma()")),
    ] {
        let (stamps, manifest, kept) = recorded(&source, std::slice::from_ref(&citation));
        let manifest = Manifest::from_bytes(&manifest).unwrap();
        let later = Source::from_kept(manifest, kept.commits, kept.blobs);
        assert_eq!(vec![Resolver::new(&later).resolve(&citation)], stamps);
    }
}

#[test]
fn a_debate_goes_on_with_the_source_as_it_was_pinned() {
    let repo = Repo::new();
    repo.write("a.rs", "let committed_text = 1;\n").commit();
    repo.write("b.rs", "let uncommitted_text = 1;\n");
    let source = Source::tree(&repo.path(), &Limits::default()).unwrap();
    let (manifest, held) = (source.manifest().to_bytes(), source.unsaved().clone());
    // Both files change, and the debate is taken up again.
    repo.write("a.rs", "let other = 1;\n")
        .write("b.rs", "let other = 1;\n");
    let again = |held: Blobs| {
        let manifest = Manifest::from_bytes(&manifest).unwrap();
        Source::from_kept(manifest, Default::default(), held).still_at(&repo.path())
    };
    let committed = file("a.rs", None, Some("let committed_text"));
    let uncommitted = file("b.rs", None, Some("let uncommitted_text"));
    for source in [source, again(held)] {
        assert_eq!(said(&source, &committed), "found: a.rs:1");
        assert_eq!(said(&source, &uncommitted), "found: b.rs:1");
    }
    let without = again(Blobs::new());
    let expected = "unchecked: the text as it was pinned is not kept";
    assert_eq!(said(&without, &uncommitted), expected);
}

#[test]
fn a_blob_that_is_not_what_its_name_says_is_not_believed() {
    let (_repo, source) = project();
    let citation = file("src/retry.rs", None, Some("Err(Error::TooMany)"));
    let (_, _, kept) = recorded(&source, std::slice::from_ref(&citation));
    let forged: Blobs = kept
        .blobs
        .into_keys()
        .map(|hash| (hash, b"Err(Error::TooMany)"[..].into()))
        .collect();
    let source = Source::from_kept(source.manifest().clone(), kept.commits, forged);
    assert_eq!(
        Resolver::new(&source).resolve(&citation),
        Stamp::unchecked(Unchecked::NotKept)
    );
}

#[test]
fn stamps_say_what_was_missing_and_how_it_was_found() {
    let (_repo, source) = project();
    let mut resolver = Resolver::new(&source);
    let missing = resolver.resolve(&file("src/none.rs", None, None));
    assert!(matches!(
        missing,
        Stamp::Missing {
            what: Absent::File,
            last_line: None,
            ..
        }
    ));
    let found = resolver.resolve(&file("src/retry.rs", Some([16, 16]), None));
    let Stamp::Found { there, note } = found else {
        panic!("not found");
    };
    assert_eq!((there.from, note), (14, Some(Note::LinesOnly)));
    assert_eq!(there.text, ["}", "", "const MAX_RETRIES: u32 = 5;"]);
}
