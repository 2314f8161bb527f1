//! Measures the working copy of a repository: pinning, copying, checking for changes, reading all
//! files, and finding words.
//!
//! The argument is a folder with a repository. The figures are printed to standard output.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints what it measured"
)]

use std::path::Path;
use std::time::Instant;

use agon_evidence::{PinLimits, Resolver, Source};
use agon_record::moves::Citation;

fn main() {
    let root = std::env::args().nth(1).unwrap();
    let started = Instant::now();
    let source = Source::pin_tree(Path::new(&root), &PinLimits::default()).unwrap();
    report("pin", started);
    let started = Instant::now();
    let paths = source.manifest().entries.keys();
    let read = paths.filter(|path| source.read_pinned(path).is_some());
    println!("{} files", read.count());
    report("read", started);
    let temp = tempfile::tempdir().unwrap();
    for name in ["first", "second"] {
        let started = Instant::now();
        let mut copy = source.copy_to(&temp.path().join(name), &|_| true).unwrap();
        report("copy", started);
        for _ in 0..2 {
            let started = Instant::now();
            assert_eq!(copy.changed_files(), Vec::<String>::new());
            report("check", started);
        }
    }
    for _ in 0..2 {
        let started = Instant::now();
        let citation = Citation {
            file: Some("README.md".to_owned()),
            anchor: Some("words that are in no file of this repository at all".to_owned()),
            ..Citation::default()
        };
        Resolver::new(&source).resolve(&citation);
        report("words", started);
    }
    let started = Instant::now();
    drop(temp);
    report("remove both", started);
}

fn report(what: &str, started: Instant) {
    println!("{what}: {:.0} ms", started.elapsed().as_secs_f64() * 1e3);
}
