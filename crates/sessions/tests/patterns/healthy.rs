//! Sessions that are well, from files of this repository and output of cargo and git.

use std::path::Path;

use crate::session::{
    GIT_LOG, GIT_SHOW, PROJECT, SessionBuilder, TESTS_FAIL, TESTS_PASS, file, names, repository,
    session,
};

/// How many sessions are tried.
const SESSIONS: u64 = 50;

/// A small generator of numbers: the same sessions on each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

fn sources() -> Vec<String> {
    let mut found = Vec::new();
    for name in [
        "redact",
        "selection",
        "sessions",
        "argue",
        "record",
        "rules",
        "verdict",
        "store",
        "index",
        "hosts",
    ] {
        collect(
            &repository().join("crates").join(name).join("src"),
            &mut found,
        );
    }
    for name in [
        "docs",
        "content/skills",
        "content/roles",
        "crates/redact",
        "crates/hosts",
    ] {
        collect(&repository().join(name), &mut found);
    }
    found.sort();
    found.dedup();
    found
}

fn collect(folder: &Path, found: &mut Vec<String>) {
    if !folder.is_dir() {
        return;
    }
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path
            .extension()
            .is_some_and(|it| it == "rs" || it == "md" || it == "toml")
        {
            let inner = path.strip_prefix(repository()).unwrap();
            found.push(inner.to_string_lossy().into_owned());
        }
    }
}

/// Work that goes well, with what goes wrong on the way in any work.
fn healthy(seed: u64, sources: &[String]) -> SessionBuilder {
    let mut numbers = Numbers(seed);
    let topic = &sources[numbers.below(sources.len())];
    let mut session = session(&format!(
        "Make the code in {topic} easier to read. Use cargo nextest, not cargo test. Never touch crates/cli. The line width is 100."
    ));
    session.run("git log --stat", GIT_LOG);
    session.run("ls crates/*/src", &sources.join("\n"));
    session.say("The last commits touched `crates/sessions`. I begin with the file itself.");
    for _ in 0..6 + numbers.below(10) {
        let path = &sources[numbers.below(sources.len())];
        let text = file(path);
        let names = names(&text);
        session.read(&format!("{PROJECT}/{path}"), &text);
        session.say(&format!(
            "`{}` in `{path}` is where the names come from.",
            names[0]
        ));
        match numbers.below(8) {
            0 => {
                session.edit(&format!("{PROJECT}/{path}"), &names[0], &names[1]);
                session.run_fails("cargo nextest run -p agon-sessions", TESTS_FAIL);
                session.say("One test fails, since the name is used elsewhere. I fix it.");
                session.edit(&format!("{PROJECT}/{path}"), &names[1], &names[0]);
                session.run("cargo nextest run -p agon-sessions", TESTS_PASS);
                session.say("All tests pass now.");
            }
            1 => {
                session.run_fails(&format!("grep -rn {} crates/cli", names[1]), "");
                session.say(&format!("`{}` is used in this crate alone.", names[1]));
            }
            2 => {
                session.read_fails(&format!("{PROJECT}/{path}.orig"));
                session.say("There is no such file. I look into the history.");
                session.run("git show HEAD", GIT_SHOW);
                session.say("`SubAgentState` came in with that commit.");
            }
            3 => {
                session
                    .prompt("Good. The line width is 90 from now on, and keep the comments short.");
                session.say("Understood, 90 columns.");
            }
            4 => {
                session.prompt("Why is it so? What would you do?");
                session.say("It grew that way. Should I go on with the next file?");
                session.prompt("Yes, go on.");
            }
            5 => {
                session.edit_fails(&format!("{PROJECT}/{path}"), "gone", "new");
                session.say("The text is not there any more; I read it again.");
                session.read(&format!("{PROJECT}/{path}"), &text);
                session.edit(&format!("{PROJECT}/{path}"), &names[0], &names[1]);
                session.say(&format!("`{path}` now uses `{}`.", names[1]));
            }
            6 => {
                session.compact("The files were read; names were made easier to read.", None);
            }
            _ => {
                session.search(&names[0], &format!("{path}:1:{}", names[0]));
                session.say(&format!("`{}` has one place.", names[0]));
            }
        }
    }
    session
        .run("cargo nextest run", TESTS_PASS)
        .say("All tests pass; the work is done.");
    session
}

#[test]
fn healthy_sessions_are_not_flagged() {
    let sources = sources();
    let flagged: Vec<_> = (0..SESSIONS)
        .map(|seed| (seed, healthy(seed, &sources).findings().findings))
        .filter(|(_, found)| !found.is_empty())
        .collect();
    assert!(
        flagged.len() * 50 <= SESSIONS as usize,
        "{} {:#?}",
        flagged.len(),
        flagged.iter().take(6).collect::<Vec<_>>()
    );
}

/// Seconds that this thread had a core: others may be at it, too.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanos: u64 = text.split_whitespace().next().unwrap().parse().unwrap();
    nanos as f64 / 1e9
}

#[test]
fn a_session_of_megabytes_takes_time_in_proportion_to_its_size() {
    let sources = sources();
    let time = |copies: usize| {
        let mut session = session("Make the names easier to read.");
        for round in 0..copies {
            for path in &sources[..60] {
                let text = file(path);
                session.read(&format!("{PROJECT}/{path}"), &text);
                session.say(&format!(
                    "`{}` is in `{path}`, round {round}.",
                    names(&text)[0]
                ));
            }
        }
        let before = cpu_seconds();
        session.findings();
        cpu_seconds() - before
    };
    time(1);
    let (small, large) = (time(2), time(12));
    // Six times the text; what grows with its square takes thirty-six times as long.
    assert!(large < 18.0 * small, "{small} {large}");
}
