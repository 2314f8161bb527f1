//! Citations looked up in real repositories.

#![expect(clippy::unwrap_used, reason = "tests")]

mod commits;
mod encodings;
mod kept;
mod others;
mod places;
mod quotations;
mod styles;
mod unchecked;

use agon_evidence::{Blobs, EvidenceArchive, Manifest, PinLimits, Resolver, RootMark, Source};
use agon_record::moves::{Citation, Ground};
use agon_record::stamp::{Absent, Location, Stamp, StampKind, Unchecked};

use crate::repo::{self, Repo};

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

fn place(file: &str, lines: [u32; 2]) -> Location {
    Location {
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
    let source = Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap();
    (repo, source)
}

/// Returns one line for each stamp.
fn said(source: &Source, citation: &Citation) -> String {
    Resolver::new(source).resolve(citation).to_string()
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
            vec!["moved: the words are at src/retry.rs:16, not at 3"],
        ),
        (
            ground("src/retry.rs:16", "It says `const MAX_RETRIES: u32 = 3;`."),
            vec!["wrong: the words are not in src/retry.rs"],
        ),
        (
            ground("src/retry.rs:16", "Nothing bounds `the_queue`."),
            vec!["place: src/retry.rs:16, nothing quoted"],
        ),
        (
            ground("src/retry.rs:16", "`MAX_RETRIES` bounds it."),
            vec!["found: src/retry.rs:16"],
        ),
        (
            ground("the code", "As src/retry.rs:13 and retry.rs:99 show"),
            vec![
                "place: src/retry.rs:13, nothing quoted",
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
            .resolve_ground(&ground)
            .iter()
            .map(|it| it.stamp.to_string())
            .collect();
        assert_eq!(stamps, expected, "{ground:?}");
    }
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
    let Stamp::Place { there } = found else {
        panic!("no place");
    };
    assert_eq!(there.from, 14);
    assert_eq!(there.text, ["}", "", "const MAX_RETRIES: u32 = 5;"]);
}
