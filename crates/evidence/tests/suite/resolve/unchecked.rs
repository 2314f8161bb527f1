//! Citations that are not checked, and the reasons.

use super::*;

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
fn a_document_that_is_none_of_the_project_is_unchecked_unless_it_is_named_like_a_file() {
    let (_repo, source) = project();
    let document = |name: &str| Citation {
        document: Some(name.into()),
        anchor: Some("is five retries".into()),
        ..Citation::default()
    };
    for (name, expected) in [
        ("RFC 9110", "unchecked: not in the project"),
        ("ISO/IEC 27001:2022", "unchecked: not in the project"),
        (
            "Designing Data-Intensive Applications, ch. 9",
            "unchecked: not in the project",
        ),
        ("Node.js", "unchecked: not in the project"),
        ("ASP.NET", "unchecked: not in the project"),
        (
            "kubernetes.io/docs/concepts",
            "unchecked: not in the project",
        ),
        ("https://example.com/a.pdf", "unchecked: not in the project"),
        ("TCP/IP", "unchecked: not in the project"),
        ("HTTP/1.1", "unchecked: not in the project"),
        ("v1.2", "unchecked: not in the project"),
        (
            "spec.pdf",
            "missing: no such file; there is docs/notes.md:1",
        ),
        (
            "docs/DESIGN.docx",
            "missing: no such file; there is docs/notes.md:1",
        ),
        (
            "docs/DESIGN",
            "missing: no such file; there is docs/notes.md:1",
        ),
        ("docs/notes.md", "found: docs/notes.md:1"),
        ("notes.md", "found: docs/notes.md:1"),
        (
            "docs/invented.md",
            "missing: no such file; there is docs/notes.md:1",
        ),
        (
            "docs/invented.md:4",
            "missing: no such file; there is docs/notes.md:1",
        ),
    ] {
        assert_eq!(said(&source, &document(name)), expected, "{name}");
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
            "unchecked: no files were given",
        ),
        (document("brief", "budget is 3000"), "found: brief:1"),
        (
            document("brief", "budget is 4000"),
            "wrong: the words are not in brief",
        ),
        (
            document("letter", "budget"),
            "unchecked: not in the project",
        ),
        (
            file("/srv/a/copy/src/retry.rs", Some([1, 1]), Some("budget")),
            "unchecked: outside the source",
        ),
        (run, "found: cargo test:1"),
        (
            Citation {
                commit: Some("3f1c9ae".into()),
                ..Citation::default()
            },
            "unchecked: no files were given",
        ),
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}
