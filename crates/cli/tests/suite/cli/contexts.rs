//! `--context`, given several times.

use std::fs;

use crate::cli::harness::Agon;

#[test]
fn every_context_that_is_named_is_given() {
    let agon = Agon::new();
    agon.write("notes.md", "Two writers come in August.\n");
    agon.write("src/queue.py", "def claim():\n    return 1\n");
    let motion = "This house would keep its jobs in SQLite";
    let args = ["new", motion, "--slug", "d", "--context"];
    let two = ["file=notes.md", "--context", "dir=src"];
    let ran = agon.run(&[&args[..], &two].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let journal = agon.project().join("debates/d/.agon/journal.jsonl");
    let journal = fs::read_to_string(journal).unwrap();
    for given in ["Two writers come in August.", "def claim():"] {
        assert!(journal.contains(given), "{journal}");
    }
    let refused = agon.run(&["new", motion, "--slug", "e", "--context", "folder=src"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""));
    assert!(!agon.project().join("debates/e").exists());
}
