//! Every command that a help, a page or a print-out says to type is run, where it needs neither the
//! network nor a tool that is not there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use agon_testkit::{Script, command_words, printed_commands, sample};

use crate::cli::folder::{debate, other, spec};
use crate::cli::harness::Agon;

/// Printed commands that are typed by default.
const SAMPLE: usize = 60;

/// Commands that only read, or that need nothing but a folder: these end well, or say in their exit
/// code what they found.
const READING: [&str; 24] = [
    "show",
    "list",
    "recall",
    "check",
    "evidence",
    "replay",
    "graph",
    "rules",
    "schema",
    "config",
    "tools",
    "usage",
    "report",
    "open",
    "completions",
    "man",
    "demo",
    "wait",
    "stop",
    "new",
    "rm",
    "say",
    "model",
    "judge",
];

/// What some of them cannot do in the folder that is prepared, and say so.
const REFUSALS: &[&str] = &[
    // What is named is not there: a placeholder, or another debate.
    "there is no debate",
    "no debate",
    "no running debate",
    "there is no file",
    "has no point",
    "there is no rule",
    "unknown document",
    "unknown",
    // It is closed, runs nowhere, or was given nothing to look up.
    "closed",
    "has ended",
    "needs a terminal",
    "only a person at a terminal",
    "is there already",
    "already exists",
    "has no verdict yet",
    "for good",
    "is not here",
    "is not downloaded",
    "not JSON",
    "the motion is missing",
    "missing motion",
    "missing question",
    "no model is called",
    // The latest debate is a formal one.
    "is judged after every exchange",
];

/// The commands in a text, with placeholders filled in. What a test has typed is not printed by the
/// program.
fn commands(text: &str) -> impl Iterator<Item = Vec<String>> {
    let lines = text.lines().filter(|line| !line.starts_with("$ agon"));
    lines.flat_map(printed_commands).map(|command| {
        let words = command_words(command).into_iter();
        // A name is left out from here on, as in `agon rm <DEBATE>`.
        let words = words.take_while(|word| !word.starts_with('<'));
        words.map(|word| filled(&word)).collect()
    })
}

fn filled(word: &str) -> String {
    let word = word.trim_matches(['[', ']']).trim_end_matches('…');
    let word = word.split('|').next().unwrap_or_default();
    match word {
        "N" | "M" => "1",
        "DEBATE" | "NAME" | "d" | "s" | "x" => "job-store",
        "FILE" | "PATH" => "some.tgf",
        word if word.len() == 26 && word.starts_with("01") => "job-store",
        "POINT" => "pro_001a",
        "CODE" => "attack-target",
        "PART" => "agents",
        "TOPIC" | "MOTION" | "WORDS" => "sqlite",
        "there" => "there/",
        word => word,
    }
    .to_owned()
}

/// The pages and recorded print-outs.
fn pages() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join("../..");
    let mut pages: Vec<_> = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
        .map(|page| root.join(page))
        .into();
    for dir in [root.join("docs"), here.join("tests/suite/cli/snapshots")] {
        let files = fs::read_dir(dir).unwrap().map(|file| file.unwrap().path());
        // The pictures have a folder of their own. The commands of errors.md are parsed where it is
        // generated.
        pages.extend(files.filter(|path| path.is_file() && !path.ends_with("errors.md")));
    }
    pages
}

/// Every command that is printed, by the place where it stands first.
fn printed(agon: &Agon) -> BTreeMap<Vec<String>, String> {
    let mut texts = Vec::new();
    for page in pages() {
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        texts.push((name, fs::read_to_string(&page).unwrap()));
    }
    for args in [
        &[][..],
        &["demo", "--keep", "--speed", "0"],
        &["completions"],
    ] {
        let ran = agon.run(args);
        texts.push((
            format!("agon {}", args.join(" ")),
            ran.stdout + "\n" + &ran.stderr,
        ));
    }
    let mut found = BTreeMap::new();
    for (from, text) in texts {
        for command in commands(&text) {
            found.entry(command).or_insert_with(|| from.clone());
        }
    }
    found
}

