//! How debates are recorded.
//!
//! `AGON_RECORD_FOLDERS=1` makes every debate of `recipes/` that this version of the record does
//! not have yet, and writes its folder. A folder that is there is never written again: it is what
//! that version wrote.
//! With it, or with `AGON_RECORD_PRINTED=1` alone, what the program prints and adds now is written
//! beside every folder of every version; what changed is then to be read in the difference.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::bundle::{self, Files};
use super::fixture::{self, Recorded};
use super::reading::laid_out;
use super::recipes::{self, Recipe};
use super::world::World;
use super::{acting, commands, cuts, printed, user_files};

/// What a folder has of one process or one machine, and what its own `.gitignore` leaves out.
const LEFT_OUT: [&str; 6] = ["lock", "run", "run.tmp", "tmp", "log", "handed"];

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| value == "1")
}

/// Debates whose snapshot is recorded, one of each kind: the journal says the same.
const WITH_SNAPSHOT: [&str; 3] = ["duel", "formal-panel", "duel-on-a-project"];

/// The files of a debate's folder that are recorded.
pub(super) fn recordable(world: &World, name: &str) -> Files {
    let mut files = bundle::of_folder(&world.folder(name));
    files.retain(|path, _| match path.strip_prefix(".agon/") {
        Some("snapshot") => WITH_SNAPSHOT.contains(&name),
        Some(own) => !LEFT_OUT.contains(&own),
        None => true,
    });
    files
}

/// The folder of the version that this program writes, named by the journal's and the prompts'.
fn version() -> PathBuf {
    let world = World::new();
    let recipe = recipes::named("duel-quick").unwrap();
    world.script(&(recipe.script)());
    (recipe.make)(&world, "s");
    let journal = fs::read_to_string(world.folder("s").join(".agon/journal.jsonl")).unwrap();
    let lines: Vec<Value> = journal
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let asked = lines
        .iter()
        .find_map(|line| line["events"][0].get("prompt_version"));
    let name = format!("journal-{}-prompts-{}", lines[0]["v"], asked.unwrap());
    fixture::root().join(name)
}

/// Makes a debate and writes its folder down.
fn make(version: &PathBuf, recipe: &Recipe) {
    let world = World::new();
    world.script(&(recipe.script)());
    (recipe.make)(&world, recipe.name);
    let files = recordable(&world, recipe.name);
    let text = world.without_places(&bundle::to_text(&files));
    assert_eq!(text, bundle::to_text(&files), "no path of this machine");
    fs::create_dir_all(version).unwrap();
    fs::write(version.join(format!("{}.folder", recipe.name)), text).unwrap();
}

/// Writes down what is printed and gained.
fn print(at: usize, recorded: &Recorded) {
    let world = laid_out(recorded);
    let commands = commands::on(&recorded.name, at, true);
    let blocks = commands::print(&world, &commands);
    fs::write(recorded.path("printed"), printed::to_text(&blocks)).unwrap();
    if let Some(recipe) = recipes::named(&recorded.name).filter(|recipe| !recipe.acts.is_empty()) {
        let blocks = acting::act(&laid_out(recorded), recipe);
        fs::write(recorded.path("gained"), printed::to_text(&blocks)).unwrap();
    }
    if cuts::is_cut(&recorded.name) {
        let blocks = cuts::print(recorded, true);
        fs::write(recorded.path("cuts"), printed::to_text(&blocks)).unwrap();
    }
}

#[test]
fn this_version_of_the_record_has_its_debates() {
    let version = version();
    let recipes: Vec<_> = recipes::all().collect();
    if is_set("AGON_RECORD_FOLDERS") {
        let wrong = fixture::each(&recipes, |_, recipe| {
            if !version.join(format!("{}.folder", recipe.name)).exists() {
                make(&version, recipe);
            }
            Vec::new()
        });
        assert!(wrong.is_empty(), "{wrong:#?}");
        user_files::record(&version);
    }
    if is_set("AGON_RECORD_FOLDERS") || is_set("AGON_RECORD_PRINTED") {
        fixture::each(&fixture::all(), |at, recorded| {
            print(at, recorded);
            Vec::new()
        });
        user_files::record_printed();
    }
    let missing: Vec<_> = recipes
        .iter()
        .map(|recipe| recipe.name)
        .filter(|name| !version.join(format!("{name}.folder")).exists())
        .collect();
    let expected: [&str; 0] = [];
    assert_eq!(
        missing,
        expected,
        "{} lacks these: AGON_RECORD_FOLDERS=1 records them",
        version.display()
    );
}
