//! The `console` blocks of the guides: every command runs, and prints what the page shows.
//!
//! A page with such blocks names the folder it starts in, as `<!-- world: tools -->`; [`World`] lists
//! them. The blocks of a page run in order, as one session in one folder. `AGON_RECORD_DOCS=1` writes
//! the output again where it differs by more than times, sums and ids.

mod block;
mod folder_files;
mod world;

use std::fs;
use std::path::{Path, PathBuf};

use block::{Page, Step};
use world::World;

/// The variable that writes the output of all blocks again.
const RECORD: &str = "AGON_RECORD_DOCS";

/// The pages that may have `console` blocks.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md")];
    let files = fs::read_dir(root.join("docs")).unwrap();
    pages.extend(files.map(|file| file.unwrap().path()));
    pages.retain(|page| page.extension().is_some_and(|it| it == "md"));
    pages.sort();
    pages
}

/// Checks the blocks of one page against what its commands print, or writes them again.
fn check_page(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let mut page = Page::parse(&text);
    if page.steps().next().is_none() {
        return Vec::new();
    }
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let world = page
        .world()
        .unwrap_or_else(|| panic!("{name} names no world"));
    let world = World::new(world);
    let mut wrong = Vec::new();
    for step in page.steps_mut() {
        let (printed, code) = world.run(&step.command());
        if code != step.exit_code() {
            wrong.push(format!(
                "{name}: `{}` exits {code}:\n{printed}",
                step.command()
            ));
        } else if let Some(difference) = step.difference(&printed) {
            step.record(&printed);
            wrong.push(format!("{name}: `{}`:\n{difference}", step.command()));
        }
    }
    let shown = page.to_string();
    if std::env::var_os(RECORD).is_some() && shown != text {
        fs::write(path, shown).unwrap();
        wrong.retain(|it| it.contains("` exits "));
    }
    wrong
}

#[test]
fn every_console_block_prints_what_the_page_shows() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in pages() {
        count += Page::parse(&fs::read_to_string(&path).unwrap())
            .steps()
            .count();
        wrong.extend(check_page(&path));
    }
    assert!(count > 30, "{count} commands were found");
    assert!(
        wrong.is_empty(),
        "{} of {count} commands; {RECORD}=1 writes their output again:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_step_accepts_other_times_and_ids_and_no_other_words() {
    let step = |shown: &str| {
        let page = format!("```console\n$ agon list\n{shown}\n```\n");
        Page::parse(&page).steps().next().cloned().unwrap()
    };
    let is_shown = |shown: &str, printed: &str| {
        let step: Step = step(shown);
        step.difference(printed).is_none()
    };
    assert!(is_shown("took 0:14, 20k tokens", "took 0:02, 8k tokens\n"));
    assert!(is_shown("commit 0123abc", "commit fedc987\n"));
    assert!(is_shown("a\n…\nd", "a\nb\nc\nd\n"));
    assert!(!is_shown("a\n…\nd", "a\nb\nc\n"));
    assert!(!is_shown("a\n…", "b\nc\n"));
    assert!(!is_shown("one", "two\n"));
    assert!(!is_shown("one", "one\ntwo\n"));
}
