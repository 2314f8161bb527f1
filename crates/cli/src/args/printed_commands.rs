//! Tests that every command in a help, a page or an output can be typed.

use std::fs;
use std::path::{Path, PathBuf};

use agon_testkit::{command_words, printed_commands};
use clap::{CommandFactory, Parser};

use super::Cli;

/// Returns the commands in a text: each `agon` followed by a subcommand, with its words.
fn find_commands(text: &str) -> Vec<&str> {
    let root = Cli::command();
    let is_subcommand = |word: &str| root.find_subcommand(word).is_some();
    text.lines()
        .flat_map(printed_commands)
        .filter(|command| command.split(' ').nth(1).is_some_and(is_subcommand))
        .collect()
}

/// Replaces a placeholder by a value.
fn fill_placeholder(word: &str) -> String {
    let word = word.trim_matches(['[', ']']).trim_end_matches('…');
    match word {
        "N" | "M" => "1".to_owned(),
        "PART" => "agents".to_owned(),
        word => word.split('|').next().unwrap_or_default().to_owned(),
    }
}

/// Whether the command parses, at least up to its last option. Prose may follow it.
fn parses_as_command(command: &str) -> bool {
    let words: Vec<String> = command_words(command)
        .iter()
        .map(|word| fill_placeholder(word))
        .collect();
    let options = words.iter().rposition(|word| word.starts_with("--"));
    let shortest = options.map_or(2, |at| at + 1);
    (shortest..=words.len())
        .rev()
        .any(|length| match Cli::try_parse_from(&words[..length]) {
            Ok(_) => true,
            Err(error) => matches!(
                error.kind(),
                clap::error::ErrorKind::DisplayHelp
                    | clap::error::ErrorKind::DisplayVersion
                    // A text may leave out a required name, as in "agon rules explain".
                    | clap::error::ErrorKind::MissingRequiredArgument
                    | clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            ),
        })
}

fn find_unparsable_commands(from: &str, text: &str) -> Vec<String> {
    let commands = find_commands(text).into_iter();
    let wrong = commands.filter(|command| !parses_as_command(command));
    wrong.map(|command| format!("{from}: {command}")).collect()
}

/// Collects the helps of a command and its subcommands.
fn collect_helps(command: &mut clap::Command, texts: &mut Vec<(String, String)>) {
    let help = command.render_long_help().to_string();
    texts.push((command.get_name().to_owned(), help));
    for below in command.get_subcommands_mut() {
        collect_helps(below, texts);
    }
}

/// Collects the files in `dir` and below that have one of the extensions.
fn collect_files(dir: &Path, endings: &[&str], files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() {
            collect_files(&path, endings, files);
        } else if ending.is_some_and(|ending| endings.contains(&ending)) {
            files.push(path);
        }
    }
}

#[test]
fn every_printed_command_parses() {
    let mut texts = Vec::new();
    collect_helps(&mut Cli::command(), &mut texts);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect_files(&here.join("tests"), &["snap", "printed"], &mut files);
    collect_files(&here.join("../report/tests"), &["snap"], &mut files);
    collect_files(&here.join("../../docs"), &["md"], &mut files);
    files.extend(
        ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|page| here.join("../..").join(page)),
    );
    // Skip errors.md: it has its own placeholders, and a test of `errors` parses its commands.
    files.retain(|file| !file.ends_with("docs/errors.md"));
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        texts.push((file.display().to_string(), text));
    }
    let count: usize = texts
        .iter()
        .map(|(_, text)| find_commands(text).len())
        .sum();
    assert!(count > 500, "{count} commands were found");
    let wrong: Vec<_> = texts
        .iter()
        .flat_map(|(from, text)| find_unparsable_commands(from, text))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn commands_that_do_not_parse_are_found() {
    for wrong in [
        "agon show x --section turns · agon list",
        "see `agon report x --html`",
        "  agon usage --since",
        "agon debate \"tabs?\" --rounds 9",
    ] {
        assert_eq!(find_unparsable_commands("here", wrong).len(), 1, "{wrong}");
    }
    for right in [
        "agon check x says more",
        "  agon debate \"SQLite or plain files?\" --quick   # three calls",
        "no agon rules at all",
        "`agon rules explain CODE`",
    ] {
        assert_eq!(find_unparsable_commands("here", right), [""; 0], "{right}");
    }
}
