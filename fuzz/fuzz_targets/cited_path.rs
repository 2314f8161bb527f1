//! Whatever path a model cites, it means a file of the manifest or none.

#![no_main]

use agon_evidence::{Blobs, Commits, Manifest, Resolver, Source};
use agon_record::moves::{Citation, Ground};
use libfuzzer_sys::fuzz_target;

const MANIFEST: &[u8] = br#"{"schema":"agon.source/1","scope":"tree","name":"p","entries":{
    "a/b.rs":{"bytes":1},"c/b.rs":{"bytes":1},"d.md":{"bytes":1,"hash":"00"},
    "in":{"bytes":1,"kind":{"symlink":"a/b.rs"}},"dir":{"bytes":1,"kind":{"symlink":"a"}},
    "out":{"bytes":1,"kind":{"symlink":"../../x"}},"self":{"bytes":1,"kind":{"symlink":"self"}}},
    "left_out":{"target":"ignored"}}"#;

fuzz_target!(|data: &[u8]| {
    let path = String::from_utf8_lossy(data).into_owned();
    let Ok(manifest) = Manifest::from_bytes(MANIFEST) else {
        panic!("the manifest is readable");
    };
    let source = Source::from_stored(manifest, Commits::default(), Blobs::new());
    let mut resolver = Resolver::new(&source);
    // Nothing of it is kept, so that no path may find anything.
    let stamp = resolver.resolve(&Citation {
        file: Some(path.clone()),
        commit: None,
        ..Citation::default()
    });
    assert!(stamp.source_text().is_none());
    let ground = Ground {
        source: path.clone(),
        content: path,
        relevance: String::new(),
        citation: None,
    };
    assert!(!resolver.resolve_ground(&ground).is_empty());
});
