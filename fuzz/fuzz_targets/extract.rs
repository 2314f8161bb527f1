//! Whatever a model writes, the citations in it are parts of it.

#![no_main]

use agon_evidence::{KnownPaths, extract_citations};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    // Whatever the text has is also a name.
    let names: Vec<&str> = text.split_whitespace().take(100).collect();
    for known in [KnownPaths::default(), KnownPaths::new(names)] {
        for found in extract_citations(&text, &known) {
            assert!(text.get(found.span[0]..found.span[1]).is_some());
            if let Some([first, last]) = found.citation.lines {
                assert!(0 < first && first <= last);
            }
        }
    }
});
