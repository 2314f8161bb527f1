//! Whatever a source has and a model cites of it, there is one stamp, and the same one again from
//! what is kept. The words come first, up to a line of `---`; then comes the text.

#![no_main]

use agon_evidence::{Resolver, Source};
use agon_record::moves::Citation;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (words, text) = text.split_once("\n---\n").unwrap_or((&text, ""));
    let source = Source::none().with_document("d", text);
    let mut resolver = Resolver::new(&source);
    for lines in [None, Some([1, 1]), Some([2, 9]), Some([u32::MAX, 0])] {
        let citation = Citation {
            document: Some("d".into()),
            anchor: Some(words.into()),
            lines,
            ..Citation::default()
        };
        let stamp = resolver.resolve(&citation);
        if let Some(there) = stamp.source_text() {
            assert!(there.place.lines[0] <= there.place.lines[1]);
            assert!(there.text.len() <= 12);
        }
        let kept = resolver.archive();
        let later = Source::from_stored(source.manifest().clone(), kept.commits, kept.blobs);
        assert_eq!(Resolver::new(&later).resolve(&citation), stamp);
    }
});