/// A project with the debates that are spoken of.
fn prepared() -> Agon {
    let agon = Agon::new().env("AGON_FALLBACK", "none");
    let debates = agon.project().join("debates");
    debate(
        &debates,
        spec("job-store"),
        &Script::job_store(),
        usize::MAX,
    );
    for (number, name) in [(2, "tabs-or-spaces"), (3, "night-trains")] {
        debate(
            &debates,
            other(name, number),
            &Script::job_store(),
            usize::MAX,
        );
    }
    agon.write("some.tgf", "1\n2\n#\n1 2\n");
    let ran = agon.run(&["new", "halt-ai", "--motion", "Resolved: AI halts"]);
    assert_eq!(ran.code, Some(0));
    agon
}

/// What went wrong with a command, of which prose may stand at the end: it is cut off until the rest
/// can be typed. None where the first words are none of ours.
fn fault(agon: &Agon, command: &[String], names: &BTreeSet<String>) -> Option<String> {
    let name = command.get(1)?;
    if !names.contains(name) || (name == "model" && command.iter().any(|word| word == "pull")) {
        return None;
    }
    let options = command.iter().rposition(|word| word.starts_with("--"));
    let shortest = options.map_or(2, |at| at + 1);
    // They go on until Ctrl-C: that they can be typed is seen by their help.
    let is_endless = |word: &String| ["--follow", "--watch"].contains(&word.as_str());
    let is_server = name == "web" && !command.iter().any(|word| word == "--help");
    if is_server || command.iter().any(is_endless) {
        let args = command[1..].iter().map(String::as_str).chain(["--help"]);
        let ran = agon.run(&args.collect::<Vec<_>>());
        return (ran.code != Some(0)).then_some(ran.stderr);
    }
    let mut first = None;
    for length in (shortest..=command.len()).rev() {
        let args: Vec<&str> = command[1..length].iter().map(String::as_str).collect();
        let ran = agon.run(&args);
        let told = format!(
            "agon {}: exit {:?}: {}",
            args.join(" "),
            ran.code,
            ran.stderr
        );
        let is_untypable = ran.stderr.contains("For more information, try '--help'");
        // A name is left out, as in "agon rules explain".
        let lacks = ran.stderr.contains("required arguments were not provided")
            || ran.stderr.starts_with("Usage:")
            || ran.stderr.contains("\n\nUsage:") && !is_untypable;
        if lacks {
            return None;
        }
        if is_untypable {
            first.get_or_insert(told);
            continue;
        }
        let is_good = match ran.code {
            Some(0 | 7 | 8) => true,
            // No tool is here, and nothing is configured.
            Some(4) if name == "tools" => true,
            Some(1..=6) if !READING.contains(&name.as_str()) => true,
            Some(_) => {
                let said = ran.stdout.clone() + &ran.stderr;
                REFUSALS.iter().any(|refusal| said.contains(refusal))
            }
            None => false,
        };
        return (!is_good).then_some(told);
    }
    first
}

#[test]
fn every_command_that_is_printed_runs_as_it_is_said() {
    let agon = prepared();
    let reference = include_str!("../../../../../docs/commands.md");
    let names = reference
        .lines()
        .filter_map(|line| line.strip_prefix("### agon "));
    let names: BTreeSet<_> = names.map(str::to_owned).collect();
    let printed = printed(&agon);
    assert!(printed.len() > 150, "{} commands were found", printed.len());
    let printed = sample(
        "commands that are printed",
        printed.into_iter().collect(),
        SAMPLE,
    );
    let mut wrong = Vec::new();
    for (command, from) in &printed {
        // The others find the debates.
        let fresh;
        let agon = match command.get(1).map(String::as_str) {
            Some("rm") => {
                fresh = prepared();
                &fresh
            }
            _ => &agon,
        };
        wrong.extend(fault(agon, command, &names).map(|fault| format!("{from}: {fault}")));
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        printed.len(),
        wrong.join("\n")
    );
}
