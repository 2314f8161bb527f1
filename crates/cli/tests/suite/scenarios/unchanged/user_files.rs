//! The files of a user beside the debates: configuration, consults, the index, the last debate.
//! Beside them, what the program prints whatever files there are.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use agon_testkit::Script;
use regex::Regex;

use super::bundle::{self, Files};
use super::printed::{self, Block};
use super::world::World;
use super::{commands, fixture, gained};

/// The configuration of the user and of the project.
const OF_USER: &str = "effort = \"high\"\nmax_time = 900\n\n[graph]\ngrounds = 0.9\n";
const OF_PROJECT: &str = "rounds = 1\n\n[rules]\nduel-praise = \"error\"\n";

/// What is run, in this order: the consults last, since each goes on with the one before.
const READINGS: &[&[&str]] = &[
    &["config", "show"],
    &["config", "show", "--json"],
    &["config", "show", "--sources"],
    &["config", "show", "--sources", "--json"],
    &["list"],
    &["list", "--json"],
    &["list", "--search", "lease"],
    &["list", "--search", "lease", "--json"],
    &["recall", "SQLite or plain files for the job store?"],
    &[
        "recall",
        "SQLite or plain files for the job store?",
        "--json",
    ],
    &["usage", "--by", "debate"],
    &["usage", "--json"],
    &["tools"],
    &["tools", "--json"],
    &["rules"],
    &["rules", "--json"],
    &["schema"],
    &["schema", "blind"],
    &["schema", "opening"],
    &["schema", "challenge"],
    &["schema", "defense"],
    &["schema", "follow_up"],
    &["schema", "verdict"],
    &["schema", "theses"],
    &["schema", "case"],
    &["schema", "rebuttal"],
    &["schema", "scores"],
    &["schema", "finding"],
    &["schema", "graph"],
    &["schema", "result"],
    &["schema", "verdict_document"],
    &["schema", "started"],
    &["schema", "status"],
    &["schema", "answer"],
    &["schema", "error"],
    &["schema", "list"],
    &["schema", "consult"],
    &["schema", "consultations"],
    &["schema", "replay"],
    &["schema", "doctor"],
    &["schema", "models"],
    &["schema", "model"],
    &["rules", "explain", "duel-praise"],
    &["demo", "--speed", "0"],
    &["demo", "--speed", "0", "--json"],
    &["completions", "bash"],
    &["man"],
    &["consult", "--continue", "And with two writers?"],
    &["consult", "--continue", "And with three?", "--json"],
];

/// Where a consult of earlier stands below the home.
const CONSULTS: &str = ".local/state/agon/consults";

/// What a user's place has besides the project's own files, below `home/` and `debates/`.
fn recordable(world: &World) -> Files {
    let of = |below: &str, root: PathBuf, wanted: fn(&str) -> bool| {
        let below = below.to_owned();
        let files = bundle::of_folder(&root).into_iter();
        let files = files.filter(move |(path, _)| wanted(path));
        files.map(move |(path, bytes)| (format!("{below}/{path}"), bytes))
    };
    let mut files: Files = of("home", world.fakes.place.home(), |path| {
        path.starts_with(CONSULTS) || path.starts_with(".config/agon/")
    })
    .collect();
    files.extend(of("project", world.project(), |path| path == "agon.toml"));
    // A lock is of one process.
    files.extend(of("debates", world.project().join("debates"), |path| {
        !path.ends_with("/.agon/lock") && !path.ends_with("/.agon/run")
    }));
    let home = |bytes: Vec<u8>| match String::from_utf8(bytes) {
        Ok(text) => world.without_places(&text).into_bytes(),
        Err(cause) => cause.into_bytes(),
    };
    files
        .into_iter()
        .map(|(path, bytes)| (path, home(bytes)))
        .collect()
}

/// Makes a user's place and writes it down, where this version has none yet.
pub(super) fn record(version: &Path) {
    let path = version.join("user.files");
    if path.exists() {
        return;
    }
    let world = World::new();
    world.configure(OF_USER);
    world.beside("agon.toml", OF_PROJECT);
    world.script(&Script::job_store());
    world.duel("one", 0, &["--quick"]);
    world.script(&Script::formal());
    world.ends(
        0,
        &["new", "two", "--motion", "This house would keep files"],
    );
    world.script(&Script::new("Use one writer."));
    let consult = ["consult", "Which lock?", "--tool", "claude,codex"];
    world.ends(0, &consult);
    world.ends(0, &["list", "--search", "lease"]);
    fs::write(path, bundle::to_text(&recordable(&world))).unwrap();
}

/// Puts what was recorded of a user in place; a consult is of a moment ago, since nobody goes on
/// with an old one.
fn lay_out(world: &World, files: &Files) {
    static AT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#""at":\d+"#).unwrap());
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_millis();
    let (home, project) = (world.fakes.place.home(), world.project());
    for (path, bytes) in files {
        let (below, rest) = path.split_once('/').unwrap();
        let to = match below {
            "home" => home.join(rest),
            "project" => project.join(rest),
            _ => project.join("debates").join(rest),
        };
        let mut bytes = bytes.clone();
        if rest.starts_with(CONSULTS) {
            let text = String::from_utf8(bytes).unwrap();
            let text = text.replace("[PROJECT]", &project.display().to_string());
            bytes = AT
                .replace(&text, format!("\"at\":{now}"))
                .into_owned()
                .into_bytes();
        }
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
    private(&home.join(CONSULTS));
}

/// Gives what is kept of consults the rights of its owner alone, and each its empty folder.
fn private(consults: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let entries = fs::read_dir(consults).into_iter().flatten().flatten();
    let rights =
        |path: &Path, mode| fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    for path in entries.map(|entry| entry.path()).collect::<Vec<_>>() {
        rights(&path, 0o600);
        let folder = path.with_extension("");
        fs::create_dir_all(&folder).unwrap();
        rights(&folder, 0o700);
    }
    rights(consults, 0o700);
}

/// What each command prints.
fn print(version: &Path) -> Vec<Block> {
    let files = bundle::from_text(&fs::read_to_string(version.join("user.files")).unwrap());
    let world = World::new();
    lay_out(&world, &files);
    world.script(&Script::new("Use one writer."));
    let commands: Vec<_> = READINGS
        .iter()
        .map(|words| commands::filled(words, ""))
        .collect();
    let print = |args: &Vec<String>| {
        if args[0] != "consult" {
            return printed::run(&world, args);
        }
        let words: Vec<_> = args.iter().map(String::as_str).collect();
        let none = Files::new();
        gained::block(&world, args, &world.run(&words), (&none, &none))
    };
    commands.iter().map(print).collect()
}

/// Writes down what is printed.
pub(super) fn record_printed() {
    for version in fixture::versions() {
        let path = version.join("user.printed");
        fs::write(path, printed::to_text(&print(&version))).unwrap();
    }
}

#[test]
fn the_files_of_a_user_are_read_as_when_they_were_recorded() {
    for version in fixture::versions() {
        let before = fs::read_to_string(version.join("user.printed")).unwrap();
        let wrong = printed::differences("user", &printed::from_text(&before), &print(&version));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
