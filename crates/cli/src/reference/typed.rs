//! Checks that every command in a fenced block of a page can be typed exactly as printed.

use clap::Parser;
use clap::error::ErrorKind;

use super::markdown::{LineKind, lines};
use super::pages;
use crate::args::Cli;

/// Returns the commands in a page's shell blocks with their line numbers; joins continued lines.
fn shell_lines(page: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut language = None;
    let mut continues = false;
    for line in lines(page) {
        if line.kind != LineKind::Code {
            language = None;
            continue;
        }
        let text = line.text.trim_start();
        if let Some(name) = text.strip_prefix("```") {
            language = if language.is_none() { Some(name) } else { None };
            continue;
        }
        let typed = match language {
            Some("sh") => Some(text),
            Some("console") if continues => Some(text),
            Some("console") => text.strip_prefix("$ "),
            _ => None,
        };
        let Some(typed) = typed else { continue };
        match continues {
            true => {
                let last = &mut found.last_mut().unwrap().1;
                last.truncate(last.len() - 1);
                last.push_str(typed);
            }
            false => found.push((line.number, typed.to_owned())),
        }
        continues = typed.ends_with('\\');
    }
    found
}

/// Splits a shell line into its commands, and each command into its words.
fn split_shell_commands(line: &str) -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (None, '#') if word.is_none() => break,
            (None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, '|' | '&' | ';' | '(' | ')' | '<' | '>') => {
                found.last_mut().unwrap().extend(word.take());
                found.push(Vec::new());
            }
            (None, c) if c.is_whitespace() => found.last_mut().unwrap().extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    found.last_mut().unwrap().extend(word);
    found.retain(|words| !words.is_empty());
    found
}

/// Returns the words from `agon` on if the command runs Agon, and `None` otherwise.
fn agon_command_words(words: &[String]) -> Option<Vec<String>> {
    let assigned = words.iter().take_while(|word| {
        word.split_once('=')
            .is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
    });
    let words = &words[assigned.count()..];
    let is_cargo = words.starts_with(&["cargo".into(), "run".into()]);
    let at = match words.first()?.as_str() {
        "agon" => 0,
        _ if is_cargo => words.iter().position(|word| word == "--")?,
        _ => return None,
    };
    let rest = words[at + 1..].iter().cloned();
    Some(std::iter::once("agon".to_owned()).chain(rest).collect())
}

fn command_fault(words: &[String]) -> Option<String> {
    // `agon` alone is valid: it shows what to do next.
    if words.len() == 1 {
        return None;
    }
    match Cli::try_parse_from(words) {
        Ok(_) => None,
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => None,
            _ => Some(error.to_string()),
        },
    }
}

#[test]
fn every_command_of_a_block_can_be_typed() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, page) in pages() {
        for (number, line) in shell_lines(&page) {
            let found = split_shell_commands(&line);
            for words in found.iter().filter_map(|words| agon_command_words(words)) {
                count += 1;
                let place = format!("{name}:{number}: {}", words.join(" "));
                wrong.extend(command_fault(&words).map(|fault| format!("{place}\n{fault}")));
            }
        }
    }
    assert!(count > 100, "{count} commands were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_cannot_be_typed_is_found_and_what_a_shell_takes_is_not() {
    let faults = |block: &str| {
        let lines = shell_lines(&format!("```sh\n{block}\n```\n"));
        let commands = lines
            .iter()
            .flat_map(|(_, line)| split_shell_commands(line));
        let commands = commands.filter_map(|words| agon_command_words(&words));
        commands.filter_map(|words| command_fault(&words)).count()
    };
    assert_eq!(faults("agon show job-store and more"), 1);
    assert_eq!(faults("agon usage --since"), 1);
    assert_eq!(faults("git diff | agon debate \"Is it so?\" --rounds 9"), 1);
    assert_eq!(faults("(cd ../ada && agon team leaves)"), 1);
    assert_eq!(
        faults("agon debate \"Tabs | spaces?\" --quick  # three calls"),
        0
    );
    assert_eq!(
        faults("AGON_ROUNDS=3 agon list \\\n  --json > list.json || exit 1"),
        0
    );
    assert_eq!(faults("ls agon"), 0);
}
