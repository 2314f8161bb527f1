//! A source is restored from its stored parts.

use super::*;

/// Looks up citations and returns the stamps with their evidence, after serializing it to a record.
fn recorded(source: &Source, citations: &[Citation]) -> (Vec<Stamp>, Vec<u8>, EvidenceArchive) {
    let mut resolver = Resolver::new(source);
    let stamps = citations.iter().map(|it| resolver.resolve(it)).collect();
    let kept = resolver.archive();
    let json = serde_json::to_vec(&kept.commits).unwrap();
    let commits = serde_json::from_slice(&json).unwrap();
    (
        stamps,
        source.manifest().to_bytes(),
        EvidenceArchive { commits, ..kept },
    )
}

#[test]
fn what_is_kept_gives_the_same_stamps_without_the_repository() {
    let (repo, _) = project();
    let commit = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.write("src/retry.rs", RETRY.replace("= 5", "= 7"))
        .write("src/new.rs", "fn brand_new() {}\n");
    let source = Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap();
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
    let count = |kind| stamps.iter().filter(|stamp| stamp.kind() == kind).count();
    assert_eq!(count(StampKind::Found), 4);
    assert_eq!(count(StampKind::Wrong), 3);
    assert_eq!(count(StampKind::Place), 0);

    let manifest = Manifest::from_bytes(&manifest).unwrap();
    let source = Source::from_stored(manifest, kept.commits, kept.blobs);
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
        let later = Source::from_stored(manifest, kept.commits, kept.blobs);
        assert_eq!(vec![Resolver::new(&later).resolve(&citation)], stamps);
    }
}

#[test]
fn a_debate_goes_on_with_the_source_as_it_was_pinned() {
    let repo = Repo::new();
    repo.write("a.rs", "let committed_text = 1;\n").commit();
    repo.write("b.rs", "let uncommitted_text = 1;\n");
    let source = Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap();
    let (manifest, held) = (
        source.manifest().to_bytes(),
        source.uncommitted_blobs().clone(),
    );
    // Both files change, and the debate is resumed.
    repo.write("a.rs", "let other = 1;\n")
        .write("b.rs", "let other = 1;\n");
    let again = |held: Blobs| {
        let manifest = Manifest::from_bytes(&manifest).unwrap();
        Source::from_stored(manifest, Default::default(), held).with_root(&repo.path())
    };
    let committed = file("a.rs", None, Some("let committed_text"));
    let uncommitted = file("b.rs", None, Some("let uncommitted_text"));
    for source in [source, again(held)] {
        assert_eq!(said(&source, &committed), "found: a.rs:1");
        assert_eq!(said(&source, &uncommitted), "found: b.rs:1");
    }
    let without = again(Blobs::new());
    let expected = "unchecked: the text was not kept";
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
    let source = Source::from_stored(source.manifest().clone(), kept.commits, forged);
    assert_eq!(
        Resolver::new(&source).resolve(&citation),
        Stamp::unchecked(Unchecked::NotKept)
    );
}
